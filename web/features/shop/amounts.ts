import { type Amounts, currencyOf } from './currency.ts'

type Priced = { shopitem: { price: number; section: number }; quantity: number }

/** What lines cost in each currency. */
export function costOf(lines: readonly Priced[]): Amounts {
  const cost: Amounts = { rCoin: 0, milleage: 0 }
  for (const { shopitem, quantity } of lines) cost[currencyOf(shopitem.section)] += shopitem.price * quantity
  return cost
}

/** What a purse lacks for a cost; 0 where there is enough. */
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

/** The purse of a session's user (SPEC §3: UserPoint is R-Coin, UserPoint2 Milleage). */
export function purseOf({ UserPoint, UserPoint2 }: { UserPoint: number; UserPoint2: number }): Amounts {
  return { rCoin: UserPoint, milleage: UserPoint2 }
}
