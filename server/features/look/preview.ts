import { getSite } from '#contract/site.ts'
import { answerOf, type FindDraft } from '#server/preview.ts'
import { describeSite } from '../site/describe.ts'
import { describeLook, selectDraft } from './queries.ts'

/** The whole site in the look of the draft (LOOK-15). */
export const findLookDraft: FindDraft = async (deps) => {
  const draft = await selectDraft(deps.db)
  if (draft === undefined) return undefined
  return { path: '/', answer: answerOf(getSite, () => describeSite(deps, describeLook(draft))) }
}
