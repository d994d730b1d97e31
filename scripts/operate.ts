import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { CommandAnswer } from '../server/command-answer.ts'
import { runCommand } from '../server/commands.ts'
import { getPublicUrl } from '../server/config.ts'
import { DataDirInUse, type DataLock, getControlPath, lockDataDir } from '../server/data-lock.ts'
import { IncompatibleDatabase } from '../server/db/errors.ts'
import { readSchemaState } from '../server/db/migrate.ts'
import { type Database, hasEmbedded, openEmbedded, openPostgres } from '../server/db/open.ts'
import { readMailSite } from '../server/mail/site.ts'
import { readCommandConfig } from '../server/running-sites.ts'

/**
 * The operators' commands, which also work while the site runs: `npm run ledger:check`, `npm run vouchers -- mint …`,
 * `npm run tickets -- list`. `npm stop` stops a site on the embedded database.
 */
const command = process.argv.slice(2)
const config = await readCommandConfig(process.env).catch(exitWith)

function exitWith(error: Error): never {
  console.error(error.message)
  process.exit(1)
}

const NO_SITE: CommandAnswer = {
  ok: false,
  lines: [
    'There is no site in this database yet. Start the site once, or run the command with the same settings as the site. If systemd starts the site, use the command "tambayan", which has the same settings.',
  ],
}

async function runOnDatabase(database: Database): Promise<CommandAnswer> {
  const { newest, pending, isCompatible } = await readSchemaState(database.jobsDb)
  if (pending.length > 0 || !isCompatible) {
    await database.close()
    if (newest === '') return NO_SITE
    return {
      ok: false,
      lines: [
        `The database is of ${isCompatible ? 'an older' : 'a newer'} version of the site (${newest}). Commands never upgrade it, because an older site may still be running on it: ${isCompatible ? 'start this version once' : 'use that version'}, then run the command again.`,
      ],
    }
  }
  const site = await readMailSite({ db: database.jobsDb, config, publicUrl: getPublicUrl(config) })
  return runCommand({ db: database.jobsDb, now: new Date(), site }, command).finally(() => database.close())
}

/** Locks the data directory. @returns null while the site runs */
function tryLockDataDir(): Promise<DataLock | null> {
  return lockDataDir(config.dataDir, (socket) => socket.destroy()).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return null
    throw error
  })
}

/** The time limit for stopping the site, in seconds. */
const STOP_TIMEOUT_S = 10

async function waitForStop(): Promise<CommandAnswer> {
  for (let attempt = 0; attempt < STOP_TIMEOUT_S * 10; attempt++) {
    const lock = await tryLockDataDir()
    await lock?.release()
    if (lock !== null) return { ok: true, lines: ['The site has stopped.'] }
    await setTimeout(100)
  }
  return { ok: false, lines: [`The site did not stop within ${STOP_TIMEOUT_S} seconds.`] }
}

async function runOnDataDir(): Promise<CommandAnswer> {
  // Checked before anything is created, because without the site's settings this may be the wrong folder.
  if (command[0] !== 'stop' && !(await hasEmbedded(config.dataDir))) return NO_SITE
  const lock = await tryLockDataDir()
  if (lock !== null && command[0] === 'stop') {
    await lock.release()
    return { ok: true, lines: ['The site is not running.'] }
  }
  if (lock !== null) return runOnDatabase(await openEmbedded(config.dataDir)).finally(() => lock.release())
  const socket = connect(await getControlPath(config.dataDir))
  socket.write(`${JSON.stringify(command)}\n`)
  const reply = await text(socket)
  if (reply === '') return { ok: false, lines: ['The site did not answer. Is it still starting? Please try again.'] }
  return command[0] === 'stop' ? waitForStop() : (JSON.parse(reply) as CommandAnswer)
}

async function runOnServer(url: string): Promise<CommandAnswer> {
  if (command[0] !== 'stop') return runOnDatabase(await openPostgres(url).catch(explainUnreachable))
  return {
    ok: false,
    lines: ['On PostgreSQL, stop each site where it runs: press Ctrl+C, or use its service manager.'],
  }
}

function explainUnreachable(error: Error): never {
  if (error instanceof IncompatibleDatabase) throw error
  throw new Error(`DATABASE_URL cannot be reached: ${error.message || 'no answer'}.`)
}

const { ok, lines } = await (config.databaseUrl === undefined ? runOnDataDir() : runOnServer(config.databaseUrl)).catch(
  exitWith,
)
for (const line of lines) (ok ? console.log : console.error)(line)
process.exit(ok ? 0 : 1)
