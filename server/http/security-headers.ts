import type { MiddlewareHandler } from 'hono'

/** Where a rendered page lists the hashes of its own inline scripts for the policy; never sent on. */
export const SCRIPT_HASHES_HEADER = 'X-Script-Hashes'

function contentSecurityPolicy(scriptHashes: string): string {
  return [
    "default-src 'self'",
    `script-src 'self'${scriptHashes === '' ? '' : ` ${scriptHashes}`}`,
    // Positions of slides and drawings are style attributes; scripts never are inline without their hash.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Puts on an answer the headers that all pages and calls carry (DECISIONS §3); files bring their
 * own, shorter ones. Hashes, not nonces, so that kept pages stay valid.
 */
export function sealHeaders({ headers }: Response): void {
  if (headers.has('X-Content-Type-Options')) return
  const hashes = headers.get(SCRIPT_HASHES_HEADER) ?? ''
  headers.delete(SCRIPT_HASHES_HEADER)
  headers.set('Content-Security-Policy', contentSecurityPolicy(hashes))
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
}

/** Seals every answer that was not sealed when it was kept. A 304 leaves the asker's page under the policy it came with. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.status !== 304) sealHeaders(c.res)
}
