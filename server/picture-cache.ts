import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Creates a cache of drawn pictures, in files that all processes on a disk share. Evicts the least recently used pictures
 * above `maxBytes`, and those unused for `maxAgeMs`. On a full or broken disk, pictures are drawn again for each request.
 */
export function createPictureCache(
  folder: string,
  { maxBytes, maxAgeMs, now }: { maxBytes: number; maxAgeMs: number; now: () => Date },
) {
  const toFilePath = (name: string) => join(folder, name)
  let pendingSweep: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    const names = await readdir(folder)
    const files = await Promise.all(
      // Another process may have removed the file.
      names.map((name) =>
        stat(toFilePath(name)).then(
          ({ size, mtimeMs }) => [{ name, size, mtimeMs }],
          () => [],
        ),
      ),
    )
    const unusedSince = now().getTime() - maxAgeMs
    let bytes = 0
    for (const { name, size, mtimeMs } of files.flat().sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      bytes += size
      // Another process may still be writing a file that ends in .part.
      const isOverLimit = bytes > maxBytes && !name.endsWith('.part')
      if (isOverLimit || mtimeMs < unusedSince) await rm(toFilePath(name), { force: true })
    }
  }

  return {
    /** Returns the picture with a name and marks it as used; undefined if it is not cached. */
    async read(name: string): Promise<Buffer | undefined> {
      const content = await readFile(toFilePath(name)).catch(() => undefined)
      if (content !== undefined) await utimes(toFilePath(name), now(), now()).catch(() => {})
      return content
    },

    /** Returns whether there is a picture with a name, and marks it as used. */
    has: (name: string): Promise<boolean> =>
      utimes(toFilePath(name), now(), now()).then(
        () => true,
        () => false,
      ),

    /** Stores a picture. Writes are atomic for readers in other processes. */
    async write(name: string, content: Buffer): Promise<void> {
      const partPath = toFilePath(`${name}.${randomUUID()}.part`)
      await mkdir(folder, { recursive: true })
      await writeFile(partPath, content)
      await utimes(partPath, now(), now())
      await rename(partPath, toFilePath(name))
      pendingSweep = pendingSweep.then(sweep, sweep)
      await pendingSweep
    },
  }
}
