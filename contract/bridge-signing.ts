import { MINUTE_MS } from './durations.ts'

/** The signature of a bridge's requests (BRIDGE-7). Agent and site build the signed text with the same function. */

/** The headers of a signed request. */
export const BRIDGE_HEADERS = {
  bridge: 'Bridge-Number',
  instance: 'Bridge-Instance',
  time: 'Bridge-Time',
  nonce: 'Bridge-Nonce',
  signature: 'Bridge-Signature',
} as const

/** The maximum difference between the clocks of site and agent. */
export const BRIDGE_CLOCK_DIFFERENCE_MAX_MS = 60_000
/** The time for which a nonce is stored to detect a repetition. */
export const BRIDGE_NONCE_RETENTION_MS = 5 * MINUTE_MS

export type SignedRequest = {
  method: string
  /** The site's origin, such as https://play.example.ph. */
  origin: string
  /** The path with the query, such as /api/bridge/work. */
  path: string
  /** SHA-256 of the body in lower-case hexadecimal; for a request without a body, the hash of an empty text. */
  bodyHash: string
  /** The time in ISO 8601. */
  time: string
  nonce: string
  /** A random id of the agent's process. */
  instance: string
}

/**
 * Returns the text that is signed with Ed25519. No part can contain a line break, so different requests have different
 * texts.
 */
export const toSignedText = ({ method, origin, path, bodyHash, time, nonce, instance }: SignedRequest): string =>
  ['tambayan-bridge-1', method, origin, path, bodyHash, time, nonce, instance].join('\n')

/** Whether a host in a URL is this machine, for which a bridge may use plain http. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || /^(\[::1\]|127(\.\d{1,3}){3})$/.test(host)
