import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makePrivate } from './private-folder.ts'

const POSIX_ONLY = { skip: process.platform === 'win32' ? 'Windows has no file modes' : false }
const umask = process.umask()
const root = await mkdtemp(join(tmpdir(), 'tambayan-private-'))
after(async () => {
  process.umask(umask)
  await rm(root, { recursive: true, force: true })
})

const readMode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Creates a data directory that others on the machine can read. */
async function createReadableFolder(name: string) {
  const folder = join(root, name)
  for (const subfolder of ['db/base/1', 'mail', 'backups', 'uploads'])
    await mkdir(join(folder, subfolder), { recursive: true, mode: 0o755 })
  const files = ['db/PG_VERSION', 'db/base/1/1259', 'mail/000001.eml', 'backups/a.backup.gz'].map((file) =>
    join(folder, file),
  )
  for (const file of files) {
    await writeFile(file, '')
    await chmod(file, 0o666)
  }
  await chmod(folder, 0o755)
  return { folder, files }
}

test('makes a data directory private, with its existing and later files', POSIX_ONLY, async () => {
  const { folder, files } = await createReadableFolder('data')
  await symlink(join(root, 'elsewhere'), join(folder, 'mail', 'link'))
  assert.equal(makePrivate(folder), true)
  for (const subfolder of ['', 'db', 'db/base', 'db/base/1', 'mail', 'backups'])
    assert.equal(await readMode(join(folder, subfolder)), '700', subfolder)
  for (const file of files) assert.equal(await readMode(file), '600', file)
  await mkdir(join(folder, 'mail', 'later'))
  await writeFile(join(folder, 'mail', 'later', '2.eml'), '')
  assert.equal(await readMode(join(folder, 'mail', 'later')), '700')
  assert.equal(await readMode(join(folder, 'mail', 'later', '2.eml')), '600')
})

test('creates a missing data directory as a private one', POSIX_ONLY, async () => {
  const folder = join(root, 'new', 'data')
  assert.equal(makePrivate(folder), true)
  assert.equal(await readMode(folder), '700')
})

test('makes only the site’s files private in a folder of other programs', POSIX_ONLY, async () => {
  const { folder, files } = await createReadableFolder('shared')
  const foreignFile = join(folder, 'other-program.conf')
  await writeFile(foreignFile, '', { mode: 0o644 })
  await chmod(foreignFile, 0o644)
  assert.equal(makePrivate(folder), false)
  assert.deepEqual([await readMode(folder), await readMode(foreignFile)], ['755', '644'])
  for (const file of files) assert.equal(await readMode(file), '600', file)
  assert.equal(await readMode(join(folder, 'db')), '700')
})
