import { CHAT_COSTS } from '#contract/instructions-messages.ts'
import { NEW_PASSWORD_MIN, PASSWORD_MAX, WHITELIST_MAX } from '#contract/limits.ts'
import type { Block } from './prose.ts'

/** The nine regions of the interface picture in the order of SPEC §2.10. `?part=` opens the popup of one of them. */
export const PART_KEYS = [
  'status',
  'items',
  'skills',
  'chat',
  'shortcuts',
  'inventory',
  'map',
  'keys',
  'mouse',
] as const

export type PartKey = (typeof PART_KEYS)[number]

/** The region that `?part=` names, or null without one or for an unknown one. Letter case does not matter. */
export function readPart(query: URLSearchParams): PartKey | null {
  const wanted = query.get('part')?.toLowerCase()
  return PART_KEYS.find((key) => key === wanted) ?? null
}

/** The address of the guide, or of the popup of one of its regions. */
export function partPath(part: PartKey | null): string {
  return part === null ? '/instructions' : `/instructions?part=${part}`
}

type Part = {
  title: string
  /** What it is for, in one line. */
  line: string
  /** What the letters on the enlarged drawing point at; `at` is the place of the letter in the drawing's coordinates. */
  legend: readonly { at: readonly [x: number, y: number]; name: string; text: string }[]
  body: readonly Block[]
}

/** The texts of the nine regions. */
export const PARTS: Readonly<Record<PartKey, Part>> = {
  status: {
    title: 'Character status',
    line: 'How you are doing: level, HP, SP, experience and everything that affects you.',
    legend: [
      {
        at: [8, 70],
        name: 'Class and level',
        text: 'Your emblem on the colours of your school. Click it to open the character window.',
      },
      { at: [286, 26], name: 'HP', text: 'Red. At zero you fall, and somebody with a resurrection has to like you.' },
      {
        at: [286, 46],
        name: 'SP',
        text: 'Blue. Every skill costs some; it comes back by itself, faster while you sit.',
      },
      { at: [286, 64], name: 'Experience', text: 'Yellow. Full means a new level and three points to spend.' },
      {
        at: [196, 84],
        name: 'Active effects',
        text: 'Food, charms and curses. Point at one to read how long it lasts.',
      },
    ],
    body: [
      'The window in the upper left corner is the only one you should be able to read without looking at it. It never closes.',
      'Under a third of your HP the red bar begins to beat, and so does the edge of the screen. That is the moment for the key you have put food on.',
      {
        list: [
          'Press `C` or click the emblem for the long version: attributes, attack, defence, and your lifetime kills, deaths and resurrections.',
          'Each level brings three points for strength, dexterity, spirit and stamina. Points once spent stay spent, unless you own a skill reset slip.',
          'Click your own bars to target yourself, for instance with a heal.',
          'Drag the window by its upper edge to any corner. Party members line up below it, with the same bars, smaller.',
        ],
      },
      {
        tip: 'Clover, lamp and bowl side by side are three effects at once. Two foods never work together: the later one wins.',
      },
    ],
  },
  items: {
    title: 'Item quick slot',
    line: 'Six pockets for food and potions, on the keys 1 to 6.',
    legend: [
      { at: [-6, 12], name: 'Key', text: 'The number that uses this pocket.' },
      { at: [149, 84], name: 'How many', text: 'What is left in your whole inventory, not only in this pile.' },
      {
        at: [138, 6],
        name: 'Waiting',
        text: 'The grey shade runs out clockwise. Until then the item cannot be used again.',
      },
    ],
    body: [
      'Drag something from the [inventory](/instructions?part=inventory) onto a pocket. From then on its key uses it, and the pocket refills itself from your inventory for as long as there is any left.',
      {
        steps: [
          'Open the inventory with `I`.',
          'Drag the food onto a pocket. The pile stays in the inventory; the pocket only points at it.',
          'Press the pocket’s number. To empty a pocket, drag it out into the open.',
        ],
      },
      {
        list: [
          'Only things that are used up belong here. Skills have [slots of their own](/instructions?part=skills), and so do [rides and gestures](/instructions?part=shortcuts).',
          'Things of one kind wait together: after a soup, every soup rests for ten seconds.',
          'An empty pile turns grey and keeps its place until you buy more.',
        ],
      },
      { tip: 'Most of us keep HP under 1 and SP under 2. Then you can sit down at anybody’s computer and live.' },
    ],
  },
  skills: {
    title: 'Skill quick slot',
    line: 'Your four skills for a fight, on the keys F1 to F4.',
    legend: [
      { at: [65, 8], name: 'Skill', text: 'Dragged here from the skill window, key K.' },
      { at: [123, 80], name: 'Key', text: 'F1 to F4, the same in shortcut type A and B.' },
      { at: [191, 8], name: 'Cooling down', text: 'The number counts the seconds.' },
      { at: [254, 8], name: 'Not enough SP', text: 'A blue edge: the skill would work, you would not.' },
    ],
    body: [
      'Four slots, `F1` to `F4`. They are few on purpose: the game is about choosing what to carry, not about playing the piano.',
      {
        steps: [
          'Open the skill window with `K`.',
          'Drag a learned skill onto one of the four slots. If the slot is taken, the old skill makes way.',
          'Press the key with an enemy as your target, or a friend if the skill is meant for friends.',
        ],
      },
      {
        table: {
          caption: 'A layout you will not regret',
          columns: ['Key', 'What belongs there'],
          rows: [
            ['`F1`', 'What you press most: the short attack'],
            ['`F2`', 'What starts a fight: the pull, the dash, the first shot'],
            ['`F3`', 'What stops an enemy: stun, slow, wall, trap'],
            ['`F4`', 'What saves somebody: block, heal, resurrection, escape'],
          ],
        },
      },
      { tip: 'Slots can be changed in the middle of a fight, but not while a skill is being cast or is cooling down.' },
    ],
  },
  chat: {
    title: 'Chat window',
    line: 'Six channels, two of them paid. The word before each line says who hears it.',
    legend: [
      { at: [222, 17], name: 'Tabs', text: 'All, or only the channels you choose with a right-click.' },
      { at: [-9, 69], name: 'Channel', text: 'Every line begins with it, in its own colour.' },
      { at: [162, 157], name: 'Name', text: 'Right-click: whisper, invite, add as a friend, mute.' },
      { at: [250, 190], name: 'Your line', text: 'Channel first, then up to 80 characters.' },
    ],
    body: [
      'Press `Enter`, write, press `Enter` again. `Ctrl + Tab` goes to the next channel; a paid one shows its price before you send.',
      {
        table: {
          caption: 'Channels and what they cost',
          columns: ['Channel', 'Heard by', 'Cost'],
          rows: [
            ['Normal', 'Everyone near you', 'free'],
            ['Whisper', 'One person', 'free'],
            ['Party', 'Your party', 'free'],
            ['Club', 'Your club', 'free'],
            [CHAT_COSTS.regional.channel, 'The whole region', CHAT_COSTS.regional.cost],
            [CHAT_COSTS.partySearch.channel, 'Everyone looking for a party', CHAT_COSTS.partySearch.cost],
          ],
        },
      },
      {
        list: [
          'The gold is taken when the message goes out. Without enough gold nothing is sent and nothing is lost.',
          'In the party search channel your level, class and channel are added automatically. Click a name there to ask for an invitation.',
          'Mute somebody from the menu on their name. It lasts until you lift it, and they are not told.',
        ],
      },
      {
        tip: 'A good search line says where, what level and whom you need: **LFM boiler room, lv 50 to 60, need 1 shaman, ch 4.**',
      },
    ],
  },
  shortcuts: {
    title: 'Shortcut slot',
    line: 'Eight places for everything you do outside a fight: gestures, rides, windows, sentences.',
    legend: [
      { at: [48, 6], name: 'Gesture', text: 'Waves, bows, says thank you.' },
      { at: [96, 6], name: 'Ride', text: 'Gets on and off. Not in a fight, not on stairs.' },
      { at: [144, 6], name: 'Window', text: 'Opens what you dragged here by its title.' },
      { at: [96, 91], name: 'Sentence', text: 'Up to 80 characters that you send with one click.' },
    ],
    body: [
      'The two rows in the lower right corner belong to you alone. Drag something onto a place, then click it or hold `Alt` and press its number, `1` to `8`.',
      {
        table: {
          caption: 'What can go in the shortcut slot',
          columns: ['What', 'Where to drag it from'],
          rows: [
            ['A gesture', 'The gestures page of the character window, `C`'],
            ['A ride, a tool, a ticket', 'The inventory, `I`'],
            ['A window', 'The window’s own title bar'],
            ['A sentence', 'The chat window: right-click a line of yours'],
            ['A skill without a target', 'The skill window, `K`, for instance a long blessing'],
          ],
        },
      },
      {
        list: [
          'Attacks and heals are refused here. They belong in the [skill quick slot](/instructions?part=skills).',
          'The small lock at the end keeps you from moving anything by accident.',
        ],
      },
      { tip: 'Put the thank-you gesture on 1. You will be glad of it on a resu marathon night.' },
    ],
  },
  inventory: {
    title: 'Inventory (key I)',
    line: 'What you carry: five pages of things, your gold, your weight.',
    legend: [
      {
        at: [238, 38],
        name: 'Pages',
        text: 'Five of them; the last is for errands, and nothing on it can be sold by mistake.',
      },
      { at: [88, 62], name: 'A pile', text: 'The number is how many. Shift and drag to split it.' },
      { at: [170, 135], name: 'Worn out', text: 'A red corner: repair it before it breaks.' },
      { at: [138, 267], name: 'Gold', text: 'What you carry. Only this counts on the richest board.' },
      { at: [140, 236], name: 'Weight', text: 'Above nine tenths you can only walk, not run.' },
    ],
    body: [
      'Press `I`. The window opens where you closed it, and it stays open while you walk.',
      {
        list: [
          'A double-click wears, eats or opens a thing. Point at it to read what it does and to compare it with what you are wearing.',
          'Drag it out of the window to drop it. The game asks once, and a **padlock** on the thing answers for you.',
          'Sort by kind, by price or by how long you have carried it: the three small buttons above the gold.',
          'Food goes from here to the [item quick slot](/instructions?part=items).',
        ],
      },
      'What you buy in the [item shop](/itemshop) does not arrive here but in your item bank: the locker of your own school, usually within two minutes. Take it out at the locker; timed items start counting only when you put them on.',
      {
        tip: 'Trades above one million gold ask for your second password. Set it in [My Account](/user) before you need it.',
      },
    ],
  },
  map: {
    title: 'Map (key M)',
    line: 'Half transparent, so that you can keep walking while you read it.',
    legend: [
      { at: [136, 47], name: 'Yellow lamp', text: 'Stairs or a door to another map.' },
      { at: [67, 110], name: 'White dot', text: 'A party member. Hollow means they have fallen.' },
      { at: [62, 46], name: 'School crest', text: 'Teacher, locker and shop of that school.' },
      { at: [200, 94], name: 'Small rope', text: 'The border of a club area. Its tax applies behind it.' },
      { at: [139, 132], name: 'Grey cross', text: 'Where you fell last; gone after ten minutes.' },
    ],
    body: [
      'Press `M` and the corner map grows over the screen; press it again and it goes back. Your character keeps walking in the direction you last gave.',
      {
        list: [
          'Click a lamp to get a line on the ground. It shows the shortest way, not the safest.',
          'Hold the right mouse button to move the map, and turn the wheel to zoom.',
          'Leaders: double-click to set a mark that the whole party sees.',
          'The arrow is you; it points where you look, not where you walk.',
        ],
      },
      'Maps of floors you have never been to are empty. They fill in as you walk, once for all your characters.',
      {
        tip: 'Press `M` at the door, before you go through, and close it on the other side. The whole campus is on the [story page](/story).',
      },
    ],
  },
  keys: {
    title: 'Shortcut keys type A and B',
    line: 'Two complete sets of keys. Choose one in the options, key O.',
    legend: [],
    body: [
      '**Type A** is for a hand on the mouse: you click to walk, and the letters under your left hand fight. Every new character starts with it. **Type B** is for a hand on the keyboard: `W` `A` `S` `D` walk, and the number block turns the camera.',
      'Choose under Options, `O`, page Keys. The choice belongs to the character, not to the account.',
    ],
  },
  mouse: {
    title: 'Mouse control type A and B',
    line: 'Which button walks and which one turns the camera.',
    legend: [],
    body: [
      '**Type A**: the left button walks and selects, the right button turns the camera. **Type B**: the other way round. Nothing else is really different, and yet nobody changes back.',
      'Choose under Options, `O`, page Mouse. Mouse and [keys](/instructions?part=keys) are chosen separately: A with B is allowed.',
      { tip: 'Do you keep turning the camera by accident in a fight? Then the other mouse type is for you.' },
    ],
  },
}

/** The number of a region in the picture, 1 to 9. */
export function partNumber(key: PartKey): number {
  return PART_KEYS.indexOf(key) + 1
}

type Chapter = {
  /** The chapter's anchor on the page. */
  id: string
  title: string
  body: readonly Block[]
  /** Shown on the card beside the text. */
  facts: readonly (readonly [name: string, value: string])[]
  links?: readonly { to: string; label: string }[]
}

/** The chapters of the guide, in the order in which a new player needs them. */
export const CHAPTERS: readonly Chapter[] = [
  {
    id: 'getting-in',
    title: 'Getting in',
    body: [
      'Getting from this page to the front yard takes a quarter of an hour, most of which is the download.',
      {
        steps: [
          `[Sign up](/register). The user ID has 4 to 20 letters and digits, the password ${NEW_PASSWORD_MIN} to ${PASSWORD_MAX} characters. Use an e-mail address you can open; the reset link goes there.`,
          '[Download the full client](/downloads), unpack it and start the launcher. It is made for Windows. On a phone you can read all of this, but not play it.',
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
          'Jeepney terminals take you to any terminal you have visited before. A stop you have never been to, you have to walk to.',
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
      'Select an enemy by clicking it or with `Tab`, then press `F1`. That is the whole of it until level 5. After that it helps to think in four keys: one that hits, one that begins, one that stops, one that saves.',
      {
        table: {
          caption: 'Colours of a name',
          columns: ['Colour', 'What it tells you'],
          rows: [
            ['Grey', 'More than ten levels below you: no experience to be had'],
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
      { tip: 'Always repair your weapon; your boots, at a third. Nobody has ever died of boots.' },
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
          columns: ['Level', 'Place', 'Worth knowing'],
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
      'At level 8 your teacher has your second and third skill; from then on every second level brings a skill point. Every level brings three stat points; you spend them in the character window, `C`, and get them back only with a skill reset slip.',
    ],
    facts: [
      ['Highest level', '150'],
      ['Stat points per level', '3'],
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
          'Gold is shared automatically. Gear goes to each of you in turn, and those who cannot use it may pass.',
          'Nobody near you? Write one line in the party search channel and wait. It is read more often than you think.',
        ],
      },
      {
        list: [
          'Up to five levels apart, each of you gets the full experience; farther apart, it is less.',
          'You share what your party defeats near you. Those who wait at the gate get nothing.',
          'The leader can mark one enemy and one place for everyone: `Ctrl` and click.',
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
          'Inside the areas, charms and food do nothing. What is left is what you can do.',
        ],
      },
      'Who owns what today, and what it costs to sell there, is on the [home page](/).',
    ],
    facts: [
      ['To found one', '300,000 gold'],
      ['To sign up for war', '500,000 gold'],
      ['Fighters in an area', '24 per club'],
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
          columns: ['Channel', 'Cost'],
          rows: [
            [CHAT_COSTS.regional.channel, CHAT_COSTS.regional.cost],
            [CHAT_COSTS.partySearch.channel, CHAT_COSTS.partySearch.cost],
          ],
        },
      },
      'Any language of the islands is welcome. If someone asks for English or Filipino, switch; they want to understand you. A campus megaphone from the [item shop](/itemshop) pays for ten regional messages, a party finder beeper for a week of searches. Neither replaces having something to say.',
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
          'Choose something in the [item shop](/itemshop) and put it in your cart, or buy it at once. The site asks before anything is taken.',
          'It travels to your item bank, the locker of your own school, within a minute or two. During maintenance it waits at the gate.',
          'Open the locker with your second password and carry it off. It stays in the bank until you do; nothing there runs out.',
        ],
      },
      'Gold is a third thing. You earn it by fighting and selling, and no real money may ever touch it. Anyone who sells gold loses it, and the second time their account.',
      { tip: 'Voucher codes are case-sensitive and work once. Do not post a photo of one, not even to be helpful.' },
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
          'If you have to go because the rice is burning, say so. Everybody understands rice.',
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
