import { CHAT_COSTS } from '#contract/instructions-messages.ts'
import { NEW_PASSWORD_MIN, PASSWORD_MAX, WHITELIST_MAX } from '#contract/limits.ts'
import type { Block } from './blocks.ts'

export type Chapter = {
  /** The chapter's place in the page's address. */
  id: string
  title: string
  body: readonly Block[]
  /** Printed on the card beside the text. */
  facts: readonly (readonly [name: string, value: string])[]
  links?: readonly { to: string; label: string }[]
}

/** The guide around the picture, in the order a new player needs it. */
export const CHAPTERS: readonly Chapter[] = [
  {
    id: 'getting-in',
    title: 'Getting in',
    body: [
      'From this page to the front yard takes a quarter of an hour, most of which is the download.',
      {
        steps: [
          `[Sign up](/register). The user ID has 4 to 20 letters and digits, the password ${NEW_PASSWORD_MIN} to ${PASSWORD_MAX}. Use an e-mail address you can open; the reset link goes there.`,
          '[Download the full client](/downloads), unpack it, start the launcher. It is made for Windows. On a phone you can read all of this, but not play it.',
          'Let your connection in: log in on this site on the machine you want to play on, open [My Account](/user) and have the current IP whitelisted.',
          'Start the game, choose a channel that is less than half full, and make a character: school, class, name.',
        ],
      },
      'The school decides where you come home to, not how strong you are. The class decides everything else, so look at the [quick guide and the nine classes](/characters) first. Names have up to 16 characters, and staff have read worse than yours.',
      {
        tip: 'At a cousin’s house or in a computer shop you have to whitelist once more. It takes a few seconds, and nothing is broken.',
      },
    ],
    facts: [
      ['Full client', '2.9 GB'],
      ['Disk space', '3GB+'],
      ['Connections an account remembers', String(WHITELIST_MAX)],
      ['Costs', 'nothing'],
    ],
    links: [
      { to: '/downloads', label: 'Download the client' },
      { to: '/characters', label: 'Quick guide and classes' },
    ],
  },
  {
    id: 'moving',
    title: 'Moving about',
    body: [
      'In type A you click where you want to go; in type B you walk with `W` `A` `S` `D`. Try both for an evening each before you choose: regions [8](/instructions?part=keys) and [9](/instructions?part=mouse) of the picture show every key and both mice.',
      {
        list: [
          'The small yellow lamps on the [map](/instructions?part=map) are doors and stairs. Click one and a line on the ground shows the way.',
          '`Space` dodges. It costs a little SP and saves a lot of HP.',
          'Sitting brings back HP and SP about three times as fast. Not beside a ghost.',
          'From level 18 you can ride. Skates are fast in hallways and terrible on grass; the carabao is the other way round.',
          'Jeepney terminals take you to any terminal you have visited before. The stop you have never walked to, you walk to.',
        ],
      },
      'If you fall off the Sky Bridge you wake at its foot. If you are stuck between a locker and a wall, type **/unstuck** and wait ten seconds.',
    ],
    facts: [
      ['Dodge', 'Space'],
      ['Map', 'M'],
      ['First ride', 'level 18'],
      ['Rooftop door', 'level 20'],
    ],
  },
  {
    id: 'fighting',
    title: 'Fighting',
    body: [
      'Choose an enemy by clicking it or with `Tab`, then press `F1`. That is the whole of it until level 5. After that it helps to think in four keys: one that hits, one that begins, one that stops, one that saves.',
      {
        table: {
          caption: 'Colours of a name',
          head: ['Colour', 'What it tells you'],
          rows: [
            ['Grey', 'More than ten levels below you: no experience in it'],
            ['White', 'Your size'],
            ['Amber', 'Up to five levels above you: bring food'],
            ['Red', 'More than that: bring friends'],
          ],
        },
      },
      {
        list: [
          'Fight beside a door. Of three ghosts only two can reach you there.',
          'When you fall, you can wait five minutes for a shaman or an extreme, or wake in your school with two percent less experience.',
          'Duels are asked for and accepted. Only on open maps and the rooftop stairs, from level 20, does nobody ask.',
          'If your connection breaks, your character leaves the world after 15 seconds. In a party the leader may call you back within five minutes.',
        ],
      },
      { tip: 'Repair weapons always, boots at a third. Nobody has ever died of boots.' },
    ],
    facts: [
      ['Skill quick slot', 'F1 – F4'],
      ['Item quick slot', '1 – 6'],
      ['Next enemy', 'Tab'],
      ['A fall costs', '2 % experience'],
    ],
    links: [{ to: '/gamesystem', label: 'How fights are counted' }],
  },
  {
    id: 'levels',
    title: 'Levels and where to find them',
    body: [
      'Experience comes from fights, errands and being in a party that does both. The first twenty levels fit into one sitting; the last ten are a way of life.',
      {
        table: {
          caption: 'Where to be at which level',
          head: ['Level', 'Place', 'Worth knowing'],
          rows: [
            ['1 to 5', 'Front yard', 'The guard at the gate has your first weapon'],
            ['5 to 12', 'Second floor hallway', 'Ghosts come in groups of three'],
            ['12 to 25', 'Library basement', 'Do not go alone'],
            ['25 to 45', 'Flooded quad', 'Boots help; so does not minding the smell'],
            ['45 to 70', 'Boiler room', 'Copper, heat, half a million gold an hour'],
            ['70 and up', 'Rooftop at night', 'In a party, with a healer, with respect'],
          ],
        },
      },
      'At level 8 your teacher has your second and third skill; from then on every second level brings a skill point. Every level brings three stat points; you give them away in the character window, `C`, and get them back only with a skill reset slip.',
    ],
    facts: [
      ['Highest level', '150'],
      ['Stat points a level', '3'],
      ['Resting bonus', 'none: sleep for yourself'],
    ],
    links: [{ to: '/rankings', label: 'Who is ahead this month' }],
  },
  {
    id: 'parties',
    title: 'Parties',
    body: [
      'A party is up to eight people who share experience, sight on the map and, in the end, jokes. Four are ideal below level 70. One of them should be able to bring the others back.',
      {
        steps: [
          'Open the party window, `P`, and press **New party**. Or right-click a name and choose **Invite**.',
          'Gold is shared by itself. Gear goes round in turns, and whoever cannot use it may pass.',
          'Nobody near you? Write one line in the party search channel and wait. It is read more often than you think.',
        ],
      },
      {
        list: [
          'Up to five levels apart each of you gets the full experience; farther apart it is less.',
          'You share what your party defeats near you. Whoever waits at the gate gets nothing.',
          'The leader can mark one enemy and one place for all: `Ctrl` and click.',
          'Channels change together. Nobody is left behind in the dark one.',
        ],
      },
    ],
    facts: [
      ['Largest party', '8'],
      ['Full experience', 'up to 5 levels apart'],
      ['Party search', CHAT_COSTS.partySearch.cost],
    ],
  },
  {
    id: 'clubs',
    title: 'Clubs and club war',
    body: [
      'A club is the reason most of us are still here. It takes three people to found one and one free hour a week to keep it.',
      {
        list: [
          'Found it at the guard house: a leader of level 30, two more founders, 300,000 gold. The name has up to 16 characters.',
          'Make somebody an officer on the first day. A club with one boss sleeps when the boss does.',
          'Club war is on Saturday at 9:00 PM and lasts an hour. Sign up by Friday, 12:00 noon; you need eight members of level 40.',
          'Three areas can be won: Covered Court, Old Market and Sky Bridge. One club holds one of them at most and sets its tax, 0 to 5 percent, for the week.',
          'Inside the areas charms and foods rest. What is left is what you can do.',
        ],
      },
      'Who owns what today, and what it costs to sell there, stands on the [home page](/).',
    ],
    facts: [
      ['To found one', '300,000 gold'],
      ['To sign up for war', '500,000 gold'],
      ['Fighters in an area', '24 a club'],
      ['Club window', 'G or U'],
    ],
    links: [{ to: '/gamesystem', label: 'How a war is won' }],
  },
  {
    id: 'talking',
    title: 'Talking',
    body: [
      '`Enter` opens the line, `Enter` sends it. Normal, whisper, party and club cost nothing. Two channels do, so that they stay worth reading:',
      {
        table: {
          caption: 'The two channels that cost gold',
          head: ['Channel', 'Cost'],
          rows: [
            [CHAT_COSTS.regional.channel, CHAT_COSTS.regional.cost],
            [CHAT_COSTS.partySearch.channel, CHAT_COSTS.partySearch.cost],
          ],
        },
      },
      'Any language of the islands is welcome. If someone asks for English or Filipino, switch; they want to understand you. A campus megaphone from the [item shop](/itemshop) replaces the gold for ten regional messages, a party finder beeper that of the search for a week. Neither replaces having something to say.',
    ],
    facts: [
      ['Write and send', 'Enter'],
      ['Next channel', 'Ctrl + Tab'],
      ['Longest line', '80 characters'],
    ],
    links: [{ to: '/instructions?part=chat', label: 'The chat window in detail' }],
  },
  {
    id: 'shop',
    title: 'Shop and item bank',
    body: [
      'There are two purses. **R-Coin** comes from voucher codes, **Milleage** from playing: 60 for every full hour from level 10, up to 300 a day. Each item has one price in one of the two.',
      {
        steps: [
          'Choose something in the [item shop](/itemshop) and put it into the cart, or buy it at once. The site asks before anything is taken.',
          'It travels to your item bank, the locker of your own school, within a minute or two. During maintenance it waits at the gate.',
          'Open the locker with your second password and carry it off. It stays in the bank until you do; nothing there runs out.',
        ],
      },
      'Gold is a third thing. You earn it by fighting and selling, and no real money may ever touch it. Who sells gold loses it, and the second time the account.',
      { tip: 'Voucher codes are case-sensitive and good once. Do not post a photo of one, not even to be helpful.' },
    ],
    facts: [
      ['R-Coin', 'from voucher codes'],
      ['Milleage', '60 an hour, 300 a day'],
      ['Trades above 1,000,000 gold', 'second password'],
    ],
    links: [
      { to: '/itemshop', label: 'Item Shop' },
      { to: '/topup', label: 'Top Up R-Coin' },
    ],
  },
  {
    id: 'etiquette',
    title: 'Etiquette, and where to find us',
    body: [
      'The rules are in the [operation policy](/operationpolicy). These are not rules. They are how you get invited a second time.',
      {
        list: [
          'Say hello in the party before you start hitting things.',
          'Thank whoever brings you back. There is a gesture for it.',
          'An enemy that somebody else is fighting is somebody else’s enemy.',
          'Pick up what you can wear and ask before you pick up the rest.',
          'When an opponent’s connection breaks in a duel, put both fists down and wait.',
          'If you have to go because rice is burning, say so. Everybody understands rice.',
        ],
      },
      'Something does not work, somebody is rude, something is missing? [Submit a ticket](/ticket) with your user ID, the channel, the map and the time as exactly as you can. We are four people and about sixty tickets a day, and staff **never** ask for your password.',
    ],
    facts: [
      ['Screenshot', 'F12'],
      ['Mute somebody', 'right-click the name'],
      ['Maintenance', 'Tuesday, 5:00 AM'],
    ],
    links: [
      { to: '/ticket', label: 'Submit a ticket' },
      { to: '/serverinfo', label: 'Rates and times' },
    ],
  },
]
