import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
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

/** Who calls: the address, and the device as its browser names it. */
export type Caller = { address: string; device: string }

/** The caller of a request; the device's name is cut to a line. */
export function callerOf(c: Context, trustedProxies: number): Caller {
  const device = (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 200)
  return { address: clientAddress(c, trustedProxies), device }
}

/** The address whose requests are counted together: of IPv6 the /64 that one household has. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const gap = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  const parts = [...left, ...gap, ...right].slice(0, 4)
  return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`
}
