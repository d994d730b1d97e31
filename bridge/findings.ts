import type { Finding } from '#contract/bridge.ts'
import type { Resolved } from './game/names.ts'

/** The tables of the game that were found. */
export type GameTables = {
  user?: Resolved<'UserInfo'> | undefined
  product?: Resolved<'ShopItemMap'> | undefined
  purchase?: Resolved<'ShopPurchase'> | undefined
  characters?: Resolved<'ChaInfo'> | undefined
}

/** Returns a finding without advice, for a check that found no problem. */
export const good = (text: string): Finding => ({ level: 'good', what: text, advice: '' })
/** Returns a finding that does not stop the bridge, with advice. */
export const note = (text: string, advice: string): Finding => ({ level: 'note', what: text, advice })
/** Returns a problem that stops the bridge, with advice; cut to the 300 and 1,500 characters that the site accepts. */
export const problem = (text: string, advice: string): Finding => ({
  level: 'problem',
  what: text.slice(0, 300),
  advice: advice.slice(0, 1500),
})
