import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Config, ConfigError, getPublicUrl, readConfig, SETTING_VARIABLES } from './config.ts'

type Environment = Record<string, string | undefined>

/** The data of a running site for the commands of its checkout: its process, its address, and its settings. */
type RunningSite = { pid: number; host: string; port: number; publicUrl: string; settings: Environment }

/** One file for each site that runs from this checkout, by its port. */
const FOLDER = join(import.meta.dirname, '../.cache/sites')

/**
 * Leaves a file by which commands find this site. Only its user may read it, because settings have
 * passwords. Where the checkout cannot be written, commands are given the settings instead (deploy/tambayan).
 *
 * @returns a function that removes it
 */
export async function announceSite(
  config: Config,
  { env, port, folder = FOLDER }: { env: Environment; port: number; folder?: string },
): Promise<() => Promise<void>> {
  const given = SETTING_VARIABLES.filter((name) => env[name]).map((name) => [name, env[name]])
  const site: RunningSite = {
    pid: process.pid,
    host: config.host,
    port,
    publicUrl: getPublicUrl(config, port),
    settings: {
      ...Object.fromEntries(given),
      PORT: String(port),
      DATA_DIR: config.dataDir,
      BACKUP_DIR: config.backupDir,
      SITE_KEY_FILE: config.siteKeyFile,
      DEMO: config.demo ? '1' : '0',
    },
  }
  const path = join(folder, `${port}.json`)
  const isWritten = await mkdir(folder, { recursive: true })
    .then(() => rm(path, { force: true }))
    .then(() => writeFile(path, JSON.stringify(site), { mode: 0o600 }))
    .then(() => true)
    .catch(() => false)
  return async () => {
    if (isWritten) await rm(path, { force: true })
  }
}

/**
 * The settings of a command (START-8): those that the environment states, and for the rest those of the site that runs
 * from this checkout.
 *
 * @throws ConfigError, also where it could be one of several sites
 */
export async function readCommandConfig(env: Environment, folder = FOLDER): Promise<Config> {
  const site = await findSite(env, folder)
  const stated = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  return readConfig({ ...site?.settings, ...stated })
}

/**
 * The site that runs from this checkout. An environment that names a data directory or a database means the site that has
 * it.
 *
 * @throws ConfigError where it could be one of several
 */
export async function findSite(env: Environment, folder = FOLDER): Promise<RunningSite | undefined> {
  const { dataDir } = readConfig(env)
  const isMeant = ({ settings }: RunningSite) =>
    (!env.DATA_DIR || settings.DATA_DIR === dataDir) &&
    (!env.DATABASE_URL || settings.DATABASE_URL === env.DATABASE_URL)
  const [site, ...others] = (await findRunning(folder)).filter(isMeant)
  const other = others.find((one) => site !== undefined && getDatabasePath(one) !== getDatabasePath(site))
  if (site !== undefined && other !== undefined)
    throw new ConfigError(
      `Two sites run from this folder: ${describe(site)}, and ${describe(other)}. Say which one you mean: run the command with its DATA_DIR or DATABASE_URL.`,
    )
  return site
}

/** Several processes can run one site, on one PostgreSQL database. */
const getDatabasePath = ({ settings }: RunningSite) => settings.DATABASE_URL || settings.DATA_DIR

const describe = ({ publicUrl, settings }: RunningSite) =>
  settings.DATABASE_URL ? `${publicUrl} (on PostgreSQL)` : `${publicUrl} (DATA_DIR ${settings.DATA_DIR})`

/** The sites that run; the files of those that were killed are removed. */
async function findRunning(folder: string): Promise<RunningSite[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      try {
        const site = JSON.parse(await readFile(path, 'utf8')) as RunningSite
        if (await isListening(site)) return [site]
        await rm(path, { force: true })
      } catch {
        // Another user's, or one that is only just written.
      }
      return []
    }),
  )
  return found.flat().sort((one, other) => one.port - other.port)
}

function isListening({ host, port }: RunningSite): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: host === '0.0.0.0' || host === '::' ? 'localhost' : host })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
