import { DAY_MS } from '#contract/durations.ts'
import { CLASS_NAMES, codesOfClass } from '#contract/game.ts'
import type { Month } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import type { DemoUserId } from './accounts.ts'
import { type DemoCharacter, juanCharacters, mariaCharacters } from './content/characters.ts'
import { characterNames } from './content/names.ts'

const CHARACTERS = 3180
const TOP_LEVEL = 148
const ROWS_A_STATEMENT = 400
/** How long the site has known every character. */
const KNOWN_MS = 90 * DAY_MS
/** Class codes the site does not know, as a newer game server might send them. */
const UNKNOWN_CLASSES = ['65536', '2097152']

type World = {
  random: () => number
  now: Date
  month: Month
  demo: Map<DemoUserId, number>
  players: number[]
}

/**
 * The characters, the best first, then those of juan and maria. Levels fall in steps, which creates ties. Every class and
 * school occurs, and a few unknown classes. Most characters have been active this month.
 */
export function makeCharacters(world: World) {
  const names = characterNames(world.random, CHARACTERS)
  return [
    ...names.map((name, index) => makeCharacter(world, name, index)),
    ...ownedBy(world, 'juan', juanCharacters),
    ...ownedBy(world, 'maria', mariaCharacters),
  ]
}

/** Inserts the characters. */
export async function insertCharacters(tx: Db, world: World): Promise<void> {
  const rows = makeCharacters(world)
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await tx
      .insertInto('characters')
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .execute()
  }
}

function makeCharacter({ random, now, players, month }: World, name: string, index: number) {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
  const standing = 1 - index / CHARACTERS
  const cls = CLASS_NAMES[between(0, CLASS_NAMES.length - 1)] ?? 'brawler'
  const cha_class = index % 61 === 12 ? pick(random, UNKNOWN_CLASSES) : pick(random, codesOfClass(cls))
  const heals = cls === 'shaman' || cls === 'extreme'
  const cha_level = Math.max(1, Math.round(TOP_LEVEL * standing ** 1.6) - (index < 3 ? 0 : between(0, 2)))
  const cha_pk_score = Math.floor(random() ** 3 * 4200 * (0.2 + standing))
  const cha_pk_death = Math.floor(random() ** 2 * 2600 * (0.3 + standing))
  const cha_resu_score = heals ? Math.floor(random() ** 2 * 9000 * (0.2 + standing)) : 0
  const share = random() * 0.3
  const age = Math.min(now.getTime() - month.startsAt.getTime(), DAY_MS * 20) * 1.4
  return {
    user_num: players[Math.floor(random() * players.length)] ?? 1,
    cha_name: name,
    cha_level,
    cha_class,
    cha_school: between(0, 2),
    cha_pk_score,
    cha_pk_death,
    cha_mmr: 800 + Math.floor(random() ** 2 * 1700 * (0.4 + standing)),
    cha_resu_score,
    cha_money: Math.floor(random() ** 4 * 2_400_000_000 * (0.1 + standing)) + between(100, 90_000),
    level_up_at: index % 97 === 31 ? null : new Date(now.getTime() - Math.floor(random() * age) - 600_000),
    base_kills: cha_pk_score - Math.floor(cha_pk_score * share),
    base_deaths: cha_pk_death - Math.floor(cha_pk_death * share),
    base_resu: cha_resu_score - Math.floor(cha_resu_score * share),
    known_since: new Date(now.getTime() - KNOWN_MS),
  }
}

function ownedBy({ demo, now }: World, owner: DemoUserId, characters: DemoCharacter[]) {
  const user_num = demo.get(owner)
  if (user_num === undefined) throw new Error(`no demo account ${owner}`)
  return characters.map((character) => ({
    user_num,
    cha_name: character.name,
    cha_level: character.level,
    cha_class: character.classCode,
    cha_school: character.school,
    cha_pk_score: character.kills,
    cha_pk_death: character.deaths,
    cha_mmr: character.mmr,
    cha_resu_score: character.resu,
    cha_money: character.money,
    level_up_at: new Date(now.getTime() - character.levelUpAgeMinutes * 60_000),
    base_kills: character.kills - character.monthKills,
    base_deaths: character.deaths - character.monthDeaths,
    base_resu: character.resu - character.monthResu,
    known_since: new Date(now.getTime() - KNOWN_MS),
  }))
}

function pick(random: () => number, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? ''
}
