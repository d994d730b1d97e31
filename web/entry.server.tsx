import { randomBytes } from 'node:crypto'
import { renderToString } from 'react-dom/server'
import { createRequestHandler, type EntryContext, RouterContextProvider, ServerRouter } from 'react-router'
import { createClient } from './api/client.ts'
import { type RenderDeps, renderDeps } from './api/page-data.ts'
import { hashOf, sealInlineScripts } from './api/seal-inline-scripts.ts'
import { SESSION_BOOT_SCRIPT } from './api/session.ts'

export { createRequestHandler }

/** What each rendering is told: where to ask, what time it is, what the site is called. */
export function createRenderContext({
  fetchInProcess,
  ...told
}: Omit<RenderDeps, 'api'> & { fetchInProcess: typeof fetch }): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(renderDeps, { ...told, api: createClient(fetchInProcess, 'http://site.internal') })
  return context
}

/** What the server takes from the built site. */
export type RenderModule = {
  createRequestHandler: typeof createRequestHandler
  createRenderContext: typeof createRenderContext
}

/** Reads what the browser needs to hydrate; every value is settled before rendering, so it is short. */
async function readHandoff(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  const chunks: Uint8Array[] = []
  const reader = stream?.getReader()
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) chunks.push(chunk.value)
  return Buffer.concat(chunks).toString()
}

const DOCTYPE = Buffer.from('<!DOCTYPE html>')
const BODY_END = Buffer.from('</body>')

const escapeForScript = (text: string) =>
  JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A whole page. Its bytes go on as they are: a stream around them, or a copy, would take a tenth of the rendering. */
class WholePage extends Response {
  #bytes: Buffer<ArrayBuffer>
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined

  constructor(bytes: Buffer<ArrayBuffer>, init: ResponseInit) {
    super(null, init)
    this.#bytes = bytes
  }

  override get body() {
    this.#stream ??= new ReadableStream({
      pull: (controller) => {
        controller.enqueue(this.#bytes)
        controller.close()
      },
    })
    return this.#stream
  }

  override async text() {
    return this.#bytes.toString()
  }

  override async arrayBuffer() {
    const { buffer, byteOffset, byteLength } = this.#bytes
    return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
  }
}

/**
 * Renders a page in one piece: renderToString is half as dear again as the
 * stream, and a page kept in memory must be whole before it is kept anyway.
 */
export default async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const handoff = escapeForScript(await readHandoff(context.serverHandoffStream))
  const ours = randomBytes(12).toString('hex')
  const page = renderToString(
    <ServerRouter context={{ ...context, serverHandoffStream: undefined }} url={request.url} nonce={ours} />,
  )
  const stream = 'window.__reactRouterContext.streamController'
  const script = `${stream}.enqueue(${handoff});${stream}.close();`
  const { html, hashes } = sealInlineScripts(page, ours)
  const end = html.lastIndexOf(BODY_END)
  const whole = Buffer.concat([
    DOCTYPE,
    html.subarray(0, end),
    Buffer.from(`<script>${script}</script>`),
    html.subarray(end),
  ])
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('X-Script-Hashes', [hashOf(SESSION_BOOT_SCRIPT), ...hashes, hashOf(script)].join(' '))
  return new WholePage(whole, { status, headers })
}
