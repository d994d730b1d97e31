import { createRoute } from '@hono/zod-openapi'
import { getDownloadsAll } from '#contract/downloads.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { selectDownloads } from './queries.ts'

/** getdownloadsall (SPEC §7). */
export function downloadRoutes(deps: Deps) {
  const keep = publicAnswer(deps)
  const downloadsAll = createRoute({ ...getDownloadsAll, middleware: keep })
  return createRouter().openapi(downloadsAll, async (c) => {
    const links = await selectDownloads(deps.db)
    return reply(c, getDownloadsAll, {
      data: links.map((link) => ({ ...link, link_date: link.link_date.toISOString() })),
    })
  })
}
