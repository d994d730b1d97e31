import { z } from 'zod'
import { content } from './files.ts'

/**
 * Words that the search finds a page by, though it does not say them. A page with a title is no document: the search knows
 * nothing else of it.
 */
const pageRow = z.strictObject({
  path: z.string(),
  title: z.string().optional(),
  summary: z.string().optional(),
  words: z.string(),
})

/** What the search knows besides the documents, with an address for each part that has one. */
export const GUIDE_PAGES = content.readTable('guide-pages.csv', pageRow)
