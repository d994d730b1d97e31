import { Hono } from 'hono'
import type { Call } from '#contract/endpoint.ts'
import { NEWS_PREVIEW_GOOD_MS } from '#contract/limits.ts'
import { getSpecificNews, type NewsItem } from '#contract/news.ts'
import type { Deps } from '#server/deps.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import type { Pages } from '#server/pages.ts'
import { cleanHtml } from './clean-html.ts'
import { selectDeskNewsItem } from './desk-queries.ts'

/** An address that shows an item's draft for half an hour. Anyone who has it can look, so it can be shared. */
export async function createPreview({ db, now }: Pick<Deps, 'db' | 'now'>, news: number): Promise<string> {
  const token = createToken()
  const ends_at = new Date(now().getTime() + NEWS_PREVIEW_GOOD_MS)
  await db
    .insertInto('news_previews')
    .values({ token_hash: hashToken(token), news, ends_at })
    .execute()
  return `/news-preview/${token}`
}

/**
 * The previews: the real page of an item with its draft, as a document without scripts, which no cache keeps and no
 * search engine lists. Without scripts, the draft does not reach the news that the browser keeps.
 */
export function newsPreview(deps: Deps, pages: Pages, call: Call) {
  return new Hono().get('/news-preview/:token', async (c) => {
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    const item = await findPreviewed(deps, c.req.param('token'))
    if (item === undefined) return c.text('This preview has ended. Open it again at the desk.', 404)
    const callWithDraft = (async (endpoint, input) =>
      endpoint.path === getSpecificNews.path && Number((input as unknown as { id: unknown }).id) === item.id
        ? { data: [item] }
        : call(endpoint, input)) as Call
    const html = await pages.renderPlain(`/topic/${item.id}`, callWithDraft)
    return c.html(html.replace(/<body[^>]*>/, (body) => `${body}${BANNER}`))
  })
}

const BANNER =
  '<p style="position:sticky;top:0;z-index:99;margin:0;padding:8px;background:#ffd21f;color:#111;text-align:center;font-weight:700">Preview. Readers do not see this.</p>'

async function findPreviewed({ db, now }: Deps, token: string): Promise<NewsItem | undefined> {
  const preview = await db
    .selectFrom('news_previews')
    .where('token_hash', '=', hashToken(token))
    .where('ends_at', '>', now())
    .select('news')
    .executeTakeFirst()
  const item = preview && (await selectDeskNewsItem(db, preview.news, now()))
  if (item === undefined) return undefined
  const { subject, type, author, content, picture, show_picture } = item.text
  return {
    id: item.id,
    subject: subject === '' ? 'Untitled' : subject,
    content: cleanHtml(content),
    type,
    created_at: (item.created_at ?? now()).toISOString(),
    author,
    img_thumbnail: picture,
    IsShowThumbnail: show_picture && picture !== null ? 1 : 0,
  }
}
