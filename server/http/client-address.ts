import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/**
 * The caller's address: the socket's, or behind `trustedProxies` proxies the one that the
 * outermost trusted proxy saw. What a caller writes into X-Forwarded-For beyond that is ignored.
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  const socketAddress = incoming?.socket.remoteAddress ?? '127.0.0.1'
  const forwarded = (c.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const seen = trustedProxies === 0 ? undefined : forwarded[Math.max(0, forwarded.length - trustedProxies)]
  return (seen ?? socketAddress).replace(/^::ffff:/, '')
}
