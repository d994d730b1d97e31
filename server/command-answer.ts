import type { Db } from './db/open.ts'
import { Refusal } from './errors.ts'
import { type AuditRecord, writeAudit } from './http/audit.ts'

/** The result of an operator's command: the lines to print, and whether it succeeded. */
export type CommandAnswer = { ok: boolean; lines: string[] }

/** Returns the result of a command that changed nothing, with the reason. */
export const createFailure = (line: string): CommandAnswer => ({ ok: false, lines: [line] })

/** Runs a command's changes in a transaction. @returns their result; a failure for a refusal, which rolls them back */
export async function runChange(db: Db, work: (tx: Db) => Promise<CommandAnswer>): Promise<CommandAnswer> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (error instanceof Refusal) return createFailure(error.message)
    throw error
  }
}

/** Writes a command's changes to the audit log. @param command its name, such as `staff owner` */
export async function recordCommand(tx: Db, now: Date, command: string, record: AuditRecord): Promise<void> {
  const [name = command] = command.split(' ')
  const notPersonal = ['state', 'roles', 'offered']
  await writeAudit(tx, { at: now, actor: { kind: 'command', name }, action: command, notPersonal, ...record })
}
