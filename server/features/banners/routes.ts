import { sql } from 'kysely'
import { getSiteBanners } from '#contract/banners.ts'
import type { Db } from '#server/db/open.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'

/** The banners' call (BANNER-2). */
export const bannerCalls: MountedCall[] = [
  mount(getSiteBanners, async (_, { deps }) => ({ data: await selectBanners(deps.db, deps.now()) })),
]

/** Selects the banners to show at a time, in their order, with the field names of the response. */
function selectBanners(db: Db, now: Date) {
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
