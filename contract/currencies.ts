import { SHELL } from './messages.ts'

/** The names of the two currencies on screen. Field names, CSV files, the ledger and the audit log do not change with them. */
export type CurrencyNames = { rCoin: string; milleage: string }

/** The names of the specification. The site's texts are written with them. */
export const CURRENCY_NAMES: CurrencyNames = { rCoin: SHELL.rCoin, milleage: SHELL.milleage }

/**
 * Puts the operators' names of the currencies into a text of the site. Apply it once, and only to the site's own texts:
 * what players write stays as it is.
 */
export function nameCurrencies(text: string, names: CurrencyNames): string {
  return text.replace(/R-Coin|Milleage/g, (name) => (name === SHELL.rCoin ? names.rCoin : names.milleage))
}

const fold = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Whether players can tell two names apart: capitals and spaces are not enough. */
export const areDifferentNames = ({ rCoin, milleage }: CurrencyNames): boolean => fold(rCoin) !== fold(milleage)
