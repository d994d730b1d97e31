import { R_COIN_SECTION } from '#contract/limits.ts'
import { SHELL } from '#contract/messages.ts'

/** The two purses of a player, in the words of the pages. */
export type Currency = 'rCoin' | 'milleage'

/** An amount of each currency: a cost, a purse, or what is missing. */
export type Amounts = Record<Currency, number>

export const CURRENCIES = ['rCoin', 'milleage'] as const satisfies readonly Currency[]

/** 'R-Coin' and 'Milleage'. */
export const CURRENCY_NAMES: Record<Currency, string> = { rCoin: SHELL.rCoin, milleage: SHELL.milleage }

/** What items of a section are paid in: section 2 in R-Coin, every other one in Milleage (SPEC §2.11). */
export function currencyOf(section: number): Currency {
  return section === R_COIN_SECTION ? 'rCoin' : 'milleage'
}
