import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** The slides to show at a moment, in their order, under the names that travel. */
export function selectBanners(db: Db, now: Date) {
  return db
    .selectFrom('banners')
    .where('visible', '=', true)
    .where((eb) => eb.or([eb('shown_from', 'is', null), eb('shown_from', '<=', now)]))
    .where((eb) => eb.or([eb('shown_until', 'is', null), eb('shown_until', '>', now)]))
    .where(sql<boolean>`is_link(href)`)
    .select(['id', 'picture as img_url', 'picture_phone as img_phone_url', 'title', 'line', 'tag', 'href'])
    .orderBy('position')
    .orderBy('id')
    .execute()
}
