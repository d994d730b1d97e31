import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { RankedCharacter, Rankings } from '#contract/rankings.ts'
import { openPostgres } from '#server/db/open.ts'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertCharacter, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { rollOver } from './rollover.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site
const owner = await insertAccount(db)
/** Midnight of 1 December 2026 in Manila. */
const DECEMBER = new Date('2026-11-30T16:00:00.000Z')
/** Adds a character with gains of this month and earlier totals of 100. */
const addCharacter = (cha_name: string, kills: number, resu = 0, deaths = 0) =>
  insertCharacter(db, {
    user_num: owner,
    cha_name,
    cha_level: 20,
    cha_pk_score: 100 + kills,
    base_kills: 100,
    cha_resu_score: 100 + resu,
    base_resu: 100,
    cha_pk_death: 100 + deaths,
    base_deaths: 100,
  })
const addGains = (cha_num: number, gains: { kills?: number; resu?: number; deaths?: number }) =>
  db
    .updateTable('characters')
    .set((eb) => ({
      cha_pk_score: eb('cha_pk_score', '+', gains.kills ?? 0),
      cha_resu_score: eb('cha_resu_score', '+', gains.resu ?? 0),
      cha_pk_death: eb('cha_pk_death', '+', gains.deaths ?? 0),
    }))
    .where('cha_num', '=', cha_num)
    .execute()
const readBoards = async (query = ''): Promise<Rankings> => {
  site.cache.clear()
  return (await site.get(`/api/get-top-rankings-list${query}`)).json()
}
const listKills = (rows: RankedCharacter[]) => rows.map((row) => [row.ChaName, row.ChaPKScore])
const listPeriods = async () =>
  (await db.selectFrom('ranking_periods').select(['period', 'closed_at']).orderBy('period').execute()).map((row) => [
    row.period,
    row.closed_at?.toISOString() ?? 'open',
  ])

beforeEach(async () => {
  await db.deleteFrom('ranking_archive').execute()
  await db.deleteFrom('ranking_periods').execute()
  await db.deleteFrom('characters').execute()
  await rollOver(db, TEST_NOW)
})

test('the first run opens the present month in Manila', async () => {
  const [openPeriod, ...otherPeriods] = await db.selectFrom('ranking_periods').selectAll().execute()
  assert.deepEqual(
    [openPeriod, otherPeriods],
    [
      {
        period: '2026-11',
        starts_at: new Date('2026-10-31T16:00:00Z'),
        ends_at: DECEMBER,
        opened_at: TEST_NOW,
        closed_at: null,
        values_at: null,
      },
      [],
    ],
  )
})

test('changes nothing before the month ends in Manila', async () => {
  await addCharacter('Amihan', 5)
  assert.equal(await rollOver(db, TEST_NOW), null)
  assert.equal(await rollOver(db, new Date(DECEMBER.getTime() - 1)), null)
  assert.deepEqual(await listPeriods(), [['2026-11', 'open']])
  assert.deepEqual(listKills((await readBoards()).toppk), [['Amihan', 5]])
})

test('closes the month and opens the next one at midnight in Manila', async () => {
  assert.equal(await rollOver(db, DECEMBER), '2026-11')
  assert.deepEqual(await listPeriods(), [
    ['2026-11', DECEMBER.toISOString()],
    ['2026-12', 'open'],
  ])
  site.cache.clear()
  const { data } = (await site.get('/api/ranking-periods')).json()
  assert.deepEqual(
    data.map((month: { period: string; open: boolean }) => [month.period, month.open]),
    [
      ['2026-12', true],
      ['2026-11', false],
    ],
  )
})

test('stores the final boards of a closed month', async () => {
  await addCharacter('Amihan', 5, 2, 1)
  await addCharacter('Habagat', 9, 0, 4)
  const boardsBefore = await readBoards()
  await rollOver(db, DECEMBER)
  assert.deepEqual(await readBoards('?period=2026-11'), boardsBefore)
})

test('leaves a closed month unchanged afterwards', async () => {
  const amihan = await addCharacter('Amihan', 5, 2, 1)
  await rollOver(db, DECEMBER)
  const closedBoards = await readBoards('?period=2026-11')
  await addGains(amihan, { kills: 50, resu: 50 })
  await db.updateTable('characters').set({ cha_name: 'Bagong_Pangalan', cha_level: 90, cha_money: 1 }).execute()
  assert.deepEqual(await readBoards('?period=2026-11'), closedBoards)
  await db.deleteFrom('characters').execute()
  assert.deepEqual(await readBoards('?period=2026-11'), closedBoards)
  assert.equal(closedBoards.toppk[0]?.ChaName, 'Amihan')
})

test('stores the top 100 of every board, in order, for a month with more characters', async () => {
  for (let index = 1; index <= 104; index++) await addCharacter(`Dagsa${index}`, index, index)
  const boardsBefore = await readBoards()
  await rollOver(db, DECEMBER)
  const boardRows = await db
    .selectFrom('ranking_archive')
    .select(['board', (eb) => eb.fn.countAll<number>().as('rows')])
    .groupBy('board')
    .orderBy('board')
    .execute()
  assert.deepEqual(
    boardRows.map(({ board, rows }) => [board, Number(rows)]),
    [
      ['killer', 100],
      ['level', 100],
      ['mmr', 100],
      ['resu', 100],
      ['richest', 100],
    ],
  )
  assert.deepEqual(await readBoards('?period=2026-11'), boardsBefore)
})

test('starts kills, deaths and resu from zero in the new month, but not level, money and MMR', async () => {
  const amihan = await addCharacter('Amihan', 5, 2, 1)
  await db.updateTable('characters').set({ cha_money: 777, cha_mmr: 1200 }).execute()
  await rollOver(db, DECEMBER)
  const newBoards = await readBoards()
  assert.deepEqual([newBoards.toppk, newBoards.topresu], [[], []])
  const [row] = newBoards.toplevel
  assert.deepEqual(
    [row?.ChaPKScore, row?.ChaPKDeath, row?.ChaResuScore, row?.ChaLevel, row?.ChaMoney, row?.ChaMMR],
    [0, 0, 0, 20, 777, 1200],
  )
  await addGains(amihan, { kills: 3, deaths: 1, resu: 4 })
  const laterBoards = await readBoards()
  assert.deepEqual(listKills(laterBoards.toppk), [['Amihan', 3]])
  assert.deepEqual([laterBoards.topresu[0]?.ChaResuScore, laterBoards.toppk[0]?.ChaPKDeath], [4, 1])
})

test('a character first seen within a month counts from its first value', async () => {
  await rollOver(db, DECEMBER)
  const newCharacter = await insertCharacter(db, {
    user_num: owner,
    cha_name: 'Bagong_Salta',
    cha_pk_score: 4000,
    cha_pk_death: 300,
    cha_resu_score: 200,
  })
  assert.deepEqual((await readBoards()).toppk, [])
  await addGains(newCharacter, { kills: 2 })
  assert.deepEqual(listKills((await readBoards()).toppk), [['Bagong_Salta', 2]])
})

test('closes the open month once and opens the current one after a delay of three months', async () => {
  await addCharacter('Amihan', 5)
  const february = new Date('2027-02-14T03:00:00Z')
  assert.equal(await rollOver(db, february), '2026-11')
  assert.equal(await rollOver(db, february), null)
  assert.deepEqual(await listPeriods(), [
    ['2026-11', february.toISOString()],
    ['2027-02', 'open'],
  ])
  assert.deepEqual(listKills((await readBoards('?period=2026-11')).toppk), [['Amihan', 5]])
  assert.equal((await site.get('/api/get-top-rankings-list?period=2026-12')).status, 404)
})

test('closes a month without any player', async () => {
  assert.equal(await rollOver(db, DECEMBER), '2026-11')
  assert.deepEqual((await readBoards('?period=2026-11')).toplevel, [])
})

test('closes a month once for concurrent requests in several processes', async () => {
  await addCharacter('Amihan', 5)
  const { url } = site.database
  const pools = url === undefined ? [] : await Promise.all([openPostgres(url), openPostgres(url), openPostgres(url)])
  after(() => Promise.all(pools.map((pool) => pool.close())))
  const connections = [db, ...pools.map((pool) => pool.db)]
  const closedPeriods = await Promise.all(
    Array.from({ length: 12 }, (_, index) => rollOver(connections[index % connections.length] ?? db, DECEMBER)),
  )
  assert.deepEqual(
    closedPeriods.filter((period) => period !== null),
    ['2026-11'],
  )
  assert.deepEqual(await listPeriods(), [
    ['2026-11', DECEMBER.toISOString()],
    ['2026-12', 'open'],
  ])
  assert.deepEqual(listKills((await readBoards('?period=2026-11')).toppk), [['Amihan', 5]])
})

test('opens one month for concurrent requests in a new world', async () => {
  await db.deleteFrom('ranking_periods').execute()
  await Promise.all(Array.from({ length: 10 }, () => rollOver(db, TEST_NOW)))
  assert.deepEqual(await listPeriods(), [['2026-11', 'open']])
})

test('a failed closing leaves the month open and unchanged', async () => {
  await addCharacter('Amihan', 5)
  await insertRows(db, 'ranking_periods', {
    period: '2026-12',
    starts_at: DECEMBER,
    ends_at: new Date('2026-12-31T16:00:00Z'),
    opened_at: DECEMBER,
    closed_at: DECEMBER,
  })
  await assert.rejects(rollOver(db, DECEMBER))
  assert.deepEqual(await listPeriods(), [
    ['2026-11', 'open'],
    ['2026-12', DECEMBER.toISOString()],
  ])
  assert.deepEqual(listKills((await readBoards()).toppk), [['Amihan', 5]])
})
