import { USER_ID_MAX, USER_ID_MIN } from '#contract/limits.ts'

type FirstStep = {
  title: string
  text: string
  links: readonly { to: string; label: string }[]
}

/** The quick guide for beginners: from nothing to the first hour. */
export const FIRST_STEPS: readonly FirstStep[] = [
  {
    title: 'Register',
    text: `Two minutes and one account. You need a user ID of ${USER_ID_MIN} to ${USER_ID_MAX} characters, an e-mail address you can open, and a secret answer you will still remember next year.`,
    links: [{ to: '/register', label: 'Sign up' }],
  },
  {
    title: 'Download',
    text: 'The full client is one file for Windows, and a ten-year-old laptop will do. Let it download while you read on. On a phone you can follow along here, but not play.',
    links: [{ to: '/downloads', label: 'Game Download' }],
  },
  {
    title: 'First login',
    text: 'On the computer you will play on, log in here, open My Account and ask for your connection to be whitelisted. Then start the game with the same user ID.',
    links: [
      { to: '/user', label: 'My Account' },
      { to: '/serverinfo', label: 'Server times' },
    ],
  },
  {
    title: 'School and class',
    text: 'All nine classes exist in all three schools, with the same numbers. The school is where you come home to; the class is what your hands do all evening.',
    links: [
      { to: '/story', label: 'Story' },
      { to: '#class-guide', label: 'Class guide' },
    ],
  },
  {
    title: 'Your first hour',
    text: 'Take the guard’s errand at the gate, put your first skill on F1, and clear the yard until level 5. M is the map, I is the inventory. At level 8 your teacher has two more skills.',
    links: [
      { to: '/instructions', label: 'Instructions' },
      { to: '/gamesystem', label: 'Game System' },
    ],
  },
]

/** Suggestions for players who cannot decide on a class. */
export const IF_YOU = [
  { wish: 'start alone', keys: ['brawler', 'extreme'] },
  { wish: 'bring friends', keys: ['shaman', 'shaper'] },
  { wish: 'like distance', keys: ['archer', 'gunner'] },
  { wish: 'love duels', keys: ['swordsman', 'assassin'] },
] as const
