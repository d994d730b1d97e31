import { parts } from '#content/files.ts'
import { readText } from './read.ts'
import { pick, type Random } from './world.ts'

const NAME_SHAPE = /^[A-Za-z0-9_]{3,16}$/
const ID_SHAPE = /^[A-Za-z0-9_]{4,20}$/
const TRIES_PER_NAME = 200

const RESERVED_IDS = ['juan', 'maria', 'gm', 'admin', 'administrator', 'root', 'staff', 'tambayan']

/** The lists of names by the first word of their headings. */
const lists = new Map(
  parts.parse(readText('tables/names.md')).map(({ title, text }) => [title.replace(/:.*/, ''), text.split(/\s+/)]),
)

/** Returns the names of a list. @throws when there is no such list */
function readNameList(name: string): readonly string[] {
  const list = lists.get(name)
  if (list === undefined) throw new Error(`demo/tables/names.md has no list “${name}”.`)
  return list
}

const draw = (random: Random, list: string) => pick(random, readNameList(list))
const drawNickname = (random: Random) => pick(random, [...readNameList('nicknamesHe'), ...readNameList('nicknamesShe')])
const drawLastName = (random: Random) => draw(random, 'lastNames').replaceAll('_', '')
const withNumber = (random: Random, name: string) => `${name}${pick(random, ['', '', '_'])}${draw(random, 'numbers')}`

/** A nickname with its form of address: KuyaJepoy, AlingNita. */
const drawAddressed = (random: Random) =>
  random() < 0.5
    ? `${draw(random, 'titlesHe')}${draw(random, 'nicknamesHe')}`
    : `${draw(random, 'titlesShe')}${draw(random, 'nicknamesShe')}`

type Pattern = { weight: number; make: (random: Random) => string }

const CHARACTER_PATTERNS: Pattern[] = [
  { weight: 12, make: (random) => draw(random, 'singles') },
  { weight: 13, make: (random) => withNumber(random, draw(random, 'singles')) },
  { weight: 12, make: (random) => drawAddressed(random) },
  { weight: 14, make: (random) => `${drawNickname(random)}${pick(random, ['', '_'])}${draw(random, 'places')}` },
  { weight: 10, make: (random) => withNumber(random, drawNickname(random)) },
  { weight: 7, make: (random) => `${drawNickname(random)}_${drawLastName(random)}` },
  { weight: 9, make: (random) => `${draw(random, 'belongings')}Ni${drawNickname(random)}` },
  { weight: 4, make: (random) => `${draw(random, 'heads')}Ng${draw(random, 'grounds')}` },
  { weight: 4, make: (random) => `${draw(random, 'origins')}${draw(random, 'places')}` },
  { weight: 4, make: (random) => `${draw(random, 'lateFood')}${pick(random, ['', '_'])}${draw(random, 'lateHours')}` },
  { weight: 3, make: (random) => `${draw(random, 'streets')}${pick(random, ['_St', '_Ave', 'St', '_Corner'])}` },
  { weight: 3, make: (random) => `${pick(random, ['Si', 'Ang'])}${draw(random, 'traits')}` },
  { weight: 5, make: (random) => `${draw(random, 'campus')}${draw(random, 'campusKinds')}` },
  { weight: 3, make: (random) => draw(random, 'handles') },
]

const ID_PATTERNS: Pattern[] = [
  { weight: 5, make: (random) => withNumber(random, drawNickname(random)) },
  { weight: 6, make: (random) => `${drawNickname(random)}_${drawLastName(random)}` },
  { weight: 5, make: (random) => withNumber(random, `${draw(random, 'firstNames')}${drawLastName(random).charAt(0)}`) },
  { weight: 4, make: (random) => `${draw(random, 'firstNames')}_${drawLastName(random)}` },
  { weight: 4, make: (random) => withNumber(random, draw(random, 'singles')) },
  { weight: 2, make: (random) => withNumber(random, draw(random, 'campus')) },
  { weight: 1, make: (random) => draw(random, 'handles') },
]

/**
 * Names for so many characters, 3 to 16 of A–Z a–z 0–9 _, no two of which differ only in case. The first ones are curated;
 * the names that are `taken` are left out.
 */
export function characterNames(random: Random, count: number, taken: readonly string[]): string[] {
  const make = () => vary(random, drawFrom(random, CHARACTER_PATTERNS))
  return collect({ count, first: readNameList('curatedNames'), taken, shape: NAME_SHAPE, make })
}

/** Returns user IDs of 4 to 20 characters of A–Z a–z 0–9 _. They differ in more than case, also from the demo accounts'. */
export function playerIds(random: Random, count: number): string[] {
  const make = () => {
    const id = drawFrom(random, ID_PATTERNS)
    return random() < 0.8 ? id.toLowerCase() : id
  }
  return collect({ count, first: [], taken: RESERVED_IDS, shape: ID_SHAPE, make })
}

/** Returns first and last names of `count` players; some occur twice. */
export function personNames(random: Random, count: number): { first: string; last: string }[] {
  return Array.from({ length: count }, () => ({
    first: draw(random, 'firstNames'),
    last: draw(random, 'lastNames').replaceAll('_', ' '),
  }))
}

type Collection = {
  count: number
  first: readonly string[]
  taken: readonly string[]
  shape: RegExp
  make: () => string
}

/** The first names, then generated ones until there are `count` different names of the right shape. */
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

/** Varies the spelling: some names are in lower case, a few are between two x. */
function vary(random: Random, name: string): string {
  const roll = random()
  if (roll < 0.22) return name.toLowerCase()
  if (roll < 0.24) return `x${name}x`
  return name
}

function drawFrom(random: Random, patterns: Pattern[]): string {
  const total = patterns.reduce((sum, pattern) => sum + pattern.weight, 0)
  let left = random() * total
  for (const pattern of patterns) {
    left -= pattern.weight
    if (left < 0) return pattern.make(random)
  }
  throw new RangeError('A random number must be from 0 up to, not including, 1.')
}
