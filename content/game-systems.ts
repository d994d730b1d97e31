import { CHAT_COSTS } from '#contract/instructions-messages.ts'
import { RANKING_SIZE } from '#contract/limits.ts'
import { RANKINGS } from '#contract/messages.ts'
import type { Block } from './prose.ts'

/** The drawings that the sections ask for; `web/features/guides/system-figures.tsx` draws them. */
export type SystemFigure =
  | 'levels'
  | 'fight'
  | 'areas'
  | 'schools'
  | 'resu'
  | 'mmr'
  | 'channels'
  | 'purses'
  | 'parcel'
  | 'refining'
  | 'month'

type SystemSection = {
  /** The section's anchor on the page. */
  id: string
  title: string
  /** The one sentence to remember. */
  lead: string
  body: readonly Block<SystemFigure>[]
}

/** The game's systems, in the order in which a new player meets them. */
export const SYSTEM_SECTIONS: readonly SystemSection[] = [
  {
    id: 'levels',
    title: 'Levels and stats',
    lead: 'Experience makes levels, levels make points, and points make the difference between two brawlers.',
    body: [
      'You gain experience from what you defeat, from errands, and from a share of what your party defeats near you. A party of four loses nothing by sharing: each of you gets the full amount up to five levels apart, less beyond that.',
      { figure: 'levels' },
      'Each level gives **three stat points**, every second level **one skill point** to take to your teacher. The skills you could learn wait for you; none of them runs away.',
      {
        table: {
          caption: 'What the four stats do',
          columns: ['Stat', 'Raises'],
          rows: [
            ['Strength', 'Damage of fists, blades and drawn bows; what you can carry'],
            ['Dexterity', 'Hitting, dodging, attack and casting speed'],
            ['Spirit', 'Spells, heals, the amount of SP and how fast it returns'],
            ['Stamina', 'HP, defence, and how long you can sprint'],
          ],
        },
      },
      {
        note: 'Falling to a monster costs two percent of the level’s experience, never a level. A resurrection gives half of it back. Wrong points? A skill reset slip from the [item shop](/itemshop) gives all of them back.',
      },
    ],
  },
  {
    id: 'schools',
    title: 'Schools',
    lead: 'Three houses, the same nine classes, the same numbers. You choose where you come home to.',
    body: [
      { figure: 'schools' },
      'Your school decides your starting yard, your teacher, your locker, and the colour and crest you wear in the [rankings](/rankings). Parties, clubs and friendships cross every border.',
      {
        note: 'Changing school later costs you the month’s rank. Visit all three with a level 1 character first; it takes an hour. The long version is in [the story](/story).',
      },
    ],
  },
  {
    id: 'drops',
    title: 'Drops and refining',
    lead: 'What falls is luck. What becomes of it is patience, and knowing when to stop.',
    body: [
      'Monsters drop gold, food, materials and now and then gear. In a party, gear goes to each of you in turn, and those who cannot use it may pass. What lies on the ground is yours alone for thirty seconds and everybody’s after that.',
      { figure: 'refining' },
      'The smith in each workshop refines weapons and armour for copper and a fee. Up to +4 it always works. From +5 on, a failure takes one level off; nothing ever breaks.',
      {
        table: {
          caption: 'Chance of a refinement',
          columns: ['To', 'Copper', 'Chance', 'If it fails'],
          rows: [
            ['+1 to +4', '1', '100%', '–'],
            ['+5, +6', '3', '70%', 'one level down'],
            ['+7, +8', '6', '45%', 'one level down'],
            ['+9, +10', '12', '20%', 'one level down'],
          ],
        },
      },
      {
        note: 'Two failures, then go to bed. A rooftop sharpening kit saves the level once; it is in the [item shop](/itemshop), and half of the market sells it cheaper on Sunday morning.',
      },
    ],
  },
  {
    id: 'channels',
    title: 'Channels and chat',
    lead: 'Six channels all day, two more at night, and two kinds of shouting that cost money.',
    body: [
      { figure: 'channels' },
      'All channels are the same campus. Switch in the game menu; your party moves together. Field bosses appear on 1 to 6 only, and channel 8 is the quiet one. Hours and limits are on the [server information](/serverinfo) sheet.',
      {
        table: {
          caption: 'Who hears you',
          columns: ['Channel', 'Heard by', 'Cost'],
          rows: [
            ['Normal', 'Everyone near you', 'free'],
            ['Whisper', 'One person', 'free'],
            ['Party, club', 'Your party, your club', 'free'],
            [CHAT_COSTS.regional.channel, 'The whole region', CHAT_COSTS.regional.cost],
            [CHAT_COSTS.partySearch.channel, 'Everyone looking for a party', CHAT_COSTS.partySearch.cost],
          ],
        },
      },
    ],
  },
  {
    id: 'fights',
    title: 'Fights between players',
    lead: 'Kills and deaths are counted, by the month, in public. Choose where you stand.',
    body: [
      { figure: 'fight' },
      {
        table: {
          caption: 'Where players may fight',
          columns: ['Place', 'Rule'],
          rows: [
            ['Yards, lobbies, canteens', 'No fighting between players'],
            ['Hallways, quad, boiler room', 'Duels, if both say yes'],
            ['Open maps and rooftop stairs', 'Open fights from level 20, without asking'],
            ['Club areas', 'During a war: everybody who signed up'],
            ['Channel 8', 'Duels on the Covered Court only'],
          ],
        },
      },
      'A **kill** counts for whoever struck last, a **death** for whoever fell. Both are on the killer board of the [rankings](/rankings?tab=killer), counted from the first of the month. Your lifetime numbers stay in the character status window.',
      {
        list: [
          'The same person counts once an hour. The second time is only rude.',
          'More than fifteen levels below you: no kill, but still a death.',
          'The winner on an open map picks up one percent of the gold the other carried. Use your locker.',
          'A player whose connection breaks leaves the world after 15 seconds. In a club war that is not a death.',
        ],
      },
    ],
  },
  {
    id: 'resu',
    title: 'Resu',
    lead: 'Everyone knows who has the most kills. Resu counts who brought them back.',
    body: [
      { figure: 'resu' },
      'Resu is the **resurrection score**: one for every fallen player brought back by a [shaman](/characters?class=shaman) or an [extreme](/characters?class=extreme). That is why its board offers only these two classes.',
      {
        list: [
          'Raised friends and raised strangers count the same.',
          'The same person counts again after three minutes.',
          'Duels do not count. Nobody really falls in a duel.',
          'The board counts from the first of the month: [resu ranking](/rankings?tab=resu).',
        ],
      },
    ],
  },
  {
    id: 'mmr',
    title: 'MMR',
    lead: 'A number that finds you somebody about as good as you. Everyone begins at 1,000.',
    body: [
      { figure: 'mmr' },
      'Only ranked duels move it; you sign up for them at the duel board of the Covered Court. Your first twenty count double, so the number looks wild in the first week.',
      {
        note: 'From the fifth duel against the same person on one day, nothing counts. MMR is not reset: the [board](/rankings?tab=mmr) shows it as it stands when the month closes.',
      },
    ],
  },
  {
    id: 'clubs',
    title: 'Clubs and the three areas',
    lead: 'A club may hold one area and set its tax. Where nobody holds it, the club is none and the tax is 0%.',
    body: [
      { figure: 'areas' },
      'A club needs a leader of level 30, two founders and 300,000 gold at the guard house. With eight members of level 40 it may sign up for the war: **Saturday, 9:00 PM to 10:00 PM**, sign-up until Friday noon, for one area.',
      {
        list: [
          'Raise your banner on the area’s pole. Each full minute it stays up is a point.',
          'A resurrection by your shaman or extreme is a quarter of a point.',
          'Level on points? Fewer deaths win.',
          'Each club may bring 24 fighters; charms and food do nothing.',
        ],
      },
      {
        note: 'The owner sets a tax of 0 to 5 percent on what is sold in the area, changed once a week. Half goes to the club, half into event prizes. Today’s owner and tax are on the [home page](/).',
      },
    ],
  },
  {
    id: 'currencies',
    title: 'Gold, R-Coin, Milleage',
    lead: 'Three kinds of money that never turn into each other. That is on purpose.',
    body: [
      { figure: 'purses' },
      {
        list: [
          '**Gold** is the game’s. It drops, it is traded, and the richest board counts what you carry.',
          '**R-Coin** belongs to your account and comes from voucher codes: [Top Up R-Coin](/topup). A code works once.',
          '**Milleage** belongs to your account and comes from playing: 60 for every full hour from level 10, up to 300 a day.',
        ],
      },
      {
        note: 'Each item in the [item shop](/itemshop) has one price in one of the two account currencies; the mark beside the price says which. Nothing there makes you hit harder in a club war.',
      },
    ],
  },
  {
    id: 'locker',
    title: 'Lockers and deliveries',
    lead: 'What you buy here waits in the locker of your school, usually before you have closed the tab.',
    body: [
      { figure: 'parcel' },
      {
        list: [
          'Every unit is a parcel of its own. **Queued** means paid and on its way, **delivered** means in the locker, **claimed** means in your hands.',
          'During maintenance parcels wait. If one cannot be delivered, it is **refunded** in the currency it was paid with.',
          'The locker is also your bank: things and gold in it cannot be lost in a fight.',
          'The second password guards it. You set it in [My Account](/user).',
        ],
      },
      { note: 'Every parcel and its state are listed in your [Purchase History](/shoppurchases).' },
    ],
  },
  {
    id: 'month',
    title: 'The month',
    lead: 'A month is a race. It ends at midnight in Manila, whatever your own clock says.',
    body: [
      { figure: 'month' },
      `${RANKINGS.noteReset} At 00:00 on the first the boards close, the top ${RANKING_SIZE} of each is kept for good, and everybody starts at zero kills, deaths and resu. Levels, money and MMR are simply shown as they stand.`,
      {
        table: {
          caption: 'What each board counts',
          columns: ['Board', 'Counts', 'On the first'],
          rows: [
            ['Resu', 'Resurrections of the month', 'starts at 0'],
            ['MMR', 'Your current rating', 'goes on'],
            ['Level', 'Your current level', 'goes on'],
            ['Richest', 'The gold you carry now', 'goes on'],
            ['Killer', 'Kills and deaths of the month', 'starts at 0'],
          ],
        },
      },
      {
        note: 'In a tie, the higher level comes first. Staff and blocked accounts are never listed. See this month and the past ones in the [rankings](/rankings).',
      },
    ],
  },
]
