import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CommandAnswer } from '../server/command-answer.ts'
import { runCommand } from '../server/commands.ts'
import { publicUrlOf, readConfig } from '../server/config.ts'
import { controlSocketPath, DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { migrate } from '../server/db/migrate.ts'
import { type Database, openEmbedded, openPostgres } from '../server/db/open.ts'

/**
 * Operators' commands, which also work while the site runs: `npm run ledger:check`, `npm run vouchers -- mint …`,
 * `npm run tickets -- list`.
 */
const command = process.argv.slice(2)
const config = readConfig(process.env)

async function onDatabase(database: Database): Promise<CommandAnswer> {
  await migrate(database.db)
  const site = { appName: config.appName, publicUrl: publicUrlOf(config) }
  return runCommand({ db: database.db, now: new Date(), site }, command).finally(() => database.close())
}

async function onDataDir(): Promise<CommandAnswer> {
  const lock = await lockDataDir(config.dataDir, (socket) => socket.destroy()).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return null
    throw error
  })
  if (lock !== null) return onDatabase(await openEmbedded(config.dataDir)).finally(() => lock.release())
  const socket = connect(await controlSocketPath(config.dataDir))
  socket.write(`${JSON.stringify(command)}\n`)
  const answer = await text(socket)
  if (answer === '') return { ok: false, lines: ['The site did not answer. Is it still starting? Please try again.'] }
  return JSON.parse(answer) as CommandAnswer
}

const { ok, lines } = await (config.databaseUrl === undefined
  ? onDataDir()
  : onDatabase(await openPostgres(config.databaseUrl)))
for (const line of lines) (ok ? console.log : console.error)(line)
process.exit(ok ? 0 : 1)
