import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { BackupError } from './backup/backup-folder.ts'
import { type CompletedBackup, recordBackup } from './backup/backup-records.ts'
import { copyEmbedded } from './backup/copy-embedded.ts'
import type { CommandAnswer } from './command-answer.ts'
import { runCommand } from './commands.ts'
import type { Database } from './db/open.ts'
import { type MailSiteDeps, readMailSite } from './mail/site.ts'

/**
 * Answers commands on the data directory's socket, because only the process that has the embedded database open can read it.
 *
 * - `copy` copies the database's files for a backup and deletes the copy when the caller disconnects. Before that, the caller
 *   can report the backup that it made from the copy.
 * - `["stop"]` stops the site like SIGTERM, which does not exist on Windows.
 * - Any other line is a command of commands.ts.
 *
 * A caller that sends nothing only checks whether the site is running.
 */
export function answerControlCommands(
  socket: Socket,
  mailDeps: MailSiteDeps,
  getDatabase: () => Database | undefined,
): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (data) => {
    const database = getDatabase()
    const command = String(data).trim()
    if (command === STOP_COMMAND) return stopSite(socket)
    if (database === undefined) return void socket.destroy()
    answerCommand(database, mailDeps, command, socket).catch(() => socket.destroy())
  })
}

const STOP_COMMAND = JSON.stringify(['stop'])

/** Stops the site. Answers first, because a site that is still starting exits at once. */
function stopSite(socket: Socket): void {
  const answer: CommandAnswer = { ok: true, lines: ['The site is stopping.'] }
  socket.end(JSON.stringify(answer), () => process.emit('SIGTERM', 'SIGTERM'))
}

async function answerCommand(
  database: Database,
  mailDeps: MailSiteDeps,
  command: string,
  socket: Socket,
): Promise<void> {
  if (command === 'copy') return lendCopy(database, socket)
  const args: unknown = JSON.parse(command)
  if (!Array.isArray(args)) throw new Error('a command is a list of arguments')
  const { db } = database
  const site = await readMailSite({ db, ...mailDeps })
  socket.end(JSON.stringify(await runCommand({ db, now: new Date(), site }, args.map(String))))
}

/** A copy is deleted after this time even if its caller, which may hang, still uses it. */
const COPY_LIFETIME_MS = 2 * 3_600_000

/** The answer to the `copy` command: the folder of the copy, or the reason for the refusal. */
export type CopyAnswer = { folder: string } | { refused: string }

/** Reads the next line that a caller sends. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
  })
}

async function lendCopy(database: Database, socket: Socket): Promise<void> {
  const disconnection = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const answer = (value: CopyAnswer) => socket.write(`${JSON.stringify(value)}\n`)
  const folder = await copyEmbedded(database).catch((error: unknown) => {
    if (!(error instanceof BackupError)) throw error
    answer({ refused: error.message })
  })
  if (folder === undefined) return
  const timer = setTimeout(() => socket.destroy(), COPY_LIFETIME_MS)
  try {
    const nextLine = readLine(socket)
    answer({ folder })
    const line = await Promise.race([nextLine, disconnection])
    if (typeof line === 'string') {
      await recordBackup(database.db, JSON.parse(line) as CompletedBackup)
      socket.write('noted\n')
    }
    await disconnection
  } finally {
    clearTimeout(timer)
    await rm(folder, { recursive: true, force: true })
  }
}
