import { CHAT_COSTS } from '#contract/instructions-messages.ts'
import type { Block } from './blocks.ts'
import { PART_KEYS, type PartKey } from './part-keys.ts'

type Part = {
  title: string
  /** Keys that open or use it, as the plates in the list show them. */
  keys: readonly string[]
  /** What it is for, in one line. */
  line: string
  /** What the letters on the close-up point at; `at` is the letter's place on the drawing. */
  legend: readonly { at: readonly [x: number, y: number]; name: string; text: string }[]
  body: readonly Block[]
}

/** The nine regions and what their popups say. */
export const PARTS: Readonly<Record<PartKey, Part>> = {
  status: {
    title: 'Character status',
    keys: ['C'],
    line: 'How you are doing: level, HP, SP, experience and everything that works on you.',
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
      { at: [286, 64], name: 'Experience', text: 'Yellow. Full means a level and three points to give away.' },
      {
        at: [196, 84],
        name: 'What works on you',
        text: 'Food, charms and curses. Point at one to read how long it lasts.',
      },
    ],
    body: [
      'The window in the upper left corner is the only one you should be able to read without looking at it. It never closes.',
      'Under a third of your HP the red bar begins to beat, and so does the edge of the screen. That is the moment for the key you have put food on.',
      {
        list: [
          'Press `C` or click the emblem for the long version: attributes, attack, defence, the kills, deaths and resurrections of your whole life.',
          'Each level brings three points for strength, dexterity, spirit and stamina. Given points stay given, unless you own a skill reset slip.',
          'Click your own bars to choose yourself, for instance to heal.',
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
    keys: ['1', '6'],
    line: 'Six pockets for food and potions, under the keys 1 to 6.',
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
      'Drag something from the [inventory](/instructions?part=inventory) onto a pocket. From then on its key uses it, and the pocket fills itself from your inventory for as long as there is any.',
      {
        steps: [
          'Open the inventory with `I`.',
          'Drag the food onto a pocket. The pile stays in the inventory; the pocket only points at it.',
          'Press the pocket’s number. To empty a pocket, drag it out into the open.',
        ],
      },
      {
        list: [
          'Only things that are used up belong here. Skills have their own [slots](/instructions?part=skills), rides and gestures [another](/instructions?part=shortcuts).',
          'Things of one kind wait together: after a soup, every soup rests for ten seconds.',
          'An empty pile turns grey and keeps its place until you buy more.',
        ],
      },
      { tip: 'Most of us keep HP under 1 and SP under 2. Then you can sit down at anybody’s computer and live.' },
    ],
  },
  skills: {
    title: 'Skill quick slot',
    keys: ['F1', 'F4'],
    line: 'Your four skills for the fight, under the keys F1 to F4.',
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
          'Drag a learned skill onto one of the four slots. A slot that is taken changes places with the newcomer.',
          'Press the key with an enemy chosen, or a friend, if the skill is for friends.',
        ],
      },
      {
        table: {
          caption: 'A layout you will not regret',
          head: ['Key', 'What belongs there'],
          rows: [
            ['`F1`', 'What you press most: the short attack'],
            ['`F2`', 'What starts a fight: the pull, the dash, the first shot'],
            ['`F3`', 'What stops an enemy: stun, slow, wall, trap'],
            ['`F4`', 'What saves somebody: block, heal, resurrection, escape'],
          ],
        },
      },
      { tip: 'Slots can be changed in the middle of a fight, but not while a skill is being cast or cools down.' },
    ],
  },
  chat: {
    title: 'Chat window',
    keys: ['Enter'],
    line: 'Six channels, two of them paid. The word before the line says who hears you.',
    legend: [
      { at: [222, 17], name: 'Tabs', text: 'All, or only the channels you choose with a right click.' },
      { at: [-9, 69], name: 'Channel', text: 'Every line begins with it, in its own colour.' },
      { at: [162, 157], name: 'Name', text: 'Right-click: whisper, invite, add as a friend, mute.' },
      { at: [250, 190], name: 'Your line', text: 'Channel first, then up to 80 characters.' },
    ],
    body: [
      'Press `Enter`, write, press `Enter` again. `Ctrl + Tab` goes to the next channel; a paid one shows its price before you send.',
      {
        table: {
          caption: 'Channels and what they cost',
          head: ['Channel', 'Heard by', 'Cost'],
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
          'In the party search channel your level, class and channel are added by themselves. Click a name there to ask for an invitation.',
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
    keys: ['Alt + 1', 'Alt + 8'],
    line: 'Eight places for everything you do outside a fight: gestures, rides, windows, sentences.',
    legend: [
      { at: [48, 6], name: 'Gesture', text: 'Waves, bows, says thank you.' },
      { at: [96, 6], name: 'Ride', text: 'Gets on and off. Not inside fights, not on stairs.' },
      { at: [144, 6], name: 'Window', text: 'Opens what you dragged here by its title.' },
      { at: [96, 91], name: 'Sentence', text: 'Up to 80 characters that you send with one click.' },
    ],
    body: [
      'The two rows in the lower right corner belong to you alone. Drag something onto a place, then click it or hold `Alt` and press its number, `1` to `8`.',
      {
        table: {
          caption: 'What can stand in the shortcut slot',
          head: ['What', 'Where it is dragged from'],
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
          'Attacks and heals are refused here. They belong into the [skill quick slot](/instructions?part=skills).',
          'The small lock at the end keeps you from moving anything by accident.',
        ],
      },
      { tip: 'Put the thank-you gesture under 1. You will be glad on a resu marathon night.' },
    ],
  },
  inventory: {
    title: 'Inventory (key I)',
    keys: ['I'],
    line: 'What you carry: five pages of things, your gold, your weight.',
    legend: [
      { at: [238, 38], name: 'Pages', text: 'Five of them; the last is for errands and cannot be sold by mistake.' },
      { at: [88, 62], name: 'A pile', text: 'The number is how many. Shift and drag to split it.' },
      { at: [170, 135], name: 'Worn out', text: 'A red corner: repair it before it breaks.' },
      { at: [138, 267], name: 'Gold', text: 'What you carry. Only this counts on the richest board.' },
      { at: [140, 236], name: 'Weight', text: 'Over nine tenths you walk; you do not run any more.' },
    ],
    body: [
      'Press `I`. The window opens where you closed it, and it stays open while you walk.',
      {
        list: [
          'Double-click wears, eats or opens a thing. Point at it to read what it does and compare it with what you wear.',
          'Drag it out of the window to drop it. The game asks once, and a **padlock** on the thing answers for you.',
          'Sort by kind, by price or by how long you have carried it: the three small buttons above the gold.',
          'Food goes from here to the [item quick slot](/instructions?part=items).',
        ],
      },
      'What you buy in the [item shop](/itemshop) does not arrive here but in your item bank: the locker of your own school, usually within two minutes. Take it out at the locker; timed things start to count only when you put them on.',
      {
        tip: 'Trades above one million gold ask for your second password. Set it in [My Account](/user) before you need it.',
      },
    ],
  },
  map: {
    title: 'Map (key M)',
    keys: ['M'],
    line: 'Half transparent, so that you can keep walking while you read it.',
    legend: [
      { at: [136, 47], name: 'Yellow lamp', text: 'Stairs or a door to another map.' },
      { at: [67, 110], name: 'White dot', text: 'A party member. Hollow means they have fallen.' },
      { at: [62, 46], name: 'School crest', text: 'Teacher, locker and shop of that school.' },
      { at: [200, 94], name: 'Small rope', text: 'The border of a club area. Its tax applies behind it.' },
      { at: [139, 132], name: 'Grey cross', text: 'Where you fell last; gone after ten minutes.' },
    ],
    body: [
      'Press `M` and the corner map grows over the screen; press it again and it goes back. Your character walks on in the direction you last gave.',
      {
        list: [
          'Click a lamp to get a line on the ground. It shows the shortest way, not the safest.',
          'Hold the right mouse button to move the map, turn the wheel to enlarge it.',
          'Leaders: double-click to set a mark that the whole party sees.',
          'The arrow is you; it points where you look, not where you walk.',
        ],
      },
      'Maps of floors you have never been to are empty. They fill while you walk, once and for all your characters.',
      {
        tip: 'Press `M` at the door, before you go through, and close it on the other side. The whole campus is on the [story page](/story).',
      },
    ],
  },
  keys: {
    title: 'Shortcut keys type A and B',
    keys: ['A', 'B'],
    line: 'Two complete sets of keys. Choose one in the options, key O.',
    legend: [],
    body: [
      '**Type A** is for a hand on the mouse: you click to walk, and the letters under your left hand fight. Every new character starts with it. **Type B** is for a hand on the keyboard: `W` `A` `S` `D` walk, and the number block turns the camera.',
      'Choose under Options, `O`, page Keys. The choice belongs to the character, not to the account.',
    ],
  },
  mouse: {
    title: 'Mouse control type A and B',
    keys: ['A', 'B'],
    line: 'Which button walks and which one turns the camera.',
    legend: [],
    body: [
      '**Type A**: the left button walks and chooses, the right button turns the camera. **Type B**: the other way round. Nothing else is really different, and yet nobody changes back.',
      'Choose under Options, `O`, page Mouse. Mouse and [keys](/instructions?part=keys) are chosen separately: A with B is allowed.',
      { tip: 'Do you turn the camera by accident while fighting? Then the other mouse type is yours.' },
    ],
  },
}

/** Where a part stands among the nine, from 1. */
export function partNumber(key: PartKey): number {
  return PART_KEYS.indexOf(key) + 1
}
