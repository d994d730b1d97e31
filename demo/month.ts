import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { formatPurchaseReference } from '#server/features/wallet/book.ts'
import { bookOpeningBalances } from './accounts.ts'
import { insertRows, pickRandom, type Random, seededRandom, subtractMs, type World } from './world.ts'

const SEED = 20_260_815
const DAYS = 30
const OPENING_BALANCES = { r_coin: 9000, milleage: 6000 }
/** The activity of each weekday, from Sunday. */
const WEEKDAY_FACTORS = [1.5, 0.8, 0.75, 0.85, 0.95, 1.25, 1.6]
/** The hours in Manila at which players play, mostly in the evening. */
const PLAY_HOURS = [0, 7, 9, 12, 12, 15, 16, 17, 18, 19, 19, 20, 20, 20, 21, 21, 21, 22, 22, 23]

/**
 * Inserts the last 30 days for the desk's figures: logins, purchases, a job that failed once and a hidden character;
 * and the logins of the 30 days before, for comparison.
 */
export async function insertMonth(tx: Db, { now, gm, players }: World): Promise<void> {
  const random = seededRandom(SEED)
  const randomBelow = (limit: number) => Math.floor(random() * limit)
  const regularPlayers = players.slice(100, 420)
  const moments = Array.from({ length: DAYS }, (_, index) => {
    const start = getStartOfDay(toManilaDay(now.getTime() - (DAYS - 1 - index) * DAY_MS)).getTime()
    const dayFactor = WEEKDAY_FACTORS[new Date(start + DAY_MS / 2).getUTCDay()] ?? 1
    const logins = Math.round((34 + index * 0.6 + randomBelow(9)) * dayFactor)
    return Array.from(
      { length: logins },
      () => start + pickRandom(random, PLAY_HOURS) * 3_600_000 + randomBelow(3_600_000),
    )
  })
    .flat()
    .filter((at) => at < now.getTime() - 120_000)
    .sort((a, b) => a - b)
  const visits = moments.map((at) => ({
    user_num: pickRandom(random, regularPlayers),
    at: new Date(at),
    buys: random() < 0.34,
  }))
  const logins = [...visits, ...createEarlierLogins(players, now)].map(({ user_num, at }) => ({
    user_num,
    kind: 'login',
    address: `198.51.100.${user_num % 250}`,
    device: 'Chrome on Android',
    created_at: at,
  }))
  await insertRows(tx, 'account_events', logins)
  await insertPurchases(tx, { visits: visits.filter(({ buys }) => buys), random, now })
  await insertProblems(tx, { now, gm })
}

/**
 * Creates the logins of the 30 days before: of regular players, of players who left, and of players who returned after
 * a month.
 */
function createEarlierLogins(players: readonly number[], now: Date): { user_num: number; at: Date }[] {
  const random = seededRandom(SEED + 1)
  const pickEvening = (daysAgo: number) =>
    new Date(
      getStartOfDay(toManilaDay(now.getTime() - daysAgo * DAY_MS)).getTime() + 18 * HOUR_MS + random() * 5 * HOUR_MS,
    )
  const regularVisits = Array.from({ length: DAYS * 36 }, () => ({
    user_num: pickRandom(random, players.slice(100, 420)),
    at: pickEvening(DAYS + Math.floor(random() * DAYS)),
  }))
  const leavingVisits = players.slice(420, 434).map((user_num, nth) => ({ user_num, at: pickEvening(DAYS + 2 + nth) }))
  const returningVisits = players
    .slice(434, 443)
    .flatMap((user_num, nth) => [50 + nth, 1 + nth * 2].map((daysAgo) => ({ user_num, at: pickEvening(daysAgo) })))
  return [...regularVisits, ...leavingVisits, ...returningVisits]
}

type Visit = { user_num: number; at: Date }
type PurchaseDetails = { visits: Visit[]; random: Random; now: Date }

/**
 * Inserts a claimed purchase of one item for each visit, if the buyer has enough money. All buyers began with the same
 * balances.
 */
async function insertPurchases(tx: Db, { visits, random, now }: PurchaseDetails): Promise<void> {
  const items = await tx
    .selectFrom('shop_items')
    .where('visible', '=', true)
    .where('price', '<', 900)
    .select(['product_num', 'item_name', 'section', 'price'])
    .orderBy('product_num')
    .execute()
  const favouriteItems = items.slice(0, 12)
  const buyers = [...new Set(visits.map(({ user_num }) => user_num))].sort((a, b) => a - b)
  const balances = new Map(buyers.map((num) => [num, { ...OPENING_BALANCES, bought: 0 }]))
  const orders = visits.flatMap(({ user_num, at }, index) => {
    const item = index % 3 === 0 ? pickRandom(random, items) : pickRandom(random, favouriteItems)
    const purse = balances.get(user_num)
    const currency = item.section === R_COIN_SECTION ? ('r_coin' as const) : ('milleage' as const)
    if (purse === undefined || purse[currency] < item.price) return []
    purse[currency] -= item.price
    const ordinal = purse.bought++
    return [{ ...item, user_num, ordinal, at, currency, balance: purse[currency] }]
  })
  await bookOpeningBalances(tx, buyers, OPENING_BALANCES, subtractMs(now, (DAYS + 3) * DAY_MS))
  // The numbers of the purchases continue after those that a player has already made.
  const { rows } = await sql<{ user_num: number; purchase_count: number }>`
    update accounts a set r_coin = a.r_coin + v.r_coin, milleage = a.milleage + v.milleage,
      purchase_count = a.purchase_count + v.bought
    from unnest(${buyers}::bigint[], ${buyers.map((num) => balances.get(num)?.r_coin ?? 0)}::bigint[],
      ${buyers.map((num) => balances.get(num)?.milleage ?? 0)}::bigint[],
      ${buyers.map((num) => balances.get(num)?.bought ?? 0)}::bigint[]) as v (user_num, r_coin, milleage, bought)
    where a.user_num = v.user_num returning a.user_num, a.purchase_count - v.bought as purchase_count`.execute(tx)
  const purchaseCounts = new Map(rows.map(({ user_num, purchase_count }) => [Number(user_num), Number(purchase_count)]))
  const numberedOrders = orders.map((order) => ({
    ...order,
    ordinal: (purchaseCounts.get(order.user_num) ?? 0) + order.ordinal + 1,
  }))
  const purchases = numberedOrders.map(({ user_num, ordinal, product_num, item_name, section, price, at }) => ({
    user_num,
    ordinal,
    product_num,
    item_name,
    section,
    price,
    quantity: 1,
    created_at: at,
  }))
  await insertRows(tx, 'purchases', purchases)
  const entries = numberedOrders.map(({ user_num, ordinal, currency, price, balance, at }) => ({
    user_num,
    currency,
    delta: -price,
    balance_after: balance,
    reason: 'purchase',
    reference: formatPurchaseReference(ordinal, ordinal),
    created_at: at,
  }))
  await insertRows(tx, 'ledger', entries)
  const deliveries = numberedOrders.map(({ user_num, ordinal, product_num, at }) => {
    const addMs = (ms: number) => new Date(Math.min(at.getTime() + ms, now.getTime()))
    return {
      user_num,
      ordinal,
      product_num,
      unit: 1,
      state: 'claimed' as const,
      queued_at: at,
      handed_at: addMs(30_000),
      delivered_at: addMs(60_000),
      claimed_at: addMs(100_000),
    }
  })
  await insertRows(tx, 'deliveries', deliveries)
}

/** Inserts a clean-up job that failed yesterday, and a character that staff hid. */
async function insertProblems(tx: Db, { now, gm }: Pick<World, 'now' | 'gm'>): Promise<void> {
  const hoursAgo = (hours: number) => subtractMs(now, hours * HOUR_MS)
  await tx
    .insertInto('jobs')
    .values({
      name: 'clean-up mail files',
      due_at: hoursAgo(-1),
      failed_at: hoursAgo(26),
      failure: 'EACCES: permission denied',
      succeeded_at: hoursAgo(25),
    })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const { cha_num } = await tx
    .selectFrom('characters')
    .select('cha_num')
    // The boards of the closed months stay complete.
    .where('cha_num', 'not in', tx.selectFrom('ranking_archive').select('cha_num'))
    .orderBy('cha_num')
    .offset(1500)
    .limit(1)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('hidden_characters')
    .values({ cha_num, reason: 'Asks other players for their passwords', hidden_by: gm, hidden_at: hoursAgo(70) })
    .execute()
}
