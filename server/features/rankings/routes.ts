import { createRoute } from '@hono/zod-openapi'
import { getRankingPeriods, getTopRankingsList } from '#contract/rankings.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { listPeriods, listRankings } from './service.ts'

/** get-top-rankings-list (SPEC §7) and the months it knows. */
export function rankingRoutes(deps: Deps) {
  const keep = publicAnswer(deps)
  const topRankings = createRoute({ ...getTopRankingsList, middleware: keep })
  const rankingPeriods = createRoute({ ...getRankingPeriods, middleware: keep })
  return createRouter()
    .openapi(topRankings, async (c) =>
      reply(c, getTopRankingsList, await listRankings(deps, c.req.valid('query').period)),
    )
    .openapi(rankingPeriods, async (c) => reply(c, getRankingPeriods, { data: await listPeriods(deps) }))
}
