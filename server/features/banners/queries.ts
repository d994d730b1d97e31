import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** The slides to show, in their order, under the names that travel. */
export function selectBanners(db: Db) {
  return db
    .selectFrom('banners')
    .where('visible', '=', true)
    .where(sql<boolean>`is_link(href)`)
    .select(['id', 'picture as img_url', 'picture_phone as img_phone_url', 'title', 'line', 'tag', 'href'])
    .orderBy('position')
    .orderBy('id')
    .execute()
}
