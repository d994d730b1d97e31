import { z } from 'zod'
import { content } from './files.ts'

/**
 * Words that the search finds a page by, in addition to its text. A page that is not a document has no text, so its row
 * also has a title and a summary.
 */
const pageRow = z.strictObject({
  path: z.string(),
  title: z.string().optional(),
  summary: z.string().optional(),
  words: z.string(),
})

/** The pages that are not documents but can be found, and extra words for documents. */
export const GUIDE_PAGES = content.readTable('guide-pages.csv', pageRow)
