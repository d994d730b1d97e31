/** The time by which the server's clock is ahead of this device's, in ms. */
let aheadMs = 0

/** Stores the difference to the server's time, read from an answer's Date header. */
export function noteServerTime({ headers }: Response): void {
  const sentAt = Date.parse(headers.get('Date') ?? '')
  // Ignores differences below 2 s, because the header has whole seconds.
  if (!Number.isNaN(sentAt)) aheadMs = Math.abs(sentAt - Date.now()) < 2000 ? 0 : sentAt - Date.now()
}

/** Returns the server's time in ms, even if this device's clock is wrong. */
export const getServerNow = (): number => Date.now() + aheadMs
