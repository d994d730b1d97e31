import type { z } from 'zod'
import * as calls from '#contract/cart.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { SERVICE_TEXTS } from '#contract/services.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { breaksConstraint } from '#server/db/errors.ts'
import { loadStatement } from '#server/db/statements.ts'
import type { Deps } from '#server/deps.ts'
import { createSiteBusy, isPause, type Refusal, refuseByCode } from '#server/errors.ts'
import type { OnceRequest } from '#server/http/idempotency.ts'
import { createPauseRefusal } from '#server/maintenance.ts'

type PurchaseDeps = Pick<Deps, 'db' | 'now'>

/** The buyer, and the request that the statement stores with its outcome. */
export type Buyer = { userNum: number; request: OnceRequest }

type Balances = z.infer<typeof calls.balancesSchema>

type PurchaseParameters = {
  user_num: number
  owner: string
  key: string | null
  content: string
  message: string
  r_coin_section: number
  now: Date
}
/** `refused` is the code of one of the call's errors, or `again` for another attempt. */
type PurchaseRow =
  | { refused: string; r_coin: null; milleage: null }
  | { refused: null; r_coin: number; milleage: number }

type ItemParameters = PurchaseParameters & {
  product_num: number
  quantity: number
  cha_num: number | null
  choice: string
}

const buyItemStatement = loadStatement<ItemParameters, PurchaseRow>('buy-item')
const buyCartStatement = loadStatement<PurchaseParameters & { seqs: number[] | null }, PurchaseRow>('buy-cart')

/** A purchase of one item (BUY-9), or of a service for a character (SERVICE-2). */
type ItemRequest = { productNum: number; quantity: number; character?: number | undefined; choice?: string }

/**
 * Buys units of an item, or a service, at the current price (BUY-2, BUY-9, MONEY-3, SERVICE-2).
 *
 * @returns both balances after the purchase, or a refusal that changed nothing. Both outcomes are stored for a retry.
 * @throws Refusal 503 during maintenance or while purchases are closed
 */
export async function buyItem(deps: PurchaseDeps, buyer: Buyer, itemRequest: ItemRequest): Promise<Balances | Refusal> {
  const { db, now } = deps
  const { productNum: product_num, quantity, character: cha_num = null, choice = '' } = itemRequest
  const runStatement = async () => {
    try {
      const message = cha_num === null ? SHOP_TEXTS.bought : SERVICE_TEXTS.bought
      return await buyItemStatement(db, {
        ...toParameters(buyer, now()),
        message,
        product_num,
        quantity,
        cha_num,
        choice,
      })
    } catch (error) {
      // Another order took this character or name first; retrying finds it.
      if (RETRIED_CONSTRAINTS.some((key) => breaksConstraint(error, key))) return [RETRY_ROW]
      throw error
    }
  }
  return repeatPurchase(deps, calls.buyItem, runStatement, cha_num === null ? SHOP_TEXTS.bought : SERVICE_TEXTS.bought)
}

/**
 * Buys the checked lines of the buyer's cart, or only the lines in `seqs`. Buys all of them or none (BUY-3, BUY-4).
 *
 * @returns both balances after the purchase, or a refusal that changed nothing. Both outcomes are stored for a retry.
 * @throws Refusal 503 during maintenance or while purchases are closed
 */
export async function buyCart(deps: PurchaseDeps, buyer: Buyer, seqs: number[] | null): Promise<Balances | Refusal> {
  const { db, now } = deps
  return repeatPurchase(deps, calls.buyCartItem, () => buyCartStatement(db, { ...toParameters(buyer, now()), seqs }))
}

function toParameters({ userNum, request }: Buyer, now: Date): PurchaseParameters {
  const { owner, key, content } = request
  return { user_num: userNum, owner, key, content, message: SHOP_TEXTS.bought, r_coin_section: R_COIN_SECTION, now }
}

const RETRIED_CONSTRAINTS = ['service_orders_waiting_key', 'service_orders_name_key']
const RETRY_ROW: PurchaseRow = { refused: 'again', r_coin: null, milleage: null }

/** The most attempts of a purchase. It is higher than the number of purchases that one account can run at once. */
const ATTEMPTS_MAX = 20

/** Repeats a purchase while concurrent ones change the count for an item's limit, or take the character or name. */
async function repeatPurchase(
  deps: PurchaseDeps,
  call: Endpoint,
  runStatement: () => Promise<PurchaseRow[]>,
  message: string = SHOP_TEXTS.bought,
): Promise<Balances | Refusal> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [row] = await runStatement()
    if (row === undefined) throw new Error('The purchase statement returned no row.')
    if (row.refused === 'again') continue
    if (isPause(row.refused)) throw await createPauseRefusal(deps, row.refused)
    if (row.refused !== null) return refuseByCode(call, row.refused)
    return { message, userPoints: row.r_coin, userPoints2: row.milleage }
  }
  throw createSiteBusy()
}
