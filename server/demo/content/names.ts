import { juanCharacters, mariaCharacters } from './characters.ts'
import {
  belongings,
  campus,
  campusKinds,
  curatedNames,
  firstNames,
  grounds,
  handles,
  heads,
  lastNames,
  lateFood,
  lateHours,
  nicknamesHe,
  nicknamesShe,
  numbers,
  origins,
  places,
  singles,
  streets,
  titlesHe,
  titlesShe,
  traits,
} from './names-parts.ts'

/** Returns a number from 0 (included) to 1 (excluded); the same sequence gives the same names. */
export type Random = () => number

const NAME_SHAPE = /^[A-Za-z0-9_]{3,16}$/
const ID_SHAPE = /^[A-Za-z0-9_]{4,20}$/
const TRIES_PER_NAME = 200

const reservedIds = ['juan', 'maria', 'gm', 'admin', 'administrator', 'root', 'staff', 'tambayan']
const nicknames = [...nicknamesHe, ...nicknamesShe]

type Pattern = { weight: number; make: (random: Random) => string }

const characterPatterns: Pattern[] = [
  { weight: 12, make: (random) => pick(random, singles) },
  { weight: 13, make: (random) => withNumber(random, pick(random, singles)) },
  { weight: 12, make: (random) => addressed(random) },
  { weight: 14, make: (random) => `${pick(random, nicknames)}${pick(random, ['', '_'])}${pick(random, places)}` },
  { weight: 10, make: (random) => withNumber(random, pick(random, nicknames)) },
  { weight: 7, make: (random) => `${pick(random, nicknames)}_${lastName(random)}` },
  { weight: 9, make: (random) => `${pick(random, belongings)}Ni${pick(random, nicknames)}` },
  { weight: 4, make: (random) => `${pick(random, heads)}Ng${pick(random, grounds)}` },
  { weight: 4, make: (random) => `${pick(random, origins)}${pick(random, places)}` },
  { weight: 4, make: (random) => `${pick(random, lateFood)}${pick(random, ['', '_'])}${pick(random, lateHours)}` },
  { weight: 3, make: (random) => `${pick(random, streets)}${pick(random, ['_St', '_Ave', 'St', '_Corner'])}` },
  { weight: 3, make: (random) => `${pick(random, ['Si', 'Ang'])}${pick(random, traits)}` },
  { weight: 5, make: (random) => `${pick(random, campus)}${pick(random, campusKinds)}` },
  { weight: 3, make: (random) => pick(random, handles) },
]

const idPatterns: Pattern[] = [
  { weight: 5, make: (random) => withNumber(random, pick(random, nicknames)) },
  { weight: 6, make: (random) => `${pick(random, nicknames)}_${lastName(random)}` },
  { weight: 5, make: (random) => withNumber(random, `${pick(random, firstNames)}${lastName(random).charAt(0)}`) },
  { weight: 4, make: (random) => `${pick(random, firstNames)}_${lastName(random)}` },
  { weight: 4, make: (random) => withNumber(random, pick(random, singles)) },
  { weight: 2, make: (random) => withNumber(random, pick(random, campus)) },
  { weight: 1, make: (random) => pick(random, handles) },
]

/**
 * Distinct character names (also without regard to case), 3 to 16 of A–Z a–z 0–9 _. The first ones are curated;
 * names of the demo players' own characters are left out.
 */
export function characterNames(random: Random, count: number): string[] {
  const taken = [...juanCharacters, ...mariaCharacters].map((character) => character.name)
  const make = () => styled(random, fromPatterns(random, characterPatterns))
  return collect({ count, first: curatedNames, taken, shape: NAME_SHAPE, make })
}

/** Distinct user IDs (also without regard to case), 4 to 20 of A–Z a–z 0–9 _, none of the demo accounts'. */
export function playerIds(random: Random, count: number): string[] {
  const make = () => {
    const id = fromPatterns(random, idPatterns)
    return random() < 0.8 ? id.toLowerCase() : id
  }
  return collect({ count, first: [], taken: reservedIds, shape: ID_SHAPE, make })
}

/** First and last names of players, not necessarily distinct. */
export function personNames(random: Random, count: number): { first: string; last: string }[] {
  return Array.from({ length: count }, () => ({
    first: pick(random, firstNames),
    last: pick(random, lastNames).replaceAll('_', ' '),
  }))
}

type Collection = { count: number; first: string[]; taken: string[]; shape: RegExp; make: () => string }

/** The curated names, then generated ones until there are `count` different names of the right shape. */
function collect({ count, first, taken, shape, make }: Collection): string[] {
  const seen = new Set(taken.map((name) => name.toLowerCase()))
  const names: string[] = []
  const add = (name: string) => {
    const key = name.toLowerCase()
    if (!shape.test(name) || seen.has(key)) return
    seen.add(key)
    names.push(name)
  }
  for (const name of first.slice(0, count)) add(name)
  for (let tries = 0; names.length < count; tries += 1) {
    if (tries > count * TRIES_PER_NAME) throw new RangeError(`Only ${names.length} of ${count} names could be made.`)
    add(make())
  }
  return names
}

/** A nickname with its form of address: KuyaJepoy, AlingNita. */
function addressed(random: Random): string {
  return random() < 0.5
    ? `${pick(random, titlesHe)}${pick(random, nicknamesHe)}`
    : `${pick(random, titlesShe)}${pick(random, nicknamesShe)}`
}

function withNumber(random: Random, name: string): string {
  return `${name}${pick(random, ['', '', '_'])}${pick(random, numbers)}`
}

function lastName(random: Random): string {
  return pick(random, lastNames).replaceAll('_', '')
}

/** Varies the spelling: some names are in lower case, a few are between two x. */
function styled(random: Random, name: string): string {
  const roll = random()
  if (roll < 0.22) return name.toLowerCase()
  if (roll < 0.24) return `x${name}x`
  return name
}

function fromPatterns(random: Random, patterns: Pattern[]): string {
  const total = patterns.reduce((sum, pattern) => sum + pattern.weight, 0)
  let left = random() * total
  for (const pattern of patterns) {
    left -= pattern.weight
    if (left < 0) return pattern.make(random)
  }
  throw new RangeError('A random number must be from 0 up to, not including, 1.')
}

function pick(random: Random, list: string[]): string {
  const value = list[Math.floor(random() * list.length)]
  if (value === undefined) throw new RangeError('A random number must be from 0 up to, not including, 1.')
  return value
}
