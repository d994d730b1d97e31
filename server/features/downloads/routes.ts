import { sql } from 'kysely'
import { getDownloadsAll } from '#contract/downloads.ts'
import type { Db } from '#server/db/open.ts'
import { type Mounted, mount } from '#server/http/mount.ts'

/** The downloads' call (CALL-2). */
export const downloadCalls: Mounted[] = [
  mount(getDownloadsAll, async (_, { deps }) => {
    const links = await selectDownloads(deps.db)
    return { data: links }
  }),
]

/** The links to show, in the order to try them. */
function selectDownloads(db: Db) {
  return db
    .selectFrom('downloads')
    .where('visible', '=', true)
    .where(sql<boolean>`is_link(link_address)`)
    .select(['seq', 'link_name', 'link_address', 'link_type', 'link_description', 'link_date', 'link_icon'])
    .orderBy('position')
    .orderBy('seq')
    .execute()
}
