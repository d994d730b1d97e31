import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../db/open.ts'
import type { Change } from '../db/schema/operation.ts'

/** The actor of an entry: a person, or a command or job by its name. */
type Actor = { kind: 'person'; userNum: number } | { kind: 'command' | 'job'; name: string }

/** An action on a target. */
export type AuditRecord = {
  /** The kind and the number or name of the target, such as `['item', 17]`. The desk links to it. */
  target: readonly [kind: string, id: string | number]
  /** The affected account. */
  player?: number
  /** The fields of the target before and after; only differences are written. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** The operator's reason. */
  reason?: string
}

type AuditEntry = AuditRecord & {
  at: Date
  actor: Actor
  /** The required permission, if any. */
  permission?: string
  /** The call's or command's name. */
  action: string
  address?: string
  /** The fields whose texts the program defines, such as states. Every other text can be personal. */
  notPersonal?: readonly string[]
}

const MOMENT_PATTERN = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/

/** Returns whether a value contains text outside of the fields `notPersonal`. */
function hasPersonalText(value: unknown, notPersonal: readonly string[]): boolean {
  if (typeof value === 'string') return value !== '' && !MOMENT_PATTERN.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, innerValue]) => !notPersonal.includes(key) && hasPersonalText(innerValue, notPersonal),
  )
}

/**
 * Adds an entry to the audit log. The entry contains numbers, times, field names and the texts of fields in `notPersonal`.
 * Other texts, the reason and the address go to `audit_personal`, whose rows are deleted by an erasure or after some time.
 * Call this in the transaction of the change.
 *
 * @returns the entry's number
 */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<number> {
  const { at, actor, permission = '', action, address = '', reason = '', player = null, notPersonal = [] } = entry
  const changes = listChanges(entry.before ?? {}, entry.after ?? {})
  const isPersonal = ({ field, before, after }: Change) => hasPersonalText({ [field]: [before, after] }, notPersonal)
  const [kind, id] = entry.target
  const { entry: entryNum } = await tx
    .insertInto('audit_log')
    .values({
      at,
      actor_kind: actor.kind,
      actor_num: actor.kind === 'person' ? actor.userNum : null,
      actor_name: actor.kind === 'person' ? '' : actor.name,
      permission,
      action,
      target_kind: kind,
      target_id: String(id),
      player,
      changes: JSON.stringify(changes.map((change) => (isPersonal(change) ? { field: change.field } : change))),
    })
    .returning('entry')
    .executeTakeFirstOrThrow()
  const personalChanges = changes.filter(isPersonal)
  if (address !== '' || reason !== '' || personalChanges.length > 0)
    await tx
      .insertInto('audit_personal')
      .values({ entry: entryNum, player, at, address, reason, changes: JSON.stringify(personalChanges) })
      .execute()
  return entryNum
}

/** Lists the fields that differ, with both values; a field that exists on one side only is undefined on the other. */
function listChanges(before: Record<string, unknown>, after: Record<string, unknown>): Change[] {
  const beforeJson = JSON.parse(JSON.stringify(before)) as Record<string, unknown>
  const afterJson = JSON.parse(JSON.stringify(after)) as Record<string, unknown>
  return [...new Set([...Object.keys(beforeJson), ...Object.keys(afterJson)])]
    .filter((field) => !isDeepStrictEqual(beforeJson[field], afterJson[field]))
    .map((field) => ({
      field,
      ...(field in beforeJson && { before: beforeJson[field] }),
      ...(field in afterJson && { after: afterJson[field] }),
    }))
}
