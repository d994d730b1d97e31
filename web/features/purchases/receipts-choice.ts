/** Where the last choice of a player is remembered: the server keeps it, but no call tells it (yet). */
const keyOf = (userNum: number) => `TAMBAYAN_RECEIPTS_${userNum}`

/** Whether the player last asked for receipts on this device; off, as for every new account. */
export function readReceiptsChoice(userNum: number): boolean {
  return localStorage.getItem(keyOf(userNum)) === 'on'
}

/** Remembers what the server has accepted. */
export function keepReceiptsChoice(userNum: number, wanted: boolean): void {
  localStorage.setItem(keyOf(userNum), wanted ? 'on' : 'off')
}
