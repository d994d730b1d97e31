import type { Context } from 'hono'
import { clientAddress } from './client-address.ts'

/** Who calls: the address, and the device as its browser names it. */
export type Caller = { address: string; device: string }

/** Who sent a request; the device is cut to one line of 200 characters. */
export function callerOf(c: Context, trustedProxies: number): Caller {
  const device = (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 200)
  return { address: clientAddress(c, trustedProxies), device }
}
