import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { BOARDS } from '#contract/game.ts'
import { logInAs, registerPlayer } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { deleteSeasons, insertAccount, insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { recordDays } from './days.ts'
import { rollOver } from './rollover.ts'
import { runSeasons } from './seasons.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
/** The first moments of months in Manila. */
const DECEMBER = new Date('2026-11-30T16:00:00.000Z')
const JANUARY = new Date('2026-12-31T16:00:00.000Z')

const { userId } = await registerPlayer(site)
const player = await logInAs(site, userId, 'bayani-7')
const owner = player.user.UserNum
const stranger = await insertAccount(db)

const getApi = (path: string) => {
  site.cache.clear()
  return site.get(`/api/${path}`)
}
const addCharacter = (cha_name: string, cha_level: number, user_num = owner) =>
  insertCharacter(db, { user_num, cha_name, cha_level, cha_class: '512', cha_school: 2 })
type BoardRank = { board: string; rank: number | null; value: number; moved?: number | 'new' | null; division?: string }
const findLevelRank = (places: BoardRank[]) => {
  const place = places.find(({ board }) => board === 'level')
  return place && [place.rank, place.moved]
}
const readPage = async (chaNum: number) => {
  const answer = await getApi(`character/${chaNum}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const readOwnRanks = async (query: string) => {
  site.cache.clear()
  const answer = await player.get(`/api/own-ranks?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer
    .json()
    .data.map(({ ChaName, rank, behind, division }: Record<string, unknown>) => [ChaName, rank, behind, division])
}
const hideCharacter = (cha_num: number) =>
  db.insertInto('hidden_characters').values({ cha_num, reason: 'x', hidden_at: TEST_NOW }).execute()

beforeEach(async () => {
  await db.deleteFrom('hidden_characters').execute()
  await deleteSeasons(db)
  await db.deleteFrom('ranking_archive').execute()
  await db.deleteFrom('ranking_periods').execute()
  await db.deleteFrom('characters').execute()
  await rollOver(db, TEST_NOW)
})

test('shows the best ranks overall, in the class and in the school, and the class guide’s poster', async () => {
  const insert = (cha_level: number, cha_class: string, cha_school: number) =>
    insertCharacter(db, { user_num: stranger, cha_level, cha_class, cha_school })
  await insert(99, '512', 1)
  await insert(98, '1', 0)
  const archer = await insert(97, '256', 0)
  const page = await readPage(archer)
  assert.deepEqual(
    page.ranks.filter(({ board }: { board: string }) => board === 'level'),
    [
      { board: 'level', of: 'class', rank: 1 },
      { board: 'level', of: 'school', rank: 2 },
      { board: 'level', of: 'all', rank: 3 },
    ],
  )
  assert.equal(page.poster, null)
  const published = { classes: { archer: { picture: '/art/class-archer.svg', picture_text: 'An archer.' } } }
  await updateRows(
    db,
    'documents',
    { name: 'classes' },
    { published: JSON.stringify(published), published_at: TEST_NOW },
  )
  assert.deepEqual((await readPage(archer)).poster, { picture: '/art/class-archer.svg', text: 'An archer.' })
})

test('returns the level and the rank of each of the last 30 days, and the current ones for today', async () => {
  const at = (days: number) => new Date(TEST_NOW.getTime() + days * DAY_MS)
  const firstCharacter = await addCharacter('Una', 50)
  const secondCharacter = await addCharacter('Pangalawa', 40)
  await recordDays(db, at(0))
  await db.updateTable('characters').set({ cha_level: 60 }).where('cha_num', '=', secondCharacter).execute()
  await recordDays(db, at(1))
  await db.updateTable('characters').set({ cha_level: 61 }).where('cha_num', '=', secondCharacter).execute()
  await recordDays(db, at(1))
  const readCurve = async (chaNum: number) =>
    (await readPage(chaNum)).days.map(({ level, rank }: { level: number; rank: number }) => [level, rank])
  assert.deepEqual(await readCurve(secondCharacter), [
    [40, 2],
    [61, 1],
  ])
  assert.deepEqual(await readCurve(firstCharacter), [
    [50, 1],
    [50, 2],
  ])
  await recordDays(db, at(30))
  assert.equal((await readCurve(firstCharacter)).length, 2)
  await db.deleteFrom('characters').where('cha_num', '=', firstCharacter).execute()
  assert.deepEqual(
    await db.selectFrom('character_days').where('cha_num', '=', firstCharacter).selectAll().execute(),
    [],
  )
})

test('returns the average of the class’s ranked characters on each board', async () => {
  const insertArcher = (cha_level: number, values: object) =>
    insertCharacter(db, { user_num: stranger, cha_level, cha_class: '256', cha_school: 0, cha_mmr: 1000, ...values })
  const archer = await insertArcher(40, { cha_pk_score: 6, base_kills: 0 })
  await insertArcher(51, { cha_pk_score: 9, base_kills: 0, cha_mmr: 1300 })
  await insertArcher(20, { cha_class: '4' })
  await insertArcher(99, { cha_class: '1' })
  await hideCharacter(await insertArcher(90, {}))
  const { averages } = await readPage(archer)
  const findAverage = (board: string) => averages.find((average: { board: string }) => average.board === board)?.value
  assert.deepEqual(['level', 'mmr', 'killer', 'resu'].map(findAverage), [37, 1100, 8, undefined])
})

test('a ranked character’s page shows the game’s values and its ranks', async () => {
  await addCharacter('Habagat', 90, stranger)
  const amihan = await insertCharacter(db, {
    user_num: owner,
    cha_name: 'Amihan',
    cha_level: 80,
    cha_class: '512',
    cha_school: 2,
    cha_pk_score: 40,
    base_kills: 33,
    cha_mmr: 1500,
    level_up_at: TEST_NOW,
  })
  const { months, seasons, total, titles, tournaments, ranks, averages, picture, ...character } = await readPage(amihan)
  assert.match(picture, new RegExp(`^/character/${amihan}\\.jpg\\?v=[\\w-]{22}$`))
  assert.deepEqual(character, {
    ChaNum: amihan,
    ChaName: 'Amihan',
    ChaLevel: 80,
    ChaClass: '512',
    ChaSchool: 2,
    ChaLevelUpDate: TEST_NOW.toISOString(),
    poster: null,
    club: null,
    online: null,
    days: [],
  })
  assert.deepEqual([seasons, tournaments, titles], [[], [], []])
  assert.equal(averages.find(({ board }: { board: string }) => board === 'level').value, 85)
  // An overall rank is shown alone if it implies the ranks in the class and the school.
  assert.deepEqual(ranks.slice(0, 3), [
    { board: 'mmr', of: 'all', rank: 1 },
    { board: 'killer', of: 'all', rank: 1 },
    { board: 'level', of: 'all', rank: 2 },
  ])
  assert.deepEqual(
    months.map(({ period, open }: { period: string; open: boolean }) => [period, open]),
    [['2026-11', true]],
  )
  assert.deepEqual(
    months[0].places.map(({ board, rank, value }: BoardRank) => [board, rank, value]),
    [
      ['mmr', 1, 1500],
      ['level', 2, 80],
      ['richest', 2, 0],
      ['killer', 1, 7],
    ],
  )
  assert.equal(total.find(({ board }: BoardRank) => board === 'killer').value, 40)
})

test('answers 404 for hidden and unknown characters, and those of blocked accounts and staff', async () => {
  const hiddenCharacter = await addCharacter('Tago', 10)
  await hideCharacter(hiddenCharacter)
  const blockedCharacter = await addCharacter('Bawal', 10, await insertAccount(db, { blocked_at: TEST_NOW }))
  const staffCharacter = await addCharacter('Bantay', 10, await insertAccount(db, { user_type: 11 }))
  for (const chaNum of [hiddenCharacter, blockedCharacter, staffCharacter, 999_999, 0]) {
    assert.equal((await getApi(`character/${chaNum}`)).status, 404)
    assert.equal((await getApi(`../character/${chaNum}`)).status, 404)
  }
})

test('compares each rank of a month with the month before', async () => {
  const amihan = await addCharacter('Amihan', 40)
  const habagat = await addCharacter('Habagat', 30)
  await rollOver(db, DECEMBER)
  const bagyo = await addCharacter('Bagyo', 35)
  await db.updateTable('characters').set({ cha_level: 50 }).where('cha_num', '=', habagat).execute()
  await rollOver(db, JANUARY)
  const readLevelRanks = async (chaNum: number) =>
    (await readPage(chaNum)).months.map(({ period, places }: { period: string; places: BoardRank[] }) => [
      period,
      ...(findLevelRank(places) ?? []),
    ])
  assert.deepEqual(await readLevelRanks(habagat), [
    ['2027-01', 1, 0],
    ['2026-12', 1, 1],
    ['2026-11', 2, null],
  ])
  assert.deepEqual((await readLevelRanks(amihan))[1], ['2026-12', 2, -1])
  assert.deepEqual(await readLevelRanks(bagyo), [
    ['2027-01', 3, 0],
    ['2026-12', 3, 'new'],
  ])
})

test('ranks of a closed month skip characters that were taken out or hidden', async () => {
  const firstCharacter = await addCharacter('Una', 50)
  const secondCharacter = await addCharacter('Ikalawa', 40)
  const thirdCharacter = await addCharacter('Ikatlo', 30)
  await rollOver(db, DECEMBER)
  await hideCharacter(firstCharacter)
  await db
    .updateTable('ranking_archive')
    .set({ taken_out_at: DECEMBER })
    .where('cha_num', '=', secondCharacter)
    .execute()
  assert.deepEqual(findLevelRank((await readPage(thirdCharacter)).months[1].places), [1, null])
  assert.equal((await readPage(secondCharacter)).months.length, 1)
})

test('shows a character’s seasons with ranks, divisions and the change since the last season', async () => {
  const planSeason = async (first_month: string, last_month: string) => {
    const divisions = JSON.stringify([
      { name: 'Bituin', share: 50 },
      { name: 'Lupa', share: 100 },
    ])
    const { season } = await db
      .insertInto('seasons')
      .values({ name: first_month, first_month, last_month, divisions, created_at: TEST_NOW })
      .returning('season')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('season_boards')
      .values(BOARDS.map((board) => ({ season, board, rule: 'growth' as const })))
      .execute()
  }
  await planSeason('2026-11', '2026-11')
  await planSeason('2026-12', '2027-01')
  const amihan = await addCharacter('Amihan', 40)
  const habagat = await addCharacter('Habagat', 30)
  await runSeasons(db, TEST_NOW)
  const raiseLevel = (cha_num: number, cha_level: number) =>
    db.updateTable('characters').set({ cha_level }).where('cha_num', '=', cha_num).execute()
  await raiseLevel(amihan, 42)
  await raiseLevel(habagat, 35)
  await rollOver(db, DECEMBER)
  await raiseLevel(amihan, 49)
  await raiseLevel(habagat, 36)
  // The standings are counted every five minutes.
  await runSeasons(db, new Date(DECEMBER.getTime() + 6 * MINUTE_MS))
  const { seasons } = await readPage(amihan)
  assert.deepEqual(
    seasons.map(({ name, state, places }: { name: string; state: string; places: BoardRank[] }) => [
      name,
      state,
      places,
    ]),
    [
      ['2026-12', 'running', [{ board: 'level', rank: 1, value: 7, division: 'Bituin', moved: 1 }]],
      ['2026-11', 'ended', [{ board: 'level', rank: 2, value: 2, division: 'Lupa', moved: null }]],
    ],
  )
  assert.deepEqual(await readOwnRanks('of=season&board=level'), [
    ['Amihan', 1, false, 'Bituin'],
    ['Habagat', 2, false, 'Lupa'],
  ])
  assert.deepEqual(await readOwnRanks('of=season&board=mmr'), [
    ['Amihan', null, false, null],
    ['Habagat', null, false, null],
  ])
})

test('players see their own characters’ ranks of the month, a closed month and all time', async () => {
  const amihan = await addCharacter('Amihan', 40)
  await addCharacter('Bagyo', 50, stranger)
  await addCharacter('Habagat', 30)
  await db.updateTable('characters').set({ cha_pk_score: 9 }).where('cha_num', '=', amihan).execute()
  const ownRanks = [
    ['Amihan', 2, false, null],
    ['Habagat', 3, false, null],
  ]
  assert.deepEqual(await readOwnRanks('of=month&board=level'), ownRanks)
  assert.deepEqual(await readOwnRanks('of=total&board=killer'), [
    ['Amihan', 1, false, null],
    ['Habagat', null, false, null],
  ])
  await rollOver(db, DECEMBER)
  await addCharacter('Bago', 99)
  assert.deepEqual(await readOwnRanks('of=month&board=level&period=2026-11'), [
    ...ownRanks,
    ['Bago', null, false, null],
  ])
})

test('counts the first thousand ranks, and reports that characters are below them', async () => {
  const values = Array.from({ length: 1000 }, (_, index) => ({
    user_num: stranger,
    cha_name: `Dagsa${index}`,
    cha_level: 50,
    cha_class: '1',
    cha_school: 0,
  }))
  await insertRows(db, 'characters', values as never)
  const amihan = await addCharacter('Amihan', 40)
  assert.deepEqual(await readOwnRanks('of=month&board=level'), [['Amihan', null, true, null]])
  assert.deepEqual(findLevelRank((await readPage(amihan)).months[0].places), [null, null])
  assert.deepEqual(await readOwnRanks('of=month&board=killer'), [['Amihan', null, false, null]])
  const readLastRank = async (query: string) => (await player.get(`/api/own-ranks?${query}`)).json().last
  assert.deepEqual(await readLastRank('of=month&board=level'), { rank: 1000, value: 50 })
  assert.deepEqual(await readLastRank('of=month&board=killer'), null)
})

test('applies the filters of the board to the player’s own ranks', async () => {
  await insertCharacter(db, { user_num: stranger, cha_name: 'Bagyo', cha_level: 50, cha_class: '1', cha_school: 0 })
  await insertCharacter(db, { user_num: stranger, cha_name: 'Kidlat', cha_level: 45, cha_class: '4', cha_school: 2 })
  await addCharacter('Amihan', 40)
  await insertCharacter(db, { user_num: owner, cha_name: 'Habagat', cha_level: 30, cha_class: '1', cha_school: 0 })
  const readRanks = (query: string) => readOwnRanks(`of=month&board=level${query}`)
  const toRow = (name: string, rank: number) => [name, rank, false, null]
  assert.deepEqual(await readRanks(''), [toRow('Amihan', 3), toRow('Habagat', 4)])
  assert.deepEqual(await readRanks('&school=2'), [toRow('Amihan', 2)])
  assert.deepEqual(await readRanks('&school=2&class=shaman'), [toRow('Amihan', 1)])
  assert.deepEqual(await readRanks('&class=brawler'), [toRow('Habagat', 2)])
  assert.deepEqual(await readRanks('&class=gunner'), [])
  assert.equal((await player.get('/api/own-ranks?of=month&board=level&school=3')).status, 422)
})

test('a player sees only their own characters’ ranks', async () => {
  await addCharacter('Bagyo', 50, stranger)
  assert.deepEqual(await readOwnRanks('of=month&board=level'), [])
})

test('the all-time board of kills has the totals of all months, and no characters without kills', async () => {
  const beterano = await insertCharacter(db, {
    user_num: owner,
    cha_name: 'Beterano',
    cha_pk_score: 9000,
    cha_pk_death: 40,
    base_kills: 8999,
  })
  await insertCharacter(db, { user_num: stranger, cha_name: 'Bago', cha_pk_score: 20, base_kills: 0 })
  await insertCharacter(db, { user_num: stranger, cha_name: 'Tahimik' })
  const readKillers = async () =>
    (await getApi('total-rankings?board=killer'))
      .json()
      .data.map(({ ChaName, ChaPKScore, ChaPKDeath }: Record<string, unknown>) => [ChaName, ChaPKScore, ChaPKDeath])
  const expectedRows = [
    ['Beterano', 9000, 40],
    ['Bago', 20, 0],
  ]
  assert.deepEqual(await readKillers(), expectedRows)
  await rollOver(db, DECEMBER)
  assert.deepEqual(await readKillers(), expectedRows)
  await hideCharacter(beterano)
  assert.deepEqual(await readKillers(), expectedRows.slice(1))
})

test('a closed month lists the characters on its boards that no longer have a page', async () => {
  const amihan = await addCharacter('Amihan', 40)
  const habagat = await addCharacter('Habagat', 30)
  await addCharacter('Bagyo', 20)
  await rollOver(db, DECEMBER)
  const readUnlinked = async () => (await getApi('ranking-unlinked?period=2026-11')).json().data
  assert.deepEqual(await readUnlinked(), [])
  await hideCharacter(habagat)
  await db.deleteFrom('characters').where('cha_num', '=', amihan).execute()
  assert.deepEqual((await readUnlinked()).sort(), [amihan, habagat].sort())
})
