import { z } from 'zod'
import { content } from './files.ts'

/**
 * Further texts that the search finds for a page. A page with a title is not a document, so the search knows only these
 * texts of it.
 */
const pageRow = z.strictObject({
  path: z.string(),
  title: z.string().optional(),
  summary: z.string().optional(),
  words: z.string(),
})

/** The pages that the search finds in addition to the documents, with the address of each part that has one. */
export const GUIDE_PAGES = content.readTable('guide-pages.csv', pageRow)
