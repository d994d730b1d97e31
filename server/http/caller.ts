import type { Context } from 'hono'
import { clientAddress } from './client-address.ts'

/** Who calls: the address, and the device as its browser names it, cut to a line. */
export function callerOf(c: Context, trustedProxies: number): { address: string; device: string } {
  const device = (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 200)
  return { address: clientAddress(c, trustedProxies), device }
}
