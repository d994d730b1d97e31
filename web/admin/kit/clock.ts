/** The time by which the server's clock is ahead of this device's, in ms. */
let ahead = 0

/** Stores the difference to the server's time, read from an answer's Date header. */
export function noteServerTime({ headers }: Response): void {
  const sent = Date.parse(headers.get('Date') ?? '')
  // The header has whole seconds, so smaller differences mean nothing.
  if (!Number.isNaN(sent)) ahead = Math.abs(sent - Date.now()) < 2000 ? 0 : sent - Date.now()
}

/** Returns the server's time in ms, even if this device's clock is wrong. */
export const serverNow = (): number => Date.now() + ahead
