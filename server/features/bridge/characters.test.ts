import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  CHARACTERS_IN_BLOCK,
  type CharacterMeasure,
  type CharacterRow,
  compareCharacters,
  reportGame,
  sendCharacters,
  sendGameLog,
} from '#contract/bridge-characters.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { ONLINE_POINT_PERIOD_MS } from '#contract/players-online.ts'
import type { RankedCharacter, Rankings } from '#contract/rankings.ts'
import { selectMonths } from '#server/features/rankings/archive.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { createAgentDouble, linkAccount, listenForBridges } from '#test/bridge-helpers.ts'
import { insertAccount, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db, clock } = site
const address = await listenForBridges(site)
const agent = await createAgentDouble(site, address)
await agent.start()

type GameValues = Partial<{
  user: number
  name: string
  class: number
  school: number
  level: number
  kills: number
  deaths: number
  mmr: number
  resu: number
  money: number
  levelUp: number | null
  /** Why the character is hidden: 1 for staff, 2 for a blocked account, 3 for a deleted character. */
  hiddenReason: 0 | 1 | 2 | 3
}>
/** Returns a character's row in the order of `CharacterRow`. */
const createRow = (chaNum: number, values: GameValues = {}): CharacterRow => [
  chaNum,
  values.user ?? 100_000 + chaNum,
  values.name ?? `Bagani${chaNum}`,
  values.class ?? 1,
  values.school ?? 0,
  values.level ?? 10,
  values.kills ?? 0,
  values.deaths ?? 0,
  values.mmr ?? 0,
  values.resu ?? 0,
  values.money ?? 0,
  values.levelUp ?? null,
  values.hiddenReason ?? 0,
]
/** Groups rows into blocks with their hashes, as an agent does. */
const toBlocks = (rows: CharacterRow[]) => {
  const blocks = Map.groupBy(rows, ([chaNum]) => Math.floor(chaNum / CHARACTERS_IN_BLOCK))
  return [...blocks].map(([block, rows]) => ({
    block,
    rows,
    to: createHash('sha256').update(JSON.stringify(rows)).digest('base64url'),
  }))
}
type Call = typeof agent.call
const compareBlocks = (
  rows: CharacterRow[],
  { age = 0, lacks = [] as CharacterMeasure[], call = agent.call as Call } = {},
) =>
  call(compareCharacters, {
    age_ms: age,
    blocks: toBlocks(rows).map(({ block }) => block),
    hashes: toBlocks(rows).map(({ to }) => to),
    lacks,
    took_ms: 1,
    sent_bytes: 0,
    changed: 1,
  })
const sendBlocks = (rows: CharacterRow[], { age = 0, call = agent.call as Call } = {}) =>
  call(sendCharacters, { age_ms: age, blocks: toBlocks(rows).map((block) => ({ ...block, from: null, gone: [] })) })

/** Sends all characters of the game, as an agent does. */
async function syncGame(rows: CharacterRow[], options: { age?: number; lacks?: CharacterMeasure[] } = {}) {
  const { wanted } = await compareBlocks(rows, options)
  const blocks = new Set(wanted.map(({ block }) => block))
  await sendBlocks(
    rows.filter(([chaNum]) => blocks.has(Math.floor(chaNum / CHARACTERS_IN_BLOCK))),
    options,
  )
  const comparison = await compareBlocks(rows, options)
  assert.deepEqual(comparison.wanted, [])
}
const readBoards = async (query = ''): Promise<Rankings> => {
  site.cache.clear()
  return (await site.get(`/api/get-top-rankings-list${query}`)).json()
}
const listNames = (rows: RankedCharacter[]) => rows.map(({ ChaName }) => ChaName)
const readCharacters = () => db.selectFrom('characters').selectAll().orderBy('cha_num').execute()
const readCounts = async () => (await db.selectFrom('game_sync').select('counts').executeTakeFirstOrThrow()).counts

/** The open month, which ends at midnight of 1 December 2026 in Manila. */
const month = await db
  .selectFrom('ranking_periods')
  .where('closed_at', 'is', null)
  .selectAll()
  .executeTakeFirstOrThrow()

test('the first reading removes the demo world’s characters; its closed months stay', async () => {
  const [closedMonth] = await db
    .selectFrom('ranking_periods')
    .where('closed_at', 'is not', null)
    .select('period')
    .orderBy('period', 'desc')
    .execute()
  const boardsBefore = await readBoards(`?period=${closedMonth?.period}`)
  assert.ok(boardsBefore.toplevel.length > 50 && (await readCharacters()).length > 3000)
  await syncGame([createRow(1, { level: 50 }), createRow(2, { level: 60 }), createRow(900, { level: 55 })])
  assert.deepEqual(listNames((await readBoards()).toplevel), ['Bagani2', 'Bagani900', 'Bagani1'])
  assert.deepEqual(await readBoards(`?period=${closedMonth?.period}`), boardsBefore)
  // The game has another character under a number of the demo world.
  const chaNum = boardsBefore.toplevel[0]?.ChaNum ?? 0
  await syncGame([createRow(chaNum, { level: 5 })])
  site.cache.clear()
  const page = await site.get(`/api/character/${chaNum}`)
  assert.deepEqual(
    page.json().months.map(({ open }: { open: boolean }) => open),
    [true],
  )
  const { data: unlinked } = (await site.get(`/api/ranking-unlinked?period=${closedMonth?.period}`)).json()
  assert.ok(unlinked.includes(chaNum))
  assert.equal((await db.selectFrom('hidden_characters').selectAll().execute()).length, 0)
  const auditEntries = await db
    .selectFrom('audit_log')
    .where('action', '=', 'characters come from the game')
    .selectAll()
    .execute()
  assert.equal(auditEntries.length, 1)
})

test('rankings, search and the character’s page show the game’s values', async () => {
  await syncGame([
    createRow(1, {
      name: 'Lakan',
      class: 1024,
      school: 2,
      level: 99,
      mmr: 1500,
      money: 9_000_000_000_000,
      levelUp: 1_790_000_000,
    }),
    createRow(70, { name: 'Diwata', level: 98, mmr: 1600 }),
  ])
  const { topmmr, toplevel } = await readBoards()
  assert.deepEqual(listNames(topmmr), ['Diwata', 'Lakan'])
  const { ChaNum, ChaClass, ChaSchool, ChaMoney, ChaLevelUpDate } = toplevel[0] as RankedCharacter
  assert.deepEqual(
    [ChaNum, ChaClass, ChaSchool, ChaMoney, ChaLevelUpDate],
    [1, '1024', 2, 9_000_000_000_000, new Date(1_790_000_000_000).toISOString()],
  )
  assert.equal((await site.get('/api/character/70')).json().ChaName, 'Diwata')
  assert.equal((await site.get('/api/search?q=lakan')).json().counts.characters, 1)
})

test('requests only blocks that differ, and resumes an interrupted reading', async () => {
  const rows = Array.from({ length: 640 }, (_, index) => createRow(index + 64))
  const firstAnswer = await compareBlocks(rows)
  assert.equal(firstAnswer.wanted.length, 10)
  await sendBlocks(rows.slice(0, 320))
  const secondAnswer = await compareBlocks(rows)
  assert.deepEqual(
    secondAnswer.wanted.map(({ block }) => block),
    [6, 7, 8, 9, 10],
  )
  await sendBlocks(rows.slice(320))
  assert.deepEqual((await compareBlocks(rows)).wanted, [])
  const changedRows = rows.map((row) => (row[0] === 300 ? createRow(300, { level: 11 }) : row))
  const [{ block, has } = { block: 0, has: '' }, ...otherBlocks] = (await compareBlocks(changedRows)).wanted
  assert.deepEqual([block, otherBlocks.length], [4, 0])
  // Sends the changed block alone.
  const to = toBlocks(changedRows).find((rowBlock) => rowBlock.block === 4)?.to ?? ''
  const sendPart = (from: string) =>
    agent.call(sendCharacters, {
      age_ms: 0,
      blocks: [{ block, from, to, rows: [createRow(300, { level: 11 })], gone: [301] }],
    })
  await sendPart('not-what-the-site-has')
  assert.equal((await compareBlocks(changedRows)).wanted.length, 1)
  await sendPart(has ?? '')
  assert.equal((await compareBlocks(changedRows)).wanted.length, 0)
  const storedRows = await db
    .selectFrom('characters')
    .where('cha_num', 'in', [300, 301])
    .select(['cha_level', 'kept_out'])
    .execute()
  assert.deepEqual(storedRows, [
    { cha_level: 11, kept_out: '' },
    { cha_level: 10, kept_out: 'missing' },
  ])
})

test('hides characters of staff, blocked players and deleted ones, and restores them unchanged', async () => {
  const rows = [
    createRow(1),
    createRow(2, { hiddenReason: 1 }),
    createRow(3, { hiddenReason: 2 }),
    createRow(4, { hiddenReason: 3 }),
    createRow(5),
    createRow(700),
  ]
  await syncGame(rows)
  assert.deepEqual(listNames((await readBoards()).toplevel), ['Bagani1', 'Bagani5', 'Bagani700'])
  assert.equal((await site.get('/api/character/2')).status, 404)
  assert.equal((await site.get('/api/search?q=bagani')).json().counts.characters, 3)
  await syncGame(rows.filter(([chaNum]) => chaNum < 5))
  assert.deepEqual(listNames((await readBoards()).toplevel), ['Bagani1'])
  const { shown, staff, blocked, deleted, missing } = await readCounts()
  assert.deepEqual([shown, staff, blocked, deleted, missing && missing >= 2], [1, 1, 1, 1, true])
  await syncGame(rows)
  assert.deepEqual(listNames((await readBoards()).toplevel), ['Bagani1', 'Bagani5', 'Bagani700'])
  const schools = await db.selectFrom('shown_per_school').where('characters', '<>', 0).selectAll().execute()
  assert.deepEqual(
    schools.map(({ school, characters }) => [school, Number(characters)]),
    [[0, 3]],
  )
})

test('accepts and counts unknown classes and schools, odd names and impossible values', async () => {
  await syncGame([
    createRow(1, { name: 'Mayumi', class: 16_777_216 }),
    createRow(2, { name: 'mayumi', school: 9 }),
    createRow(3, { name: '\u202egnilas\u0000', school: 90_000 }),
    createRow(4, { name: '   ', level: -3 }),
    createRow(5, { name: '\ud800 ﷽'.repeat(20), level: 2_000_000_000 }),
    createRow(6, { name: 'Mayumi', money: Number.MAX_SAFE_INTEGER, kills: -5 }),
  ])
  const shownRows = await db
    .selectFrom('characters')
    .where('kept_out', '=', '')
    .select(['cha_num', 'cha_name', 'cha_level'])
    .orderBy('cha_num')
    .execute()
  assert.deepEqual(shownRows.map(({ cha_name }) => cha_name).slice(0, 4), ['Mayumi', 'mayumi', 'gnilas', '#4'])
  assert.deepEqual([shownRows[3]?.cha_level, shownRows[4]?.cha_level], [1, 32_767])
  const { odd_class, odd_school, odd_name } = await readCounts()
  assert.deepEqual([odd_class, odd_school, odd_name], [1, 2, 3])
  assert.equal((await readBoards()).toplevel.length, 6)
  site.cache.clear()
  assert.equal((await site.get('/api/character/3')).json().ChaSchool, -1)
})

test('characters follow the link of their game account, in either order of arrival', async () => {
  const player = await insertAccount(db, { user_id: 'Magiting' })
  const readOwnCharacters = async () =>
    (await readCharacters()).filter(({ user_num }) => user_num === player).map(({ cha_num }) => cha_num)
  await syncGame([createRow(1, { user: 7001 }), createRow(2, { user: 7001, hiddenReason: 3 })])
  await linkAccount(site, player, 7001)
  assert.deepEqual(await readOwnCharacters(), [1])
  await syncGame([createRow(1, { user: 7001 }), createRow(2, { user: 7001 }), createRow(3, { user: 7001 })])
  assert.deepEqual(await readOwnCharacters(), [1, 2, 3])
  await db.updateTable('accounts').set({ blocked_at: clock.now() }).where('user_num', '=', player).execute()
  assert.deepEqual(listNames((await readBoards()).toplevel), [])
  await db.updateTable('accounts').set({ blocked_at: null }).where('user_num', '=', player).execute()
  await syncGame([createRow(1, { user: 7001 })])
  assert.deepEqual(await readOwnCharacters(), [1])
  await db.deleteFrom('game_links').where('user_num', '=', player).execute()
  assert.deepEqual(await readOwnCharacters(), [])
  assert.deepEqual(listNames((await readBoards()).toplevel), ['Bagani1'])
})

test('shows players their characters of the game, with their ranks', async () => {
  const { headers, user } = await openPlayerSession(site, 'juan')
  await syncGame([createRow(1, { user: 7002, level: 44 })])
  await linkAccount(site, user.UserNum, 7002)
  const playerNow = await openPlayerSession(site, 'juan')
  assert.deepEqual(
    playerNow.user.characters.map(({ ChaName, ChaLevel }) => [ChaName, ChaLevel]),
    [['Bagani1', 44]],
  )
  const { data } = (await site.get('/api/own-ranks?of=month&board=level', headers)).json()
  assert.deepEqual([data[0].ChaName, data[0].rank], ['Bagani1', 1])
})

test('leaves a board empty while its column is missing, and counts no gain for its first values', async () => {
  await syncGame([createRow(1, { kills: 0 }), createRow(2)], { lacks: ['mmr', 'kills'] })
  const boardsBefore = await readBoards()
  assert.deepEqual([boardsBefore.topmmr, boardsBefore.toppk, boardsBefore.toplevel.length], [[], [], 2])
  site.cache.clear()
  assert.deepEqual((await site.get('/api/total-rankings?board=mmr')).json().data, [])
  await syncGame([createRow(1, { kills: 500, mmr: 1200 }), createRow(2, { kills: 7 }), createRow(3, { kills: 900 })])
  const boardsNow = await readBoards()
  assert.deepEqual([boardsNow.toppk, listNames(boardsNow.topmmr).length], [[], 3])
  await syncGame([createRow(1, { kills: 503, mmr: 1200 }), createRow(2, { kills: 7 }), createRow(3, { kills: 901 })])
  assert.deepEqual(
    (await readBoards()).toppk.map(({ ChaName, ChaPKScore }) => [ChaName, ChaPKScore]),
    [
      ['Bagani1', 3],
      ['Bagani3', 1],
    ],
  )
  site.cache.clear()
  const totalRows = (await site.get('/api/total-rankings?board=killer')).json().data
  assert.deepEqual(
    totalRows.map(({ ChaPKScore }: RankedCharacter) => ChaPKScore),
    [901, 503, 7],
  )
})

test('leaves the month’s gain unchanged when a counter falls', async () => {
  await syncGame([createRow(5000, { kills: 1000, resu: 10, deaths: 5 })])
  await syncGame([createRow(5000, { kills: 1040, resu: 14, deaths: 6 })])
  await syncGame([createRow(5000, { kills: 0, resu: 0, deaths: 0 })])
  await syncGame([createRow(5000, { kills: 3, resu: 1, deaths: 0 })])
  const [topRow] = (await readBoards()).toppk
  assert.deepEqual([topRow?.ChaPKScore, topRow?.ChaPKDeath, topRow?.ChaResuScore], [43, 1, 5])
})

test('limits impossibly high counters; boards and pages load even if stored rows have them', async () => {
  const hugeValue = 2 ** 53 - 1
  const createValues = (value: number) => ({ kills: value, deaths: value, resu: value, mmr: value, money: value })
  const chaNum = 6000
  const assertAnswered = async () => {
    site.cache.clear()
    const paths = ['/api/get-top-rankings-list', `/api/character/${chaNum}`]
    const totals = ['killer', 'resu', 'richest', 'mmr'].map((board) => `/api/total-rankings?board=${board}`)
    for (const path of [...paths, ...totals]) assert.equal((await site.get(path)).status, 200, path)
  }
  for (const value of [-hugeValue, hugeValue, -hugeValue, hugeValue])
    await syncGame([createRow(chaNum, createValues(value))])
  await assertAnswered()
  const [topRow] = (await readBoards()).toppk
  assert.deepEqual([topRow?.ChaPKScore, topRow?.ChaPKDeath, topRow?.ChaMoney], [2e12, 2e12, 1e15])
  await sql`
    update characters set cha_pk_score = ${hugeValue}, cha_pk_death = ${hugeValue}, cha_resu_score = ${hugeValue},
      cha_money = ${hugeValue}, base_kills = ${-hugeValue}, base_deaths = ${-hugeValue}, base_resu = ${-hugeValue},
      past_kills = ${hugeValue}, past_resu = ${hugeValue}, start_kills = ${-hugeValue}
    where cha_num = ${chaNum}`.execute(db)
  await assertAnswered()
  await syncGame([createRow(5000)])
})

test('stores no characters while a restore of the game’s database waits', async () => {
  await syncGame([createRow(5000, { kills: 7 })])
  const gainedKills = (await readBoards()).toppk[0]?.ChaPKScore ?? 0
  const { epoch } = agent.copy
  agent.copy.epoch = randomUUID()
  assert.equal((await agent.takeWork()).restore, 'waits')
  const rowsBefore = [await readCharacters(), await db.selectFrom('game_sync').selectAll().execute()]
  const otherRows = [createRow(5000, { user: 1, name: 'SomebodyElse' }), createRow(9000)]
  assert.deepEqual((await compareBlocks(otherRows)).wanted, [])
  await sendBlocks(otherRows)
  await agent.call(reportGame, { problem: 'odd', online: 5, areas: [{ region: 1, club: 'Strangers', tax_percent: 1 }] })
  assert.deepEqual([await readCharacters(), await db.selectFrom('game_sync').selectAll().execute()], rowsBefore)
  assert.equal((await site.get('/api/players-online')).json().online, null)
  agent.copy.epoch = epoch
  assert.equal((await agent.takeWork()).restore, 'none')
  await syncGame([createRow(5000, { kills: 8 })])
  const [topRow, ...otherTopRows] = (await readBoards()).toppk
  assert.deepEqual([topRow?.ChaName, topRow?.ChaPKScore, otherTopRows], ['Bagani5000', gainedKills + 1, []])
})

test('an agent cannot change accounts, or characters outside of the block or without the lease', async () => {
  const accounts = await db.selectFrom('accounts').selectAll().orderBy('user_num').execute()
  const hostileName = "'; drop table accounts; --<script>alert(1)</script>"
  await syncGame([createRow(1, { name: hostileName, user: 1 }), createRow(2, { user: -1 })])
  assert.deepEqual(await db.selectFrom('accounts').selectAll().orderBy('user_num').execute(), accounts)
  const [character] = await readCharacters()
  assert.deepEqual([character?.cha_name, character?.user_num], [hostileName.slice(0, 40), null])
  await assert.rejects(
    agent.call(sendCharacters, {
      age_ms: 0,
      blocks: [{ block: 0, from: null, to: 'x'.repeat(22), rows: [createRow(64)], gone: [] }],
    }),
    { status: 422 },
  )
  const otherCall = agent.callAs('another-start-of-it')
  await assert.rejects(compareBlocks([createRow(1)], { call: otherCall }), { status: 409 })
  await assert.rejects(sendBlocks([createRow(1)], { call: otherCall }), { status: 409 })
  await assert.rejects(otherCall(reportGame, { problem: '', online: 5, areas: null }), { status: 409 })
})

test('stores the owners and taxes of areas that the game reports', async () => {
  const readAreas = async () => {
    site.cache.clear()
    return (await site.get('/api/club-areas'))
      .json()
      .data.map((region: { club: string; tax_percent: number }) => [region.club, region.tax_percent])
  }
  const reportAreas = (areas: { region: number; club: string; tax_percent: number }[]) =>
    agent.call(reportGame, { problem: '', online: null, areas })
  await reportAreas([
    { region: 5, club: 'Katipunan', tax_percent: 7.4 },
    { region: 2, club: '', tax_percent: 250 },
  ])
  assert.deepEqual(await readAreas(), [
    [null, 100],
    ['Katipunan', 7],
    [null, 0],
  ])
  await reportAreas([
    { region: 5, club: 'Sandigan', tax_percent: 3 },
    { region: 2, club: 'Katipunan', tax_percent: 0 },
    { region: 9, club: 'Bayanihan', tax_percent: 1 },
    { region: 11, club: 'Hangin', tax_percent: 1 },
  ])
  assert.deepEqual(await readAreas(), [
    ['Katipunan', 0],
    ['Sandigan', 3],
    ['Bayanihan', 1],
    ['Hangin', 1],
  ])
})

test('accepts a game log in which no war has an accepted time', async () => {
  const war = { winner: 1, loser: 2, region: 0 }
  await agent.call(sendGameLog, { kills: [], wars: [{ ...war, num: 1, at: 1_790_000_000 }] })
  // A game that stores 1970 for "never".
  await agent.call(sendGameLog, { kills: [], wars: [{ ...war, num: 2, at: 0 }] })
  assert.deepEqual(await db.selectFrom('game_wars').selectAll().execute(), [])
})

test('the online players are public while a bridge is paired, and marked as old after 5 minutes', async () => {
  const readOnline = async () => {
    site.cache.clear()
    return (await site.get('/api/players-online')).json().online
  }
  assert.equal(await readOnline(), null)
  const startMs = clock.now().getTime()
  const halfHour = Math.floor(startMs / ONLINE_POINT_PERIOD_MS) * ONLINE_POINT_PERIOD_MS
  clock.set(new Date(halfHour - HOUR_MS + 1000))
  for (const players of [10, 21, 31]) {
    await agent.call(reportGame, { problem: '', online: players, areas: null })
    clock.advance(MINUTE_MS)
  }
  clock.set(new Date(halfHour + 1000))
  await agent.call(reportGame, { problem: '', online: 12, areas: null })
  const status = await readOnline()
  assert.deepEqual(status.points.slice(-4), [null, 21, null, 12])
  assert.deepEqual(
    { ...status, points: status.points.length, month: undefined },
    {
      players: 12,
      counted_at: new Date(halfHour + 1000).toISOString(),
      old: false,
      most: 31,
      peak_today: 31,
      demo: false,
      from: new Date(halfHour - 47 * ONLINE_POINT_PERIOD_MS).toISOString(),
      points: 48,
      month: undefined,
    },
  )
  clock.advance(5 * MINUTE_MS + 1)
  await agent.call(reportGame, { problem: '', online: null, areas: null })
  assert.deepEqual([(await readOnline()).players, (await readOnline()).old], [12, true])

  const gm = await openPlayerSession(site, 'gm')
  const game = (await gm.get('/api/admin/game')).json()
  assert.equal(game.online.most, 31)
  assert.equal(typeof game.sync.counts.odd_class, 'number')

  clock.advance(DAY_MS)
  assert.equal(await readOnline(), null)
  clock.set(new Date(halfHour + 1000))
  await db.updateTable('bridges').set({ revoked_at: clock.now() }).execute()
  assert.equal(await readOnline(), null)
  await db.updateTable('bridges').set({ revoked_at: null }).execute()
  clock.set(new Date(startMs))
})

test('stores players by school and class and the availability by hour for 30 days (STATUS-3)', async () => {
  const readMonth = async () => {
    site.cache.clear()
    return (await site.get('/api/players-online')).json().online.month
  }
  await db.deleteFrom('online_hours').execute()
  const startMs = clock.now().getTime()
  const hour = Math.floor(startMs / HOUR_MS) * HOUR_MS
  const reportGroups = (groups: { school: number; class: number; players: number }[]) =>
    agent.call(reportGame, {
      problem: '',
      online: groups.reduce((sum, { players }) => sum + players, 0),
      groups,
      areas: null,
    })
  clock.set(new Date(hour))
  await reportGroups([
    { school: 0, class: 1, players: 4 },
    { school: 0, class: 64, players: 3 },
    { school: 2, class: 512, players: 2 },
    { school: 9, class: 65536, players: 1 },
  ])
  clock.set(new Date(hour + MINUTE_MS))
  await reportGroups([{ school: 2, class: 8, players: 6 }])
  const { schools, classes, up_percent, most, points } = await readMonth()
  assert.deepEqual(schools, [
    { school: 0, now: 0, average: 3.5, most: 7 },
    { school: 1, now: 0, average: 0, most: 0 },
    { school: 2, now: 6, average: 4, most: 6 },
    { school: null, now: 0, average: 0.5, most: 1 },
  ])
  const findClass = (name: string | null) => classes.find((row: { class: string | null }) => row.class === name)
  assert.deepEqual(findClass('shaman'), { class: 'shaman', now: 6, average: 4, most: 6 })
  assert.deepEqual(findClass(null), { class: null, now: 0, average: 0.5, most: 1 })
  assert.deepEqual([up_percent, most, points.at(-1), points.at(-2), points.length], [100, 10, 8, null, 180])
  // Counts as down while the game's database does not answer. A missing column counts as neither up nor down.
  clock.set(new Date(hour + 2 * MINUTE_MS))
  await agent.call(reportGame, { problem: 'The game database does not answer.', online: null, areas: null })
  await agent.call(reportGame, { problem: '', online: null, areas: null })
  assert.equal((await readMonth()).up_percent, 66.7)
  clock.set(new Date(hour + 30 * DAY_MS + HOUR_MS))
  await reportGroups([])
  assert.deepEqual((await readMonth()).up_percent, 100)
  const hours = await db.selectFrom('online_hours').select('hour').distinct().execute()
  assert.deepEqual(hours.length, 1)
  clock.set(new Date(startMs))
})

test('a character’s page shows that it is online only if operators allow it (STATUS-4)', async () => {
  const isOnline = async (chaNum: number) => {
    site.cache.clear()
    return (await site.get(`/api/character/${chaNum}`)).json().online
  }
  const reportPlaying = (characters: number[]) =>
    agent.call(reportGame, { problem: '', online: characters.length, characters, areas: null })
  const countStored = async () =>
    (await db.selectFrom('game_sync').select('online_characters').executeTakeFirstOrThrow()).online_characters.length
  await syncGame([createRow(1), createRow(2), createRow(3, { hiddenReason: 3 })])
  await reportPlaying([1, 3])
  assert.deepEqual([await isOnline(1), await countStored()], [null, 0])
  const changed_at = clock.now()
  await db.insertInto('settings').values({ name: 'show_who_plays', value: 'true', changed_at }).execute()
  site.cache.clear()
  await reportPlaying([1, 3])
  assert.deepEqual([await isOnline(1), await isOnline(2)], [true, false])
  assert.equal((await site.get('/api/character/3')).status, 404)
  clock.advance(5 * MINUTE_MS + 1)
  assert.equal(await isOnline(1), null)
  clock.set(changed_at)
  await db.deleteFrom('settings').where('name', '=', 'show_who_plays').execute()
  assert.equal(await isOnline(1), null)
})

// Each of the following tests begins in the open month, with values from two minutes before its end at midnight.
const monthEnd = month.ends_at.getTime()
const setTime = (ms: number) => clock.set(new Date(monthEnd + ms))
const startRows = [createRow(1, { kills: 100 })]
const readMonthEnd = async () => {
  const period = await db
    .selectFrom('ranking_periods')
    .where('period', '=', month.period)
    .selectAll()
    .executeTakeFirstOrThrow()
  const archiveRows = await db
    .selectFrom('ranking_archive')
    .where('period', '=', month.period)
    .where('board', '=', 'killer')
    .select('kills')
    .execute()
  return {
    closed: period.closed_at !== null,
    valuesAt: period.values_at?.getTime(),
    kills: archiveRows.map(({ kills }) => Number(kills)),
  }
}
async function reopenMonth(lastSyncMs: number) {
  await db.deleteFrom('ranking_archive').where('period', '=', month.period).execute()
  await db.deleteFrom('ranking_periods').where('period', '>', month.period).execute()
  await updateRows(db, 'ranking_periods', { period: month.period }, { closed_at: null, values_at: null })
  await db.deleteFrom('characters').execute()
  await db.deleteFrom('character_blocks').execute()
  setTime(-60 * MINUTE_MS)
  await syncGame(startRows)
  setTime(lastSyncMs)
  await syncGame([createRow(1, { kills: 130 })])
}

test('closes the month with the last values from before midnight', async () => {
  await reopenMonth(-2 * MINUTE_MS)
  setTime(1000)
  await syncGame([createRow(1, { kills: 135 })])
  assert.deepEqual(await readMonthEnd(), { closed: true, valuesAt: monthEnd - 2 * MINUTE_MS, kills: [30] })
  assert.deepEqual(
    (await readBoards()).toppk.map(({ ChaPKScore }) => ChaPKScore),
    [5],
  )
})

test('waits for values from before midnight that the agent is still sending', async () => {
  await reopenMonth(-2 * MINUTE_MS)
  const rows = [createRow(1, { kills: 134 })]
  setTime(-1000)
  await compareBlocks(rows)
  setTime(1000)
  assert.equal(await rollOver(db, clock.now()), null)
  await sendBlocks(rows, { age: 2500 })
  await compareBlocks(rows, { age: 2500 })
  assert.deepEqual(await readMonthEnd(), { closed: true, valuesAt: monthEnd - 1500, kills: [34] })
})

test('does not wait for a report that was interrupted before midnight', async () => {
  await reopenMonth(-2 * MINUTE_MS)
  setTime(-1000)
  await compareBlocks([createRow(1, { kills: 134 })])
  setTime(2 * MINUTE_MS)
  assert.equal(await rollOver(db, clock.now()), month.period)
  assert.deepEqual((await readMonthEnd()).kills, [30])
})

test('waits for new values if the last are over ten minutes old at midnight', async () => {
  await reopenMonth(-11 * MINUTE_MS)
  setTime(5 * MINUTE_MS)
  assert.equal(await rollOver(db, clock.now()), null)
  await syncGame([createRow(1, { kills: 150 })])
  assert.deepEqual(await readMonthEnd(), { closed: true, valuesAt: monthEnd + 5 * MINUTE_MS, kills: [50] })
  const [nextMonth] = (await selectMonths(db, '')).rows
  assert.deepEqual(nextMonth?.values_from, new Date(monthEnd + 5 * MINUTE_MS), 'the next month begins with them')
  assert.deepEqual((await readBoards()).toppk, [])
})

test('waits for new values for a day at most', async () => {
  await reopenMonth(-11 * MINUTE_MS)
  setTime(DAY_MS - 1000)
  assert.equal(await rollOver(db, clock.now()), null)
  setTime(DAY_MS)
  assert.equal(await rollOver(db, clock.now()), month.period)
  assert.deepEqual(await readMonthEnd(), { closed: true, valuesAt: monthEnd - 11 * MINUTE_MS, kills: [30] })
})

test('closes the month at midnight without a bridge', async () => {
  await reopenMonth(-11 * MINUTE_MS)
  await db.updateTable('bridges').set({ revoked_at: clock.now() }).execute()
  setTime(1000)
  assert.equal(await rollOver(db, clock.now()), month.period)
  await db.updateTable('bridges').set({ revoked_at: null }).execute()
})
