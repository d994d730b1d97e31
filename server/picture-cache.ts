import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Caches pictures that can be drawn again, as files that all processes on a disk share. Evicts the least recently used ones
 * over `maxBytes`, and those unused for `maxAgeMs`. A full or broken disk only means that pictures are drawn again.
 */
export function createPictureCache(
  folder: string,
  { maxBytes, maxAgeMs, now }: { maxBytes: number; maxAgeMs: number; now: () => Date },
) {
  const toFilePath = (name: string) => join(folder, name)
  let sweeping: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    const names = await readdir(folder)
    const found = await Promise.all(
      // Another process may have removed it.
      names.map((name) =>
        stat(toFilePath(name)).then(
          ({ size, mtimeMs }) => [{ name, size, mtimeMs }],
          () => [],
        ),
      ),
    )
    const unusedSince = now().getTime() - maxAgeMs
    let bytes = 0
    for (const { name, size, mtimeMs } of found.flat().sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      bytes += size
      // A file that is being written is not deleted.
      const isOver = bytes > maxBytes && !name.endsWith('.part')
      if (isOver || mtimeMs < unusedSince) await rm(toFilePath(name), { force: true })
    }
  }

  return {
    /** Returns the picture of a name and marks it as used; undefined if it is not cached. */
    async read(name: string): Promise<Buffer | undefined> {
      const content = await readFile(toFilePath(name)).catch(() => undefined)
      if (content !== undefined) await utimes(toFilePath(name), now(), now()).catch(() => {})
      return content
    },

    /** Whether there is a picture of a name, which counts as used now. */
    has: (name: string): Promise<boolean> =>
      utimes(toFilePath(name), now(), now()).then(
        () => true,
        () => false,
      ),

    /** Stores a picture. Writes are atomic for readers in other processes. */
    async write(name: string, content: Buffer): Promise<void> {
      const part = toFilePath(`${name}.${randomUUID()}.part`)
      await mkdir(folder, { recursive: true })
      await writeFile(part, content)
      await utimes(part, now(), now())
      await rename(part, toFilePath(name))
      sweeping = sweeping.then(sweep, sweep)
      await sweeping
    },
  }
}
