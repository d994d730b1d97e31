import { sql } from 'kysely'
import type { reportUnknown } from '#contract/bridge.ts'
import type { getGame } from '#contract/desk-game.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { checkLease } from './lease.ts'
import { unitMark } from './work.ts'

/** The largest number of units that the screen Game lists. */
const UNITS_SHOWN_MAX = 200

/** Returns the highest number of a unit that was issued to a bridge; null if none was. */
export async function findHighestIssuedUnit(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('deliveries')
    .where('handed_by', 'is not', null)
    .select('delivery')
    .orderBy('delivery', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.delivery ?? null
}

/**
 * Stores units in the game that belong to no purchase of this site (BRIDGE-26).
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function storeUnknownUnits(
  db: Db,
  caller: BridgeCaller,
  units: ValidInput<typeof reportUnknown>['units'],
  now: Date,
): Promise<void> {
  await checkLease(db, caller)
  const unitsJson = JSON.stringify(units)
  await sql`
    insert into unknown_units (unit, mark, game_user_num, product_num, price, claimed, found_at)
    select u.unit, u.mark, u.game_user_num, u.product_num, u.price, u.claimed, ${now}
    from jsonb_to_recordset(${unitsJson}::jsonb)
      as u (unit bigint, mark text, game_user_num bigint, product_num bigint, price bigint, claimed boolean)
    where not exists (select from deliveries d where d.delivery = u.unit and ${unitMark} = u.mark)
    on conflict (unit, mark) do update set claimed = excluded.claimed`.execute(db)
}

/** Selects the units in the game that belong to no purchase, with their players and items if the site knows these. */
export async function selectUnknownUnits(db: Db): Promise<CallAnswer<typeof getGame>['unknown']> {
  const { rows } = await sql<{
    unit: number
    game_user_num: number
    user_id: string | null
    product_num: number
    item_name: string | null
    price: number
    claimed: boolean
    count: number
    sum: number
  }>`
    select u.unit, u.game_user_num, a.user_id, u.product_num, i.item_name, u.price, u.claimed,
      count(*) over ()::int as count, sum(u.price) over ()::bigint as sum
    from unknown_units u
    left join game_links l on l.game_user_num = u.game_user_num
    left join accounts a on a.user_num = l.user_num
    left join lateral (
      select item_name from shop_items where coalesce(game_product_num, product_num) = u.product_num
      order by product_num limit 1) i on true
    order by u.unit limit ${UNITS_SHOWN_MAX}`.execute(db)
  const [firstRow] = rows
  if (firstRow === undefined) return null
  return {
    count: firstRow.count,
    sum: Number(firstRow.sum),
    rows: rows.map(({ count: _, sum: __, ...row }) => ({ ...row, price: Number(row.price) })),
  }
}
