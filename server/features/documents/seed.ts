import { readDefaults } from '#content/documents.ts'
import { DOCUMENT_NAMES } from '#contract/documents.ts'
import type { Db } from '#server/db/open.ts'
import { cleanTexts } from './published.ts'

/**
 * Writes missing documents to the database. In the demo world they are the published default texts, otherwise neutral
 * drafts that stay hidden until an operator publishes them (SITE-10, PAGE-7). Later starts do not change them.
 */
export async function seedDocuments(db: Db, { demo, now }: { demo: boolean; now: Date }): Promise<void> {
  const existingRows = await db.selectFrom('documents').select('name').execute()
  const missingNames = DOCUMENT_NAMES.filter((name) => !existingRows.some((row) => row.name === name))
  if (missingNames.length === 0) return
  const defaults = readDefaults({ demo })
  const rows = missingNames.map((name) => {
    const draft = JSON.stringify(cleanTexts(name, defaults[name]))
    const publication = demo ? { published: draft, published_at: now } : { published: null, published_at: null }
    return { name, draft, is_open: !demo, ...publication, saved_at: now, saved_by: null }
  })
  await db
    .insertInto('documents')
    .values(rows)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
