import { isDeepStrictEqual } from 'node:util'
import type { ItemValues } from '#contract/desk-items.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import type { Deps } from '#server/deps.ts'
import type { ApprovalTools } from '#server/http/mount.ts'
import { readSettingsNow } from '#server/settings.ts'
import { type DeskItem, selectItemsByNumber, type UsualPrice } from './desk-queries.ts'
import type { ItemChange } from './write-items.ts'

/** The fields on which an item's price, its object in the game and its availability depend. */
const PRICE_FIELDS = [
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

const pickPriceFields = (item: ItemValues) => Object.fromEntries(PRICE_FIELDS.map((name) => [name, item[name]]))
const AVAILABILITY_FIELDS: readonly string[] = ['sold_from', 'sold_until', 'hidden']

const formatCurrency = ({ section }: { section: number }) => (section === R_COIN_SECTION ? 'R-Coin' : 'Milleage')

/** Returns the lowest current or future price of an item. */
function findLowestPrice({ price, sale_price, sale_ends_at }: ItemValues, now: Date): number {
  const hasSaleEnded = sale_ends_at !== null && Date.parse(sale_ends_at) <= now.getTime()
  return sale_price === null || hasSaleEnded ? price : sale_price
}

const isForSale = ({ hidden, sold_until }: ItemValues, now: Date) =>
  !hidden && (sold_until === null || Date.parse(sold_until) > now.getTime())

/** Returns whether a price is so low that another operator has to approve it. */
export const isTooLow = (price: number, usualPrice: number | null) => usualPrice !== null && price * 2 < usualPrice

/** Returns whether a price falls below the owners' floor. The floor does not apply to items that usually cost less. */
const isBelowFloor = (price: number, usualPrice: number | null, floor: number) =>
  price < floor && (usualPrice === null || usualPrice >= floor)

/** The context of a price check: the time, and the owners' floor. */
type PriceContext = { now: Date; floor: number }

const getGameNumber = ({ game_product_num, product_num }: ItemChange) => game_product_num ?? product_num

/**
 * Returns the reason why another operator has to approve a change of an item: another number in the game, another
 * service, a price below half of the usual price or below the owners' floor (DESK-29), or Milleage for an item that was
 * sold only for R-Coin. A price counts as new when the item is for sale again.
 *
 * @param before undefined for a new item
 * @returns null if no approval is needed
 */
export function findPriceRisk(
  before: DeskItem | undefined,
  after: ItemChange,
  { usual_price: usual, only_r_coin: isSoldOnlyForRCoin }: UsualPrice,
  { now, floor }: PriceContext,
): string | null {
  const changedFields = PRICE_FIELDS.filter((name) => !isDeepStrictEqual(before?.[name], after[name]))
  if (before !== undefined && before.service !== after.service)
    return `service ${before.service ?? 'none'} → ${after.service ?? 'none'}`
  if (before !== undefined && getGameNumber(before) !== getGameNumber(after))
    return `number in the game ${getGameNumber(before)} → ${getGameNumber(after)}`
  const hasNewPrice = changedFields.some((name) => !AVAILABILITY_FIELDS.includes(name))
  const isForSaleAgain = before !== undefined && !isForSale(before, now) && isForSale(after, now)
  if (!hasNewPrice && !isForSaleAgain) return null
  const price = findLowestPrice(after, now)
  const priceText = `${formatCount(price)} ${formatCurrency(after)}`
  if (isTooLow(price, usual)) return `${priceText}, usually ${formatCount(usual ?? 0)}`
  // The service that frees a stuck character may be free (SERVICE-1).
  if (after.service !== 'unstuck' && isBelowFloor(price, usual, floor))
    return `${priceText}, below the lowest price of ${formatCount(floor)}`
  return isSoldOnlyForRCoin && after.section !== R_COIN_SECTION ? `${priceText} instead of R-Coin` : null
}

const RISKS_NAMED_MAX = 5

/**
 * Requires another operator's approval if `findPriceRisk` finds a reason for one of the written items. The whole call waits,
 * including its other items.
 *
 * @param before the existing items before the change
 * @param writtenItems the numbers of all written items, including new ones
 */
export async function requestPriceApproval(
  { deps, requireApproval }: Pick<ApprovalTools, 'requireApproval'> & { deps: Pick<Deps, 'db' | 'config' | 'now'> },
  before: readonly DeskItem[],
  writtenItems: number[],
): Promise<void> {
  const now = deps.now()
  const { price_floor: priceFloor } = await readSettingsNow(deps)
  const itemsBefore = new Map(before.map((item) => [item.product_num, item]))
  const changes = (await selectItemsByNumber(deps.db, now, { items: writtenItems })).map((after) => {
    const itemBefore = itemsBefore.get(after.product_num)
    const isChanged = PRICE_FIELDS.some((name) => !isDeepStrictEqual(itemBefore?.[name], after[name]))
    return { itemBefore, after, isChanged, risk: findPriceRisk(itemBefore, after, after, { now, floor: priceFloor }) }
  })
  const risks = changes.flatMap(({ after, risk }) => (risk === null ? [] : [`“${after.item_name}”: ${risk}`]))
  if (risks.length === 0) return
  const otherCount = changes.length - Math.min(risks.length, RISKS_NAMED_MAX)
  await requireApproval({
    approverKind: 'operator',
    accounts: [],
    summary: `Sell ${risks.slice(0, RISKS_NAMED_MAX).join('; ')}${otherCount === 0 ? '' : `; and change ${formatCount(otherCount)} more`}`,
    // A new item gets its number when it is written.
    effect: {
      items: changes
        .filter(({ isChanged }) => isChanged)
        .map(({ itemBefore, after }) => ({
          item: itemBefore?.product_num ?? null,
          name: after.item_name,
          before: itemBefore === undefined ? null : pickPriceFields(itemBefore),
          after: pickPriceFields(after),
        })),
    },
  })
}
