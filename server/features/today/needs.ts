import { type RawBuilder, sql } from 'kysely'
import type { NEEDS } from '#contract/desk-today.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { openCases } from '#server/features/forum/moderators.ts'
import { readBackupState } from '#server/features/health/problems.ts'
import type { Staff } from '#server/http/staff.ts'

/** What waits is counted up to this number, through an index, so that a flood does not slow the screen down. */
const COUNTED_MAX = 99

export type Need = {
  kind: (typeof NEEDS)[number]
  count: number
  more: boolean
  since: string | null
  detail: string
}

type Waiting = {
  kind: Need['kind']
  permission: Permission
  /** Since when each of them has waited, as `at`, those that have waited longest first. */
  rows: (staff: Staff, now: Date) => RawBuilder<unknown>
}

const WAITING: Waiting[] = [
  {
    kind: 'approvals',
    permission: 'approvals.decide',
    rows: ({ userNum }, now) => sql`
      select requested_at as at from approvals
      where state = 'waiting' and expires_at > ${now} and requested_by <> ${userNum} order by approval`,
  },
  {
    kind: 'tickets',
    permission: 'tickets.answer',
    rows: () => sql`select updated_at as at from tickets where state = 'open' order by ticket`,
  },
  { kind: 'reports', permission: 'forum.moderate', rows: (staff) => openCases(staff, ['report']) },
  { kind: 'held', permission: 'forum.moderate', rows: (staff) => openCases(staff, ['held']) },
  {
    kind: 'deliveries',
    permission: 'orders.read',
    rows: () => sql`
      select failed_at as at from deliveries
      where failed_at is not null and state = 'queued' and refund_requested_at is null order by queued_at, delivery`,
  },
  {
    kind: 'refunds',
    permission: 'orders.read',
    rows: () => sql`
      select refund_requested_at as at from deliveries
      where refund_requested_at is not null and state <> 'refunded' order by queued_at, delivery`,
  },
  {
    kind: 'mails',
    permission: 'mails.read',
    rows: () => sql`select given_up_at as at from mail_outbox where given_up_at is not null order by mail`,
  },
]

/** What needs a person now and the caller may do something about, in the order of its weight. */
export async function findNeeds(db: Db, staff: Staff, now: Date): Promise<Need[]> {
  const problems = staff.permissions.has('health.read') ? await findProblemNeeds(db) : []
  const waiting = await Promise.all(
    WAITING.filter(({ permission }) => staff.permissions.has(permission)).map(async ({ kind, rows }) => {
      const { rows: found } = await sql<{ count: number; since: Date | null }>`
        select count(*)::int as count, min(at) as since
        from (${rows(staff, now)} limit ${COUNTED_MAX + 1}) waiting`.execute(db)
      const { count = 0, since = null } = found[0] ?? {}
      return {
        kind,
        count: Math.min(count, COUNTED_MAX),
        more: count > COUNTED_MAX,
        since: since?.toISOString() ?? null,
        detail: '',
      }
    }),
  )
  return [...problems, ...waiting.filter(({ count }) => count > 0)]
}

/** What is wrong with the site itself, and a backup that is too old even before anybody was told. */
async function findProblemNeeds(db: Db): Promise<Need[]> {
  const alerts = await db
    .selectFrom('alerts')
    .where('over_at', 'is', null)
    .where('problem', '<>', 'backup')
    .select(['detail', 'since'])
    .orderBy('since')
    .execute()
  const backup = await readBackupState(db)
  const one = { count: 1, more: false }
  return [
    ...alerts.map(({ detail, since }): Need => ({ ...one, kind: 'problem', since: since.toISOString(), detail })),
    ...(backup.tooOld
      ? [{ ...one, kind: 'backup' as const, since: backup.madeAt?.toISOString() ?? null, detail: '' }]
      : []),
  ]
}
