import { createRoute } from '@hono/zod-openapi'
import { getItemShop, getShopCategories, getShopItem } from '#contract/shop.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { selectCategories } from './queries.ts'
import { browseShop, findItem } from './service.ts'

/** shopcategories, itemshop (SPEC §7) and one item. */
export function shopRoutes(deps: Deps) {
  const keep = publicAnswer(deps)
  return createRouter()
    .openapi(createRoute({ ...getShopCategories, middleware: keep }), async (c) =>
      reply(c, getShopCategories, await selectCategories(deps.db)),
    )
    .openapi(createRoute({ ...getItemShop, middleware: keep }), async (c) => {
      const { category = 0, page = 1, q = '', sort = '' } = c.req.valid('query')
      return reply(
        c,
        getItemShop,
        await browseShop(deps, { category: Math.max(0, category), page, words: q.trim(), sort }),
      )
    })
    .openapi(createRoute({ ...getShopItem, middleware: keep }), async (c) =>
      reply(c, getShopItem, { data: await findItem(deps, c.req.valid('param').productnum) }),
    )
}
