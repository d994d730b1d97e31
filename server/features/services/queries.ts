import { sql } from 'kysely'
import type { z } from 'zod'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { getServiceOrders } from '#contract/desk-services.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import {
  describeService,
  isCustomService,
  SERVICE_REASONS,
  SERVICES,
  type ServiceName,
  type ServiceOrderState,
  type ServiceReason,
  type serviceProgress,
} from '#contract/services.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createNumberOrder, cutPage, parseTypedNumber, type RowOf } from '#server/http/desk-lists.ts'

/** A service with its current price and conditions. */
export type SoldService = {
  product_num: number
  service: string
  price: number
  section: number
  pause_hours: number
  choices: string[]
}

/** Selects a service that is on sale. Returns undefined for any other item. */
export async function selectService(db: Db, productNum: number, now: Date): Promise<SoldService | undefined> {
  const { rows } = await sql<SoldService>`
    select product_num, service, section, service_pause_hours as pause_hours, service_choices as choices,
      price_at(price, sale_price, sale_starts_at, sale_ends_at, ${now}::timestamptz) as price
    from shop_items
    where product_num = ${productNum} and kind = 'service' and visible
      and is_within(sold_from, sold_until, ${now}::timestamptz)`.execute(db)
  return rows[0]
}

type CharacterRow = {
  ChaNum: number
  ChaName: string
  ChaLevel: number
  ChaClass: string
  ChaSchool: number
  problem: string | null
}

/** Selects the characters of an account, each with the reason why it cannot use the service with this choice, or null. */
export async function selectCharacters(
  db: Db,
  userNum: number,
  { product, choice, now }: { product: number; choice: string; now: Date },
): Promise<CharacterRow[]> {
  const { rows } = await sql<CharacterRow>`
    select cha_num as "ChaNum", cha_name as "ChaName", cha_level as "ChaLevel", cha_class as "ChaClass",
      cha_school as "ChaSchool",
      service_problem(${userNum}::bigint, ${product}::bigint, cha_num, ${choice}::text, ${now}::timestamptz) as problem
    from characters where user_num = ${userNum} and kept_out in ('', 'staff')
    order by cha_level desc, cha_num`.execute(db)
  return rows
}

type ProgressRow = {
  ordinal: number
  service: string
  state: ServiceOrderState
  reason: ServiceReason | ''
  cha_name: string
  choice: string
  was: string
  cha_class: string | null
  cha_school: number | null
  online_at: Date | null
  done_at: Date | null
  ordered_at: Date
  refunded_at: Date | null
}

/** Selects the states of the services among an account's purchases, by the purchase's number. */
export async function selectProgress(
  db: Db,
  userNum: number,
  { from, to }: { from: number; to: number },
): Promise<Map<number, z.input<typeof serviceProgress>>> {
  const { rows } = await sql<ProgressRow>`
    select d.ordinal, o.service, o.state, o.reason, o.cha_name, o.choice, o.was, c.cha_class, c.cha_school, o.online_at,
      o.done_at, o.ordered_at, d.refunded_at
    from deliveries d
    join service_orders o on o.delivery = d.delivery
    left join characters c on c.cha_num = o.cha_num
    where d.user_num = ${userNum} and d.ordinal between ${from} and ${to} and d.is_service`.execute(db)
  return new Map(rows.map((row) => [row.ordinal, toProgress(row)]))
}

function toProgress(row: ProgressRow): z.input<typeof serviceProgress> {
  const character = {
    ChaName: row.cha_name,
    ChaClass: row.service === 'gender' ? row.was : (row.cha_class ?? ''),
    ChaSchool: row.service === 'school' ? Number(row.was) : (row.cha_school ?? 0),
  }
  const note =
    row.state === 'refunded'
      ? SERVICE_REASONS[row.reason === '' ? 'desk' : row.reason]
      : row.state === 'waiting' && row.online_at !== null
        ? `Log ${row.cha_name} out of the game. Then we can do it.`
        : ''
  return {
    service: row.service,
    state: row.state === 'refused' ? 'refunded' : row.state,
    character: row.cha_name,
    choice: row.choice,
    ...describeService(row.service, character, row.choice),
    note,
    since: (row.state === 'refunded' ? row.refunded_at : row.state === 'done' ? row.done_at : null) ?? row.ordered_at,
  }
}

type OrderRow = Omit<RowOf<typeof getServiceOrders>, 'reason' | 'can_undo'> & { reason: ServiceReason | '' }

/**
 * Returns whether a service can be undone now. Services that operators define can be undone, by a statement in the bridge's
 * configuration.
 */
export const canUndo = ({
  service,
  state,
  undo_of,
  undone_by,
  lost_at,
}: Pick<OrderRow, 'service' | 'state' | 'undo_of' | 'undone_by' | 'lost_at'>): boolean =>
  state === 'done' &&
  undo_of === null &&
  undone_by === null &&
  lost_at === null &&
  (isCustomService(service) || SERVICES[service as ServiceName].isReversible)

/** Selects a page of the service orders, newest first. */
export async function selectServiceOrders(db: Db, filters: ValidInput<typeof getServiceOrders>) {
  const { player, character, state, order } = filters
  const page = createNumberOrder('o.service_order', filters.after)
  const conditions = combineConditions([
    player !== '' && sql`(lower(a.user_id) = lower(${player}) or a.user_num = ${parseTypedNumber(player)}::bigint)`,
    character !== '' &&
      sql`(lower(o.cha_name) = lower(${character}) or o.cha_num = ${parseTypedNumber(character)}::bigint)`,
    state !== '' && sql`o.state = ${state}`,
    order !== '' && sql`d.user_num || '-' || d.ordinal = ${order}`,
    page.condition,
  ])
  const { rows } = await sql<OrderRow>`
    select o.service_order, d.user_num || '-' || d.ordinal as "order", o.delivery, o.undo_of, o.user_num, a.user_id,
      i.item_name, o.service, o.cha_num, o.cha_name, o.choice, o.was, o.state, o.reason, o.detail, o.before, o.after,
      o.ordered_at, s.user_id as ordered_by, o.online_at, o.handed_at, o.done_at, o.again_at, o.settled_at, o.lost_at,
      (select u.service_order from service_orders u where u.undo_of = o.service_order and u.state in ('waiting', 'done'))
        as undone_by
    from service_orders o
    join accounts a on a.user_num = o.user_num
    join shop_items i on i.product_num = o.product_num
    left join deliveries d on d.delivery = o.delivery
    left join accounts s on s.user_num = o.ordered_by
    where ${conditions}
    order by ${page.order} limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
  return cutPage(
    rows,
    ({ service_order }) => service_order,
    (row) => ({
      ...row,
      reason: row.reason === '' ? '' : SERVICE_REASONS[row.reason],
      can_undo: canUndo(row),
    }),
  )
}
