import type { IncomingMessage } from 'node:http'

/**
 * The value of a request's header, by its name in lower case; of several the first. An answer from memory needs three
 * headers, and having Node parse all of them would take a fifth of its time.
 */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at]
    if (found?.length === name.length && found.toLowerCase() === name) return rawHeaders[at + 1]
  }
  return undefined
}
