import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createPictureCache } from './picture-cache.ts'

const root = await mkdtemp(join(tmpdir(), 'tambayan-pictures-'))
after(() => rm(root, { recursive: true }))

let time = Date.parse('2026-11-01T00:00:00Z')
const now = () => new Date(time)
/** Opens a new folder twice, as two processes would. */
function openTwice(name: string) {
  const open = () => createPictureCache(join(root, name), { maxBytes: 300, maxAgeMs: 1_000_000, now })
  return [open(), open()] as const
}
const createPicture = (byte: number) => Buffer.alloc(100, byte)
const listNames = async (folder: string) => (await readdir(join(root, folder))).sort()

test('evicts the least recently used pictures when the cache is over its size', async () => {
  const [firstCache, secondCache] = openTwice('full')
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    time += 1000
    await (index === 1 ? secondCache : firstCache).write(name, createPicture(index))
  }
  assert.deepEqual(await listNames('full'), ['a', 'b', 'c'])
  time += 1000
  assert.deepEqual(await secondCache.read('a'), createPicture(0))
  time += 1000
  await firstCache.write('d', createPicture(3))
  assert.deepEqual(await listNames('full'), ['a', 'c', 'd'])
  assert.equal(await firstCache.read('b'), undefined)
})

test('evicts pictures that were unused for too long, and files that a crash left', async () => {
  const [firstCache] = openTwice('old')
  await firstCache.write('a', createPicture(1))
  await writeFile(join(root, 'old', 'b.part'), 'half a picture')
  await utimes(join(root, 'old', 'b.part'), now(), now())
  time += 1_000_001
  await firstCache.write('c', createPicture(2))
  assert.deepEqual(await listNames('old'), ['c'])
})

test('concurrent writers store complete pictures within the size limit', async () => {
  const [firstCache, secondCache] = openTwice('busy')
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? firstCache : secondCache).write(`p${index % 5}`, createPicture(index % 5)),
    ),
  )
  const remainingNames = await listNames('busy')
  assert.ok(remainingNames.length > 0 && remainingNames.length <= 3, remainingNames.join())
  for (const name of remainingNames) assert.deepEqual(await firstCache.read(name), createPicture(Number(name[1])))
})

test('fails to store a picture and finds none when its folder cannot be created', async () => {
  await writeFile(join(root, 'file'), '')
  const [firstCache] = openTwice('file')
  await assert.rejects(firstCache.write('a', createPicture(1)))
  assert.equal(await firstCache.read('a'), undefined)
})
