import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { readTable, timeSpan } from './read.ts'
import { subtractMs } from './world.ts'

const clubRow = z.strictObject({
  name: z.string(),
  school: wholeNumber,
  wins: wholeNumber,
  losses: wholeNumber,
  draws: wholeNumber,
  founded: timeSpan,
  /** The club that leads the alliance; 0 without an alliance. */
  alliance: wholeNumber,
})

const MARK = { width: 16, height: 11 } as const

const markRow = z.strictObject({
  club: wholeNumber,
  /** The color of each letter; a full stop is transparent. */
  colors: z.string().regex(/^[a-z]=[0-9a-f]{6}( [a-z]=[0-9a-f]{6})*$/),
  pixels: z.string().regex(/^[a-z.]{16}(\/[a-z.]{16}){10}$/),
})

/** Characters at later positions have no club. */
const LAST_MEMBER = 1400
/** A club has one member for this number of its school's characters. */
const SPREAD = 15

const readClubs = () => readTable('tables/clubs.csv', clubRow).map((row, index) => ({ club: index + 1, ...row }))

/**
 * Returns a function that finds the club of the character at a position of the list, the best characters first. The
 * clubs of a school share its characters.
 */
export function createClubAssigner(): (index: number, school: number) => number | null {
  const clubs = readClubs()
  return (index, school) => {
    if (index >= LAST_MEMBER) return null
    return clubs.filter((club) => club.school === school)[(index * 7) % SPREAD]?.club ?? null
  }
}

/** Creates the clubs of the demo world. The best character of each club leads it. */
export function makeClubs(characters: readonly { club: number | null }[], now: Date) {
  return readClubs().map(({ school: _, alliance: __, founded, ...club }) => ({
    ...club,
    leader: characters.findIndex((character) => character.club === club.club) + 1,
    founded_at: subtractMs(now, founded),
  }))
}

/** Returns the clubs in alliances, each with the club that leads its alliance. */
export const makeAlliances = () =>
  readClubs().flatMap(({ club, alliance: leader }) => (leader === 0 ? [] : [{ club, leader }]))

/** Creates the marks that clubs drew in the game: rows of pixels, each of red, green, blue and opacity. */
export const makeMarks = () =>
  readTable('tables/club-marks.csv', markRow).map(({ club, colors, pixels }) => {
    const byLetter = new Map(colors.split(' ').map((color) => [color[0], `${color.slice(2)}ff`]))
    const hex = [...pixels.replaceAll('/', '')].map((letter) => byLetter.get(letter) ?? '00000000').join('')
    return { club, ...MARK, pixels: Buffer.from(hex, 'hex') }
  })
