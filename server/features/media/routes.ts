import { createRoute } from '@hono/zod-openapi'
import { getMedia } from '#contract/media.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, publicAnswer, reply } from '#server/http/router.ts'
import { listMedia } from './service.ts'

/** Gallery, wallpapers and movies: one call, three kinds. */
export function mediaRoutes(deps: Deps) {
  const media = createRoute({ ...getMedia, middleware: publicAnswer(deps) })
  return createRouter().openapi(media, async (c) =>
    reply(c, getMedia, { data: await listMedia(deps, c.req.valid('param').kind) }),
  )
}
