import { randomInt } from 'node:crypto'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { toManilaDay } from '#contract/manila.ts'
import { getPostPagePath, type PostedKind } from '#contract/sharing.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createNotFound } from '#server/errors.ts'

/** The characters of a mark, without similar letters and digits. */
const MARK_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const MARK_LENGTH = 6

/** Matches the user agents of programs that fetch a link for a preview or a search engine. They do not count as visits. */
const PROGRAM_AGENTS = /bot|crawl|spider|preview|facebookexternalhit|facebot|whatsapp|embed|curl|wget/i

type LinkedPage = { kind: PostedKind; page: string; title: string }

/** Returns the mark of a page's short link, which is created with the first post. */
export async function ensureShortLink(tx: Db, { kind, page, title }: LinkedPage, now: Date): Promise<string> {
  const mark = Array.from({ length: MARK_LENGTH }, () => MARK_CHARACTERS[randomInt(MARK_CHARACTERS.length)]).join('')
  const { mark: storedMark } = await tx
    .insertInto('share_links')
    .values({ mark, kind, page, title, made_at: now })
    .onConflict((conflict) => conflict.columns(['kind', 'page']).doUpdateSet({ title }))
    .returning('mark')
    .executeTakeFirstOrThrow()
  return storedMark
}

const countVisit = (db: Db, mark: string, day: string) =>
  sql`insert into share_visits (day, mark, visits) values (${day}::date, ${mark}, 1)
    on conflict (day, mark) do update set visits = share_visits.visits + 1`.execute(db)

/**
 * Serves the short links of posts (SHARE-4). Counts visits without data about the visitor. Redirects even if the visit cannot
 * be counted.
 */
export function createShortLinks({ db, browseDb, publicQueue, publicUrl, now, log }: Deps) {
  return new Hono().get('/s/:mark{[a-z0-9]{6}}', async (c) => {
    const mark = c.req.param('mark')
    const link = await publicQueue(() =>
      browseDb.selectFrom('share_links').where('mark', '=', mark).select(['kind', 'page']).executeTakeFirst(),
    )
    if (link === undefined) throw createNotFound()
    const isVisit = c.req.method === 'GET' && !PROGRAM_AGENTS.test(c.req.header('User-Agent') ?? '')
    if (isVisit)
      await countVisit(db, mark, toManilaDay(now())).catch((error) =>
        log.warn({ err: error }, 'a visit to a short link was not counted'),
      )
    c.header('Cache-Control', 'no-store')
    return c.redirect(publicUrl + getPostPagePath(link.kind, link.page), 302)
  })
}
