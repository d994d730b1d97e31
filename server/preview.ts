import { Hono } from 'hono'
import type { Call, CallInput, Endpoint } from '#contract/endpoint.ts'
import { PREVIEW_LIFETIME_MS } from '#contract/limits.ts'
import type { Db } from './db/open.ts'
import type { Deps } from './deps.ts'
import { FRAMING_HEADER } from './http/security-headers.ts'
import { createToken, hashToken } from './http/tokens.ts'
import type { Pages } from './pages.ts'

/** The content of a preview: its page, and the calls that it answers differently from the site. */
export type Shown = {
  /** The first page of the preview. The address can name another page after the token. */
  path: string
  /** Returns the response of a call in the preview; undefined for a call that answers as on the site. */
  answer: (call: Endpoint, input: unknown) => unknown
}

/** Finds the draft with a name; undefined if it no longer exists. */
export type FindDraft = (deps: Deps, name: string) => Promise<Shown | undefined>

/** Returns a function that answers a call in a preview. */
export const findPreviewAnswer =
  <E extends Endpoint>(endpoint: E, answer: (input: CallInput<E>) => unknown): Shown['answer'] =>
  (call, input) =>
    call.path === endpoint.path ? answer(input as CallInput<E>) : undefined

/** Creates an address that shows a draft for ten minutes. It works for anyone, so operators can share it (DOC-6). */
export async function createPreview(
  { db, now }: { db: Db; now: () => Date },
  draft: { kind: string; name: string },
): Promise<string> {
  const word = createToken()
  const ends_at = new Date(now().getTime() + PREVIEW_LIFETIME_MS)
  await db
    .insertInto('previews')
    .values({ token_hash: hashToken(word), ...draft, ends_at })
    .execute()
  return `/preview/${word}`
}

/**
 * Serves previews: pages with a draft in them, as documents without scripts. They are not cached or listed by search
 * engines, and the desk may frame them. `/preview/TOKEN/rankings` shows another page with the same draft. Without scripts,
 * the draft cannot read the browser's storage and the player's session.
 *
 * @param finders the functions that find the drafts of each kind
 */
export function previews(deps: Deps, pages: Pages, call: Call, finders: Readonly<Record<string, FindDraft>>) {
  const show = async (word: string, page: string) => {
    const preview = await deps.browseDb
      .selectFrom('previews')
      .where('token_hash', '=', hashToken(word))
      .where('ends_at', '>', deps.now())
      .select(['kind', 'name'])
      .executeTakeFirst()
    const shown = preview && (await finders[preview.kind]?.(deps, preview.name))
    if (shown === undefined) return undefined
    const callWithDraft = (async (endpoint, input) => shown.answer(endpoint, input) ?? call(endpoint, input)) as Call
    const html = await pages.renderPlain(page === '' ? shown.path : page, callWithDraft)
    return html.replace(/<body[^>]*>/, (body) => `${body}${BANNER}`)
  }
  return new Hono().get('/preview/:token/:page{.*}?', async (c) => {
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    c.header(FRAMING_HEADER, 'framed')
    const { pathname, search } = new URL(c.req.url)
    const page = pathname.split('/').slice(3).join('/')
    const html = await show(c.req.param('token'), page === '' ? '' : `/${page}${search}`)
    return html === undefined ? c.text('This preview has ended. Open it again at the desk.', 404) : c.html(html)
  })
}

const BANNER =
  '<p style="position:sticky;top:0;z-index:99;margin:0;padding:8px;background:#ffd21f;color:#111;text-align:center;font-weight:700">Preview. Readers do not see this.</p>'
