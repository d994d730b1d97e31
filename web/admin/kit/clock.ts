/** How far the server's clock is ahead of this device's, in ms. */
let ahead = 0

/** Learns the server's time from an answer, to the second. */
export function noteServerTime({ headers }: Response): void {
  const sent = Date.parse(headers.get('Date') ?? '')
  // The header has whole seconds: only a difference that nobody could overlook counts.
  if (!Number.isNaN(sent)) ahead = Math.abs(sent - Date.now()) < 2000 ? 0 : sent - Date.now()
}

/** The server's time in ms, whatever this device's clock says. */
export const serverNow = (): number => Date.now() + ahead
