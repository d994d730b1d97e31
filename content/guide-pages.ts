import { z } from 'zod'
import { content } from './files.ts'

/** A written page of the site as the search knows it. `words` are searched too, but not shown. */
const pageRow = z.strictObject({
  path: z.string(),
  title: z.string(),
  summary: z.string(),
  words: z.string().optional(),
})

export type GuidePage = z.output<typeof pageRow>

/** The pages that are written, not stored in the database, with an address for each part that has one. */
export const GUIDE_PAGES: readonly GuidePage[] = content.readTable('guide-pages.csv', pageRow)
