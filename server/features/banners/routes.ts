import { getSiteBanners } from '#contract/banners.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { selectBanners } from './queries.ts'

/** The banners' call (SPEC §7). */
export const bannerCalls: Mounted[] = [
  mount(getSiteBanners, async (_, { deps }) => ({ data: await selectBanners(deps.db, deps.now()) })),
]
