import { type RawBuilder, sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import type { Permission } from '#contract/permissions.ts'
import type { RewardSource } from '#contract/rewards.ts'
import type { WORK_KINDS } from '#contract/today.ts'
import { createHeldByOtherCondition, isApprovableBy } from '#server/approvals/approvers.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { selectOpenCases } from '#server/features/forum/moderators.ts'
import { FAILED_DELIVERIES, FAILED_MAILS, readProblems } from '#server/features/health/problems.ts'
import { SOURCE_NAMES } from '#server/features/rewards/charges.ts'
import { computePayout, readSourceState } from '#server/features/rewards/source-state.ts'
import type { Staff } from '#server/http/staff.ts'

/** Waiting work is counted up to this number, through an index, so a lot of it does not slow the screen down. */
const COUNT_MAX = 99

export type Need = {
  kind: (typeof WORK_KINDS)[number]
  /** The name of a problem; empty for other work. */
  problem: string
  count: number
  more: boolean
  since: Date | null
  detail: string
}

type WaitingWork = {
  kind: Need['kind']
  permission: Permission
  /** The path of the desk's screen where operators do this work. */
  screen: string
  /** Selects the times since which the work has waited, as `at`, longest first. */
  rows: (staff: Staff, now: Date) => RawBuilder<unknown>
}

/** Problems that operators fix on the game's screen. */
const GAME_PROBLEMS = ['bridge', 'no bridge', 'game restored', 'doubled']

const WAITING_WORK: WaitingWork[] = [
  {
    kind: 'approvals',
    permission: 'approvals.decide',
    screen: 'approvals',
    rows: ({ userNum }, now) => sql`
      select requested_at as at from approvals where ${isApprovableBy(userNum, now)} order by approval`,
  },
  {
    kind: 'tickets',
    permission: 'tickets.answer',
    screen: 'tickets',
    rows: () => sql`select updated_at as at from tickets where state = 'open' order by ticket`,
  },
  {
    kind: 'appeals',
    permission: 'players.block',
    screen: 'appeals',
    rows: ({ userNum }, now) => sql`
      select p.made_at as at from block_appeals p join account_blocks b using (block)
      where p.outcome is null and b.lifted_at is null and (b.ends_at is null or b.ends_at > ${now})
        and (b.blocked_by is distinct from ${userNum} or not ${createHeldByOtherCondition('players.block', userNum)})
      order by p.appeal`,
  },
  {
    kind: 'erasures',
    permission: 'players.personal',
    screen: 'players',
    rows: () => sql`
      select due_at as at from account_erasures where ended_at is null order by due_at`,
  },
  {
    kind: 'reports',
    permission: 'forum.moderate',
    screen: 'forum',
    rows: (staff) => selectOpenCases(staff, ['report']),
  },
  { kind: 'held', permission: 'forum.moderate', screen: 'forum', rows: (staff) => selectOpenCases(staff, ['held']) },
  { kind: 'deliveries', permission: 'orders.read', screen: 'orders', rows: () => FAILED_DELIVERIES },
  {
    kind: 'refunds',
    permission: 'orders.read',
    screen: 'orders',
    rows: () => sql`
      select refund_requested_at as at from deliveries
      where refund_requested_at is not null and state <> 'refunded' order by queued_at, delivery`,
  },
  { kind: 'mails', permission: 'mails.read', screen: 'mail', rows: () => FAILED_MAILS },
  {
    kind: 'renamed',
    permission: 'game.read',
    screen: 'account-import',
    rows: () => sql`
      select changed_at as at from game_accounts
      where problem = 'renamed' and found_user_id <> '' order by changed_at desc, user_num desc`,
  },
  {
    kind: 'closed',
    permission: 'settings.write',
    screen: 'settings',
    rows: () => sql`
      select max(changed_at) as at from settings where name = 'purchases_open'
      having not exists (select from purchases_open)`,
  },
]

type NeedsDeps = Pick<Deps, 'browseDb' | 'config' | 'now'>

/** Finds the waiting work that the caller may do, the most important first. */
export async function findNeeds(deps: NeedsDeps, staff: Staff): Promise<Need[]> {
  const mayApprove = staff.permissions.has('approvals.decide')
  const [problems, waiting, cheapSales, unpricedItems, rewards] = await Promise.all([
    findProblemNeeds(deps, staff),
    countWaiting(deps, staff),
    mayApprove ? findCheapSales(deps.browseDb, deps.now()) : [],
    mayApprove ? findUnpricedItems(deps.browseDb, deps.now()) : [],
    mayApprove ? findUnapprovedSources(deps) : [],
  ])
  return [...problems, ...waiting.map(({ screen, ...need }) => need), ...cheapSales, ...unpricedItems, ...rewards]
}

/** The maximum number of item names in one line of Today. */
const UNPRICED_NAMED_MAX = 5

/**
 * Finds items that got their first price in the last days without a usual price to compare with, grouped by the operator who
 * priced them. Hidden items count too, because their prices become usual prices.
 */
async function findUnpricedItems(db: Db, now: Date): Promise<Need[]> {
  const { rows } = await sql<{ by: string; count: number; since: Date; named: string[] }>`
    select a.user_id as by, count(*)::int as count, min(p.changed_at) as since,
      (array_agg(i.item_name || ' for ' || p.price || case i.section when ${R_COIN_SECTION} then ' R-Coin' else ' Milleage' end
        order by p.item_price desc))[1:${sql.lit(UNPRICED_NAMED_MAX)}] as named
    from item_prices p join shop_items i using (product_num) join accounts a on a.user_num = p.changed_by
    where p.usual is null and p.changed_at > ${now}::timestamptz - make_interval(days => ${CHEAP_DAYS})
      and not exists (select from item_prices earlier where earlier.product_num = p.product_num and earlier.item_price < p.item_price)
    group by a.user_id order by since`.execute(db)
  return rows.map(({ by, count, since, named }) => ({
    kind: 'unpriced' as const,
    problem: '',
    count: Math.min(count, COUNT_MAX),
    more: count > COUNT_MAX,
    since,
    detail: `${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}; priced by ${by}`,
  }))
}

/** Finds sources of rewards whose present rules pay without an owner's approval, with the operators who raised them. */
async function findUnapprovedSources({ browseDb: db, config, now }: NeedsDeps): Promise<Need[]> {
  const { rows } = await sql<{ source: RewardSource; by: string | null; since: Date | null }>`
    select s.source, (select string_agg(a.user_id, ', ' order by a.user_id) from accounts a where a.user_num = any(s.raised_by)) as by,
      (select c.from_at from reward_charges c where c.source = s.source and c.until_at is null) as since
    from reward_sources s where s.approved_by is null and s.budget > 0 order by s.source`.execute(db)
  const needs = []
  for (const { source, by, since } of rows) {
    const payout = computePayout(await readSourceState({ db, config, now }, source))
    if (payout === 0) continue
    const summary = `${SOURCE_NAMES[source]}, up to ${formatCount(payout)} Milleage a day`
    needs.push({
      kind: 'rewards' as const,
      problem: '',
      count: 1,
      more: false,
      since,
      detail: by === null ? summary : `${summary}; raised by ${by}`,
    })
  }
  return needs
}

/** Counts the caller's waiting work by the path of its screen. Omits screens without waiting work. */
export async function countByScreen(deps: NeedsDeps, staff: Staff): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const addCount = (screen: string, count: number) => {
    counts[screen] = (counts[screen] ?? 0) + count
  }
  for (const { screen, count } of await countWaiting(deps, staff)) addCount(screen, count)
  const mayFix = { health: staff.permissions.has('health.read'), game: staff.permissions.has('game.read') }
  if (!mayFix.health && !mayFix.game) return counts
  for (const { problem } of await readProblems(deps)) {
    if (mayFix.health) addCount('health', 1)
    if (mayFix.game && GAME_PROBLEMS.includes(problem)) addCount('game', 1)
  }
  return counts
}

async function countWaiting({ browseDb: db, now }: NeedsDeps, staff: Staff): Promise<(Need & { screen: string })[]> {
  const waiting = await Promise.all(
    WAITING_WORK.filter(({ permission }) => staff.permissions.has(permission)).map(async ({ kind, screen, rows }) => {
      const { rows: countRows } = await sql<{ count: number; since: Date | null }>`
        select count(*)::int as count, min(at) as since
        from (${rows(staff, now())} limit ${COUNT_MAX + 1}) waiting`.execute(db)
      const { count = 0, since = null } = countRows[0] ?? {}
      return {
        kind,
        problem: '',
        screen,
        count: Math.min(count, COUNT_MAX),
        more: count > COUNT_MAX,
        since,
        detail: '',
      }
    }),
  )
  return waiting.filter(({ count }) => count > 0)
}

const CHEAP_DAYS = 7
const CHEAP_SHOWN_MAX = 20

/**
 * Finds recent sales below half of the usual price, by item, price and the operator who set it. A present price is compared
 * with the present usual price, an earlier price with the usual price of its time. Draws of capsules and gifts have no price.
 */
async function findCheapSales(db: Db, now: Date): Promise<Need[]> {
  const { rows } = await sql<{
    units: number
    since: Date
    name: string
    price: number
    section: number
    usual: number
    by: string | null
  }>`
    with usual as materialized (
      select game_num, max(price) as usual from item_prices
      where coalesce(ended_at, 'infinity') > ${now}::timestamptz - interval '30 days' group by game_num),
    low as (
      select p.product_num, entered.price, max(p.changed_by) as changed_by, max(u.usual) as usual from item_prices p
      join lateral (select greatest(p.usual, case when p.ended_at is null then usual.usual end) as usual
        from usual where usual.game_num = p.game_num) u on true
      cross join lateral (values (p.price), (p.sale_price)) entered (price)
      where coalesce(p.ended_at, 'infinity') > ${now}::timestamptz - make_interval(days => ${CHEAP_DAYS})
        and entered.price * 2 < u.usual
      group by p.product_num, entered.price)
    select s.units, s.since, s.item_name as name, low.price, s.section, low.usual, a.user_id as by from low
    join lateral (
      select sum(b.quantity)::int as units, min(b.created_at) as since, max(b.item_name) as item_name, max(b.section) as section
      from purchases b
      where b.product_num = low.product_num and b.price = low.price and b.gift is null
        and b.created_at > ${now}::timestamptz - make_interval(days => ${CHEAP_DAYS})
        and not exists (select from capsule_draws d where d.user_num = b.user_num and d.ordinal = b.ordinal)) s on s.units > 0
    left join accounts a on a.user_num = low.changed_by
    order by s.since limit ${sql.lit(CHEAP_SHOWN_MAX)}`.execute(db)
  return rows.map(({ units, since, name, price, section, usual, by }) => ({
    kind: 'cheap',
    problem: '',
    count: Math.min(units, COUNT_MAX),
    more: units > COUNT_MAX,
    since,
    detail: `${name} for ${formatCount(price)} ${section === R_COIN_SECTION ? 'R-Coin' : 'Milleage'}, usually ${formatCount(usual)}${by === null ? '' : `; the price is from ${by}`}`,
  }))
}

/** Finds problems of the site itself. Failures that the caller sees as waiting work are not repeated. */
async function findProblemNeeds(deps: NeedsDeps, staff: Staff): Promise<Need[]> {
  if (!staff.permissions.has('health.read')) return []
  const shownKinds = WAITING_WORK.filter(({ permission }) => staff.permissions.has(permission)).map(({ kind }) =>
    String(kind),
  )
  const problems = await readProblems(deps)
  return problems
    .filter(({ problem }) => !shownKinds.includes(problem))
    .map(({ problem, detail, since }) => ({
      kind: problem === 'backup' ? 'backup' : 'problem',
      problem,
      count: 1,
      more: false,
      since,
      detail,
    }))
}
