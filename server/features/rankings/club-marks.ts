import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { notFound } from '#server/errors.ts'

/** Serves the marks of clubs at `/club/{GuNum}.png`; 404 as soon as a mark is hidden (CLUB-5). Pages name its version. */
export function clubMarks({ browseDb }: Pick<Deps, 'browseDb'>): Hono {
  const routes = new Hono()
  routes.get('/club/:file{[1-9][0-9]{0,14}\\.png}', async (c) => {
    const mark = await browseDb
      .selectFrom('club_marks')
      .where('club', '=', Number.parseInt(c.req.param('file'), 10))
      .where('hidden_at', 'is', null)
      .select('picture')
      .executeTakeFirst()
    if (mark?.picture == null) throw notFound()
    return c.body(new Uint8Array(mark.picture), 200, {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=86400',
    })
  })
  return routes
}
