/** The demo world's tournaments. */

export type DemoTournament = {
  name: string
  about: string
  kind: 'players' | 'clubs'
  format: 'single' | 'double' | 'groups'
  thirdPlace: boolean
  state: 'announced' | 'drawn' | 'finalised'
  /** Of the strongest characters: the first that takes part, and how many. */
  from: number
  entries: number
  maxEntries: number
  clubs?: readonly string[]
  /** The day of the first match, counted from today, and its hour in Manila. */
  startsInDays: number
  hour: number
  /** How many rounds are played, and how many matches of the last of them; null is all. */
  rounds: number
  lastRound: number | null
  /** By place. */
  prizes: readonly { currency: 'r_coin' | 'milleage' | 'item'; amount: number }[]
}

export const tournaments: readonly DemoTournament[] = [
  {
    name: 'Rainy Season Double',
    about:
      'Eight players, two lives each, one dry court.\nBest of three, no potions above rank 2, and whoever is late by ten minutes buys the taho.',
    kind: 'players',
    format: 'double',
    thirdPlace: false,
    state: 'finalised',
    from: 2,
    entries: 8,
    maxEntries: 8,
    startsInDays: -24,
    hour: 20,
    rounds: 99,
    lastRound: null,
    prizes: [
      { currency: 'r_coin', amount: 2000 },
      { currency: 'milleage', amount: 3000 },
      { currency: 'item', amount: 1 },
    ],
  },
  {
    name: 'Rooftop Cup',
    about:
      'Sixteen of the strongest meet on the roof. One defeat and you carry the speakers down.\nMatches are fought on channel 3. Be there ten minutes early; after ten minutes of waiting it is a walkover.',
    kind: 'players',
    format: 'single',
    thirdPlace: true,
    state: 'drawn',
    from: 0,
    entries: 16,
    maxEntries: 16,
    startsInDays: -1,
    hour: 20,
    rounds: 2,
    lastRound: 2,
    prizes: [
      { currency: 'r_coin', amount: 3000 },
      { currency: 'r_coin', amount: 1500 },
      { currency: 'milleage', amount: 2000 },
    ],
  },
  {
    name: 'Foundation Week Duel',
    about:
      'Open to everybody from level 50, new faces most of all. Best of three, every school, every class.\nRegister with the character you will play, and do not forget to check in.',
    kind: 'players',
    format: 'single',
    thirdPlace: true,
    state: 'announced',
    from: 20,
    entries: 19,
    maxEntries: 32,
    startsInDays: 6,
    hour: 20,
    rounds: 0,
    lastRound: null,
    prizes: [
      { currency: 'r_coin', amount: 2500 },
      { currency: 'r_coin', amount: 1000 },
      { currency: 'milleage', amount: 2000 },
    ],
  },
  {
    name: 'Parol Night Club War',
    about:
      'Clubs in groups, then finals under the lanterns. Five fighters a club and match; the leader registers, checks in and takes the prize home to share.',
    kind: 'clubs',
    format: 'groups',
    thirdPlace: false,
    state: 'announced',
    from: 45,
    entries: 6,
    maxEntries: 16,
    clubs: [
      'Bukang Liwayway',
      'Hanging Amihan',
      'Batang Estero',
      'Tala at Kidlat',
      'Dakilang Tropa',
      'Alon ng Silangan',
    ],
    startsInDays: 20,
    hour: 19,
    rounds: 0,
    lastRound: null,
    prizes: [
      { currency: 'r_coin', amount: 5000 },
      { currency: 'r_coin', amount: 2000 },
    ],
  },
]
