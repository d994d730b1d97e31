import type { Finding } from '#contract/bridge.ts'
import type { ResolvedTable } from './game/names.ts'

/** The tables of the game that were found. */
export type GameTables = {
  user?: ResolvedTable<'UserInfo'> | undefined
  product?: ResolvedTable<'ShopItemMap'> | undefined
  purchase?: ResolvedTable<'ShopPurchase'> | undefined
  characters?: ResolvedTable<'ChaInfo'> | undefined
}

/** Returns a finding without advice, for a check that found no problem. */
export const createGoodFinding = (text: string): Finding => ({ level: 'good', what: text, advice: '' })
/** Returns a finding that the operator should know, with advice. The check still counts as passed. */
export const createNote = (text: string, advice: string): Finding => ({ level: 'note', what: text, advice })
/** Returns a finding that fails the check, with advice; cut to the 300 and 1,500 characters that the site accepts. */
export const createProblem = (text: string, advice: string): Finding => ({
  level: 'problem',
  what: text.slice(0, 300),
  advice: advice.slice(0, 1500),
})
