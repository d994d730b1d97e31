import type { Finding } from '#contract/bridge.ts'
import type { Resolved } from './game/names.ts'

/** The tables of the game that were found. */
export type Found = {
  user?: Resolved<'UserInfo'> | undefined
  product?: Resolved<'ShopItemMap'> | undefined
  purchase?: Resolved<'ShopPurchase'> | undefined
  characters?: Resolved<'ChaInfo'> | undefined
}

/** What a check says: all is well; something to know; something that keeps the bridge from working. */
export const good = (what: string): Finding => ({ level: 'good', what, advice: '' })
export const note = (what: string, advice: string): Finding => ({ level: 'note', what, advice })
export const problem = (what: string, advice: string): Finding => ({
  level: 'problem',
  what: what.slice(0, 300),
  advice: advice.slice(0, 1500),
})
