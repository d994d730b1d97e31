import { isDeepStrictEqual } from 'node:util'
import type { ItemValues } from '#contract/desk-items.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import type { Deps } from '#server/deps.ts'
import type { ApprovalTools } from '#server/http/mount.ts'
import { readSettingsNow } from '#server/settings.ts'
import { type DeskItem, selectItemsByNumber } from './desk-queries.ts'
import type { ItemChange } from './write-items.ts'

/** The fields that decide an item's price, its object in the game, and its availability. */
const TERMS = [
  'price',
  'section',
  'sale_price',
  'sale_starts_at',
  'sale_ends_at',
  'game_product_num',
  'service',
  'service_choices',
  'sold_from',
  'sold_until',
  'hidden',
] as const

const toTerms = (item: ItemValues) => Object.fromEntries(TERMS.map((name) => [name, item[name]]))
const WHEN_SOLD: readonly string[] = ['sold_from', 'sold_until', 'hidden']

const formatCurrency = ({ section }: { section: number }) => (section === R_COIN_SECTION ? 'R-Coin' : 'Milleage')

/** Returns the lowest current or future price of an item. */
function lowestPrice({ price, sale_price, sale_ends_at }: ItemValues, now: Date): number {
  const isOver = sale_ends_at !== null && Date.parse(sale_ends_at) <= now.getTime()
  return sale_price === null || isOver ? price : sale_price
}

const isForSale = ({ hidden, sold_until }: ItemValues, now: Date) =>
  !hidden && (sold_until === null || Date.parse(sold_until) > now.getTime())

/** Whether a price is so low that another operator has to approve it. */
export const isLow = (price: number, usual: number | null) => usual !== null && price * 2 < usual

/** Whether a price falls below the owners' floor. Items that usually cost less than that are compared with their usual price. */
const isBelowFloor = (price: number, usual: number | null, floor: number) =>
  price < floor && (usual === null || usual >= floor)

type Usual = Pick<DeskItem, 'usual_price' | 'only_r_coin'>

/** The context of a price check: the time, and the owners' floor. */
type Terms = { now: Date; floor: number }

const numberInGame = ({ game_product_num, product_num }: ItemChange) => game_product_num ?? product_num

/**
 * Returns the reason why another operator has to approve a change of an item: another number in the game, another service, a
 * price below half of the usual one or below the owners' floor, or Milleage for an item that was sold only for R-Coin. An item
 * that is on sale again counts as one with a new price.
 *
 * @param before undefined for a new item
 * @returns null if no approval is needed
 */
export function findPriceRisk(
  before: DeskItem | undefined,
  after: ItemChange,
  { usual_price: usual, only_r_coin: onlyRCoin }: Usual,
  { now, floor }: Terms,
): string | null {
  const changed = TERMS.filter((name) => !isDeepStrictEqual(before?.[name], after[name]))
  if (before !== undefined && before.service !== after.service)
    return `service ${before.service ?? 'none'} → ${after.service ?? 'none'}`
  if (before !== undefined && numberInGame(before) !== numberInGame(after))
    return `number in the game ${numberInGame(before)} → ${numberInGame(after)}`
  const isPriced = changed.some((name) => !WHEN_SOLD.includes(name))
  const isBack = before !== undefined && !isForSale(before, now) && isForSale(after, now)
  if (!isPriced && !isBack) return null
  const price = lowestPrice(after, now)
  const priceText = `${formatCount(price)} ${formatCurrency(after)}`
  if (isLow(price, usual)) return `${priceText}, usually ${formatCount(usual ?? 0)}`
  // Freeing a stuck character has no value, so the service may be free (SERVICE-1).
  if (after.service !== 'unstuck' && isBelowFloor(price, usual, floor))
    return `${priceText}, below the lowest price of ${formatCount(floor)}`
  return onlyRCoin && after.section !== R_COIN_SECTION ? `${priceText} instead of R-Coin` : null
}

const NAMED = 5

/**
 * Requires another operator's approval if one of the written items is too cheap or has another number in the game. The whole
 * call waits, including its other items.
 *
 * @param before the existing items before the change
 * @param written the numbers of all written items, including new ones
 */
export async function requestPriceApproval(
  { deps, requireApproval }: Pick<ApprovalTools, 'requireApproval'> & { deps: Pick<Deps, 'db' | 'config' | 'now'> },
  before: readonly DeskItem[],
  written: number[],
): Promise<void> {
  const now = deps.now()
  const { price_floor: floor } = await readSettingsNow(deps)
  const were = new Map(before.map((item) => [item.product_num, item]))
  const changes = (await selectItemsByNumber(deps.db, now, { items: written })).map((after) => {
    const was = were.get(after.product_num)
    const isChanged = TERMS.some((name) => !isDeepStrictEqual(was?.[name], after[name]))
    return { was, after, isChanged, risk: findPriceRisk(was, after, after, { now, floor }) }
  })
  const risks = changes.flatMap(({ after, risk }) => (risk === null ? [] : [`“${after.item_name}”: ${risk}`]))
  if (risks.length === 0) return
  const others = changes.length - Math.min(risks.length, NAMED)
  await requireApproval({
    by: 'operator',
    accounts: [],
    summary: `Sell ${risks.slice(0, NAMED).join('; ')}${others === 0 ? '' : `; and change ${formatCount(others)} more`}`,
    // A new item gets its number when it is written.
    effect: {
      items: changes
        .filter(({ isChanged }) => isChanged)
        .map(({ was, after }) => ({
          item: was?.product_num ?? null,
          name: after.item_name,
          before: was === undefined ? null : toTerms(was),
          after: toTerms(after),
        })),
    },
  })
}
