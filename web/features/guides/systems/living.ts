import { CHAT_COSTS } from '#contract/instructions-messages.ts'
import { RANKING_SIZE } from '#contract/limits.ts'
import { RANKINGS } from '#contract/messages.ts'
import type { SystemSection } from './system-types.ts'

/** Where, with whom, with what, and until when. */
export const channels: SystemSection = {
  id: 'channels',
  title: 'Channels and chat',
  lead: 'Six channels all day, two more at night, and two kinds of shouting that cost money.',
  blocks: [
    { kind: 'figure', figure: 'channels' },
    {
      kind: 'text',
      text: 'All channels are the same campus. Change in the game menu; your party moves together. Field bosses appear on 1 to 6 only, and channel 8 is the quiet one. Hours and limits are on the [server information](/serverinfo) sheet.',
    },
    {
      kind: 'table',
      caption: 'Who hears you',
      head: ['Channel', 'Heard by', 'Cost'],
      rows: [
        ['Normal', 'Everyone near you', 'free'],
        ['Whisper', 'One person', 'free'],
        ['Party, club', 'Your party, your club', 'free'],
        [CHAT_COSTS.regional.channel, 'The whole region', CHAT_COSTS.regional.cost],
        [CHAT_COSTS.partySearch.channel, 'Everyone looking for a party', CHAT_COSTS.partySearch.cost],
      ],
    },
  ],
}

export const purses: SystemSection = {
  id: 'currencies',
  title: 'Gold, R-Coin, Milleage',
  lead: 'Three kinds of money that never turn into each other. That is on purpose.',
  blocks: [
    { kind: 'figure', figure: 'purses' },
    {
      kind: 'list',
      lines: [
        '**Gold** is the game’s. It falls, it is traded, and the richest board counts what you carry.',
        '**R-Coin** belongs to your account and comes from voucher codes: [Top Up R-Coin](/topup). A code works once.',
        '**Milleage** belongs to your account and comes from playing: 60 for every full hour from level 10, up to 300 a day.',
      ],
    },
    {
      kind: 'note',
      text: 'Each thing in the [item shop](/itemshop) has one price in one of the two account currencies; the mark beside the price says which. Nothing there makes you hit harder in a club war.',
    },
  ],
}

export const parcels: SystemSection = {
  id: 'locker',
  title: 'Lockers and deliveries',
  lead: 'What you buy here waits in the locker of your school, usually before you have closed the tab.',
  blocks: [
    { kind: 'figure', figure: 'parcel' },
    {
      kind: 'list',
      lines: [
        'Every unit is a parcel of its own. **Queued** means paid and on its way, **delivered** means in the locker, **claimed** means in your hands.',
        'During maintenance parcels wait. If one cannot be delivered, it is **refunded** in the currency it was paid with.',
        'The locker is also your bank: things and gold in it cannot be lost in a fight.',
        'The second password guards it. You set it in [My Account](/user).',
      ],
    },
    { kind: 'note', text: 'Each parcel and its state stand in your [Purchase History](/shoppurchases).' },
  ],
}

export const month: SystemSection = {
  id: 'month',
  title: 'The month',
  lead: 'A month is a race. It ends at midnight in Manila, whatever your own clock says.',
  blocks: [
    { kind: 'figure', figure: 'month' },
    {
      kind: 'text',
      text: `${RANKINGS.noteReset} At 00:00 on the first the boards close, the top ${RANKING_SIZE} of each is kept for good, and everybody starts at zero kills, deaths and resu. Levels, money and MMR are simply shown as they stand.`,
    },
    {
      kind: 'table',
      caption: 'What each board counts',
      head: ['Board', 'Counts', 'On the first'],
      rows: [
        ['Resu', 'Resurrections of the month', 'starts at 0'],
        ['MMR', 'The rating at the moment', 'goes on'],
        ['Level', 'The level at the moment', 'goes on'],
        ['Richest', 'The gold carried at the moment', 'goes on'],
        ['Killer', 'Kills and deaths of the month', 'starts at 0'],
      ],
    },
    {
      kind: 'note',
      text: 'On a tie the higher level stands above. Staff and blocked accounts are never listed. See this month and the closed ones in the [rankings](/rankings).',
    },
  ],
}
