import { CHAT_COSTS } from '#contract/instructions-messages.ts'
import { WHITELIST_MAX } from '#contract/limits.ts'
import type { Fact, ServerInfo, WeekEntry } from '#contract/settings.ts'

/** The values of our demo server, which stand on the server information sheet until the operators write their own at the desk. */

export const DEMO_NOTE = 'These are the values of the demo server this site comes with.'

export const RATES: readonly Fact[] = [
  { name: 'Experience', value: '×3', note: 'In full for the whole party, up to five levels apart.' },
  { name: 'Drop', value: '×2', note: 'Bosses and errands keep their own tables.' },
  { name: 'Gold', value: '×2', note: 'From enemies. Vendors pay what they always paid.' },
]

export const NUMBERS: readonly Fact[] = [
  { name: 'Level cap', value: '150', note: 'The last ten are slow.' },
  { name: 'Largest party', value: '8', note: 'Four are ideal.' },
  { name: 'Characters', value: '6', note: 'On each account.' },
  { name: 'Channels', value: '6 + 2', note: 'Two for the evening.' },
  { name: 'Whitelist', value: String(WHITELIST_MAX), note: 'Places you play from.' },
  { name: 'Milleage an hour', value: '60', note: 'Up to 300 a day.' },
]

export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const [TUESDAY, SATURDAY] = [1, 5]

export const WEEK: readonly WeekEntry[] = [
  {
    name: 'Maintenance',
    value: 'Tuesday, 5:00 to 6:30 AM',
    note: 'On the first Tuesday of the month until 8:00 AM. Warnings 30, 10 and 3 minutes before.',
    color: 'red',
    spans: [{ day: TUESDAY, from: 5, to: 6.5 }],
  },
  {
    name: 'Club war',
    value: 'Saturday, 9:00 to 10:00 PM',
    note: 'Sign-up until Friday, 12:00 noon: eight members of level 40, 500,000 gold.',
    color: 'blue',
    spans: [{ day: SATURDAY, from: 21, to: 22 }],
  },
  {
    name: 'Channels 7 and 8',
    value: 'Every day, 9:00 PM to 2:00 AM',
    note: 'On Friday and Saturday nights until 4:00 AM. No field bosses there.',
    color: 'green',
    spans: DAYS.flatMap((_, day) => [
      { day, from: 21, to: 24 },
      { day: (day + 1) % 7, from: 0, to: day === 4 || day === 5 ? 4 : 2 },
    ]),
  },
]

export const MONTH: Fact = {
  name: 'Season and rankings',
  value: '1st, 00:00',
  note: 'Kills, deaths and resu start again from zero; level, gold and MMR stay. The closed month’s top 100 is kept forever, and its parcels are in the lockers on the second day at noon.',
}

export const CHAT: readonly Omit<Fact, 'note'>[] = Object.values(CHAT_COSTS).map(({ channel, cost }) => ({
  name: channel,
  value: cost,
}))

/** Fair play in six lines; the operation policy has the rules in full. */
export const RULES: readonly { title: string; text: string }[] = [
  { title: 'No bots', text: 'One press of a key is one action. If you sleep, you do not level.' },
  {
    title: 'No modified client',
    text: 'Files are checked at every start; speed, walls and prices are decided on the server.',
  },
  {
    title: 'No gold for money',
    text: 'The goods are taken back and the account is suspended for 30 days. A second time ends it.',
  },
  { title: 'No arranged wins', text: 'Kills, rescues and duels set up for a ranking are taken out of it.' },
  { title: 'Tell us first', text: 'A bug you report earns our thanks. A bug you use does not.' },
  { title: 'Shops are welcome', text: 'One connection may have as many players as it has chairs.' },
]

export const HELP: readonly { name: string; text: string; to: string; label: string }[] = [
  {
    name: 'A new place',
    text: 'The game lets an account in only from connections it knows. Whitelist a new one under My Account, on the computer you play on.',
    to: '/user',
    label: 'My Account',
  },
  {
    name: 'Vouchers',
    text: 'R-Coin comes from voucher codes. Each works once, for one account, and is case-sensitive.',
    to: '/topup',
    label: 'Top Up R-Coin',
  },
  {
    name: 'Support',
    text: 'Four people, about sixty tickets a day, most answered before dinner. Staff never ask for a password.',
    to: '/ticket',
    label: 'Submit Ticket',
  },
]

export const SERVER_INFO: ServerInfo = {
  intro: DEMO_NOTE,
  rates: RATES,
  numbers: NUMBERS,
  week: WEEK,
  month: MONTH,
  chat: CHAT,
  rules: RULES,
  help: HELP,
}
