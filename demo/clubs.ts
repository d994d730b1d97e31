import { z } from 'zod'
import { whole } from '#content/files.ts'
import { readTable, span } from './read.ts'
import { before } from './world.ts'

const clubRow = z.strictObject({
  name: z.string(),
  school: whole,
  wins: whole,
  losses: whole,
  draws: whole,
  founded: span,
})

/** Characters behind these are in no club. */
const LAST_MEMBER = 1400
/** One of so many characters of a school is in each of its clubs. */
const SPREAD = 15

const readClubs = () => readTable('tables/clubs.csv', clubRow).map((row, index) => ({ club: index + 1, ...row }))

/** @returns the club of the character at a place of the list, the best ones first; its schools' clubs share those */
export function assignClubs(): (index: number, school: number) => number | null {
  const clubs = readClubs()
  return (index, school) => {
    if (index >= LAST_MEMBER) return null
    return clubs.filter((club) => club.school === school)[(index * 7) % SPREAD]?.club ?? null
  }
}

/** The clubs of the demo world, each led by the best of its characters. */
export function makeClubs(characters: readonly { club: number | null }[], now: Date) {
  return readClubs().map(({ school: _, founded, ...club }) => ({
    ...club,
    leader: characters.findIndex((character) => character.club === club.club) + 1,
    founded_at: before(now, founded),
  }))
}
