/**
 * What the rankings beyond the month cost with 1,000,000 characters against 1,000: the boards of the running season, of all
 * time and of a final season, the tournaments, a character's page and a player's own ranks. Making the large world takes
 * several minutes.
 *
 * `node bench/rankings-beyond.ts [PART OF AN ADDRESS]`
 */
import { sql } from 'kysely'
import { BOARDS } from '#contract/game.ts'
import { ensureBuilt } from '#scripts/build.ts'
import type { Db } from '#server/db/open.ts'
import { runSeasons } from '#server/features/rankings/seasons.ts'
import { growWorld } from '#test/grown-world.ts'
import { compareWorlds } from './two-worlds.ts'

const FEW = 1000
const MANY = 1_000_000

const ASKED = [
  ...BOARDS.map((board) => `/api/season-rankings?board=${board}`),
  '/api/season-rankings?board=level&season=1',
  ...BOARDS.map((board) => `/api/total-rankings?board=${board}`),
  '/api/tournaments',
  '/api/tournaments/1',
  '/api/tournaments/2',
  '/api/character/500',
  '/rankings/season',
  '/rankings/total?tab=killer',
  '/rankings/tournament',
  '/rankings/tournament/1',
  '/rankings/tournament/2',
  '/character/500',
]

/** Read from the first thousand of a board, which a site keeps for everybody who asks within five seconds. */
const ASKED_OFTEN = ['/api/own-ranks?of=season&board=killer', '/api/own-ranks?of=total&board=killer']

/** Leaves the characters of the contenders, of juan and enough others to have 1,000. */
async function shrink(db: Db): Promise<void> {
  await sql`
    delete from characters where cha_num > ${FEW} and cha_num not in (select cha_num from tournament_entries)
      and cha_num not in (select cha_num from characters join accounts using (user_num) where user_id = 'juan')`.execute(
    db,
  )
  await countDivisions(db)
}

/** Adds characters, most of which have gained something since the season began. */
async function grow(db: Db): Promise<void> {
  const { rows } = await sql<{ there: number }>`select count(*)::int as there from characters`.execute(db)
  await growWorld(db, { items: 0, news: 0, characters: MANY - (rows[0]?.there ?? 0) })
  // No player has hundreds of characters.
  await sql`
    update characters set user_num = (select user_num from accounts where user_id = 'maria')
    where cha_num > ${rows[0]?.there} and user_num = (select user_num from accounts where user_id = 'juan')`.execute(db)
  await sql`
    update characters set start_level = greatest(1, cha_level - 20 * random()), start_mmr = cha_mmr - 300 * random(),
      start_money = cha_money * random(), start_kills = cha_pk_score * random(), start_resu = cha_resu_score * random()`.execute(
    db,
  )
  await countDivisions(db)
}

async function countDivisions(db: Db): Promise<void> {
  await sql`
    update season_boards set counted_at = null
    where season = (select season from seasons where ended_at is null)`.execute(db)
  const start = performance.now()
  await runSeasons(db, new Date())
  console.log(`The job counts the divisions in ${Math.round(performance.now() - start)} ms.`)
}

await ensureBuilt(console.log)
await compareWorlds(ASKED, {
  small: { name: 'characters_1000', grow: shrink },
  large: { name: 'characters_1000000', grow },
  as: ['juan', 'juan-demo-1'],
  kept: ASKED_OFTEN,
})
process.exit(0)
