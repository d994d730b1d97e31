import { Hono } from 'hono'
import type { Call, CallInput, Endpoint } from '#contract/endpoint.ts'
import { PREVIEW_LIFETIME_MS } from '#contract/limits.ts'
import type { Db } from './db/open.ts'
import type { Deps } from './deps.ts'
import { FRAMING_HEADER } from './http/security-headers.ts'
import { createToken, hashToken } from './http/tokens.ts'
import type { Pages } from './pages.ts'

/** The content of a preview: its page, and the calls that it answers differently from the site. */
export type PreviewContent = {
  /** The first page of the preview. The address can name another page after the token. */
  path: string
  /** Returns the response of a call in the preview; undefined for a call that answers as on the site. */
  answer: (call: Endpoint, input: unknown) => unknown
}

/** Finds the draft with a name; undefined if it no longer exists. */
export type FindDraft = (deps: Deps, name: string) => Promise<PreviewContent | undefined>

/** Returns a function that answers a call in a preview. */
export const findPreviewAnswer =
  <E extends Endpoint>(endpoint: E, answer: (input: CallInput<E>) => unknown): PreviewContent['answer'] =>
  (call, input) =>
    call.path === endpoint.path ? answer(input as CallInput<E>) : undefined

/** Creates an address that shows a draft for ten minutes. It works for anyone, so operators can share it (DOC-6). */
export async function createPreview(
  { db, now }: { db: Db; now: () => Date },
  draft: { kind: string; name: string },
): Promise<string> {
  const token = createToken()
  const ends_at = new Date(now().getTime() + PREVIEW_LIFETIME_MS)
  await db
    .insertInto('previews')
    .values({ token_hash: hashToken(token), ...draft, ends_at })
    .execute()
  return `/preview/${token}`
}

/**
 * Serves previews: pages with a draft in them, as documents without scripts. They are not cached or listed by search
 * engines, and the desk may frame them. `/preview/TOKEN/rankings` shows another page with the same draft. Without scripts,
 * the draft cannot read the browser's storage and the player's session.
 *
 * @param draftFinders the functions that find the drafts of each kind
 */
export function createPreviewRoutes(
  deps: Deps,
  pages: Pages,
  call: Call,
  draftFinders: Readonly<Record<string, FindDraft>>,
) {
  const renderPreview = async (token: string, page: string) => {
    const preview = await deps.browseDb
      .selectFrom('previews')
      .where('token_hash', '=', hashToken(token))
      .where('ends_at', '>', deps.now())
      .select(['kind', 'name'])
      .executeTakeFirst()
    const content = preview && (await draftFinders[preview.kind]?.(deps, preview.name))
    if (content === undefined) return undefined
    const callWithDraft = (async (endpoint, input) => content.answer(endpoint, input) ?? call(endpoint, input)) as Call
    const html = await pages.renderPlain(page === '' ? content.path : page, callWithDraft)
    return html.replace(/<body[^>]*>/, (body) => `${body}${BANNER_HTML}`)
  }
  return new Hono().get('/preview/:token/:page{.*}?', async (c) => {
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    c.header(FRAMING_HEADER, 'may-be-framed')
    const { pathname, search } = new URL(c.req.url)
    const page = pathname.split('/').slice(3).join('/')
    const html = await renderPreview(c.req.param('token'), page === '' ? '' : `/${page}${search}`)
    return html === undefined ? c.text('This preview has ended. Open it again at the desk.', 404) : c.html(html)
  })
}

const BANNER_HTML =
  '<p style="position:sticky;top:0;z-index:99;margin:0;padding:8px;background:#ffd21f;color:#111;text-align:center;font-weight:700">Preview. Readers do not see this.</p>'
