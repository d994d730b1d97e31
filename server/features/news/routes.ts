import { createRoute } from '@hono/zod-openapi'
import { getNewsAll, getSpecificNews } from '#contract/news.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { findNews, listNews } from './service.ts'

/** getnewsall and getspecificnews (SPEC §7). */
export function newsRoutes(deps: Deps) {
  const keep = publicAnswer(deps)
  const newsAll = createRoute({ ...getNewsAll, middleware: keep })
  const specificNews = createRoute({ ...getSpecificNews, middleware: keep })
  return createRouter()
    .openapi(newsAll, async (c) => reply(c, getNewsAll, await listNews(deps, c.req.valid('param'))))
    .openapi(specificNews, async (c) =>
      reply(c, getSpecificNews, {
        data: await findNews(deps, c.req.valid('param').id),
      }),
    )
}
