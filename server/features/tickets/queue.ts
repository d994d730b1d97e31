import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { getTicketQueue } from '#contract/desk-tickets.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createAssigneeCondition, cutPage, type RowOf } from '#server/http/desk-lists.ts'
import { selectStaffWith } from '#server/http/staff.ts'

/** A row with its time in microseconds, because cursors need the full precision. */
type QueueRow = RowOf<typeof getTicketQueue> & { ticket: number; updated_us: string }

/**
 * Selects a page of the queue. Tickets sorted by waiting time are read as two ranges of the index, first the rest
 * of the cursor's priority and then all lower priorities, so the thousandth page costs as much as the first.
 *
 * @param operatorNum the requesting operator, for the filter `me`
 */
export async function selectQueue(db: Db, filters: ValidInput<typeof getTicketQueue>, operatorNum: number) {
  const { after, sort, state, category, priority, assignee, q } = filters
  const filter = combineConditions([
    state !== '' && sql`t.state = ${state}`,
    category !== '' && sql`t.category = ${category}`,
    priority !== '' && sql`t.priority = ${Number(priority)}`,
    createAssigneeCondition('t.assignee', assignee, operatorNum),
    q !== '' && matchTicket(q),
  ])
  const isWaiting = sort === 'waiting' && state !== ''
  const cursorRanges = isWaiting ? buildWaitingRanges(after) : buildNewestRange(after)
  const limit = sql.lit(DESK_PAGE_SIZE + 1)
  const ranges = cursorRanges.map(
    ({ isAfterCursor, order }, rangeIndex) => sql`(
      select t.*, ${sql.lit(rangeIndex)} as part from tickets t where ${filter} and ${isAfterCursor} order by ${order} limit ${limit})`,
  )
  const order = isWaiting ? sql`t.part, t.priority desc, t.updated_at, t.ticket` : sql`t.ticket desc`
  const { rows } = await sql<QueueRow>`
    select t.ticket, t.number, t.subject, t.category, t.state, t.priority, t.user_num, t.assignee as assignee_num,
      t.message_count as messages, t.version, t.created_at, t.updated_at, t.first_answered_at,
      coalesce(w.user_id, left(t.email, 1) || '***@' || split_part(t.email, '@', 2)) as requester,
      o.user_id as assignee, m.number as merged_into,
      (extract(epoch from t.updated_at) * 1000000)::bigint::text as updated_us
    from (${sql.join(ranges, sql` union all `)}) t
    left join accounts w on w.user_num = t.user_num
    left join accounts o on o.user_num = t.assignee
    left join tickets m on m.ticket = t.merged_into
    order by ${order} limit ${limit}`.execute(db)
  const toCursor = (row: QueueRow) => (isWaiting ? `${row.priority}.${row.updated_us}.${row.ticket}` : row.ticket)
  return cutPage(rows, toCursor)
}

type Range = { isAfterCursor: RawBuilder<unknown>; order: RawBuilder<unknown> }

function buildNewestRange(after: string): Range[] {
  const isAfterCursor = /^\d{1,15}$/.test(after) ? sql`t.ticket < ${Number(after)}` : sql`true`
  return [{ isAfterCursor, order: sql`t.ticket desc` }]
}

function buildWaitingRanges(after: string): Range[] {
  const [, priority, microseconds, ticket] = /^([0-3])\.(\d{1,17})\.(\d{1,15})$/.exec(after) ?? []
  const waitingOrder = sql`t.priority desc, t.updated_at, t.ticket`
  if (priority === undefined || microseconds === undefined || ticket === undefined)
    return [{ isAfterCursor: sql`true`, order: waitingOrder }]
  const moment = sql`timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`
  return [
    {
      isAfterCursor: sql`t.priority = ${Number(priority)} and (t.updated_at, t.ticket) > (${moment}, ${Number(ticket)}::bigint)`,
      order: sql`t.updated_at, t.ticket`,
    },
    { isAfterCursor: sql`t.priority < ${Number(priority)}`, order: waitingOrder },
  ]
}

/** Matches tickets by number, or by the user ID or email address of the requester. */
function matchTicket(q: string): RawBuilder<unknown> {
  const letters = q.toUpperCase().replace(/[\s-]/g, '')
  if (/^T?[A-HJ-NP-Z2-9]{8}$/.test(letters) && /^T-|\s|-/i.test(q))
    return sql`t.number = ${`T-${letters.slice(-8, -4)}-${letters.slice(-4)}`}`
  return sql`t.ticket in (
    select ticket from tickets where user_num = any(array(
      select user_num from accounts where lower(user_id) = lower(${q}) or lower(user_email) = lower(${q})))
    union all select ticket from tickets where lower(email) = lower(${q}))`
}

/** Selects the operators who may answer tickets. */
export const selectAssignees = (db: Db) => selectStaffWith(db, 'tickets.answer')

const OTHER_TICKETS_SHOWN = 10

/** Selects the desk's data of a ticket, except its conversation. */
export async function selectDeskDetails(db: Db, ticket: number) {
  const [row, notes, merged, others] = await Promise.all([
    db
      .selectFrom('tickets as t')
      .leftJoin('accounts as a', 'a.user_num', 't.user_num')
      .leftJoin('accounts as o', 'o.user_num', 't.assignee')
      .where('t.ticket', '=', ticket)
      .select([
        'o.user_id as assignee',
        sql<string>`coalesce(btrim(a.first_name || ' ' || a.last_name), '')`.as('name'),
      ])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('ticket_notes as n')
      .innerJoin('accounts as a', 'a.user_num', 'n.written_by')
      .where('n.ticket', '=', ticket)
      .select(['n.note', 'n.body', 'a.user_id as written_by', 'n.written_at'])
      .orderBy('n.note')
      .execute(),
    db.selectFrom('tickets').where('merged_into', '=', ticket).select('number').orderBy('ticket').execute(),
    sql<{ number: string; subject: string; state: QueueRow['state']; updated_at: Date }>`
      select o.number, o.subject, o.state, o.updated_at from tickets t join tickets o
        on o.ticket <> t.ticket and o.merged_into is null
        and (o.user_num = t.user_num or lower(o.email) = lower(t.email))
      where t.ticket = ${ticket} order by o.ticket desc limit ${sql.lit(OTHER_TICKETS_SHOWN)}`.execute(db),
  ])
  return { ...row, notes, merged: merged.map(({ number }) => number), others: others.rows }
}
