import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'
type Bytes = Buffer<ArrayBuffer>
type Variant = { body: Bytes; headers: [string, string][]; rawHeaders: string[] }

/** An answer in one piece, as it was made. */
export type WholeAnswer = { status: number; headers: Headers; body: Bytes }

/** A public answer as it is kept: with its brotli and gzip forms and headers ready to send. */
export type PackedAnswer = {
  status: number
  etag: string
  variants: Record<Encoding, Variant>
  notModified: [string, string][]
  freshUntil: number
  bytes: number
}

/** Times in milliseconds: a page tells the browser when it was rendered. */
const MOMENTS = /\b1\d{12}\b/g

/** The headers of a 304. Those about the body, such as the policy with its script hashes, belong to the copy that the browser has. */
const WITHOUT_BODY = new Set(['cache-control', 'etag', 'vary'])

/** Weak: a page rendered again a little later is the same page, although it states another time of rendering. */
function etagOf(body: Buffer, contentType: string): string {
  const same = contentType.startsWith('text/html') ? body.toString('latin1').replace(MOMENTS, '') : body
  return `W/"${createHash('sha256').update(same).digest('base64url').slice(0, 22)}"`
}

/** Compresses an answer. `freshUntil` is on the cache's clock. */
export async function packAnswer(
  { status, headers, body: identity }: WholeAnswer,
  freshUntil: number,
): Promise<PackedAnswer> {
  const etag = etagOf(identity, headers.get('Content-Type') ?? '')
  const [br, gz] = await Promise.all([
    toBrotli(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
    }),
    toGzip(identity, { level: 6 }),
  ])
  const common = [...headers].filter(([name]) => name !== 'content-length')
  common.push(['etag', etag], ['vary', 'Accept-Encoding'])
  const variant = (encoding: Encoding, body: Bytes): Variant => {
    const own: [string, string][] = [...common, ['content-length', String(body.length)]]
    if (encoding !== 'identity') own.push(['content-encoding', encoding])
    return { body, headers: own, rawHeaders: own.flat() }
  }
  return {
    status,
    etag,
    variants: { identity: variant('identity', identity), br: variant('br', br), gzip: variant('gzip', gz) },
    notModified: common.filter(([name]) => WITHOUT_BODY.has(name)),
    freshUntil,
    bytes: identity.length + br.length + gz.length + 2048,
  }
}

/** The answer in the form that the request's headers ask for. */
export function toResponse(entry: PackedAnswer, requestHeaders: Headers): Response {
  if (matchesEtag(requestHeaders.get('if-none-match'), entry.etag)) {
    return new Response(null, { status: 304, headers: entry.notModified })
  }
  const variant = entry.variants[encodingFor(requestHeaders.get('accept-encoding') ?? '')]
  return new Response(variant.body, { status: entry.status, headers: variant.headers })
}

/** Sends the answer with bare node:http. */
export function sendPacked(entry: PackedAnswer, req: IncomingMessage, res: ServerResponse): void {
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

/** The two headers that choose the form. Parsing the others would take a fifth of the time. */
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

/** Browsers send a handful of different values; what they negotiate is remembered. */
const negotiated = new LRUCache<string, Encoding>({ max: 100 })

function encodingFor(acceptEncoding: string): Encoding {
  const known = negotiated.get(acceptEncoding)
  if (known !== undefined) return known
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const wanted = negotiator.encodings(['br', 'gzip', 'identity'])
  const encoding = (['br', 'gzip'] as const).find((coding) => wanted.includes(coding)) ?? 'identity'
  negotiated.set(acceptEncoding, encoding)
  return encoding
}
