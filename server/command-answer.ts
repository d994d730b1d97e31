import type { Db } from './db/open.ts'
import { Refusal } from './errors.ts'
import { type AuditRecord, writeAudit } from './http/audit.ts'

/** What an operator's command answers: the lines to print, and whether it succeeded. */
export type CommandAnswer = { ok: boolean; lines: string[] }

/** A command that did nothing, and why. */
export const fail = (line: string): CommandAnswer => ({ ok: false, lines: [line] })

/** Runs what a command changes in a transaction. A refusal undoes it and is the answer. */
export async function change(db: Db, work: (tx: Db) => Promise<CommandAnswer>): Promise<CommandAnswer> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (error instanceof Refusal) return fail(error.message)
    throw error
  }
}

/** Writes to the audit log what a command changes. @param command its words, such as `staff owner` */
export async function recordCommand(tx: Db, now: Date, command: string, what: AuditRecord): Promise<void> {
  const [name = command] = command.split(' ')
  await writeAudit(tx, { at: now, actor: { kind: 'command', name }, action: command, ...what })
}
