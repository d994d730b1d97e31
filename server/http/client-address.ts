import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import ipaddr from 'ipaddr.js'
import { KNOWN_DEVICE_RETENTION_MS } from '#contract/limits.ts'

/**
 * Returns the caller's address: that of the socket or, behind `trustedProxies` proxies, the one that the outermost trusted
 * proxy has added to X-Forwarded-For. Other entries in the header come from the caller and are ignored.
 */
export function getClientAddress(c: Context, trustedProxies: number): string {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  const socketAddress = incoming?.socket.remoteAddress ?? '127.0.0.1'
  const forwardedAddresses = (c.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const entry =
    trustedProxies === 0 ? undefined : forwardedAddresses[Math.max(0, forwardedAddresses.length - trustedProxies)]
  const entryAddress = entry === undefined ? undefined : normalizeAddress(entry)
  return entryAddress ?? normalizeAddress(socketAddress) ?? socketAddress
}

/** Normalizes an address, without the port that some proxies add. Returns undefined for other text. */
function normalizeAddress(text: string): string | undefined {
  const hostText = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  if (!ipaddr.IPv6.isValid(hostText) && !ipaddr.IPv4.isValidFourPartDecimal(hostText)) return undefined
  const address = ipaddr.process(hostText)
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()
}

/**
 * The caller of a request: the address, the browser's name, and the token that identifies a device on which an account has
 * logged in before.
 */
export type Caller = { address: string; device: string; deviceToken?: string | undefined }

const DEVICE_COOKIE = 'TAMBAYAN_DEVICE'
/** Browsers accept a cookie with this name only over https. */
const SECURE_DEVICE_COOKIE = `__Secure-${DEVICE_COOKIE}`

/**
 * Returns the Set-Cookie header with the token of a device. The cookie is scoped to `/api`, so it reaches no page and
 * no cache.
 *
 * @param publicUrl the site's address; if it is https, browsers send the cookie only over https
 */
export function createDeviceCookie(publicUrl: string, token: string): string {
  const isSecure = publicUrl.startsWith('https:')
  return serialize(isSecure ? SECURE_DEVICE_COOKIE : DEVICE_COOKIE, token, {
    path: '/api',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure,
    maxAge: KNOWN_DEVICE_RETENTION_MS / 1000,
  })
}

/** Identifies the caller of a request. The browser's name is cut to one line of 200 characters. */
export function identifyCaller(c: Context, trustedProxies: number): Caller {
  const device = (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 200)
  const token = getCookie(c, SECURE_DEVICE_COOKIE) ?? getCookie(c, DEVICE_COOKIE)
  const deviceToken = token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
  return { address: getClientAddress(c, trustedProxies), device, deviceToken }
}

/**
 * Returns the network of an address for limits: a whole IPv4 address, also when it is mapped into IPv6, and the /64 of
 * an IPv6 address, because one household has all of it. Other text is returned unchanged.
 */
export function getNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  if (ip.kind() === 'ipv4') return ip.toString()
  const addressGroups = ip.toNormalizedString().split(':').slice(0, 4)
  return `${addressGroups.join(':')}::/64`
}
