import type { z } from 'zod'
import * as calls from '#contract/cart.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { SHOP } from '#contract/shop.ts'
import { loadStatement } from '#server/db/statements.ts'
import type { Deps } from '#server/deps.ts'
import { isPause, type Refusal, refuse, siteBusy } from '#server/errors.ts'
import type { OnceRequest } from '#server/http/idempotency.ts'
import { createPauseRefusal } from '#server/maintenance.ts'

type PurchaseDeps = Pick<Deps, 'db' | 'now'>

/** Who buys, and the request that the statement remembers with its outcome. */
export type Buyer = { userNum: number; request: OnceRequest }

type Moved = z.infer<typeof calls.movedSchema>

type Parameters = {
  user_num: number
  owner: string
  key: string | null
  content: string
  message: string
  r_coin_section: number
  now: Date
}
/** `refused` is a name among the call's errors, or `again`. */
type Row = { refused: string; r_coin: null; milleage: null } | { refused: null; r_coin: number; milleage: number }

const buyItemStatement = loadStatement<Parameters & { product_num: number; quantity: number }, Row>('buy-item')
const buyCartStatement = loadStatement<Parameters & { seqs: number[] | null }, Row>('buy-cart')

/** What is bought at once of one item (BUY-9). */
type Wanted = { productNum: number; quantity: number }

/**
 * Buys some of an item at its current price (BUY-2, BUY-9, MONEY-3).
 *
 * @returns both balances after the purchase, or a refusal that changed nothing; either is remembered
 * @throws Refusal 503 during maintenance or while purchases are closed
 */
export async function buyItem(deps: PurchaseDeps, buyer: Buyer, wanted: Wanted): Promise<Moved | Refusal> {
  const { db, now } = deps
  const { productNum: product_num, quantity } = wanted
  const run = () => buyItemStatement(db, { ...toParameters(buyer, now()), product_num, quantity })
  return untilCounted(deps, calls.buyItem, run)
}

/**
 * Buys the checked lines of the buyer's cart, or those of them that `seqs` names; all or none (BUY-3, BUY-4).
 *
 * @returns both balances after the purchase, or a refusal that changed nothing; either is remembered
 * @throws Refusal 503 during maintenance or while purchases are closed
 */
export async function buyCart(deps: PurchaseDeps, buyer: Buyer, seqs: number[] | null): Promise<Moved | Refusal> {
  const { db, now } = deps
  return untilCounted(deps, calls.buyCartItem, () => buyCartStatement(db, { ...toParameters(buyer, now()), seqs }))
}

function toParameters({ userNum, request }: Buyer, now: Date): Parameters {
  const { owner, key, content } = request
  return { user_num: userNum, owner, key, content, message: SHOP.bought, r_coin_section: R_COIN_SECTION, now }
}

/** More than the purchases of an account that can run at once. */
const ATTEMPTS_MAX = 20

/** Runs a purchase again when another one of the account changed what an item's limit is counted from. */
async function untilCounted(deps: PurchaseDeps, call: Endpoint, run: () => Promise<Row[]>): Promise<Moved | Refusal> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [row] = await run()
    if (row === undefined) throw new Error('The purchase statement returned no row.')
    if (row.refused === 'again') continue
    if (isPause(row.refused)) throw await createPauseRefusal(deps, row.refused)
    if (row.refused !== null) return refuse(call, row.refused)
    return { message: SHOP.bought, userPoints: row.r_coin, userPoints2: row.milleage }
  }
  throw siteBusy()
}
