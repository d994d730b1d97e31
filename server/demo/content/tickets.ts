import type { TicketCategory } from '#contract/ticket-messages.ts'
import type { TicketState } from '#contract/tickets.ts'

type DemoTicket = {
  number: string
  category: TicketCategory
  subject: string
  state: TicketState
  aboutCharacter: boolean
  messages: { from: 'juan' | 'GM Bituin'; minutesAgo: number; text: string; withScreenshot?: true }[]
}

const HOUR = 60
const DAY = 24 * HOUR

/** What juan wrote to support: one ticket of each state, the oldest first. */
export const tickets: DemoTicket[] = [
  {
    number: 'T-K4RW-7HQZ',
    category: 'payment',
    subject: 'Code from the anniversary stream says it was used',
    state: 'closed',
    aboutCharacter: false,
    messages: [
      {
        from: 'juan',
        minutesAgo: 23 * DAY,
        text: 'Magandang gabi po. I typed the code from the anniversary stream and the site says it was already used. I tried it once only.\n\nIt is the first one that was shown, at about 8:40 in the evening.',
      },
      {
        from: 'GM Bituin',
        minutesAgo: 23 * DAY - 5 * HOUR,
        text: 'Hello Juan, that code was on screen for everybody, and somebody was four seconds faster. A code is good once.\n\nThe stream has one more batch this Friday, with a code for each of the first fifty who raise a hand. We cannot hand this one out twice.',
      },
      {
        from: 'juan',
        minutesAgo: 22 * DAY,
        text: 'Ay, sayang. Four seconds! Okay, salamat po. See you on Friday.',
      },
    ],
  },
  {
    number: 'T-9TJC-XM3E',
    category: 'bug',
    subject: 'Stuck inside the jeepney at the terminal',
    state: 'answered',
    aboutCharacter: true,
    messages: [
      {
        from: 'juan',
        minutesAgo: 2 * DAY,
        text: 'My character stands inside the jeepney beside the sari-sari store and cannot get out. Walking, jumping and logging in again do not help. I can still chat, so everybody says hi to the man in the jeepney.',
        withScreenshot: true,
      },
      {
        from: 'GM Bituin',
        minutesAgo: 2 * DAY - 3 * HOUR,
        text: 'Thank you for the picture, it shows exactly where. We moved your character to the plaza; please log in again.\n\nThe door of that jeepney opens the wrong way since Tuesday’s update. The fix comes with the next maintenance. Are you out?',
      },
    ],
  },
  {
    number: 'T-PB6N-D2VA',
    category: 'player-report',
    subject: 'Somebody sells R-Coin in the plaza',
    state: 'open',
    aboutCharacter: false,
    messages: [
      {
        from: 'juan',
        minutesAgo: 3 * HOUR,
        text: 'Since this afternoon somebody at the fountain offers cheap R-Coin for a password. Two new players nearly gave theirs. I told them that no one from the server ever asks for it.',
      },
    ],
  },
]
