import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RankedCharacter, Rankings } from '#contract/rankings.ts'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertCharacter, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site
const owner = await insertAccount(db)
const LISTS = ['topresu', 'topmmr', 'toppk', 'toplevel', 'topmoney', 'toplevelside']
const readRankings = async (query = ''): Promise<Rankings> => {
  site.cache.clear()
  const answer = await site.get(`/api/get-top-rankings-list${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const getNames = (rows: RankedCharacter[]) => rows.map((row) => row.ChaName)
type Values = Omit<Parameters<typeof insertCharacter>[1], 'user_num'>
const addCharacter = (cha_name: string, values: Values = {}, user_num = owner) =>
  insertCharacter(db, { user_num, cha_name, ...values })
/** Returns the values of a character with gains of this month and earlier totals. */
const createMonthValues = (kills: number, resu = 0, deaths = 0): Values => ({
  cha_pk_score: 500 + kills,
  base_kills: 500,
  cha_resu_score: 70 + resu,
  base_resu: 70,
  cha_pk_death: 30 + deaths,
  base_deaths: 30,
})

test('returns six empty lists without characters', async () => {
  assert.deepEqual(await readRankings(), Object.fromEntries(LISTS.map((key) => [key, []])))
})

test('a row has exactly the fields of RANK-5, with the month’s kills, deaths and resu', async () => {
  const ChaNum = await addCharacter('Malakas', {
    ...createMonthValues(12, 34, 5),
    cha_level: 87,
    cha_class: '512',
    cha_school: 2,
    cha_mmr: 1490,
    cha_money: 2_400_000_000,
    level_up_at: TEST_NOW,
  })
  const rankings = await readRankings()
  const row = {
    ChaNum,
    ChaName: 'Malakas',
    ChaLevel: 87,
    ChaClass: '512',
    ChaSchool: 2,
    ChaPKScore: 12,
    ChaPKDeath: 5,
    ChaMMR: 1490,
    ChaResuScore: 34,
    ChaMoney: 2_400_000_000,
    ChaLevelUpDate: TEST_NOW.toISOString(),
  }
  assert.deepEqual(rankings, Object.fromEntries(LISTS.map((key) => [key, [row]])))
})

test('a character that never gained a level has no date', async () => {
  await addCharacter('Bagito', { level_up_at: null })
  assert.equal((await readRankings()).toplevel.find((row) => row.ChaName === 'Bagito')?.ChaLevelUpDate, null)
})

test('leaves characters without kills or resu this month off those boards', async () => {
  await db.deleteFrom('characters').execute()
  await addCharacter('Tahimik', { ...createMonthValues(0, 0), cha_level: 99 })
  await addCharacter('Palaban', createMonthValues(1, 0))
  await addCharacter('Manggagamot', createMonthValues(0, 1))
  const { toppk, topresu, toplevel } = await readRankings()
  assert.deepEqual([getNames(toppk), getNames(topresu)], [['Palaban'], ['Manggagamot']])
  assert.equal(toplevel.length, 3)
})

test('omits characters of blocked accounts and of operators from every board', async () => {
  await db.deleteFrom('characters').execute()
  const topValues = { ...createMonthValues(9, 9), cha_level: 148, cha_mmr: 3000, cha_money: 9_000_000 }
  await addCharacter('Bawal', topValues, await insertAccount(db, { blocked_at: TEST_NOW }))
  await addCharacter('Tagabantay', topValues, await insertAccount(db, { user_type: 11 }))
  await addCharacter('Punong_GM', topValues, await insertAccount(db, { user_type: 12 }))
  await addCharacter('Katulong', topValues, await insertAccount(db, { user_type: 1 }))
  await addCharacter('Manlalaro', { ...createMonthValues(1, 1) }, await insertAccount(db, { user_type: 0 }))
  for (const rows of Object.values(await readRankings())) assert.deepEqual(getNames(rows), ['Katulong', 'Manlalaro'])
})

const ORDERS: [list: keyof Rankings, more: Values, less: Values][] = [
  ['toppk', createMonthValues(20), createMonthValues(10)],
  ['topresu', createMonthValues(0, 20), createMonthValues(0, 10)],
  ['topmmr', { cha_mmr: 2000 }, { cha_mmr: 1000 }],
  ['topmoney', { cha_money: 2000 }, { cha_money: 1000 }],
]
for (const [list, higherValues, lowerValues] of ORDERS) {
  test(`${list} has the most first, then the higher level, then the lower ChaNum`, async () => {
    await db.deleteFrom('characters').execute()
    await addCharacter('Wala_1', { ...lowerValues, cha_level: 90 })
    await addCharacter('Mababa', { ...higherValues, cha_level: 10 })
    await addCharacter('Mataas_1', { ...higherValues, cha_level: 50 })
    await addCharacter('Mataas_2', { ...higherValues, cha_level: 50 })
    await addCharacter('Wala_2', { ...lowerValues, cha_level: 91 })
    const rankings = await readRankings()
    assert.deepEqual(getNames(rankings[list]), ['Mataas_1', 'Mataas_2', 'Mababa', 'Wala_2', 'Wala_1'])
  })
}

test('toplevel is ordered by level, then ChaNum, and toplevelside is the same list', async () => {
  await db.deleteFrom('characters').execute()
  for (const [name, cha_level] of [
    ['A', 10],
    ['B', 50],
    ['C', 50],
    ['D', 51],
  ] as const)
    await addCharacter(name, { cha_level })
  const { toplevel, toplevelside } = await readRankings()
  assert.deepEqual(getNames(toplevel), ['D', 'B', 'C', 'A'])
  assert.deepEqual(toplevelside, toplevel)
})

test('orders a month by its gains, not by the totals', async () => {
  await db.deleteFrom('characters').execute()
  await addCharacter('Beterano', { cha_pk_score: 9000, base_kills: 8999 })
  await addCharacter('Bago', { cha_pk_score: 20, base_kills: 10 })
  assert.deepEqual(
    (await readRankings()).toppk.map((row) => [row.ChaName, row.ChaPKScore]),
    [
      ['Bago', 10],
      ['Beterano', 1],
    ],
  )
})

test('returns an unknown class code unchanged', async () => {
  await addCharacter('Kakaiba', { cha_class: '65536', cha_level: 148 })
  assert.equal((await readRankings()).toplevel[0]?.ChaClass, '65536')
})

test('every board has at most its first 100 rows', async () => {
  await db.deleteFrom('characters').execute()
  const values = Array.from({ length: 130 }, (_, index) => ({
    user_num: owner,
    cha_name: `Dagsa${index}`,
    cha_level: index + 1,
    cha_class: '1',
    cha_school: 0,
    ...createMonthValues(index + 1, index + 1),
    cha_mmr: index,
    cha_money: index,
  }))
  await insertRows(db, 'characters', values as never)
  for (const [key, rows] of Object.entries(await readRankings())) {
    assert.equal(rows.length, 100, key)
    assert.deepEqual([rows[0]?.ChaName, rows[99]?.ChaName], ['Dagsa129', 'Dagsa30'], key)
  }
})

test('returns the same lists for the open month by its name', async () => {
  assert.deepEqual(await readRankings('?period=2026-11'), await readRankings())
})

test('answers 404 for a month that was never ranked', async () => {
  for (const period of ['2026-10', '2026-12', '1999-01']) {
    const { status, json } = await site.get(`/api/get-top-rankings-list?period=${period}`)
    assert.deepEqual(
      { status, body: json() },
      {
        status: 404,
        body: { error: 'There are no rankings of that month.', message: 'There are no rankings of that month.' },
      },
    )
  }
})

test('refuses an invalid month with 422', async () => {
  for (const period of ['2026-13', '2026-00', '2026-1', '2026', 'november', '2026-11-01', '', '%00']) {
    assert.equal((await site.get(`/api/get-top-rankings-list?period=${period}`)).status, 422, period)
  }
})

test('ranking-periods lists the open month', async () => {
  assert.deepEqual((await site.get('/api/ranking-periods')).json(), {
    data: [
      {
        period: '2026-11',
        starts_at: '2026-10-31T16:00:00.000Z',
        ends_at: '2026-11-30T16:00:00.000Z',
        open: true,
      },
    ],
  })
})
