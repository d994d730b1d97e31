import type { Db } from '#server/db/open.ts'

/** The links to show, in the order to try them. */
export function selectDownloads(db: Db) {
  return db
    .selectFrom('downloads')
    .where('visible', '=', true)
    .select(['seq', 'link_name', 'link_address', 'link_type', 'link_description', 'link_date', 'link_icon'])
    .orderBy('position')
    .orderBy('seq')
    .execute()
}
