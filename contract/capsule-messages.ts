/** The words of the capsule shop. */
export const CAPSULES = {
  title: 'Capsule Shop',
  line: 'A surprise from the machine next to the stairs. Every chance is written on the glass.',
  draw: 'Draw one',
  drawn: 'You drew',
  final: 'A draw is final. It is refunded only when what you drew cannot be delivered.',
  noRepeat: 'What you have drawn is not drawn again until you have everything.',
  noCapsule: 'There is no such capsule.',
  changed: 'The capsule has just been changed. Look at its chances again.',
  empty: 'No capsules right now',
  emptyLine: 'The machine is being filled. Come back soon.',
} as const

/** What the chances of a capsule are together. */
export const CHANCES_SUM = 1_000_000
/** The spending that players are reminded of is that of so many days. */
export const SPENT_DAYS = 30
