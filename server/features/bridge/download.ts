import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { strToU8, type Zippable, zipSync } from 'fflate'
import type { GamePreset, GameSystem } from '#contract/desk-game.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PARTS = join(ROOT, 'deploy/bridge')
const FILES: Record<GameSystem, { scripts: string[]; line: string }> = {
  windows: { scripts: ['install.cmd', 'uninstall.cmd'], line: '\r\n' },
  linux: { scripts: ['install.sh', 'uninstall.sh'], line: '\n' },
}
const EXECUTABLE = 0o755
/** The bits by which a zip file shifts the attributes of a Unix file. */
const UNIX = 16

const DATABASES: Record<GamePreset, { scheme: string; names: [string, string, string]; more: string }> = {
  'ran-mssql': { scheme: 'mssql', names: ['RanUser', 'RanGame1', 'RanShop'], more: '?trustServerCertificate=true' },
  'ran-mariadb': { scheme: 'mariadb', names: ['RanUser', 'RanGame1', 'RanShop'], more: '' },
  'ran-postgres': { scheme: 'postgres', names: ['ranuser', 'rangame', 'ranshop'], more: '' },
}

/** Returns an example configuration with the site's address. */
function writeConfig(site: string, preset: GamePreset): string {
  const { scheme, names, more } = DATABASES[preset]
  const [user, game, shop] = names.map(
    (name) => `${scheme}://tambayan_bridge:\${GAME_PASSWORD}@127.0.0.1/${name}${more}`,
  )
  const config = {
    site,
    key: 'bridge.key',
    game: { preset, user, game, shop },
    userUid: 'UserName',
    passwordForm: 'md5-upper-19',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

let packing: Promise<Buffer> | undefined

/** Packs the program in a temporary folder. Concurrent requests share the result. */
function packProgram(): Promise<Buffer> {
  packing ??= pack().finally(() => {
    packing = undefined
  })
  return packing
}

async function pack(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-bridge-'))
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/pack-bridge.ts'), folder], { cwd: ROOT })
    return await readFile(join(folder, 'bridge.mjs'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the bridge as a zip file: the program, a configuration, and the installation files of a system. */
export async function packDownload(
  site: string,
  { system, preset }: { system: GameSystem; preset: GamePreset },
): Promise<File> {
  const { scripts, line } = FILES[system]
  const readPart = async (name: string) =>
    strToU8((await readFile(join(PARTS, name), 'utf8')).replaceAll('SITE', site).replaceAll('\n', line))
  const files: Zippable = {
    'bridge.mjs': await packProgram(),
    'bridge.json': strToU8(writeConfig(site, preset).replaceAll('\n', line)),
    'README.txt': await readPart('README.txt'),
  }
  for (const name of scripts) files[name] = [await readPart(name), { os: 3, attrs: EXECUTABLE << UNIX }]
  return new File([zipSync(files)], `bridge-${system}.zip`, { type: 'application/zip' })
}
