import { createRoute } from '@hono/zod-openapi'
import { getSiteBanners } from '#contract/banners.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { selectBanners } from './queries.ts'

/** getSiteBanners (SPEC §7). */
export function bannerRoutes(deps: Deps) {
  const keep = publicAnswer(deps)
  const siteBanners = createRoute({ ...getSiteBanners, middleware: keep })
  return createRouter().openapi(siteBanners, async (c) =>
    reply(c, getSiteBanners, { data: await selectBanners(deps.db) }),
  )
}
