import { R_COIN_SECTION } from '#contract/limits.ts'

/** A player's two currencies. */
export type Currency = 'rCoin' | 'milleage'

/** An amount of each currency: a cost, the balances or a shortfall. */
export type Amounts = Record<Currency, number>

export const CURRENCIES = ['rCoin', 'milleage'] as const satisfies readonly Currency[]

/** Returns the currency of a section's items: R-Coin for section 2, Milleage for every other one (MONEY-3). */
export function getCurrency(section: number): Currency {
  return section === R_COIN_SECTION ? 'rCoin' : 'milleage'
}

type PricedLine = { shopitem: { price: number; section: number }; quantity: number }

/** Sums the cost of lines in each currency. */
export function sumCosts(lines: readonly PricedLine[]): Amounts {
  const cost: Amounts = { rCoin: 0, milleage: 0 }
  for (const { shopitem, quantity } of lines) cost[getCurrency(shopitem.section)] += shopitem.price * quantity
  return cost
}

/** Returns the amounts by which balances are below a cost; 0 if they are enough. */
export function computeShortfall(cost: Amounts, balances: Amounts): Amounts {
  return {
    rCoin: Math.max(0, cost.rCoin - balances.rCoin),
    milleage: Math.max(0, cost.milleage - balances.milleage),
  }
}

/** Returns whether a shortfall is more than 0. */
export function hasShortfall(shortfall: Amounts): boolean {
  return shortfall.rCoin > 0 || shortfall.milleage > 0
}

/** Returns the balances of a session's user (SITE-7: UserPoint is R-Coin, UserPoint2 Milleage). */
export function toBalances({ UserPoint, UserPoint2 }: { UserPoint: number; UserPoint2: number }): Amounts {
  return { rCoin: UserPoint, milleage: UserPoint2 }
}

/** Cuts a name to `max` characters and an ellipsis if it is longer (SHOP-6). */
export function cutName(name: string, max: number): string {
  const characters = [...name]
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : name
}
