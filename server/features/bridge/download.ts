import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { strToU8, type Zippable, zipSync } from 'fflate'
import type { BridgePreset, BridgeSystem } from '#contract/desk-game.ts'

const ROOT = join(import.meta.dirname, '../../..')
const INSTALLER_DIR = join(ROOT, 'deploy/bridge')
const INSTALLERS: Record<BridgeSystem, { scripts: string[]; lineEnding: string }> = {
  windows: { scripts: ['install.cmd', 'uninstall.cmd'], lineEnding: '\r\n' },
  linux: { scripts: ['install.sh', 'uninstall.sh'], lineEnding: '\n' },
}
const EXECUTABLE_MODE = 0o755
/** A zip file stores the attributes of a Unix file shifted by this number of bits. */
const UNIX_ATTRIBUTE_SHIFT = 16

const DATABASES: Record<BridgePreset, { scheme: string; names: [string, string, string]; query: string }> = {
  'ran-mssql': { scheme: 'mssql', names: ['RanUser', 'RanGame1', 'RanShop'], query: '?trustServerCertificate=true' },
  'ran-mariadb': { scheme: 'mariadb', names: ['RanUser', 'RanGame1', 'RanShop'], query: '' },
  'ran-postgres': { scheme: 'postgres', names: ['ranuser', 'rangame', 'ranshop'], query: '' },
}

/** Returns an example configuration with the site's address. */
function writeConfig(site: string, preset: BridgePreset): string {
  const { scheme, names, query } = DATABASES[preset]
  const [user, game, shop] = names.map(
    (name) => `${scheme}://tambayan_bridge:\${GAME_PASSWORD}@127.0.0.1/${name}${query}`,
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

let currentPacking: Promise<Buffer> | undefined

/** Packs the program in a temporary folder. Concurrent requests share the result. */
function packProgram(): Promise<Buffer> {
  currentPacking ??= runPacker().finally(() => {
    currentPacking = undefined
  })
  return currentPacking
}

async function runPacker(): Promise<Buffer> {
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
  { system, preset }: { system: BridgeSystem; preset: BridgePreset },
): Promise<File> {
  const { scripts, lineEnding } = INSTALLERS[system]
  const readInstallFile = async (name: string) =>
    strToU8((await readFile(join(INSTALLER_DIR, name), 'utf8')).replaceAll('SITE', site).replaceAll('\n', lineEnding))
  const files: Zippable = {
    'bridge.mjs': await packProgram(),
    'bridge.json': strToU8(writeConfig(site, preset).replaceAll('\n', lineEnding)),
    'README.txt': await readInstallFile('README.txt'),
  }
  for (const name of scripts)
    files[name] = [await readInstallFile(name), { os: 3, attrs: EXECUTABLE_MODE << UNIX_ATTRIBUTE_SHIFT }]
  return new File([zipSync(files)], `bridge-${system}.zip`, { type: 'application/zip' })
}
