import type { Socket } from 'node:net'
import { streamBackup } from './backup/backup-file.ts'
import type { Db } from './db/open.ts'

/**
 * Answers commands at the data directory's socket: `backup` streams one, because only the
 * process that holds the embedded database can read it. A caller that says nothing only
 * wanted to know whether somebody is there.
 */
export function controlCommands(socket: Socket, currentDb: () => Db | undefined): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (command) => {
    const db = currentDb()
    if (String(command).trim() !== 'backup' || db === undefined) return void socket.destroy()
    streamBackup(db, new Date(), socket).catch(() => socket.destroy())
  })
}
