import { PARTY_SEARCH_MESSAGE_GOLD, REGIONAL_MESSAGE_GOLD } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'

/** How we treat each other, wherever we meet. */
export const HOUSE_RULES = [
  { rule: 'Greet first, ask second.', why: 'Everyone was new at this gate once, most of them on a Sunday.' },
  {
    rule: 'Any language of the islands is welcome.',
    why: 'If somebody asks for English or Filipino, switch. They want to understand you.',
  },
  { rule: 'Tease schools, not people.', why: 'When somebody asks you to stop, that was the end of the joke.' },
  {
    rule: 'No selling for real money.',
    why: 'No gold, items, accounts or vouchers, not as a favor either. Anyone who offers is not your friend.',
  },
  {
    rule: 'Keep private things private.',
    why: 'No real names, numbers, schools or photos of others. Post your own only if you would hang them on the canteen wall.',
  },
  {
    rule: 'Staff never ask for a password.',
    why: 'Not for a prize, not for a check, not in our name. Take a screenshot and send a ticket.',
  },
  {
    rule: 'Trouble goes to a ticket.',
    why: 'Accusing people by name in public costs somebody an evening, and sometimes it is the wrong somebody.',
  },
  { rule: 'Let people sleep.', why: 'Not every message needs an answer tonight. School, work and dinner come first.' },
] as const

/** Places on the world map where there is nearly always somebody. */
export const SPOTS = [
  {
    place: 'fountain',
    name: 'The fountain',
    line: 'Between the three schools. If you came alone, stand here; somebody else did too.',
  },
  {
    place: 'rooftop',
    name: 'The rooftop',
    line: 'From level 20. Nobody fights up there, except on the one night that is announced.',
  },
  {
    place: 'covered-court',
    name: 'Covered Court',
    line: 'Watch duels from the rope and learn. Loud, with a good echo.',
  },
  {
    place: 'old-market',
    name: 'Old Market',
    line: `Talk is free when you stand beside people. The regional channel costs ${formatCount(REGIONAL_MESSAGE_GOLD)} gold a message, party search ${formatCount(PARTY_SEARCH_MESSAGE_GOLD)}.`,
  },
] as const
