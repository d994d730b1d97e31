import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { rawHeader } from './raw-headers.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'
type Bytes = Buffer<ArrayBuffer>
type Form = { body: Bytes; headers: [string, string][]; rawHeaders: string[] }

/** An answer in one piece, as it was made. */
export type WholeAnswer = { status: number; headers: Headers; body: Bytes }

/** A document of the site's own that anyone may keep for five minutes. */
export const wholeText = (type: string, text: string): WholeAnswer => ({
  status: 200,
  headers: new Headers({ 'Content-Type': type, 'Cache-Control': 'public, max-age=300, s-maxage=300' }),
  body: Buffer.from(text),
})

/** A public answer as it is kept, with headers ready to send. Its compressed forms are made when first asked for. */
export type PackedAnswer = {
  status: number
  etag: string
  identity: Bytes
  forms: Partial<Record<Encoding, Form | Promise<Form>>>
  /** The headers of every form, and those of a 304. */
  common: [string, string][]
  notModified: [string, string][]
  /** Memory for the plain form and its compressed ones. */
  bytes: number
}

/** How much of the plain form's size both compressed ones take together at most; a fifth each is common. */
const COMPRESSED_SHARE = 0.6

/** Times in milliseconds: a page tells the browser when it was rendered. */
const MOMENTS = /\b1\d{12}\b/g

/** The headers of a 304. Those about the body, such as the policy with its script hashes, belong to the copy that the browser has. */
const WITHOUT_BODY = new Set(['cache-control', 'etag', 'vary'])

/** Weak: a page rendered again a little later is the same page, although it states another time of rendering. */
function etagOf(body: Buffer, contentType: string): string {
  const same = contentType.startsWith('text/html') ? body.toString('latin1').replace(MOMENTS, '') : body
  return `W/"${createHash('sha256').update(same).digest('base64url').slice(0, 22)}"`
}

/** Prepares an answer to be kept. */
export function packAnswer({ status, headers, body: identity }: WholeAnswer): PackedAnswer {
  const etag = etagOf(identity, headers.get('Content-Type') ?? '')
  const common = [...headers].filter(([name]) => name !== 'content-length')
  common.push(['etag', etag], ['vary', 'Accept-Encoding'])
  return {
    status,
    etag,
    identity,
    forms: {},
    common,
    notModified: common.filter(([name]) => WITHOUT_BODY.has(name)),
    bytes: Math.ceil(identity.length * (1 + COMPRESSED_SHARE)) + 2048,
  }
}

/** The answer in an encoding: at once when it was asked for before. Requests at the same moment share the compressing. */
function formOf(entry: PackedAnswer, encoding: Encoding): Form | Promise<Form> {
  const { forms } = entry
  const known = forms[encoding]
  if (known !== undefined) return known
  const finish = (body: Bytes) => {
    const headers: [string, string][] = [...entry.common, ['content-length', String(body.length)]]
    if (encoding !== 'identity') headers.push(['content-encoding', encoding])
    const form = { body, headers, rawHeaders: headers.flat() }
    forms[encoding] = form
    return form
  }
  if (encoding === 'identity') return finish(entry.identity)
  const compressing = compress(entry.identity, encoding).then(finish)
  forms[encoding] = compressing
  return compressing
}

function compress(identity: Bytes, encoding: 'br' | 'gzip'): Promise<Bytes> {
  if (encoding === 'gzip') return toGzip(identity, { level: 6 })
  return toBrotli(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
  })
}

/** Tells caches between here and the reader how old a stale answer is. A fresh one is a few seconds old at most. */
const ageHeader = (staleSeconds: number | undefined): [string, string][] =>
  staleSeconds === undefined ? [] : [['age', String(Math.floor(staleSeconds))]]

/** The answer in the form that the request's headers ask for. `staleSeconds` is its age, if it is sent past its time. */
export async function toResponse(
  entry: PackedAnswer,
  requestHeaders: Headers,
  staleSeconds: number | undefined,
): Promise<Response> {
  const age = ageHeader(staleSeconds)
  if (isKnown(requestHeaders.get('if-none-match'), entry)) {
    return new Response(null, { status: 304, headers: [...entry.notModified, ...age] })
  }
  const { body, headers } = await formOf(entry, encodingFor(requestHeaders.get('accept-encoding') ?? ''))
  return new Response(body, { status: entry.status, headers: [...headers, ...age] })
}

/** Sends the answer with bare node:http. `staleSeconds` is its age, if it is sent past its time. */
export function sendPacked(
  entry: PackedAnswer,
  req: IncomingMessage,
  res: ServerResponse,
  staleSeconds: number | undefined,
): void {
  if (isKnown(rawHeader(req, 'if-none-match'), entry)) {
    res.writeHead(304, [...entry.notModified, ...ageHeader(staleSeconds)].flat())
    res.end()
    return
  }
  const send = ({ body, rawHeaders }: Form) => {
    res.writeHead(
      entry.status,
      staleSeconds === undefined ? rawHeaders : [...rawHeaders, ...ageHeader(staleSeconds).flat()],
    )
    res.end(req.method === 'HEAD' ? undefined : body)
  }
  const form = formOf(entry, encodingFor(rawHeader(req, 'accept-encoding') ?? ''))
  if (form instanceof Promise) void form.then(send)
  else send(form)
}

/** Whether the caller has the answer already. What is not found is answered as such, whatever they have (RFC 9110 §13.2.1). */
function isKnown(ifNoneMatch: string | null | undefined, { etag, status }: PackedAnswer): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null || status !== 200) return false
  const bare = etag.replace(/^W\//, '')
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare)
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
