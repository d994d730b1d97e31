import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createPictureCache } from './picture-cache.ts'

const root = await mkdtemp(join(tmpdir(), 'tambayan-pictures-'))
after(() => rm(root, { recursive: true }))

let at = Date.parse('2026-11-01T00:00:00Z')
const now = () => new Date(at)
/** Opens a new folder twice, as two processes would. */
function openTwice(name: string) {
  const open = () => createPictureCache(join(root, name), { maxBytes: 300, maxAgeMs: 1_000_000, now })
  return [open(), open()] as const
}
const picture = (byte: number) => Buffer.alloc(100, byte)
const names = async (folder: string) => (await readdir(join(root, folder))).sort()

test('evicts the least recently used pictures when the cache is over its size', async () => {
  const [one, other] = openTwice('full')
  for (const [nth, name] of ['a', 'b', 'c'].entries()) {
    at += 1000
    await (nth === 1 ? other : one).write(name, picture(nth))
  }
  assert.deepEqual(await names('full'), ['a', 'b', 'c'])
  at += 1000
  assert.deepEqual(await other.read('a'), picture(0))
  at += 1000
  await one.write('d', picture(3))
  assert.deepEqual(await names('full'), ['a', 'c', 'd'])
  assert.equal(await one.read('b'), undefined)
})

test('evicts pictures that were unused for too long, and files that a crash left', async () => {
  const [one] = openTwice('old')
  await one.write('a', picture(1))
  await writeFile(join(root, 'old', 'b.part'), 'half a picture')
  await utimes(join(root, 'old', 'b.part'), now(), now())
  at += 1_000_001
  await one.write('c', picture(2))
  assert.deepEqual(await names('old'), ['c'])
})

test('concurrent writers store complete pictures within the size limit', async () => {
  const [one, other] = openTwice('busy')
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? one : other).write(`p${nth % 5}`, picture(nth % 5))),
  )
  const remainingNames = await names('busy')
  assert.ok(remainingNames.length > 0 && remainingNames.length <= 3, remainingNames.join())
  for (const name of remainingNames) assert.deepEqual(await one.read(name), picture(Number(name[1])))
})

test('stores and returns no picture in a folder without write access', async () => {
  await writeFile(join(root, 'file'), '')
  const [one] = openTwice('file')
  await assert.rejects(one.write('a', picture(1)))
  assert.equal(await one.read('a'), undefined)
})
