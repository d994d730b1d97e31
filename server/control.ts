import type { Socket } from 'node:net'
import { streamBackup } from './backup/backup-file.ts'
import { runCommand } from './commands.ts'
import type { Db } from './db/open.ts'

/**
 * Answers commands at the data directory's socket, because only the process that holds the
 * embedded database can read it: `backup` streams one, every other line is a command of
 * commands.ts and its answer. A caller that says nothing only wanted to know whether somebody
 * is there.
 */
export function controlCommands(socket: Socket, currentDb: () => Db | undefined): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (data) => {
    const db = currentDb()
    const command = String(data).trim()
    if (db === undefined) return void socket.destroy()
    const answering =
      command === 'backup'
        ? streamBackup(db, new Date(), socket).then(() => {})
        : runCommand(db, new Date(), JSON.parse(command) as string[]).then(
            (answer) => void socket.end(JSON.stringify(answer)),
          )
    answering.catch(() => socket.destroy())
  })
}
