import { headedSections } from '#content/files.ts'
import { readText } from './read.ts'
import { pickRandom, type Random } from './world.ts'

const NAME_SHAPE = /^[A-Za-z0-9_]{3,16}$/
const ID_SHAPE = /^[A-Za-z0-9_]{4,20}$/
const TRIES_PER_NAME = 200

const RESERVED_IDS = ['juan', 'maria', 'gm', 'admin', 'administrator', 'root', 'staff', 'tambayan']

/** The lists of names by the first word of their headings. */
const nameLists = new Map(
  headedSections
    .parse(readText('tables/names.md'))
    .map(({ title, text }) => [title.replace(/:.*/, ''), text.split(/\s+/)]),
)

/** Returns the names of a list. @throws when there is no such list */
function readNameList(name: string): readonly string[] {
  const list = nameLists.get(name)
  if (list === undefined) throw new Error(`demo/tables/names.md has no list “${name}”.`)
  return list
}

const drawName = (random: Random, list: string) => pickRandom(random, readNameList(list))
const drawNickname = (random: Random) =>
  pickRandom(random, [...readNameList('nicknamesHe'), ...readNameList('nicknamesShe')])
const drawLastName = (random: Random) => drawName(random, 'lastNames').replaceAll('_', '')
const appendNumber = (random: Random, name: string) =>
  `${name}${pickRandom(random, ['', '', '_'])}${drawName(random, 'numbers')}`

/** Returns a nickname with a form of address, such as KuyaJepoy or AlingNita. */
const drawAddressed = (random: Random) =>
  random() < 0.5
    ? `${drawName(random, 'titlesHe')}${drawName(random, 'nicknamesHe')}`
    : `${drawName(random, 'titlesShe')}${drawName(random, 'nicknamesShe')}`

type Pattern = { weight: number; createName: (random: Random) => string }

const CHARACTER_PATTERNS: Pattern[] = [
  { weight: 12, createName: (random) => drawName(random, 'singles') },
  { weight: 13, createName: (random) => appendNumber(random, drawName(random, 'singles')) },
  { weight: 12, createName: (random) => drawAddressed(random) },
  {
    weight: 14,
    createName: (random) => `${drawNickname(random)}${pickRandom(random, ['', '_'])}${drawName(random, 'places')}`,
  },
  { weight: 10, createName: (random) => appendNumber(random, drawNickname(random)) },
  { weight: 7, createName: (random) => `${drawNickname(random)}_${drawLastName(random)}` },
  { weight: 9, createName: (random) => `${drawName(random, 'belongings')}Ni${drawNickname(random)}` },
  { weight: 4, createName: (random) => `${drawName(random, 'heads')}Ng${drawName(random, 'grounds')}` },
  { weight: 4, createName: (random) => `${drawName(random, 'origins')}${drawName(random, 'places')}` },
  {
    weight: 4,
    createName: (random) =>
      `${drawName(random, 'lateFood')}${pickRandom(random, ['', '_'])}${drawName(random, 'lateHours')}`,
  },
  {
    weight: 3,
    createName: (random) => `${drawName(random, 'streets')}${pickRandom(random, ['_St', '_Ave', 'St', '_Corner'])}`,
  },
  { weight: 3, createName: (random) => `${pickRandom(random, ['Si', 'Ang'])}${drawName(random, 'traits')}` },
  { weight: 5, createName: (random) => `${drawName(random, 'campus')}${drawName(random, 'campusKinds')}` },
  { weight: 3, createName: (random) => drawName(random, 'handles') },
]

const ID_PATTERNS: Pattern[] = [
  { weight: 5, createName: (random) => appendNumber(random, drawNickname(random)) },
  { weight: 6, createName: (random) => `${drawNickname(random)}_${drawLastName(random)}` },
  {
    weight: 5,
    createName: (random) => appendNumber(random, `${drawName(random, 'firstNames')}${drawLastName(random).charAt(0)}`),
  },
  { weight: 4, createName: (random) => `${drawName(random, 'firstNames')}_${drawLastName(random)}` },
  { weight: 4, createName: (random) => appendNumber(random, drawName(random, 'singles')) },
  { weight: 2, createName: (random) => appendNumber(random, drawName(random, 'campus')) },
  { weight: 1, createName: (random) => drawName(random, 'handles') },
]

/**
 * Returns `count` character names of 3 to 16 letters, digits and underscores that differ in more than letter case. The
 * first names are curated; the names in `takenNames` are omitted.
 */
export function createCharacterNames(random: Random, count: number, takenNames: readonly string[]): string[] {
  const createName = () => varyName(random, drawFromPatterns(random, CHARACTER_PATTERNS))
  return collectNames({
    count,
    curatedNames: readNameList('curatedNames'),
    takenNames,
    shape: NAME_SHAPE,
    createName,
  })
}

/**
 * Returns user IDs of 4 to 20 letters, digits and underscores. They differ in more than letter case, also from the demo
 * accounts.
 */
export function createPlayerIds(random: Random, count: number): string[] {
  const createName = () => {
    const id = drawFromPatterns(random, ID_PATTERNS)
    return random() < 0.8 ? id.toLowerCase() : id
  }
  return collectNames({ count, curatedNames: [], takenNames: RESERVED_IDS, shape: ID_SHAPE, createName })
}

/** Returns first and last names of `count` players; some occur twice. */
export function createPersonNames(random: Random, count: number): { first: string; last: string }[] {
  return Array.from({ length: count }, () => ({
    first: drawName(random, 'firstNames'),
    last: drawName(random, 'lastNames').replaceAll('_', ' '),
  }))
}

type Collection = {
  count: number
  curatedNames: readonly string[]
  takenNames: readonly string[]
  shape: RegExp
  createName: () => string
}

/** Returns the curated names, then generated ones until there are `count` different names of the right shape. */
function collectNames({ count, curatedNames, takenNames, shape, createName }: Collection): string[] {
  const usedNames = new Set(takenNames.map((name) => name.toLowerCase()))
  const names: string[] = []
  const add = (name: string) => {
    const key = name.toLowerCase()
    if (!shape.test(name) || usedNames.has(key)) return
    usedNames.add(key)
    names.push(name)
  }
  for (const name of curatedNames.slice(0, count)) add(name)
  for (let tries = 0; names.length < count; tries += 1) {
    if (tries > count * TRIES_PER_NAME) throw new RangeError(`Only ${names.length} of ${count} names could be made.`)
    add(createName())
  }
  return names
}

/** Varies the spelling: some names become lower case, and a few get an x at both ends. */
function varyName(random: Random, name: string): string {
  const randomValue = random()
  if (randomValue < 0.22) return name.toLowerCase()
  if (randomValue < 0.24) return `x${name}x`
  return name
}

function drawFromPatterns(random: Random, patterns: Pattern[]): string {
  const total = patterns.reduce((sum, pattern) => sum + pattern.weight, 0)
  let remainingWeight = random() * total
  for (const pattern of patterns) {
    remainingWeight -= pattern.weight
    if (remainingWeight < 0) return pattern.createName(random)
  }
  throw new RangeError('A random number must be from 0 up to, not including, 1.')
}
