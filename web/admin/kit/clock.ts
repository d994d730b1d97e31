/** How far the server's clock is ahead of this device's, in ms. */
let ahead = 0

/** Learns the server's time from an answer, to the second. */
export function noteServerTime({ headers }: Response): void {
  const sent = Date.parse(headers.get('Date') ?? '')
  // The header has whole seconds: smaller differences are ignored.
  if (!Number.isNaN(sent)) ahead = Math.abs(sent - Date.now()) < 2000 ? 0 : sent - Date.now()
}

/** Returns the server's time in ms, even if this device's clock is wrong. */
export const serverNow = (): number => Date.now() + ahead
