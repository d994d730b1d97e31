import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import ipaddr from 'ipaddr.js'
import { DEVICE_KNOWN_MS } from '#contract/limits.ts'

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
  const seenAddress = seen === undefined ? undefined : readAddress(seen)
  return seenAddress ?? readAddress(socketAddress) ?? socketAddress
}

/** An address in its one usual form. Some proxies add the port. Undefined for text that is no address. */
function readAddress(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined
  const address = ipaddr.process(bare)
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()
}

/**
 * Who calls: the address, the device as its browser names it, and the token by which we recognise the device if somebody
 * logged in on it before.
 */
export type Caller = { address: string; device: string; deviceToken?: string | undefined }

const DEVICE_COOKIE = 'TAMBAYAN_DEVICE'
/** Browsers accept a cookie of this name over https alone. */
const SECURE_DEVICE_COOKIE = `__Secure-${DEVICE_COOKIE}`

/**
 * The Set-Cookie header with the token of a device. The cookie is scoped to `/api`, so it reaches no page and no cache.
 *
 * @param publicUrl where the site is reached; with https the cookie never travels without it
 */
export function deviceCookie(publicUrl: string, token: string): string {
  const secure = publicUrl.startsWith('https:')
  return serialize(secure ? SECURE_DEVICE_COOKIE : DEVICE_COOKIE, token, {
    path: '/api',
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    maxAge: DEVICE_KNOWN_MS / 1000,
  })
}

/** The caller of a request; the device's name is cut to a line. */
export function identifyCaller(c: Context, trustedProxies: number): Caller {
  const device = (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 200)
  const token = getCookie(c, SECURE_DEVICE_COOKIE) ?? getCookie(c, DEVICE_COOKIE)
  const deviceToken = token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
  return { address: clientAddress(c, trustedProxies), device, deviceToken }
}

/**
 * The network that limits count an address by: a whole IPv4 address, also when it is mapped into
 * IPv6, and the /64 of an IPv6 address, because one household has all of it. Text that is no
 * address is returned unchanged.
 */
export function getNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const groups = parsed.toNormalizedString().split(':').slice(0, 4)
  return `${groups.join(':')}::/64`
}
