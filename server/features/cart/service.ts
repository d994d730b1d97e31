import type { CartLine } from '#contract/cart.ts'
import { HISTORY_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import { SHOP } from '#contract/shop-messages.ts'
import type { Deps } from '#server/deps.ts'
import { notFound, ruleBroken } from '#server/errors.ts'
import { toShopItem } from '../shop/service.ts'
import { answerOnce, type MoneyAnswer } from '../wallet/kept-answers.ts'
import { buyCheckedLines, buyOneItem } from './buy.ts'
import { addLine, countPurchases, selectCart, selectPurchases, stepLine, toggleLine } from './queries.ts'

/** The lines of a cart under the names that travel. */
export async function listCart({ db }: Deps, userNum: number): Promise<CartLine[]> {
  const rows = await selectCart(db, userNum)
  return rows.map((row) => ({
    seq: row.seq,
    productnum: row.product_num,
    quantity: row.quantity,
    isChecked: row.is_checked ? 1 : 0,
    shopitem: toShopItem(row),
  }))
}

/** Adds one of an item, or one more. @throws Refusal 404 unknown or hidden item, 422 full line or cart */
export async function addToCart({ db }: Deps, userNum: number, productNum: number): Promise<string> {
  const outcome = await addLine(db, userNum, productNum)
  if (outcome === 'no-item') throw notFound(SHOP.noItem)
  if (outcome === 'line-full') throw ruleBroken(SHOP.lineFull)
  if (outcome === 'cart-full') throw ruleBroken(SHOP.cartFull)
  return SHOP.added
}

/** One more or one less. @throws Refusal 404 for a line that is not the account's, 422 past 99 */
export async function changeQuantity({ db }: Deps, userNum: number, seq: number, step: 1 | -1): Promise<string> {
  const outcome = await stepLine(db, userNum, seq, step)
  if (outcome === null) throw notFound(SHOP.noLine)
  if (outcome === 'full') throw ruleBroken(SHOP.lineFull)
  return SHOP.changed
}

/** Checks or unchecks a line. @throws Refusal 404 */
export async function toggleCheck({ db }: Deps, userNum: number, seq: number): Promise<string> {
  if (!(await toggleLine(db, userNum, seq))) throw notFound(SHOP.noLine)
  return SHOP.changed
}

type Buyer = { userNum: number; key: string | null }

/** Buys one item; see buyOneItem for what happens, answerOnce for retries. */
export function buyItem(deps: Deps, { userNum, key }: Buyer, productNum: number): Promise<MoneyAnswer> {
  const request = { userNum, key, content: `buyitem ${productNum}` }
  return answerOnce(deps, request, () => buyOneItem(deps.db, request, productNum, deps.now()))
}

/**
 * Buys checked lines. `items` is a JSON list of cart entries of which only `seq` is read;
 * empty or missing means every checked line. @throws Refusal 422 for what is no such list
 */
export function buyCart(deps: Deps, { userNum, key }: Buyer, items: string | undefined): Promise<MoneyAnswer> {
  const seqs = readSeqs(items)
  const request = { userNum, key, content: `buycartitem ${seqs?.join(',') ?? 'all'}` }
  return answerOnce(deps, request, () => buyCheckedLines(deps.db, request, seqs, deps.now()))
}

function readSeqs(items: string | undefined): number[] | null {
  if (items === undefined || items.trim() === '') return null
  let entries: unknown
  try {
    entries = JSON.parse(items)
  } catch {
    throw ruleBroken(SHOP.notChecked)
  }
  if (!Array.isArray(entries)) throw ruleBroken(SHOP.notChecked)
  if (entries.length === 0) return null
  const seqs = entries.map((entry: unknown) => {
    const seq = typeof entry === 'object' && entry !== null && 'seq' in entry ? Number(entry.seq) : Number.NaN
    if (!Number.isSafeInteger(seq)) throw ruleBroken(SHOP.notChecked)
    return seq
  })
  return [...new Set(seqs)].sort((a, b) => a - b)
}

/** A page of what an account bought, newest first. */
export async function listPurchases({ db }: Deps, userNum: number, wanted: number) {
  const total = await countPurchases(db, userNum)
  const { page, paging } = pageThrough(wanted, total, HISTORY_PAGE_SIZE)
  const to = total - (page - 1) * HISTORY_PAGE_SIZE
  const rows = await selectPurchases(db, userNum, { from: Math.max(1, to - HISTORY_PAGE_SIZE + 1), to })
  return {
    purchasehistory: rows.map((row) => ({
      id: row.ordinal,
      shopitem: toShopItem({ ...row, ribbon: null }),
      quantity: row.quantity,
      PurDate: row.created_at.toISOString(),
      deliveries: row.deliveries.map(({ state, units }) => ({ state, units: Number(units) })),
    })),
    ...paging,
  }
}

/** Whether the account wants receipts mailed. */
export async function wantsReceipts({ db }: Deps, userNum: number): Promise<boolean> {
  const account = db.selectFrom('accounts').select('wants_receipts').where('user_num', '=', userNum)
  return (await account.executeTakeFirstOrThrow()).wants_receipts
}

/** Turns mailed receipts on or off. */
export async function setReceipts({ db }: Deps, userNum: number, wanted: boolean): Promise<string> {
  await db.updateTable('accounts').set({ wants_receipts: wanted }).where('user_num', '=', userNum).execute()
  return wanted ? SHOP.receiptsOn : SHOP.receiptsOff
}

export { mailReceipts } from './receipts.ts'
