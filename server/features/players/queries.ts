import ipaddr from 'ipaddr.js'
import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE, SESSION_IDLE_MAX_MS } from '#contract/limits.ts'
import type { getPlayers } from '#contract/players.ts'
import { isBlockedByStaff, isErasing } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import { getNetwork } from '#server/http/client-address.ts'
import { combineConditions, createNumberOrder, cutPage, parseCursor, type RowOf } from '#server/http/desk-lists.ts'

/** The maximum number of players that each kind of search contributes. */
const MATCHES_PER_SEARCH = DESK_PAGE_SIZE

/** Returns whether a query is an email address; such searches are recorded (DESK-27). */
export const isEmail = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value)

/** Tests whether a text starts with a query, as a range that a text_pattern_ops index can search. */
const startsWith = (text: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`${text} ~>=~ ${value} and ${text} ~<~ (${value} || chr(1114111))`

/**
 * Selects the players that a query matches by number, user ID, name, whole email, character, ticket, or an address that is
 * whitelisted or was used in the last 90 days. Each kind of search reads at most 50 rows of its index.
 */
function selectCandidates(q: string): RawBuilder<unknown> {
  const limit = sql.lit(MATCHES_PER_SEARCH)
  const lowerQuery = sql`lower(${q})`
  const foldedQuery = sql`search_fold(${q})`
  const searches: RawBuilder<unknown>[] = []
  const addSearch = (rank: number, foundBy: RawBuilder<unknown>, source: RawBuilder<unknown>) =>
    searches.push(
      sql`(select user_num, ${sql.lit(rank)} as rank, ${foundBy} as found_by from ${source} limit ${limit})`,
    )
  if (/^#?\d{1,15}$/.test(q)) {
    const number = Number(q.replace('#', ''))
    addSearch(0, sql`'Number'`, sql`(select user_num from accounts where user_num = ${number}) numbered`)
  }
  const ticket = parseTicketNumber(q)
  if (ticket !== undefined)
    addSearch(
      0,
      sql`'Ticket ' || number`,
      sql`(
      select coalesce(t.user_num, a.user_num) as user_num, t.number
      from tickets t left join accounts a on lower(a.user_email) = lower(t.email)
      where t.number = ${ticket} and coalesce(t.user_num, a.user_num) is not null) ticket`,
    )
  if (ipaddr.isValid(q)) {
    const place = `address ${getNetwork(q)}`
    addSearch(
      1,
      sql`'Logged in from there'`,
      sql`(select user_num from known_places where place = ${place} order by user_num desc) known`,
    )
    addSearch(
      2,
      sql`'Whitelisted'`,
      sql`(select user_num from whitelisted_addresses where address = ${q} order by user_num desc) listed`,
    )
  }
  addSearch(
    1,
    sql`'User ID'`,
    sql`(
    select user_num from accounts where ${startsWith(sql`lower(user_id)`, lowerQuery)}
    order by lower(user_id) using ~<~) named`,
  )
  // Only whole addresses match: a search by prefix would reveal an address letter by letter (DESK-27).
  if (isEmail(q))
    addSearch(2, sql`'Email'`, sql`(select user_num from accounts where lower(user_email) = ${lowerQuery}) mailed`)
  addSearch(
    3,
    sql`'Character ' || cha_name`,
    sql`(
    select user_num, cha_name from characters where user_num is not null and ${startsWith(sql`search_fold(cha_name)`, foldedQuery)}
    order by search_fold(cha_name) using ~<~) played`,
  )
  for (const name of [
    sql`search_fold(first_name || ' ' || last_name)`,
    sql`search_fold(last_name || ' ' || first_name)`,
  ])
    addSearch(
      4,
      sql`'Name'`,
      sql`(select user_num from accounts where ${startsWith(name, foldedQuery)} order by ${name} using ~<~) called`,
    )
  return sql`(
    select distinct on (user_num) user_num, rank, found_by from (${sql.join(searches, sql` union all `)}) every
    order by user_num, rank)`
}

/** Returns a ticket number in any notation; undefined for other text. */
function parseTicketNumber(query: string): string | undefined {
  const letters = query.toUpperCase().replace(/[\s-]/g, '')
  return /^T[A-HJ-NP-Z2-9]{8}$/.test(letters) ? `T-${letters.slice(1, 5)}-${letters.slice(5)}` : undefined
}

/** The columns of a player in a list, with the email address shortened. */
const listColumns = sql`
  a.user_num, a.user_id, btrim(a.first_name || ' ' || a.last_name) as name,
  left(a.user_email, 2) || '***@' || split_part(a.user_email, '@', 2) as email,
  a.r_coin, a.milleage, a.created_at, a.user_type >= ${sql.lit(ADMIN_USER_TYPE)} as is_staff, a.erased_at, a.erasure_due_at`

type Filters = ValidInput<typeof getPlayers>
type PlayerRow = Omit<RowOf<typeof getPlayers>, 'state'> & {
  is_blocked: boolean
  erased_at: Date | null
  erasure_due_at: Date | null
}

/** The lists of the largest balances, with their currencies. */
const LARGEST_BALANCES: Record<string, string> = { 'most-r-coin': 'r_coin', 'most-milleage': 'milleage' }

/** Selects all players of a list. `cursor_value` is the number of the account or of the login, or the rank by balance. */
function selectList({ state, sort, after }: Filters, now: Date): RawBuilder<PlayerRow & { cursor_value: number }> {
  const columns = sql`${listColumns}, ${isBlockedByStaff('a', now)} as is_blocked`
  const cursor = after === '' ? null : parseCursor(after)
  const buildCursorCondition = (condition: RawBuilder<unknown>) => (cursor === null ? sql`true` : condition)
  const currency = LARGEST_BALANCES[state]
  if (currency !== undefined) {
    return sql`
      select ${columns}, '' as found_by, l.place as cursor_value
      from largest_balances l join accounts a using (user_num)
      where l.currency = ${currency} and ${buildCursorCondition(sql`l.place > ${cursor}::bigint`)}
      order by l.place`
  }
  if (state === 'logged-in') {
    const lastRow = sql`((select created_at from account_events where event = ${cursor}), ${cursor})`
    return sql`
      select ${columns}, e.event as cursor_value,
        to_char(e.created_at at time zone 'Asia/Manila', '"Logged in "FMDD Mon, HH24:MI') as found_by
      from account_events e join accounts a using (user_num)
      where e.kind = 'login' and ${buildCursorCondition(sql`(e.created_at, e.event) < ${lastRow}`)} and not exists (
        select from account_events later
        where later.user_num = e.user_num and later.kind = 'login' and (later.created_at, later.event) > (e.created_at, e.event))
      order by e.created_at desc, e.event desc`
  }
  const page =
    sort === 'user_num' || sort === '-user_num'
      ? createNumberOrder('a.user_num', after, sort === 'user_num')
      : orderByCreation(cursor, sort)
  return sql`
    select ${columns}, '' as found_by, a.user_num as cursor_value from accounts a
    where ${combineConditions([isInList(state, now), page.condition])} order by ${page.order}`
}

/**
 * Returns the order by creation time, and the condition of the rows after the cursor. The number is not enough, because
 * imported accounts have higher numbers than accounts that were opened later.
 */
function orderByCreation(from: number | null, sort: string) {
  const lastRow = sql`((select created_at from accounts where user_num = ${from}), ${from}::bigint)`
  return sort === 'created_at'
    ? { condition: from !== null && sql`(a.created_at, a.user_num) > ${lastRow}`, order: sql`a.created_at, a.user_num` }
    : {
        condition: from !== null && sql`(a.created_at, a.user_num) < ${lastRow}`,
        order: sql`a.created_at desc, a.user_num desc`,
      }
}

/** Tests whether a player is in a list. */
function isInList(state: string, now: Date): RawBuilder<unknown> {
  const currency = LARGEST_BALANCES[state]
  if (currency !== undefined)
    return sql`exists (select from largest_balances l where l.user_num = a.user_num and l.currency = ${currency})`
  if (state === 'blocked') return sql`a.blocked_at is not null and ${isBlockedByStaff('a', now)}`
  if (state === 'erasing') return isErasing('a')
  if (state === 'staff') return sql`a.user_type >= ${sql.lit(ADMIN_USER_TYPE)}`
  if (state === 'logged-in')
    return sql`exists (select from account_events e where e.user_num = a.user_num and e.kind = 'login')`
  return sql`true`
}

/**
 * Returns the players that a query matches, at most 50, best match first; without a query, a page of the requested list.
 *
 * @param filters.after the cursor of the previous page
 */
export async function selectPlayers(db: Db, filters: Filters, now: Date) {
  const { q, state } = filters
  if (q === '') {
    const { rows } = await sql<PlayerRow & { cursor_value: number }>`
      ${selectList(filters, now)} limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
    return cutPage(
      rows,
      ({ cursor_value }) => cursor_value,
      ({ cursor_value, ...row }): PlayerRow => row,
    )
  }
  const { rows } = await sql<PlayerRow>`
    select ${listColumns}, ${isBlockedByStaff('a', now)} as is_blocked, f.found_by
    from ${selectCandidates(q)} f join accounts a using (user_num) where ${isInList(state, now)}
    order by f.rank, lower(a.user_id) = lower(${q}) desc, a.user_num desc limit ${sql.lit(DESK_PAGE_SIZE)}`.execute(db)
  return { rows, next: null }
}

const ROWS_SHOWN = { characters: 50, tickets: 20, purchases: 10, notes: 50, blocks: 20, sessions: 50 }

/** Selects a player's page: the account with its data and the newest rows of each list. */
export async function selectPlayer(db: Db, userNum: number, now: Date) {
  return db
    .selectFrom('accounts as a')
    .where('a.user_num', '=', userNum)
    .select((account) => [
      'a.user_num',
      'a.user_id',
      'a.user_email',
      'a.first_name',
      'a.last_name',
      'a.phone_number',
      'a.gender',
      'a.country',
      'a.user_type',
      'a.r_coin',
      'a.milleage',
      'a.purchase_count',
      'a.topup_count',
      'a.email_verified_at',
      'a.created_at',
      'a.erased_at',
      'a.erasure_due_at',
      'a.frozen_until',
      jsonObjectFrom(
        account
          .selectFrom('account_erasures as e')
          .leftJoin('accounts as by', 'by.user_num', 'e.requested_by')
          .whereRef('e.user_num', '=', 'a.user_num')
          .where('e.ended_at', 'is', null)
          .select(['e.requested_at', 'by.user_id as requested_by', 'e.due_at', 'e.rename_characters']),
      ).as('erasure'),
      isBlockedByStaff('a', now).as('is_blocked'),
      jsonArrayFrom(
        account
          .selectFrom('staff_members as m')
          .innerJoin('staff_roles as r', 'r.role', 'm.role')
          .whereRef('m.user_num', '=', 'a.user_num')
          .select('r.name')
          .orderBy('r.name'),
      ).as('roles'),
      jsonArrayFrom(
        account
          .selectFrom('account_blocks as b')
          .leftJoin('accounts as by', 'by.user_num', 'b.blocked_by')
          .leftJoin('accounts as lifter', 'lifter.user_num', 'b.lifted_by')
          .whereRef('b.user_num', '=', 'a.user_num')
          .select([
            'b.block',
            'b.reason',
            'b.note',
            'b.starts_at',
            'b.ends_at',
            'b.lifted_at',
            'by.user_id as blocked_by',
            'lifter.user_id as lifted_by',
            sql<boolean>`b.lifted_at is null and (b.ends_at is null or b.ends_at > ${now}::timestamptz)`.as('is_on'),
          ])
          .orderBy('b.block', 'desc')
          .limit(ROWS_SHOWN.blocks),
      ).as('blocks'),
      jsonArrayFrom(
        account
          .selectFrom('characters as c')
          .whereRef('c.user_num', '=', 'a.user_num')
          .select(['c.cha_num', 'c.cha_name', 'c.cha_level', 'c.cha_class', 'c.cha_school'])
          .orderBy('c.cha_level', 'desc')
          .orderBy('c.cha_num')
          .limit(ROWS_SHOWN.characters),
      ).as('characters'),
      jsonArrayFrom(
        account
          .selectFrom('sessions as s')
          .whereRef('s.user_num', '=', 'a.user_num')
          .where('s.ends_at', '>', now)
          .where('s.last_seen_at', '>', new Date(now.getTime() - SESSION_IDLE_MAX_MS))
          .select(['s.session_id', 's.address', 's.device', 's.created_at', 's.last_seen_at'])
          .orderBy('s.last_seen_at', 'desc')
          .limit(ROWS_SHOWN.sessions),
      ).as('sessions'),
      jsonArrayFrom(
        account
          .selectFrom('account_notes as n')
          .leftJoin('accounts as by', 'by.user_num', 'n.written_by')
          .whereRef('n.user_num', '=', 'a.user_num')
          .select(['n.note', 'n.body', 'by.user_id as written_by', 'n.written_at'])
          .orderBy('n.note', 'desc')
          .limit(ROWS_SHOWN.notes),
      ).as('notes'),
      jsonArrayFrom(
        account
          .selectFrom('tickets as t')
          .whereRef('t.user_num', '=', 'a.user_num')
          .where('t.merged_into', 'is', null)
          .select(['t.number', 't.subject', 't.category', 't.state', 't.priority', 't.updated_at'])
          .orderBy('t.ticket', 'desc')
          .limit(ROWS_SHOWN.tickets),
      ).as('tickets'),
      jsonArrayFrom(
        account
          .selectFrom('purchases as p')
          .whereRef('p.user_num', '=', 'a.user_num')
          .select(['p.ordinal', 'p.item_name', 'p.section', 'p.price', 'p.quantity', 'p.created_at'])
          .orderBy('p.ordinal', 'desc')
          .limit(ROWS_SHOWN.purchases),
      ).as('purchases'),
      jsonArrayFrom(
        account
          .selectFrom('account_factors as f')
          .whereRef('f.user_num', '=', 'a.user_num')
          .select(['f.factor', 'f.kind', 'f.name', 'f.created_at', 'f.last_used_at'])
          .orderBy('f.factor'),
      ).as('factors'),
    ])
    .executeTakeFirst()
}

const SHARERS_MAX = 20

/**
 * Selects the other accounts that used a player's addresses and devices in the last 90 days: for each address or device the
 * 20 newest, because a café's address may have many.
 */
export async function selectSharers(db: Db, userNum: number, now: Date) {
  const { rows } = await sql<{
    place: string
    user_num: number
    user_id: string
    is_blocked: boolean
    seen_at: Date
    own_seen_at: Date
  }>`
    select k.place, o.user_num, a.user_id, ${isBlockedByStaff('a', now)} as is_blocked, o.seen_at, k.seen_at as own_seen_at
    from known_places k
    cross join lateral (
      select user_num, seen_at from known_places
      where place = k.place and user_num <> k.user_num order by user_num desc limit ${sql.lit(SHARERS_MAX)}) o
    join accounts a on a.user_num = o.user_num
    where k.user_num = ${userNum}
    order by k.place desc, o.seen_at desc`.execute(db)
  return rows
}
