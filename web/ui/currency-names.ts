import { createContext, useContext } from 'react'
import { CURRENCY_NAMES, nameCurrencies } from '#contract/currencies.ts'

const CurrencyNamesContext = createContext(CURRENCY_NAMES)

/** Provides the operators' names of the currencies. The shell and the desk's frame render it. */
export const CurrencyNamesProvider = CurrencyNamesContext.Provider

/** Returns the displayed names of the currencies. */
export const useCurrencyNames = () => useContext(CurrencyNamesContext)

/** Returns a function that inserts the names of the currencies into a text. */
export function useCurrencyText(): (text: string) => string {
  const names = useCurrencyNames()
  return (text) => nameCurrencies(text, names)
}

/** Renders a text with the operators' names of the currencies. */
export const CurrencyText = ({ children }: { children: string }) => useCurrencyText()(children)
