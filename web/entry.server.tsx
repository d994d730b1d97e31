import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { renderToString } from 'react-dom/server'
import { createRequestHandler, type EntryContext, RouterContextProvider, ServerRouter } from 'react-router'
import { declaredQuery } from './api/page.ts'
import { createQueryClient } from './api/queries.ts'
import { type Rendering, readRendering, renderingContext, ServerRendering } from './api/render.tsx'
import { hashOf, sealInlineScripts } from './api/seal-inline-scripts.ts'
import { SESSION_BOOT_SCRIPT } from './api/session.ts'
import { NOT_FOUND_PAGE, NOT_FOUND_PATH, PAGES, pageAt } from './pages.ts'

export { createRequestHandler, NOT_FOUND_PATH, PAGES }

/** The context of one rendering. */
export function createRenderContext(given: Omit<Rendering, 'queries' | 'page'>): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(renderingContext, { ...given, queries: createQueryClient() })
  return context
}

/**
 * The address that a page is rendered for and kept under: its path as the manifest writes it, and the parameters that it
 * declares. All unknown paths share one. `/RANKINGS//?x=1` is rendered as `/rankings`.
 */
export function renderedAddress({ pathname, searchParams }: URL): string {
  const { page, params } = pageAt(pathname)
  if (page === NOT_FOUND_PAGE) return NOT_FOUND_PATH
  const path = page.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = declaredQuery(page.search?.names ?? [], searchParams)
  return query.size === 0 ? path : `${path}?${query}`
}

/** What the server takes from the built site. */
export type RenderModule = {
  createRequestHandler: typeof createRequestHandler
  createRenderContext: typeof createRenderContext
  renderedAddress: typeof renderedAddress
  readRendering: typeof readRendering
  PAGES: typeof PAGES
  NOT_FOUND_PATH: typeof NOT_FOUND_PATH
}

export { readRendering }

/** Reads what the router needs to hydrate: heads and times, since the data travels in an element of its own. */
async function readHandoff(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  return stream === undefined ? '' : text(stream)
}

const escapeForScript = (text: string) =>
  JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Renders a page in one piece and leaves it in the rendering (docs/decisions/002): a page kept in memory must be whole
 * before it is kept. The answer carries status and headers.
 */
export default async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  routerContext: RouterContextProvider,
): Promise<Response> {
  const rendering = readRendering(routerContext)
  const handoff = escapeForScript(await readHandoff(context.serverHandoffStream))
  await rendering.takeTurn()
  const mark = randomBytes(12).toString('hex')
  const page = renderToString(
    <ServerRendering rendering={rendering}>
      <ServerRouter context={{ ...context, serverHandoffStream: undefined }} url={request.url} nonce={mark} />
    </ServerRendering>,
  )
  const stream = 'window.__reactRouterContext.streamController'
  const script = `${stream}.enqueue(${handoff});${stream}.close();`
  const end = page.lastIndexOf('</body>')
  const document = `<!DOCTYPE html>${page.slice(0, end)}<script nonce="${mark}">${script}</script>${page.slice(end)}`
  const { html, hashes } = sealInlineScripts(document, mark)
  rendering.page = { html, scriptHashes: [hashOf(SESSION_BOOT_SCRIPT), ...hashes].join(' ') }
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(null, { status, headers })
}
