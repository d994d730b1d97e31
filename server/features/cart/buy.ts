import type { z } from 'zod'
import type { movedSchema } from '#contract/cart.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { loadStatement } from '#server/db/statements.ts'
import type { Deps } from '#server/deps.ts'
import { siteBusy } from '#server/errors.ts'
import type { OnceRequest, Outcome } from '#server/http/idempotency.ts'
import { createMaintenanceRefusal } from '#server/maintenance.ts'

/** Why a purchase was refused, as its statement says it and as it is remembered under an idempotency key. */
export type PurchaseRefusal =
  | 'noItem'
  | 'nothingChecked'
  | 'notChecked'
  | 'itemGone'
  | 'overLimit'
  | 'shortRCoin'
  | 'shortMilleage'
  | 'shortBoth'

type PurchaseDeps = Pick<Deps, 'db' | 'now'>

/** Who buys, and the request that the statement remembers with its outcome. */
export type Buyer = { userNum: number; request: OnceRequest }

type Moved = z.infer<typeof movedSchema>

type Parameters = {
  user_num: number
  owner: string
  key: string | null
  content: string
  message: string
  r_coin_section: number
  now: Date
}
type Row =
  | { refused: PurchaseRefusal | 'again' | 'maintenance'; r_coin: null; milleage: null }
  | { refused: null; r_coin: number; milleage: number }

const buyItemStatement = loadStatement<Parameters & { product_num: number }, Row>('buy-item')
const buyCartStatement = loadStatement<Parameters & { seqs: number[] | null }, Row>('buy-cart')

/**
 * Buys one of an item at its current price (DECISIONS §3 buyitem). To be called within `runOnce`.
 *
 * @returns both balances after the purchase, or a refusal that changed nothing
 * @throws Refusal 503 during maintenance
 */
export async function buyItem(deps: PurchaseDeps, buyer: Buyer, productNum: number): Promise<Outcome<Moved>> {
  const { db, now } = deps
  return untilCounted(deps, () => buyItemStatement(db, { ...toParameters(buyer, now()), product_num: productNum }))
}

/**
 * Buys the checked lines of the buyer's cart, or those of them that `seqs` names; all or none (DECISIONS §3
 * buycartitem). To be called within `runOnce`.
 *
 * @returns both balances after the purchase, or a refusal that changed nothing
 * @throws Refusal 503 during maintenance
 */
export async function buyCart(deps: PurchaseDeps, buyer: Buyer, seqs: number[] | null): Promise<Outcome<Moved>> {
  const { db, now } = deps
  return untilCounted(deps, () => buyCartStatement(db, { ...toParameters(buyer, now()), seqs }))
}

function toParameters({ userNum, request }: Buyer, now: Date): Parameters {
  const { owner, key, content } = request
  return { user_num: userNum, owner, key, content, message: SHOP.bought, r_coin_section: R_COIN_SECTION, now }
}

/** More than the purchases of an account that can run at once. */
const ATTEMPTS_MAX = 20

/** Runs a purchase again when another one of the account changed what an item's limit is counted from. */
async function untilCounted(deps: PurchaseDeps, run: () => Promise<Row[]>): Promise<Outcome<Moved>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [row] = await run()
    if (row === undefined) throw new Error('The purchase statement returned no row.')
    if (row.refused === 'again') continue
    if (row.refused === 'maintenance') throw await createMaintenanceRefusal(deps)
    if (row.refused !== null) return { refused: row.refused }
    return { answer: { message: SHOP.bought, userPoints: row.r_coin, userPoints2: row.milleage } }
  }
  throw siteBusy()
}
