import { sql } from 'kysely'
import { SPENDING_SUMMARY_DAYS } from '#contract/capsules.ts'
import { DAY_MS } from '#contract/durations.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'

const DRAWS_PER_PAGE = 20

/** Selects capsules in their order with their current chances. @param visible selects only visible capsules */
export async function selectCapsules(db: Db, { capsule, visible }: { capsule?: number; visible?: true } = {}) {
  const capsules = await db
    .selectFrom('capsules')
    .$if(capsule !== undefined, (query) => query.where('capsule', '=', capsule ?? 0))
    .$if(visible === true, (query) => query.where('visible', '=', true))
    .selectAll()
    .orderBy('position')
    .orderBy('capsule')
    .execute()
  if (capsules.length === 0) return []
  const prizes = await db
    .selectFrom('capsule_chances as c')
    .innerJoin('capsules as k', (join) =>
      join.onRef('k.capsule', '=', 'c.capsule').onRef('k.version', '=', 'c.version'),
    )
    .innerJoin('shop_items as i', 'i.product_num', 'c.product_num')
    .where(
      'c.capsule',
      'in',
      capsules.map((row) => row.capsule),
    )
    .select(['c.capsule', 'c.product_num', 'i.item_name', 'i.icon', 'i.image_url', 'c.chance'])
    .orderBy('c.chance')
    .orderBy('c.product_num')
    .execute()
  const prizesByCapsule = Map.groupBy(prizes, (prize) => prize.capsule)
  return capsules.map((row) => ({ ...row, prizes: prizesByCapsule.get(row.capsule) ?? [] }))
}

/**
 * Selects the chances of an account's next draw from a capsule (CAPSULE-1): 0 for prizes that it has drawn in this round,
 * unless the round is complete and a new one begins.
 */
export async function selectNextChances(
  db: Db,
  userNum: number,
  { capsule, version }: { capsule: number; version: number },
) {
  const { rows } = await sql<{ product_num: number; chance: number; is_drawn: boolean; round: number }>`
    with round as (
      select coalesce(max(round), 1) as round from capsule_draws where user_num = ${userNum} and capsule = ${capsule})
    select c.product_num, c.chance, r.round, exists (
      select from capsule_draws d where d.user_num = ${userNum} and d.capsule = c.capsule and d.round = r.round
        and d.product_num = c.product_num) as is_drawn
    from capsule_chances c cross join round r
    where c.capsule = ${capsule} and c.version = ${version}
    order by c.product_num`.execute(db)
  const isComplete = rows.every(({ is_drawn }) => is_drawn)
  const round = (rows[0]?.round ?? 1) + (isComplete ? 1 : 0)
  const prizes = rows.map(({ product_num, chance, is_drawn }) => ({
    product_num,
    chance: is_drawn && !isComplete ? 0 : chance,
  }))
  return { round, prizes, totalChance: prizes.reduce((sum, { chance }) => sum + chance, 0) }
}

/** Returns how often an account has drawn from a capsule, and its recent spending on draws from all capsules. */
export async function selectDrawStats(db: Db, userNum: number, { capsule, now }: { capsule: number; now: Date }) {
  const since = new Date(now.getTime() - SPENDING_SUMMARY_DAYS * DAY_MS)
  const sumSpending = (condition: ReturnType<typeof sql>) => sql<number>`
    coalesce(sum(p.price) filter (where ${condition} and d.state is distinct from 'refunded'), 0)::bigint`
  const { r_coin, milleage } = await db
    .selectFrom('capsule_draws as c')
    .innerJoin('purchases as p', (join) =>
      join.onRef('p.user_num', '=', 'c.user_num').onRef('p.ordinal', '=', 'c.ordinal'),
    )
    .innerJoin('deliveries as d', (join) =>
      join.onRef('d.user_num', '=', 'c.user_num').onRef('d.ordinal', '=', 'c.ordinal'),
    )
    .where('c.user_num', '=', userNum)
    .where('c.drawn_at', '>', since)
    .select([
      sumSpending(sql`p.section = ${sql.lit(R_COIN_SECTION)}`).as('r_coin'),
      sumSpending(sql`p.section <> ${sql.lit(R_COIN_SECTION)}`).as('milleage'),
    ])
    .executeTakeFirstOrThrow()
  const { draws } = await db
    .selectFrom('capsule_draws')
    .where('user_num', '=', userNum)
    .where('capsule', '=', capsule)
    .select(sql<number>`count(*)::int`.as('draws'))
    .executeTakeFirstOrThrow()
  return { draws, spent: { r_coin: Number(r_coin), milleage: Number(milleage) } }
}

/** Selects a page of an account's draws, newest first. @param after the last draw of the previous page, or '' */
export async function selectDraws(db: Db, userNum: number, after: string) {
  const rows = await db
    .selectFrom('capsule_draws as d')
    .innerJoin('capsules as c', 'c.capsule', 'd.capsule')
    .innerJoin('purchases as p', (join) =>
      join.onRef('p.user_num', '=', 'd.user_num').onRef('p.ordinal', '=', 'd.ordinal'),
    )
    .where('d.user_num', '=', userNum)
    .$if(after !== '', (query) => query.where('d.draw', '<', Number(after)))
    .select([
      'd.draw',
      'd.capsule',
      'c.name',
      'd.product_num',
      'p.item_name',
      'p.section',
      'p.price',
      'd.version',
      'd.number',
      'd.out_of',
      'd.drawn_at',
    ])
    .orderBy('d.draw', 'desc')
    .limit(DRAWS_PER_PAGE + 1)
    .execute()
  const draws = rows.slice(0, DRAWS_PER_PAGE)
  return { draws, next: rows.length > DRAWS_PER_PAGE ? String(draws.at(-1)?.draw) : null }
}
