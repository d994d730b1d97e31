import type { MiddlewareHandler } from 'hono'

/**
 * An internal header with the hashes of a page's inline scripts for the policy. It is removed before the response is sent.
 */
export const SCRIPT_HASHES_HEADER = 'X-Script-Hashes'

/**
 * An internal header about frames, also removed (DOC-6). It is `may-frame` for the desk's document, which shows previews in
 * frames, and `may-be-framed` for the previews.
 */
export const FRAMING_HEADER = 'X-Framing'

function createContentSecurityPolicy(scriptHashes: string, framing: string | null, extraPolicy: string[]): string {
  return [
    "default-src 'self'",
    `script-src 'self'${scriptHashes === '' ? '' : ` ${scriptHashes}`}`,
    // Slides and drawings are positioned with style attributes. Inline scripts need a hash.
    "style-src 'self' 'unsafe-inline'",
    // Pictures come only from this site, because loading one from another site would reveal the reader to it.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    `frame-src ${framing === 'may-frame' ? "'self'" : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framing === 'may-be-framed' ? "'self'" : "'none'"}`,
    ...extraPolicy,
  ].join('; ')
}

const FIXED_HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const

/** Makes browsers open the site and its subdomains only over https for a year. */
const HTTPS_ONLY_POLICY = 'max-age=31536000; includeSubDomains'

export type AddHeaders = (answer: { headers: Headers }) => void

/**
 * Creates the function that sets the headers of all pages and calls (DOC-5). Files have a shorter list. The policy allows
 * scripts by hash instead of nonce, because pages are cached.
 *
 * @param publicUrl the site's address; if it is https, browsers must not use http
 * @param extraPolicy further directives of the policy, which only `npm run dev` has
 */
export function createHeaderAdder(publicUrl: string, extraPolicy: string[] = []): AddHeaders {
  const policyWithoutHashes = createContentSecurityPolicy('', null, extraPolicy)
  const siteHeaders = publicUrl.startsWith('https:')
    ? [...FIXED_HEADERS, ['Strict-Transport-Security', HTTPS_ONLY_POLICY] as const]
    : FIXED_HEADERS
  return ({ headers }) => {
    if (headers.has('X-Content-Type-Options')) return
    const hashes = headers.get(SCRIPT_HASHES_HEADER)
    const framing = headers.get(FRAMING_HEADER)
    headers.delete(SCRIPT_HASHES_HEADER)
    headers.delete(FRAMING_HEADER)
    const hasDefaultPolicy = hashes === null && framing === null
    headers.set(
      'Content-Security-Policy',
      hasDefaultPolicy ? policyWithoutHashes : createContentSecurityPolicy(hashes ?? '', framing, extraPolicy),
    )
    for (const [name, value] of siteHeaders) headers.set(name, value)
    if (framing === 'may-be-framed') headers.set('X-Frame-Options', 'SAMEORIGIN')
  }
}

/**
 * Sets the headers on every response except cached ones, which have them already, and 304, after which the browser uses its
 * stored headers.
 */
export function createSecurityHeaders(publicUrl: string, extraPolicy?: string[]): MiddlewareHandler {
  const addSecurityHeaders = createHeaderAdder(publicUrl, extraPolicy)
  return async (c, next) => {
    await next()
    if (c.res.status !== 304) addSecurityHeaders(c.res)
  }
}
