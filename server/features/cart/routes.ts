import * as calls from '#contract/cart.ts'
import { HISTORY_PAGE_SIZE } from '#contract/limits.ts'
import { paginate } from '#contract/paging.ts'
import { SHOP_TEXTS, toShopItem } from '#contract/shop.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { selectProgress } from '#server/features/services/queries.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { buyCart, buyItem } from './buy.ts'
import { addLine, changeLineQuantity, countPurchases, selectCart, selectPurchases, toggleLine } from './queries.ts'

/** Empties the fields of an item's current offer, which a purchase does not have. */
const NO_OFFER = {
  ribbon: null,
  ribbon_picture: null,
  account_limit: null,
  sale_price: null,
  sale_starts_at: null,
  sale_ends_at: null,
}

/** The calls of the cart, of purchases and of their history (CALL-2). */
export const cartCalls: MountedCall[] = [
  mount(calls.getShopCart, async (_, { deps, session }) => {
    const rows = await selectCart(deps.db, session.userNum)
    return rows.map((row) => ({
      seq: row.seq,
      productnum: row.product_num,
      quantity: row.quantity,
      isChecked: row.is_checked ? 1 : 0,
      shopitem: toShopItem(row, deps.now()),
    }))
  }),

  mount(calls.addToCart, async ({ productnum }, { deps, session }) => {
    const outcome = await addLine(deps.db, session.userNum, productnum)
    if (outcome !== 'added') throw refuse(calls.addToCart, outcome)
    return { message: SHOP_TEXTS.added }
  }),

  mount(calls.updateQuantity, async ({ seq, quantityChange }, { deps, session }) => {
    const outcome = await changeLineQuantity(deps.db, session.userNum, seq, quantityChange)
    if (outcome !== 'changed') throw refuse(calls.updateQuantity, outcome)
    return { message: SHOP_TEXTS.changed }
  }),

  mount(calls.updateCheck, async ({ seq }, { deps, session }) => {
    if (!(await toggleLine(deps.db, session.userNum, seq))) throw refuse(calls.updateCheck, 'lineNotFound')
    return { message: SHOP_TEXTS.changed }
  }),

  // The purchase's single statement also stores its outcome for a retry.
  mount(calls.buyItem, {
    statement: async ({ productnum: productNum, ...options }, { deps, session: { userNum }, idempotency }) =>
      countOutcome(deps, await buyItem(deps, { userNum, request: idempotency }, { productNum, ...options })),
  }),

  mount(calls.buyCartItem, {
    statement: async ({ items: seqs = null }, { deps, session: { userNum }, idempotency }) =>
      countOutcome(deps, await buyCart(deps, { userNum, request: idempotency }, seqs)),
  }),

  mount(calls.getShopPurchases, async ({ page: requestedPage = 1 }, { deps: { db }, session: { userNum } }) => {
    const total = await countPurchases(db, userNum)
    const { page, paging } = paginate(requestedPage, total, HISTORY_PAGE_SIZE)
    const to = total - (page - 1) * HISTORY_PAGE_SIZE
    const range = { from: Math.max(1, to - HISTORY_PAGE_SIZE + 1), to }
    const rows = await selectPurchases(db, userNum, range)
    const services = await selectProgress(db, userNum, range)
    return {
      purchasehistory: rows.map((row) => ({
        id: row.ordinal,
        shopitem: toShopItem({ ...row, ...NO_OFFER }, row.created_at),
        quantity: row.quantity,
        PurDate: row.created_at,
        ...toGift(row),
        deliveries: row.deliveries.map(({ state, units }) => ({ state, units: Number(units) })),
        units: row.units,
        ...(services.has(row.ordinal) && { service: services.get(row.ordinal) }),
      })),
      ...paging,
    }
  }),

  mount(calls.getReceipts, async (_, { deps: { db }, session: { userNum } }) => {
    const account = db.selectFrom('accounts').select('wants_receipts').where('user_num', '=', userNum)
    return { wanted: (await account.executeTakeFirstOrThrow()).wants_receipts }
  }),

  mount(calls.setReceipts, async ({ wanted }, { deps: { db }, session: { userNum } }) => {
    await db.updateTable('accounts').set({ wants_receipts: wanted }).where('user_num', '=', userNum).execute()
    return { message: wanted ? SHOP_TEXTS.receiptsOn : SHOP_TEXTS.receiptsOff }
  }),
]

/** Returns the state of a purchase as a gift, received or bought. */
function toGift({ gift, gift_state, gift_to }: Awaited<ReturnType<typeof selectPurchases>>[number]) {
  if (gift !== null) return { gift: { to: null, state: 'claimed' as const } }
  if (gift_state === null) return {}
  const state = gift_state === 'open' || gift_state === 'claimed' ? gift_state : ('returned' as const)
  return { gift: { to: gift_to, state } }
}

/** Counts a purchase for the metrics. It does not run for retries with the same key. */
function countOutcome<Answer>({ metrics }: Deps, outcome: Answer | Refusal): Answer | Refusal {
  if (!(outcome instanceof Refusal)) metrics.countPurchase()
  return outcome
}
