import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Config, ConfigError, getPublicUrl, readConfig, SETTING_VARIABLES } from './config.ts'

type Environment = Record<string, string | undefined>

/** A running site, as commands in its checkout find it: its process, address and settings. */
type RunningSite = { pid: number; host: string; port: number; publicUrl: string; settings: Environment }

/** The folder with a file for each site that runs from this checkout, named by its port. */
const SITES_FOLDER = join(import.meta.dirname, '../.cache/sites')

/**
 * Writes a file by which commands find this site. Only the site's user may read it, because settings contain passwords. If
 * the checkout is not writable, there is no file, and commands get the settings from deploy/tambayan.
 *
 * @returns a function that deletes the file
 */
export async function announceSite(
  config: Config,
  { env, port, folder = SITES_FOLDER }: { env: Environment; port: number; folder?: string },
): Promise<() => Promise<void>> {
  const definedVariables = SETTING_VARIABLES.filter((name) => env[name]).map((name) => [name, env[name]])
  const site: RunningSite = {
    pid: process.pid,
    host: config.host,
    port,
    publicUrl: getPublicUrl(config, port),
    settings: {
      ...Object.fromEntries(definedVariables),
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
 * Reads the settings of a command (START-8): from the environment, and otherwise from the site that runs from this checkout.
 *
 * @throws ConfigError, also if several sites are possible
 */
export async function readCommandConfig(env: Environment, folder = SITES_FOLDER): Promise<Config> {
  const site = await findSite(env, folder)
  const explicitSettings = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  return readConfig({ ...site?.settings, ...explicitSettings })
}

/**
 * Finds the site that runs from this checkout. If the environment names a data directory or a database, only a site that
 * uses it counts.
 *
 * @throws ConfigError if several sites are possible
 */
export async function findSite(env: Environment, folder = SITES_FOLDER): Promise<RunningSite | undefined> {
  const { dataDir } = readConfig(env)
  const isSelected = ({ settings }: RunningSite) =>
    (!env.DATA_DIR || settings.DATA_DIR === dataDir) &&
    (!env.DATABASE_URL || settings.DATABASE_URL === env.DATABASE_URL)
  const [site, ...otherSites] = (await findRunningSites(folder)).filter(isSelected)
  const conflictingSite = otherSites.find(
    (otherSite) => site !== undefined && getDatabasePath(otherSite) !== getDatabasePath(site),
  )
  if (site !== undefined && conflictingSite !== undefined)
    throw new ConfigError(
      `Two sites run from this folder: ${describeSite(site)}, and ${describeSite(conflictingSite)}. Run the command with the DATA_DIR or DATABASE_URL of one of them.`,
    )
  return site
}

/** Returns the database that identifies a site. Several processes can run one site on one PostgreSQL database. */
const getDatabasePath = ({ settings }: RunningSite) => settings.DATABASE_URL || settings.DATA_DIR

const describeSite = ({ publicUrl, settings }: RunningSite) =>
  settings.DATABASE_URL ? `${publicUrl} (on PostgreSQL)` : `${publicUrl} (DATA_DIR ${settings.DATA_DIR})`

/** Finds the running sites, and deletes the files of killed ones. */
async function findRunningSites(folder: string): Promise<RunningSite[]> {
  const names = await readdir(folder).catch(() => [])
  const sites = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      try {
        const site = JSON.parse(await readFile(path, 'utf8')) as RunningSite
        if (await isListening(site)) return [site]
        await rm(path, { force: true })
      } catch {
        // The file belongs to another user, or is just being written.
      }
      return []
    }),
  )
  return sites.flat().sort((a, b) => a.port - b.port)
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
