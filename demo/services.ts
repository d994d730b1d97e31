import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { buyItem } from '#server/features/cart/buy.ts'
import { readUnits, refundUnits } from '#server/features/orders/refund.ts'
import { NO_KEY } from '#server/http/idempotency.ts'
import { readTable } from './read.ts'
import { subtractMs, type World } from './world.ts'

const serviceRow = z.strictObject({
  item_name: z.string(),
  service: z.string(),
  section: wholeNumber,
  price: wholeNumber,
  pause_hours: wholeNumber,
  description: z.string(),
  picture: z.string(),
})

/**
 * Inserts a category of services and some orders of them. Runs after the functions that select items for purchases,
 * rewards and gifts, because those must not select services.
 */
export async function insertServices(tx: Db, world: World): Promise<void> {
  const category = await tx
    .insertInto('shop_categories')
    .values({ category_name: 'Registrar', position: 100 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const products = new Map<string, number>()
  for (const [nth, row] of readTable('tables/services.csv', serviceRow).entries()) {
    const { picture, pause_hours, ...item } = row
    const { product_num } = await tx
      .insertInto('shop_items')
      .values({
        ...item,
        category_id: category.id,
        position: 1000 + nth,
        kind: 'service',
        service_pause_hours: pause_hours,
        icon: `item-${picture}.svg`,
        image_url: `/art/item-${picture}.svg`,
      })
      .returning('product_num')
      .executeTakeFirstOrThrow()
    products.set(item.service, product_num)
  }
  await insertServiceOrders(tx, world, products)
}

/** The ordered services and the results, the oldest first. */
const ORDERS = [
  ['name', 'done'],
  ['school', 'done'],
  ['stats', 'refunded'],
  ['school', 'waiting'],
] as const

/** Inserts orders of services. The character of the waiting order is online. */
async function insertServiceOrders(
  tx: Db,
  { now, gm, players }: World,
  products: ReadonlyMap<string, number>,
): Promise<void> {
  const buyers = await tx
    .selectFrom('characters as c')
    .innerJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where('c.user_num', 'in', players)
    .where('c.kept_out', '=', '')
    .where('a.r_coin', '>=', 1400)
    .distinctOn('c.user_num')
    .select(['a.user_num', 'c.cha_num', 'c.cha_name', 'c.cha_school'])
    .orderBy('c.user_num')
    .orderBy('c.cha_num')
    .limit(ORDERS.length)
    .execute()
  for (const [nth, { user_num, cha_num, cha_name, cha_school }] of buyers.entries()) {
    const [service, state] = ORDERS[nth] ?? ORDERS[0]
    const boughtAt = subtractMs(now, (ORDERS.length - nth) * 5 * HOUR_MS)
    const doneAt = new Date(boughtAt.getTime() + 6 * MINUTE_MS)
    const name = `${cha_name.replace(/[^A-Za-z0-9]/g, '').slice(0, 12)}Jr`
    const school = (cha_school + 1) % 3
    const choice = { name, school: String(school), stats: '' }[service]
    const orderedItem = { productNum: products.get(service) ?? 0, quantity: 1, character: cha_num, choice }
    const answer = await buyItem({ db: tx, now: () => boughtAt }, { userNum: user_num, request: NO_KEY }, orderedItem)
    if (!('userPoints' in answer)) throw new Error(`demo/services.ts: ${answer.message}`)
    const { delivery } = await tx
      .selectFrom('deliveries')
      .where('user_num', '=', user_num)
      .orderBy('delivery', 'desc')
      .select('delivery')
      .limit(1)
      .executeTakeFirstOrThrow()
    const order = tx.updateTable('service_orders').where('delivery', '=', delivery)
    if (state === 'waiting') await order.set({ online_at: doneAt, handed_at: doneAt }).execute()
    if (state === 'refunded')
      await refundUnits(tx, await readUnits(tx, [delivery], 'locked'), { now: doneAt, actor: gm })
    if (state !== 'done') continue
    const [oldValues, newValues] =
      service === 'name'
        ? [{ ChaName: cha_name }, { ChaName: name }]
        : [{ ChaSchool: cha_school }, { ChaSchool: school }]
    const valueChange = { before: JSON.stringify(oldValues), after: JSON.stringify(newValues) }
    await order.set({ state, handed_at: doneAt, done_at: doneAt, settled_at: doneAt, ...valueChange }).execute()
    await tx
      .updateTable('deliveries')
      .set({ state: 'claimed', handed_at: doneAt, delivered_at: doneAt, claimed_at: doneAt })
      .where('delivery', '=', delivery)
      .execute()
  }
}
