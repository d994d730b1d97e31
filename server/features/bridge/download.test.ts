import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { readConfig } from '#bridge/config.ts'
import { packDownload } from './download.ts'

const SITE = 'https://play.example.ph'
const unpack = async (system: 'windows' | 'linux', preset: 'ran-mssql' | 'ran-mariadb') =>
  unzipSync(new Uint8Array(await (await packDownload(SITE, { system, preset })).arrayBuffer()))

test('the zip file has a program that runs, and a configuration with the site’s address', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-download-'))
  context.after(() => rm(folder, { recursive: true }))
  const files = await unpack('linux', 'ran-mariadb')
  assert.deepEqual(Object.keys(files).sort(), ['README.txt', 'bridge.json', 'bridge.mjs', 'install.sh', 'uninstall.sh'])
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const config = await readConfig(join(folder, 'bridge.json'), { GAME_PASSWORD: 'secret' })
  assert.partialDeepStrictEqual(config, { site: SITE, preset: 'ran-mariadb', keyFile: join(folder, 'bridge.key') })
  assert.match(strFromU8(files['README.txt'] ?? new Uint8Array()), /pair https:\/\/play\.example\.ph CODE/)
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'bridge.mjs'), '--help'], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stdout, /bridge pair URL CODE/)
  assert.equal(spawnSync('sh', ['-n', join(folder, 'install.sh')]).status, 0)
})

test('the files for Windows have Windows line ends', async () => {
  const files = await unpack('windows', 'ran-mssql')
  assert.deepEqual(Object.keys(files).sort(), [
    'README.txt',
    'bridge.json',
    'bridge.mjs',
    'install.cmd',
    'uninstall.cmd',
  ])
  for (const name of ['bridge.json', 'install.cmd'])
    assert.doesNotMatch(strFromU8(files[name] ?? new Uint8Array()), /[^\r]\n/)
})
