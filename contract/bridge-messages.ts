/** Why a unit could not be delivered, as the agent reports it; the desk shows the sentence. */
export const FAILURES = {
  'no-player': 'The game has no account for this player. The unit will be delivered once there is one.',
  'no-product': 'The game’s shop does not know this product, so the game would never show it. Add it to ShopItemMap.',
  renamed:
    'The account of this player now has a different ID in the game, so it may be someone else’s. Decide about it on the Moving in page, or send the unit to another account.',
  'uid-shared':
    'Another account of the game has this player’s name too, so both would see the item. Rename one of the two in the game.',
  'uid-too-long': 'The player’s name is longer than the game’s column UserUID.',
  'uid-changed': 'The game’s database changes the player’s name when it stores it, so the item would be lost.',
  'number-used': 'The game’s database already has this unit for another purchase. It was left alone.',
  cancelled:
    'The game’s database has marked this unit as taken back for good, so it can never be delivered again. Refund it.',
  database: 'The game’s database refused the row.',
} as const
export type FailureCode = keyof typeof FAILURES
export const FAILURE_CODES = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]

/** Why a unit could not be taken out of the game. */
export const REFUSED_REFUNDS = {
  claimed: 'The player has taken the item in the game, so it was not refunded.',
  cancelled: 'The row in the game is marked as cancelled (PurFlag 2 or 3). Decide whether to refund it.',
  gone: 'The row in the game is gone, and nobody knows whether the item was taken. Decide whether to refund it.',
} as const
export type RefusedRefund = keyof typeof REFUSED_REFUNDS
export const REFUND_REFUSALS = Object.keys(REFUSED_REFUNDS) as [RefusedRefund, ...RefusedRefund[]]

/** What is odd about a unit's row in the game. */
export const ODDITIES = {
  cancelled: 'Cancelled in the game',
  gone: 'Unknown: its row in the game is gone',
  lost: 'Lost when the game’s database was restored',
  back: 'Refunded, but it may be in the game; the bridge takes it out when it works again',
  taken: 'The player has taken the item in the game although it was refunded. Decide what to do about it',
} as const
export type Oddity = keyof typeof ODDITIES
