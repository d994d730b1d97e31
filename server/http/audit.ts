import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../db/open.ts'
import type { Change } from '../db/schema/operation.ts'

/** The actor: a person, or a command or job by its name. */
type Actor = { kind: 'person'; userNum: number } | { kind: 'command' | 'job'; name: string }

/** An action on a target. */
export type AuditRecord = {
  /** Its kind and number or name, such as `['item', 17]`. The desk links it. */
  target: readonly [kind: string, id: string | number]
  /** The account concerned. */
  player?: number
  /** The target before and after, field by field; only differences are written. */
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
  /** The fields whose texts are codes of the site, such as states. Every other text can be personal. */
  codes?: readonly string[]
}

const MOMENT = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/

/** Whether a value contains text outside of the fields `codes`. */
function hasText(value: unknown, codes: readonly string[]): boolean {
  if (typeof value === 'string') return value !== '' && !MOMENT.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, part]) => !codes.includes(key) && hasText(part, codes))
}

/**
 * Adds an entry to the audit log. The entry has numbers, times, codes and field names; other texts, the reason and the
 * address go to `audit_personal`, which erasure and age empty. Call this in the transaction of the change.
 *
 * @returns the entry's number
 */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<number> {
  const { at, actor, permission = '', action, address = '', reason = '', player = null, codes = [] } = entry
  const changes = listChanges(entry.before ?? {}, entry.after ?? {})
  const isPersonal = ({ field, before, after }: Change) => hasText({ [field]: [before, after] }, codes)
  const [kind, id] = entry.target
  const { entry: number } = await tx
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
  const personal = changes.filter(isPersonal)
  if (address !== '' || reason !== '' || personal.length > 0)
    await tx
      .insertInto('audit_personal')
      .values({ entry: number, player, at, address, reason, changes: JSON.stringify(personal) })
      .execute()
  return number
}

/** Returns the fields that differ, with both values; a field that only one side has is empty on the other. */
function listChanges(before: Record<string, unknown>, after: Record<string, unknown>): Change[] {
  const was = JSON.parse(JSON.stringify(before)) as Record<string, unknown>
  const is = JSON.parse(JSON.stringify(after)) as Record<string, unknown>
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => !isDeepStrictEqual(was[field], is[field]))
    .map((field) => ({
      field,
      ...(field in was && { before: was[field] }),
      ...(field in is && { after: is[field] }),
    }))
}
