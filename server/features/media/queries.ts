import { sql } from 'kysely'
import type { MediaKind } from '#contract/media.ts'
import type { Db } from '#server/db/open.ts'

/** What is shown of a kind, in the operators' order. */
export function selectMedia(db: Db, kind: MediaKind) {
  return db
    .selectFrom('media')
    .where('kind', '=', kind)
    .where('visible', '=', true)
    .where(sql<boolean>`have_links(files)`)
    .select([
      'id',
      'title',
      'description',
      'alt',
      'credit',
      'created_at',
      'picture',
      'previews',
      'files',
      'captions',
      'seconds',
    ])
    .orderBy('position')
    .orderBy('id')
    .execute()
}
