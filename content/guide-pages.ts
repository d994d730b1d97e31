import { z } from 'zod'
import { content } from './files.ts'

/**
 * Further texts by which the search finds a page. A page with a title is no document: the search has nothing else of
 * it.
 */
const pageRow = z.strictObject({
  path: z.string(),
  title: z.string().optional(),
  summary: z.string().optional(),
  words: z.string(),
})

/** The pages that the search finds besides the documents, with an address for each part that has one. */
export const GUIDE_PAGES = content.readTable('guide-pages.csv', pageRow)
