import { z } from 'zod'
import { content } from './files.ts'

/**
 * Further search texts of a page. For a page that is not a document, they are the only ones, so it also has a title and
 * a summary.
 */
const pageRow = z.strictObject({
  path: z.string(),
  title: z.string().optional(),
  summary: z.string().optional(),
  words: z.string(),
})

/** The pages that the search finds in addition to the documents, with the address of each part that has one. */
export const GUIDE_PAGES = content.readTable('guide-pages.csv', pageRow)
