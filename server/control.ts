import type { Socket } from 'node:net'
import { streamBackup } from './backup/backup-file.ts'
import type { CommandAnswer } from './command-answer.ts'
import { runCommand } from './commands.ts'
import type { Db } from './db/open.ts'
import type { MailSite } from './mail/templates.ts'

/**
 * Answers commands on the data directory's socket, because only the process that holds the
 * embedded database can read it. `backup` streams a backup, `["stop"]` stops the site like SIGTERM, which Windows does
 * not have, and any other line is a command of commands.ts. A caller that sends nothing only checks whether the site is running.
 */
export function controlCommands(socket: Socket, site: MailSite, currentDb: () => Db | undefined): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (data) => {
    const db = currentDb()
    const command = String(data).trim()
    if (db === undefined) return void socket.destroy()
    answerCommand(db, site, command, socket).catch(() => socket.destroy())
  })
}

async function answerCommand(db: Db, site: MailSite, command: string, socket: Socket): Promise<void> {
  if (command === 'backup') {
    await streamBackup(db, new Date(), socket)
    return
  }
  const words: unknown = JSON.parse(command)
  if (!Array.isArray(words)) throw new Error('a command is a list of words')
  if (words[0] === 'stop') {
    socket.end(JSON.stringify({ ok: true, lines: ['The site is stopping.'] } satisfies CommandAnswer))
    process.emit('SIGTERM', 'SIGTERM')
    return
  }
  socket.end(JSON.stringify(await runCommand({ db, now: new Date(), site }, words.map(String))))
}
