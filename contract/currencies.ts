import { SHELL_TEXTS } from './messages.ts'

/**
 * The displayed names of the two currencies (MONEY-9). Field names, CSV files, the ledger and the audit log use fixed names.
 */
export type CurrencyNames = { rCoin: string; milleage: string }

/** The names of the specification, which the site's texts contain. */
export const CURRENCY_NAMES: CurrencyNames = { rCoin: SHELL_TEXTS.rCoin, milleage: SHELL_TEXTS.milleage }

/**
 * Inserts the operators' names of the currencies into a text of the site (MONEY-9). Apply it once, and never to players'
 * texts.
 */
export function nameCurrencies(text: string, names: CurrencyNames): string {
  return text.replace(/R-Coin|Milleage/g, (name) => (name === SHELL_TEXTS.rCoin ? names.rCoin : names.milleage))
}

const foldName = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Whether two names differ in more than letter case and spaces, so players can tell them apart. */
export const areDifferentNames = ({ rCoin, milleage }: CurrencyNames): boolean => foldName(rCoin) !== foldName(milleage)
