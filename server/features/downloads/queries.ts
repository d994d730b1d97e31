import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Selects the visible links in the operators' order. */
export function selectDownloads(db: Db) {
  return db
    .selectFrom('downloads')
    .where('visible', '=', true)
    .where(sql<boolean>`is_link(link_address)`)
    .select(['seq', 'link_name', 'link_address', 'link_type', 'link_description', 'link_date', 'link_icon'])
    .select(['link_version', 'link_size', 'link_changes'])
    .orderBy('position')
    .orderBy('seq')
    .execute()
}
