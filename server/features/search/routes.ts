import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { getSearch } from '#contract/search.ts'
import { normalWords } from '#contract/search-words.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { createPlaces } from './places.ts'
import { search } from './service.ts'

/** The same search, however it is spelt, is kept once: letter case and spaces make no other answer. */
function sameSearch(c: Context): Request {
  const url = new URL(c.req.url)
  const [typed = '', ...more] = url.searchParams.getAll('q')
  if (more.length > 0 || /\p{Cc}/u.test(typed)) return c.req.raw
  url.searchParams.set('q', normalWords(typed))
  return new Request(url, { headers: c.req.raw.headers })
}

/** One search over news, guides, items and characters. */
export function searchRoutes(deps: Deps) {
  const places = createPlaces(deps)
  return createRouter().openapi(
    createRoute({ ...getSearch, middleware: publicAnswer(deps, sameSearch) }),
    async (c) => {
      const { q, kind, page = 1 } = c.req.valid('query')
      return reply(c, getSearch, await search(deps, places, { words: q, kind, page }))
    },
  )
}
