import { MINUTE_MS } from './durations.ts'

/** How requests of a bridge are signed (BRIDGE-7). Agent and site write the signed text with the same function. */

/** The headers of a signed request. */
export const BRIDGE_HEADERS = {
  bridge: 'Bridge-Number',
  instance: 'Bridge-Instance',
  time: 'Bridge-Time',
  nonce: 'Bridge-Nonce',
  signature: 'Bridge-Signature',
} as const

/** How far the clocks of site and agent may differ. */
export const BRIDGE_CLOCK_MS = 60_000
/** How long a nonce is remembered. */
export const BRIDGE_NONCE_RETENTION_MS = 5 * MINUTE_MS

export type SignedRequest = {
  method: string
  /** The site's origin, such as https://play.example.ph. */
  origin: string
  /** With the query, such as /api/bridge/work. */
  path: string
  /** SHA-256 of the body in lower-case hexadecimal; of nothing if there is no body. */
  bodyHash: string
  /** ISO 8601. */
  time: string
  nonce: string
  /** Identifies the start of the agent. */
  instance: string
}

/** The text that is signed with Ed25519. No part can contain a line break, so no two requests have the same text. */
export const signedText = ({ method, origin, path, bodyHash, time, nonce, instance }: SignedRequest): string =>
  ['tambayan-bridge-1', method, origin, path, bodyHash, time, nonce, instance].join('\n')

/** Whether a host, as a URL has it, is this machine: there a bridge may use plain http. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || /^(\[::1\]|127(\.\d{1,3}){3})$/.test(host)
