import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'
type Variant = { body: Buffer; headers: [string, string][]; rawHeaders: string[] }

/** A public answer as it is kept: its brotli and gzip forms beside it, headers ready to send. */
export type Entry = {
  status: number
  etag: string
  variants: Record<Encoding, Variant>
  notModified: [string, string][]
  freshUntil: number
  bytes: number
}

/** Moments in milliseconds, as pages tell the browser when they were rendered. */
const MOMENTS = /\b1\d{12}\b/g

/** What a 304 may say: anything about the body, its policy of script hashes above all, belongs to the body the asker has. */
const SAID_WITHOUT_BODY = new Set(['cache-control', 'etag', 'vary'])

/**
 * Weak: the same page rendered a little later is the same page, though it tells the browser
 * another moment of rendering.
 */
function etagOf(body: Buffer, contentType: string): string {
  const same = contentType.startsWith('text/html') ? body.toString('latin1').replace(MOMENTS, '') : body
  return `W/"${createHash('sha256').update(same).digest('base64url').slice(0, 22)}"`
}

/** Keeps an answer in all its forms. */
export async function pack(response: Response, freshUntil: number): Promise<Entry> {
  const identity = Buffer.from(await response.arrayBuffer())
  const etag = etagOf(identity, response.headers.get('Content-Type') ?? '')
  const [br, gz] = await Promise.all([
    toBrotli(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
    }),
    toGzip(identity, { level: 6 }),
  ])
  const common = [...response.headers].filter(([name]) => name !== 'content-length')
  common.push(['etag', etag], ['vary', 'Accept-Encoding'])
  const variant = (encoding: Encoding, body: Buffer): Variant => {
    const headers: [string, string][] = [...common, ['content-length', String(body.length)]]
    if (encoding !== 'identity') headers.push(['content-encoding', encoding])
    return { body, headers, rawHeaders: headers.flat() }
  }
  return {
    status: response.status,
    etag,
    variants: { identity: variant('identity', identity), br: variant('br', br), gzip: variant('gzip', gz) },
    notModified: common.filter(([name]) => SAID_WITHOUT_BODY.has(name)),
    freshUntil,
    bytes: identity.length + br.length + gz.length + 2048,
  }
}

/** The kept answer as it suits who asks. */
export function toResponse(entry: Entry, requestHeaders: Headers): Response {
  if (matchesEtag(requestHeaders.get('if-none-match'), entry.etag)) {
    return new Response(null, { status: 304, headers: entry.notModified })
  }
  const variant = entry.variants[encodingFor(requestHeaders.get('accept-encoding') ?? '')]
  return new Response(new Uint8Array(variant.body), { status: entry.status, headers: variant.headers })
}

/** Sends the kept answer with bare node:http. */
export function sendEntry(entry: Entry, req: IncomingMessage, res: ServerResponse): void {
  const { acceptEncoding, ifNoneMatch } = readAskedFor(req.rawHeaders)
  if (matchesEtag(ifNoneMatch, entry.etag)) {
    res.writeHead(304, entry.notModified.flat())
    res.end()
    return
  }
  const variant = entry.variants[encodingFor(acceptEncoding)]
  res.writeHead(entry.status, variant.rawHeaders)
  res.end(req.method === 'HEAD' ? undefined : variant.body)
}

function matchesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null) return false
  const bare = etag.replace(/^W\//, '')
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare)
}

/** The two headers that decide a kept answer, without parsing the others (which would take a fifth of the time). */
function readAskedFor(rawHeaders: string[]): { acceptEncoding: string; ifNoneMatch: string | undefined } {
  let acceptEncoding = ''
  let ifNoneMatch: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 15 && name.toLowerCase() === 'accept-encoding') acceptEncoding = rawHeaders[at + 1] ?? ''
    else if (name.length === 13 && name.toLowerCase() === 'if-none-match') ifNoneMatch = rawHeaders[at + 1]
  }
  return { acceptEncoding, ifNoneMatch }
}

/** Browsers send a handful of different values; whoever makes up more only makes us forget. */
const CHOSEN_MAX = 100
const chosen = new Map<string, Encoding>()

function encodingFor(acceptEncoding: string): Encoding {
  const known = chosen.get(acceptEncoding)
  if (known !== undefined) return known
  const encoding = chooseEncoding(acceptEncoding)
  if (chosen.size >= CHOSEN_MAX) chosen.clear()
  chosen.set(acceptEncoding, encoding)
  return encoding
}

/** Brotli, else gzip, else as it is; a coding with q=0 is refused. */
function chooseEncoding(accepted: string): Encoding {
  const allows = (coding: string) =>
    accepted.includes(coding) && !new RegExp(`\\b${coding}\\s*;\\s*q=0(\\.0+)?\\s*(,|$)`).test(accepted)
  if (allows('br')) return 'br'
  return allows('gzip') ? 'gzip' : 'identity'
}
