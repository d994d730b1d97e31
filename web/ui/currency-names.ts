import { createContext, useContext } from 'react'
import { CURRENCY_NAMES, nameCurrencies } from '#contract/currencies.ts'

const Names = createContext(CURRENCY_NAMES)

/** Gives the operators' names of the currencies to everything inside: the shell does, and the desk's frame. */
export const CurrencyNamesProvider = Names.Provider

/** Returns the names of the currencies on screen. */
export const useCurrencyNames = () => useContext(Names)

/** Returns a function that puts the names of the currencies into a text of the site. */
export function useCurrencyText(): (text: string) => string {
  const names = useCurrencyNames()
  return (text) => nameCurrencies(text, names)
}

/** A text of the site with the operators' names of the currencies. */
export const CurrencyText = ({ children }: { children: string }) => useCurrencyText()(children)
