import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { Db } from '#server/db/open.ts'
import { canReadEntry, describeAction } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'

/** The kinds of entries, in the order of the cursor's numbers. */
const TIMELINE_KINDS = ['account', 'purchase', 'voucher', 'ticket', 'staff'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

type Entry = {
  id: number
  at: Date
  what: string
  note: string
  address: string
  device: string
  actor: string
  actor_num: number | null
  link: string
}

/** Selects an account's entries of a kind with numbers below `before`, newest first. */
type SelectSource = (userNum: number, before: number) => RawBuilder<Entry>

const WITHOUT_CALLER = sql`'' as address, '' as device, '' as actor, null::bigint as actor_num`

/** The sources of entries. The account's history contains addresses and devices of the player, but not of operators. */
const SOURCES: Record<TimelineKind, SelectSource> = {
  account: (userNum, before) => sql`
    select event as id, created_at as at, kind as what, note, address, device, '' as actor, null::bigint as actor_num,
      '' as link
    from account_events where user_num = ${userNum} and event < ${before} order by event desc`,
  purchase: (userNum, before) => sql`
    select ordinal as id, created_at as at, item_name as what,
      quantity || ' × ' || price || case section when 2 then ' R-Coin' else ' Milleage' end as note, ${WITHOUT_CALLER},
      ordinal::text as link
    from purchases where user_num = ${userNum} and ordinal < ${before} order by ordinal desc`,
  voucher: (userNum, before) => sql`
    select t.ordinal as id, t.created_at as at, t.code as what,
      concat_ws(' and ', case when t.r_coin > 0 then t.r_coin || ' R-Coin' end,
        case when t.milleage > 0 then t.milleage || ' Milleage' end) as note, ${WITHOUT_CALLER}, '' as link
    from topups t where t.user_num = ${userNum} and t.ordinal < ${before} order by t.ordinal desc`,
  ticket: (userNum, before) => sql`
    select ticket as id, created_at as at, subject as what, number as note, ${WITHOUT_CALLER}, number as link
    from tickets where user_num = ${userNum} and ticket < ${before} order by ticket desc`,
  staff: (userNum, before) => sql`
    select l.entry as id, l.at, l.action as what, coalesce(p.reason, '') as note, '' as address, '' as device,
      coalesce(a.user_id, l.actor_name) as actor, l.actor_num, l.entry::text as link
    from audit_log l
    left join audit_personal p on p.entry = l.entry
    left join accounts a on a.user_num = l.actor_num
    where l.player = ${userNum} and l.entry < ${before} and l.action not in (${sql.join(READ_CALLS)})
    order by l.entry desc`,
}

/** The calls in the audit log that only read data. */
const READ_CALLS = ['/admin/players', '/admin/players/page', '/admin/players/export']

const FROM_NEWEST = Number.MAX_SAFE_INTEGER

/** Parses the position of each source; an invalid cursor starts at the newest. */
function parseTimelineCursor(after: string): number[] {
  const positions = after.split('.').map(Number)
  return TIMELINE_KINDS.map((_, index) => {
    const position = positions[index]
    return after !== '' && position !== undefined && Number.isSafeInteger(position) ? position : FROM_NEWEST
  })
}

/**
 * Returns a page of a player's whole history, newest first. The cursor has one position for each source, so no entry is lost or repeated, and the cost does not grow with the length of the history.
 *
 * @param kind the kind of entries; '' for all
 */
export async function selectTimeline(
  db: Db,
  userNum: number,
  { kind, after, staff }: { kind: TimelineKind | ''; after: string; staff: Staff },
) {
  const cursor = parseTimelineCursor(after)
  const lists = await Promise.all(
    TIMELINE_KINDS.map(async (name, index) => {
      if (kind !== '' && kind !== name) return []
      const source = SOURCES[name](userNum, cursor[index] ?? FROM_NEWEST)
      const { rows } = await sql<Entry>`${source} limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
      return rows.map((row) => ({ ...row, kind: name, source: index }))
    }),
  )
  const pageEntries = takeNewest(lists)
  for (const { source, id } of pageEntries) cursor[source] = id
  return {
    rows: pageEntries.map(({ source, id, ...row }) => ({
      ...row,
      id: `${row.kind}-${id}`,
      ...(row.kind === 'staff' && {
        what: describeAction(row.what),
        note: canReadEntry(staff, row.what) ? row.note : '',
      }),
    })),
    next: lists.some((list) => list.length > 0) ? cursor.join('.') : null,
  }
}

/** Moves the newest rows of several lists into a page. Compares only first rows, so the order within each list stays. */
function takeNewest<Row extends { at: Date }>(lists: Row[][]): Row[] {
  const page: Row[] = []
  while (page.length < DESK_PAGE_SIZE) {
    const [newest] = lists
      .filter((list) => list.length > 0)
      .sort(([a], [b]) => (b?.at.getTime() ?? 0) - (a?.at.getTime() ?? 0))
    const row = newest?.shift()
    if (row === undefined) break
    page.push(row)
  }
  return page
}
