import { R_COIN_SECTION } from '#contract/limits.ts'

/** The two balances of a player, as the pages name them. */
export type Currency = 'rCoin' | 'milleage'

/** An amount of each currency: a cost, a purse, or what is missing. */
export type Amounts = Record<Currency, number>

export const CURRENCIES = ['rCoin', 'milleage'] as const satisfies readonly Currency[]

/** What items of a section are paid in: section 2 in R-Coin, every other one in Milleage (MONEY-3). */
export function getCurrency(section: number): Currency {
  return section === R_COIN_SECTION ? 'rCoin' : 'milleage'
}

type Priced = { shopitem: { price: number; section: number }; quantity: number }

/** What lines cost in each currency. */
export function sumCosts(lines: readonly Priced[]): Amounts {
  const cost: Amounts = { rCoin: 0, milleage: 0 }
  for (const { shopitem, quantity } of lines) cost[getCurrency(shopitem.section)] += shopitem.price * quantity
  return cost
}

/** Returns what a balance lacks for a cost; 0 if it is enough. */
export function missingMoney(cost: Amounts, purse: Amounts): Amounts {
  return {
    rCoin: Math.max(0, cost.rCoin - purse.rCoin),
    milleage: Math.max(0, cost.milleage - purse.milleage),
  }
}

/** Whether anything is missing. */
export function isShort(missing: Amounts): boolean {
  return missing.rCoin > 0 || missing.milleage > 0
}

/** The purse of a session's user (SITE-7: UserPoint is R-Coin, UserPoint2 Milleage). */
export function toAmounts({ UserPoint, UserPoint2 }: { UserPoint: number; UserPoint2: number }): Amounts {
  return { rCoin: UserPoint, milleage: UserPoint2 }
}

/** A name of at most `max` characters and an ellipsis; whole when it is no longer than that (SHOP-6). */
export function cutName(name: string, max: number): string {
  const letters = [...name]
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : name
}
