import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/durations.ts'
import { BOARDS, type Board } from '#contract/game.ts'
import type { SeasonRule } from '#contract/seasons.ts'
import { openPostgres } from '#server/db/open.ts'
import { TEST_NOW } from '#test/databases.ts'
import { deleteSeasons, insertAccount, insertCharacter, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { rollOver } from './rollover.ts'
import { runSeasons } from './seasons.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site
let owner = await insertAccount(db)
/** The first moments of months in Manila. */
const DECEMBER = new Date('2026-11-30T16:00:00.000Z')
const JANUARY = new Date('2026-12-31T16:00:00.000Z')
const FEBRUARY = new Date('2027-01-31T16:00:00.000Z')

type SeasonPlan = { first?: string; last?: string; rule?: SeasonRule; divisions?: { name: string; share: number }[] }

async function planSeason({ first = '2026-11', last = '2026-12', rule = 'growth', divisions }: SeasonPlan = {}) {
  const { season } = await db
    .insertInto('seasons')
    .values({
      name: `Season from ${first}`,
      first_month: first,
      last_month: last,
      divisions: JSON.stringify(divisions ?? [{ name: 'All', share: 100 }]),
      created_at: TEST_NOW,
    })
    .returning('season')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('season_boards')
    .values(BOARDS.map((board) => ({ season, board, rule })))
    .execute()
  return season
}

const readJson = async (path: string) => {
  site.cache.clear()
  const answer = await site.get(`/api/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
type Row = { ChaName: string; Value: number; Division: string; HasPage: boolean }
const readBoard = (board: Board, season?: number) =>
  readJson(`season-rankings?board=${board}${season === undefined ? '' : `&season=${season}`}`)
const readStandings = async (board: Board, season?: number) =>
  (await readBoard(board, season)).data.map(({ ChaName, Value }: Row) => [ChaName, Value])
const readState = async (season: number) =>
  (await readJson('seasons')).data.find((row: { season: number }) => row.season === season)?.state
const addCharacter = (cha_name: string, values: Partial<Parameters<typeof insertCharacter>[1]> = {}) =>
  insertCharacter(db, { user_num: owner, cha_name, cha_level: 20, cha_mmr: 1000, cha_money: 500, ...values })
const updateCharacter = (cha_num: number, values: Record<string, number | string>) =>
  db.updateTable('characters').set(values).where('cha_num', '=', cha_num).execute()
const requestChange = (season: number, column: 'end_asked_at' | 'final_asked_at') =>
  updateRows(db, 'seasons', { season }, { [column]: TEST_NOW })

beforeEach(async () => {
  await deleteSeasons(db)
  await db.deleteFrom('hidden_characters').execute()
  await db.deleteFrom('ranking_archive').execute()
  await db.deleteFrom('ranking_periods').execute()
  await db.deleteFrom('characters').execute()
  owner = await insertAccount(db)
  await rollOver(db, TEST_NOW)
})

test('returns empty boards without any season, and 404 for a season that has not begun', async () => {
  assert.deepEqual(await readBoard('level'), { season: null, rule: 'growth', ranked: 0, data: [] })
  const season = await planSeason({ first: '2026-12' })
  assert.equal((await readBoard('level')).season, null)
  assert.equal((await site.get(`/api/season-rankings?board=level&season=${season}`)).status, 404)
  assert.equal((await site.get('/api/season-rankings?board=level&season=999')).status, 404)
  assert.deepEqual(
    (await readJson('seasons')).data.map(({ state }: { state: string }) => state),
    ['planned'],
  )
})

test('counts growth from a season’s first values, and ranks no one without growth', async () => {
  const amihan = await addCharacter('Amihan', { cha_pk_score: 700, base_kills: 0, cha_resu_score: 50 })
  const habagat = await addCharacter('Habagat', { cha_pk_score: 10 })
  await planSeason()
  await runSeasons(db, TEST_NOW)
  for (const board of BOARDS) assert.deepEqual(await readStandings(board), [], board)
  await updateCharacter(amihan, { cha_pk_score: 705, cha_resu_score: 53, cha_level: 22, cha_mmr: 990, cha_money: 600 })
  await updateCharacter(habagat, { cha_pk_score: 30, cha_level: 21, cha_mmr: 1100, cha_money: 400 })
  assert.deepEqual(await readStandings('killer'), [
    ['Habagat', 20],
    ['Amihan', 5],
  ])
  assert.deepEqual(await readStandings('resu'), [['Amihan', 3]])
  assert.deepEqual(await readStandings('level'), [
    ['Amihan', 2],
    ['Habagat', 1],
  ])
  assert.deepEqual(await readStandings('mmr'), [['Habagat', 100]])
  assert.deepEqual(await readStandings('richest'), [['Amihan', 100]])
})

test('counts a new character from its first values, and orders equal growth by level, then ChaNum', async () => {
  await planSeason()
  await runSeasons(db, TEST_NOW)
  const characters = []
  for (const name of ['Una', 'Ikalawa', 'Ikatlo'])
    characters.push(await addCharacter(name, { cha_pk_score: 900, cha_level: name === 'Ikatlo' ? 30 : 20 }))
  assert.deepEqual(await readStandings('killer'), [])
  for (const character of characters) await updateCharacter(character, { cha_pk_score: 904 })
  assert.deepEqual(await readStandings('killer'), [
    ['Ikatlo', 4],
    ['Una', 4],
    ['Ikalawa', 4],
  ])
})

test('growth continues across months, and a falling counter of the game subtracts nothing', async () => {
  const amihan = await addCharacter('Amihan', { cha_pk_score: 100 })
  await planSeason()
  await runSeasons(db, TEST_NOW)
  await updateCharacter(amihan, { cha_pk_score: 140 })
  await rollOver(db, DECEMBER)
  await updateCharacter(amihan, { cha_pk_score: 3 })
  await updateCharacter(amihan, { cha_pk_score: 8 })
  assert.deepEqual(await readStandings('killer'), [['Amihan', 45]])
  assert.equal((await readJson('total-rankings?board=killer')).data[0].ChaPKScore, 145)
  assert.equal((await readJson('get-top-rankings-list')).toppk[0].ChaPKScore, 5)
})

test('sums the points of each month by rank, from 100 for the first, including the open month', async () => {
  const amihan = await addCharacter('Amihan', { cha_level: 40 })
  const habagat = await addCharacter('Habagat', { cha_level: 30 })
  await planSeason({ rule: 'points' })
  await runSeasons(db, TEST_NOW)
  assert.deepEqual(await readStandings('level'), [
    ['Amihan', 100],
    ['Habagat', 99],
  ])
  await rollOver(db, DECEMBER)
  await updateCharacter(habagat, { cha_level: 50 })
  await updateCharacter(amihan, { cha_level: 41 })
  await addCharacter('Bagyo', { cha_level: 45 })
  assert.deepEqual(await readStandings('level'), [
    ['Habagat', 199],
    ['Amihan', 198],
    ['Bagyo', 99],
  ])
  assert.deepEqual(await readStandings('killer'), [])
})

test('points follow a correction of a closed month while the season runs', async () => {
  const amihan = await addCharacter('Amihan', { cha_level: 40 })
  await addCharacter('Habagat', { cha_level: 30 })
  await planSeason({ rule: 'points' })
  await runSeasons(db, TEST_NOW)
  await rollOver(db, DECEMBER)
  await db.updateTable('ranking_archive').set({ taken_out_at: DECEMBER }).where('cha_num', '=', amihan).execute()
  assert.deepEqual(await readStandings('level'), [
    ['Habagat', 199],
    ['Amihan', 100],
  ])
})

for (const rule of ['growth', 'points'] as const) {
  test(`omits hidden characters, blocked accounts and staff from a season that counts ${rule}`, async () => {
    await planSeason({ rule, last: '2026-11' })
    await runSeasons(db, TEST_NOW)
    const hiddenCharacter = await addCharacter('Tago')
    await db
      .insertInto('hidden_characters')
      .values({ cha_num: hiddenCharacter, reason: 'x', hidden_at: TEST_NOW })
      .execute()
    await addCharacter('Bawal', { user_num: await insertAccount(db, { blocked_at: TEST_NOW }) })
    await addCharacter('Bantay', { user_num: await insertAccount(db, { user_type: 11 }) })
    await addCharacter('Malaya')
    await db.updateTable('characters').set({ cha_level: 25 }).execute()
    assert.deepEqual(await readStandings('level'), [['Malaya', rule === 'growth' ? 5 : 100]])
  })
}

const FOUR_DIVISIONS = [
  { name: 'Bituin', share: 10 },
  { name: 'Tala', share: 30 },
  { name: 'Buwan', share: 60 },
  { name: 'Lupa', share: 100 },
]

test('divides ranked characters by shares, and puts equal values into one division', async () => {
  const season = await planSeason({ divisions: FOUR_DIVISIONS, last: '2026-11' })
  await runSeasons(db, TEST_NOW)
  const characters = []
  for (let index = 0; index < 10; index++) characters.push(await addCharacter(`Ika${index}`, { cha_pk_score: 1000 }))
  for (const [index, gained] of [90, 80, 70, 70, 50, 40, 30, 20, 10, 5].entries())
    await updateCharacter(characters[index] ?? 0, { cha_pk_score: 1000 + gained })
  // The standings are counted every five minutes.
  await runSeasons(db, new Date(TEST_NOW.getTime() + 6 * MINUTE_MS))
  const readDivisions = async () => {
    const { ranked, data } = await readBoard('killer', season)
    return [ranked, data.map(({ Division }: Row) => Division)]
  }
  const expectedDivisions = [10, ['Bituin', 'Tala', 'Tala', 'Tala', 'Buwan', 'Buwan', 'Lupa', 'Lupa', 'Lupa', 'Lupa']]
  assert.deepEqual(await readDivisions(), expectedDivisions)
  await rollOver(db, DECEMBER)
  assert.deepEqual(await readDivisions(), expectedDivisions)
})

test('a season ends when its last month closes, even late, and its figures are final', async () => {
  const amihan = await addCharacter('Amihan')
  const season = await planSeason()
  await runSeasons(db, TEST_NOW)
  await updateCharacter(amihan, { cha_level: 25 })
  await rollOver(db, DECEMBER)
  assert.equal(await readState(season), 'running')
  await rollOver(db, FEBRUARY)
  assert.equal(await readState(season), 'ended')
  await updateCharacter(amihan, { cha_level: 90, cha_name: 'Bagong_Pangalan' })
  assert.deepEqual(await readStandings('level', season), [['Amihan', 5]])
})

test('begins and ends an empty season at once if no process ran in its months', async () => {
  await addCharacter('Amihan')
  const season = await planSeason({ first: '2026-12', last: '2026-12' })
  await rollOver(db, FEBRUARY)
  assert.equal(await readState(season), 'ended')
  assert.deepEqual(await readStandings('level', season), [])
})

test('the next season counts from the values at the end of the last one', async () => {
  const amihan = await addCharacter('Amihan')
  const firstSeason = await planSeason({ last: '2026-11' })
  await planSeason({ first: '2026-12', last: '2027-01' })
  await runSeasons(db, TEST_NOW)
  await updateCharacter(amihan, { cha_level: 25 })
  await rollOver(db, DECEMBER)
  await updateCharacter(amihan, { cha_level: 27 })
  assert.deepEqual(await readStandings('level', firstSeason), [['Amihan', 5]])
  assert.deepEqual(await readStandings('level'), [['Amihan', 2]])
})

test('omits characters of blocked accounts until a season is final, and ignores later changes', async () => {
  const otherOwner = await insertAccount(db)
  const amihan = await addCharacter('Amihan')
  const habagat = await addCharacter('Habagat', { user_num: otherOwner })
  const bagyo = await addCharacter('Bagyo')
  const season = await planSeason({ last: '2026-11' })
  await runSeasons(db, TEST_NOW)
  await updateCharacter(amihan, { cha_level: 25 })
  await updateCharacter(habagat, { cha_level: 28 })
  await updateCharacter(bagyo, { cha_level: 22 })
  await rollOver(db, DECEMBER)
  await db.updateTable('accounts').set({ blocked_at: DECEMBER }).where('user_num', '=', otherOwner).execute()
  const finalStandings = [
    ['Amihan', 5],
    ['Bagyo', 2],
  ]
  assert.deepEqual(await readStandings('level', season), finalStandings)
  await requestChange(season, 'final_asked_at')
  await runSeasons(db, DECEMBER)
  assert.equal(await readState(season), 'final')
  await db.updateTable('accounts').set({ blocked_at: null }).where('user_num', '=', otherOwner).execute()
  assert.deepEqual(await readStandings('level', season), finalStandings)
  assert.equal((await readBoard('level', season)).ranked, 2)
  await db.updateTable('accounts').set({ blocked_at: DECEMBER }).where('user_num', '=', owner).execute()
  await updateCharacter(amihan, { cha_name: 'Iba_Na' })
  assert.deepEqual(await readStandings('level', season), finalStandings)
  assert.deepEqual(
    (await readBoard('level', season)).data.map(({ HasPage }: Row) => HasPage),
    [false, false],
  )
  await db.deleteFrom('characters').execute()
  assert.deepEqual(await readStandings('level', season), finalStandings)
})

test('shows a hidden character’s rank in a final season without its name', async () => {
  const amihan = await addCharacter('Amihan')
  const bagyo = await addCharacter('Bagyo')
  const season = await planSeason({ last: '2026-11' })
  await runSeasons(db, TEST_NOW)
  await updateCharacter(amihan, { cha_level: 25 })
  await updateCharacter(bagyo, { cha_level: 22 })
  await requestChange(season, 'final_asked_at')
  await rollOver(db, DECEMBER)
  assert.equal(await readState(season), 'final')
  await db.insertInto('hidden_characters').values({ cha_num: amihan, reason: 'x', hidden_at: DECEMBER }).execute()
  assert.deepEqual(
    (await readBoard('level', season)).data.map(({ ChaName, Value, HasPage }: Row) => [ChaName, Value, HasPage]),
    [
      ['Hidden', 5, false],
      ['Bagyo', 2, true],
    ],
  )
})

test('the database refuses changes of a final season, and of a begun season’s start and rules', async () => {
  const amihan = await addCharacter('Amihan')
  const season = await planSeason({ last: '2026-11' })
  await runSeasons(db, TEST_NOW)
  const assertRefusedChange = (query: { execute: () => Promise<unknown> }) =>
    assert.rejects(query.execute(), { code: '23001' })
  await assertRefusedChange(db.updateTable('seasons').set({ first_month: '2026-10' }))
  await assertRefusedChange(db.updateTable('season_boards').set({ rule: 'points' }))
  await assertRefusedChange(db.deleteFrom('seasons'))
  await updateCharacter(amihan, { cha_level: 25 })
  await rollOver(db, DECEMBER)
  await assertRefusedChange(db.updateTable('seasons').set({ last_month: '2027-03' }))
  await requestChange(season, 'final_asked_at')
  await runSeasons(db, DECEMBER)
  await assertRefusedChange(db.updateTable('seasons').set({ name: 'Other' }))
  await assertRefusedChange(db.updateTable('season_standings').set({ rank: 2 }))
  await assertRefusedChange(db.deleteFrom('season_standings'))
  await assertRefusedChange(
    db.insertInto('season_standings').values({ season, board: 'mmr', cha_num: 5, rank: 1, value: 1 }),
  )
  await assertRefusedChange(db.updateTable('season_characters').set({ cha_name: 'Other' }))
  await assertRefusedChange(db.deleteFrom('season_characters'))
  await db.updateTable('season_characters').set({ cha_name: 'Erased' }).execute()
  assert.deepEqual(await readStandings('level', season), [['Erased', 5]])
})

test('refuses a second season in the same month, and runs one season at a time', async () => {
  await planSeason({ first: '2026-11', last: '2027-01' })
  await assert.rejects(planSeason({ first: '2027-01', last: '2027-02' }), { code: '23P01' })
  await planSeason({ first: '2027-02', last: '2027-03' })
  await assert.rejects(db.updateTable('seasons').set({ begun_at: TEST_NOW }).execute(), { code: '23505' })
})

test('a season that the desk ends early ends with the open month and its current points', async () => {
  await addCharacter('Amihan')
  const season = await planSeason({ rule: 'points', last: '2027-03' })
  await runSeasons(db, TEST_NOW)
  await requestChange(season, 'end_asked_at')
  await runSeasons(db, TEST_NOW)
  const { season: endedSeason, data } = await readBoard('level', season)
  assert.deepEqual([endedSeason.state, endedSeason.last_month, data[0].Value], ['ended', '2026-11', 100])
})

test('ends a season and makes it final once, with any number of processes', async () => {
  const { url } = site.database
  const pools = url === undefined ? [] : await Promise.all([openPostgres(url), openPostgres(url)])
  after(() => Promise.all(pools.map((pool) => pool.close())))
  const connections = [db, ...pools.map((pool) => pool.db)]
  const amihan = await addCharacter('Amihan')
  const season = await planSeason()
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => runSeasons(connections[index % connections.length] ?? db, TEST_NOW)),
  )
  await updateCharacter(amihan, { cha_level: 25 })
  await rollOver(db, DECEMBER)
  await requestChange(season, 'final_asked_at')
  await Promise.all(
    Array.from({ length: 9 }, (_, index) => {
      const connection = connections[index % connections.length] ?? db
      return index % 2 === 0 ? runSeasons(connection, JANUARY) : rollOver(connection, JANUARY)
    }),
  )
  await runSeasons(db, JANUARY)
  assert.equal(await readState(season), 'final')
  assert.deepEqual(await readStandings('level', season), [['Amihan', 5]])
  const { rows } = await sql<{ action: string; times: number }>`
    select action, count(*)::int as times from audit_log
    where target_kind = 'season' and target_id = ${String(season)} group by action order by action`.execute(db)
  assert.deepEqual(
    rows.map(({ action, times }) => [action, times]),
    [
      ['season begins', 1],
      ['season ends', 1],
      ['season is final', 1],
    ],
  )
})
