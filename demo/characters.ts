import { sql } from 'kysely'
import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { DAY_MS } from '#contract/durations.ts'
import { CLASS_NAMES, getClassCodes } from '#contract/game.ts'
import { getMonth } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { drawMark } from '#server/features/bridge/marks.ts'
import { recordDays } from '#server/features/rankings/days.ts'
import { createClubAssigner, makeAlliances, makeClubs, makeMarks } from './clubs.ts'
import { createCharacterNames } from './names.ts'
import { readTable, timeSpan } from './read.ts'
import { createStartValues, FIRST_SEASON_SEED } from './seasons.ts'
import { insertRows, pickRandom, type Random, subtractMs, type World } from './world.ts'

const CHARACTER_COUNT = 3180
const TOP_LEVEL = 148
/** How many days before today the curves of levels and ranks begin. */
const DAYS_BEFORE = 29
/** How long ago the site received the characters, in ms. */
const RECEIVED_AGO_MS = 90 * DAY_MS
/** Class codes that the site does not know, as a newer game server might send them. */
const UNKNOWN_CLASSES = ['65536', '2097152']

/**
 * A character of a demo account (WORLD-2). juan's characters are too weak for a top 100. `cha_class` is a code as in
 * calls (RANK-7); `base_` columns are the values at the beginning of the month.
 */
const ownedRow = z.strictObject({
  owner: z.enum(['juan', 'maria']),
  cha_name: z.string(),
  cha_level: wholeNumber,
  cha_class: z.string(),
  cha_school: wholeNumber,
  club: wholeNumber.transform((club) => club || null),
  cha_money: wholeNumber,
  cha_pk_score: wholeNumber,
  base_kills: wholeNumber,
  cha_pk_death: wholeNumber,
  base_deaths: wholeNumber,
  cha_resu_score: wholeNumber,
  base_resu: wholeNumber,
  cha_mmr: wholeNumber,
  levelled_up: timeSpan,
})

type CharacterWorld = Pick<World, 'now' | 'juan' | 'maria' | 'players'>

/**
 * Creates the characters, the best first, then those of juan and maria. Many share a level, which creates ties. Every
 * class and school occurs, and some unknown classes. Most characters were active this month.
 */
export function makeCharacters(random: Random, world: CharacterWorld) {
  const ownedCharacters = readTable('tables/characters.csv', ownedRow)
  const takenNames = ownedCharacters.map(({ cha_name }) => cha_name)
  const assignClub = createClubAssigner()
  return [
    ...createCharacterNames(random, CHARACTER_COUNT, takenNames).map((name, index) => {
      const character = makeCharacter(random, world, name, index)
      return { ...character, club: assignClub(index, character.cha_school) }
    }),
    ...ownedCharacters.map(({ owner, levelled_up, ...character }) => ({
      user_num: world[owner],
      ...character,
      level_up_at: subtractMs(world.now, levelled_up),
      known_since: subtractMs(world.now, RECEIVED_AGO_MS),
    })),
  ]
}

/** Inserts the characters with their values at the beginning of the first season, and their clubs. */
export async function insertCharacters(tx: Db, random: Random, world: CharacterWorld): Promise<void> {
  const rows = makeCharacters(random, world)
  await tx.insertInto('clubs').values(makeClubs(rows, world.now)).execute()
  await tx.insertInto('club_alliances').values(makeAlliances()).execute()
  for (const { club, width, height, pixels } of makeMarks()) {
    const picture = await drawMark({ width, height, pixels: pixels.toString('base64') })
    const read_at = world.now
    await tx.insertInto('club_marks').values({ club, version: 1, form: 'demo', picture, read_at }).execute()
  }
  const numberedRows = rows.map((row, index) => ({
    ...row,
    ...createStartValues({ ...row, cha_num: index + 1 }, FIRST_SEASON_SEED),
  }))
  await insertRows(tx, 'characters', numberedRows)
  await recordDays(tx, world.now)
  // Fills the days before today with levels and ranks that approach those of today.
  await sql`
    insert into character_days (cha_num, day, cha_level, place)
    select cha_num, day - n, greatest(1, cha_level - n * (1 + cha_num % 5) / 15),
      greatest(1, place + (cha_num % 7 - 2) * n / 3)
    from character_days, generate_series(1, ${DAYS_BEFORE}::int) n`.execute(tx)
}

function makeCharacter(random: Random, { now, players }: CharacterWorld, name: string, index: number) {
  const randomBetween = (min: number, max: number) => min + Math.floor(random() * (max - min + 1))
  const strength = 1 - index / CHARACTER_COUNT
  const cls = pickRandom(random, CLASS_NAMES)
  const cha_class = pickRandom(random, index % 61 === 12 ? UNKNOWN_CLASSES : getClassCodes(cls))
  const isHealer = cls === 'shaman' || cls === 'extreme'
  const cha_level = Math.max(1, Math.round(TOP_LEVEL * strength ** 1.6) - (index < 3 ? 0 : randomBetween(0, 2)))
  const cha_pk_score = Math.floor(random() ** 3 * 4200 * (0.2 + strength))
  const cha_pk_death = Math.floor(random() ** 2 * 2600 * (0.3 + strength))
  const cha_resu_score = isHealer ? Math.floor(random() ** 2 * 9000 * (0.2 + strength)) : 0
  const monthShare = random() * 0.3
  const maxLevelUpAgeMs = Math.min(now.getTime() - getMonth(now).startsAt.getTime(), DAY_MS * 20) * 1.4
  return {
    user_num: pickRandom(random, players),
    cha_name: name,
    cha_level,
    cha_class,
    cha_school: randomBetween(0, 2),
    cha_pk_score,
    cha_pk_death,
    cha_mmr: 800 + Math.floor(random() ** 2 * 1700 * (0.4 + strength)),
    cha_resu_score,
    cha_money: Math.floor(random() ** 4 * 2_400_000_000 * (0.1 + strength)) + randomBetween(100, 90_000),
    level_up_at: index % 97 === 31 ? null : subtractMs(now, Math.floor(random() * maxLevelUpAgeMs) + 600_000),
    base_kills: cha_pk_score - Math.floor(cha_pk_score * monthShare),
    base_deaths: cha_pk_death - Math.floor(cha_pk_death * monthShare),
    base_resu: cha_resu_score - Math.floor(cha_resu_score * monthShare),
    known_since: subtractMs(now, RECEIVED_AGO_MS),
  }
}
