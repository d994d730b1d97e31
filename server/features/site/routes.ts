import { createRoute } from '@hono/zod-openapi'
import { getClubAreas, getSite, getTime } from '#contract/site.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { selectClubAreas } from './queries.ts'
import { createSiteService } from './service.ts'

/** What the shell shows: the site itself, the shared clock, the club areas. */
export function siteRoutes(deps: Deps) {
  const keep = publicAnswer(deps)
  const site = createRoute({ ...getSite, middleware: keep })
  const time = createRoute(getTime)
  const clubAreas = createRoute({ ...getClubAreas, middleware: keep })
  const service = createSiteService(deps)
  return createRouter()
    .openapi(site, async (c) => reply(c, getSite, await service.describe()))
    .openapi(time, (c) => {
      c.header('Cache-Control', 'no-store')
      return reply(c, getTime, service.tellTime())
    })
    .openapi(clubAreas, async (c) => reply(c, getClubAreas, { data: await selectClubAreas(deps.db) }))
}
