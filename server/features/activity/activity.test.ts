import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ACTIVITY_PAGE_SIZE, ACTIVITY_ROWS_MAX, type listActivity } from '#contract/activity.ts'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { toManilaDay } from '#contract/manila.ts'
import { insertAccount, insertCharacter, insertNews, insertRows, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { recordActivity, recordLevels, sweepActivity } from './record.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db } = site
const owner = await insertAccount(db)

type Feed = CallOutput<typeof listActivity>
type Row = Feed['data'][number]

async function readFeed(query = ''): Promise<Feed> {
  site.cache.clear()
  const answer = await site.get(`/api/activity${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function readAll(): Promise<Row[]> {
  const rows: Row[] = []
  let next: number | null = null
  do {
    const page: Feed = await readFeed(next === null ? '' : `?before=${next}`)
    assert.ok(page.data.length <= ACTIVITY_PAGE_SIZE)
    rows.push(...page.data)
    next = page.next
  } while (next !== null)
  return rows
}

const isAbout = (chaNum: number) => (row: Row) => 'character' in row && row.character.ChaNum === chaNum
const runRecording = (showTimes = false) => recordActivity(db, { now: site.now(), showTimes })
const reportLevel = (chaNum: number, level: number, { cls = '1', showTimes = false } = {}) =>
  recordLevels(db, [{ chaNum, level, cls }], { now: site.now(), showTimes })

test('lists the entries in pages, the newest first, with their days but without times', async () => {
  const rows = await readAll()
  assert.deepEqual(
    rows.map(({ activity }) => activity),
    rows.map(({ activity }) => activity).toSorted((a, b) => b - a),
  )
  assert.equal(new Set(rows.map(({ activity }) => activity)).size, rows.length)
  for (const kind of ['level', 'first', 'area', 'tournament', 'news', 'event'] as const)
    assert.ok(
      rows.some((row) => row.kind === kind),
      kind,
    )
  assert.ok(rows.every(({ at, day }) => at === null && day <= toManilaDay(site.now())))
  const { data } = await readFeed('?only=game&size=20')
  assert.equal(data.length, 20)
  assert.ok(data.every(({ kind }) => kind !== 'news' && kind !== 'event'))
})

test('hides entries while their character is hidden, left out, blocked or excluded by the game', async () => {
  const chaNum = await insertCharacter(db, { user_num: owner, cha_level: 39, cha_class: '1' })
  await reportLevel(chaNum, 40)
  const isShown = async () => (await readAll()).some(isAbout(chaNum))
  assert.equal(await isShown(), true)
  const hidingCases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'hidden',
      () => insertRows(db, 'hidden_characters', { cha_num: chaNum, reason: 'x', hidden_at: site.now() }),
      () => db.deleteFrom('hidden_characters').where('cha_num', '=', chaNum).execute(),
    ],
    [
      'left out',
      () => updateRows(db, 'accounts', { user_num: owner }, { left_out: true }),
      () => updateRows(db, 'accounts', { user_num: owner }, { left_out: false }),
    ],
    [
      'blocked',
      () => updateRows(db, 'accounts', { user_num: owner }, { blocked_at: site.now() }),
      () => updateRows(db, 'accounts', { user_num: owner }, { blocked_at: null }),
    ],
    [
      'waiting to be erased',
      () => updateRows(db, 'accounts', { user_num: owner }, { erasure_due_at: site.now() }),
      () => updateRows(db, 'accounts', { user_num: owner }, { erasure_due_at: null }),
    ],
    [
      'deleted in the game',
      () => updateRows(db, 'characters', { cha_num: chaNum }, { kept_out: 'deleted' }),
      () => updateRows(db, 'characters', { cha_num: chaNum }, { kept_out: '' }),
    ],
  ]
  for (const [name, hide, show] of hidingCases) {
    await hide()
    assert.equal(await isShown(), false, name)
    await show()
    assert.equal(await isShown(), true, `no longer ${name}`)
  }
  await db.deleteFrom('characters').where('cha_num', '=', chaNum).execute()
  assert.equal(await isShown(), false)
})

test('records only every tenth level and the first character of a class at a level, each once', async () => {
  const chaNum = await insertCharacter(db, { user_num: owner, cha_level: 38, cha_class: '1' })
  const listLevels = async () =>
    (await readAll()).filter(isAbout(chaNum)).map((row) => [row.kind, 'level' in row && row.level])
  await reportLevel(chaNum, 39)
  assert.deepEqual(await listLevels(), [])
  await reportLevel(chaNum, 43)
  await reportLevel(chaNum, 43)
  assert.deepEqual(await listLevels(), [['level', 40]])
  await reportLevel(chaNum, 149)
  assert.deepEqual(await listLevels(), [
    ['first', 149],
    ['level', 40],
  ])
  const secondNum = await insertCharacter(db, { user_num: owner, cha_level: 140, cha_class: '64' })
  await reportLevel(secondNum, 149)
  assert.equal((await readAll()).some(isAbout(secondNum)), false)
})

test('stores and shows times only while the site shows who plays', async () => {
  const chaNum = await insertCharacter(db, { user_num: owner, cha_level: 39, cha_class: '1' })
  const readTimes = async () => (await readAll()).filter(isAbout(chaNum)).map(({ at }) => at)
  await reportLevel(chaNum, 40)
  await reportLevel(chaNum, 50, { showTimes: true })
  assert.deepEqual(await readTimes(), [null, null])
  await changeSettings(site, { show_who_plays: true })
  assert.deepEqual(await readTimes(), [site.now().toISOString(), null])
  await changeSettings(site, { show_who_plays: false })
})

test('stores a monthly record once, and a record of kills only while the site shows who plays', async () => {
  const archiveMax = await db
    .selectFrom('ranking_archive')
    .select(({ fn }) => [fn.max('resu').as('resu'), fn.max('kills').as('kills')])
    .executeTakeFirstOrThrow()
  const recordResu = Number(archiveMax.resu) + 1
  const kills = Number(archiveMax.kills) + 1_000_000
  const chaNum = await insertCharacter(db, {
    user_num: owner,
    cha_level: 39,
    cha_class: '8',
    cha_resu_score: recordResu + 1_000_000,
    base_resu: 0,
    cha_pk_score: kills,
    base_kills: 0,
  })
  const listRecords = async () =>
    (await readAll()).filter(isAbout(chaNum)).map((row) => row.kind === 'record' && row.board)
  await runRecording()
  await runRecording()
  assert.deepEqual(await listRecords(), ['resu'])
  await runRecording(true)
  assert.deepEqual(await listRecords(), ['resu'])
  await changeSettings(site, { show_who_plays: true })
  assert.deepEqual(await listRecords(), ['killer', 'resu'])
  await changeSettings(site, { show_who_plays: false })
})

test('shows a news item once, and hides it when it is withdrawn', async () => {
  const now = site.now()
  const news = await insertNews(db, { subject: 'Bagong balita', created_at: now, announced_at: now })
  await runRecording()
  await runRecording()
  const count = async () => (await readAll()).filter((row) => row.kind === 'news' && row.news === news).length
  assert.equal(await count(), 1)
  await updateRows(db, 'news', { id: news }, { published: false })
  assert.equal(await count(), 0)
})

test('records a change of an area’s owner, but not the first known owner', async () => {
  await insertRows(db, 'club_areas', { name: 'Pier 7', picture: null, game_region: 77 })
  const minutesAgo = (minutes: number) => new Date(site.now().getTime() - minutes * MINUTE_MS)
  const setOwner = (club: string, held_since: Date) =>
    updateRows(db, 'club_areas', { name: 'Pier 7' }, { club, held_since })
  await setOwner('Unang Alon', minutesAgo(30))
  await setOwner('Ikalawang Alon', minutesAgo(20))
  await runRecording()
  const areas = (await readAll()).filter((row) => row.kind === 'area' && row.area === 'Pier 7')
  assert.deepEqual(
    areas.map((row) => row.kind === 'area' && row.club),
    [{ GuName: 'Ikalawang Alon', GuNum: null }],
  )
})

test('the database refuses an entry without its subject, or with the subject of another kind', async () => {
  const day = toManilaDay(site.now())
  await assert.rejects(insertRows(db, 'activity', { kind: 'level', day }), /activity_is_about_one_thing/)
  const { news } = await db
    .selectFrom('activity')
    .where('news', 'is not', null)
    .select('news')
    .limit(1)
    .executeTakeFirstOrThrow()
  await assert.rejects(insertRows(db, 'activity', { kind: 'club', day, news }), /activity_is_about_one_thing/)
})

test('deletes the oldest entries over the limit, except the first characters of a class', async () => {
  const firstEntries = db.selectFrom('activity').where('kind', '=', 'first').select('activity')
  const firstsBefore = (await firstEntries.execute()).length
  await sql`
    insert into activity (kind, day, cha_num, level)
    select 'level', ${toManilaDay(new Date(site.now().getTime() - DAY_MS))}::date, c.cha_num, n.level
    from (select cha_num from characters order by cha_num limit 100) c, generate_series(1000, 1999) n (level)`.execute(
    db,
  )
  await sweepActivity(db)
  const { count } = await db
    .selectFrom('activity')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  assert.ok(count <= ACTIVITY_ROWS_MAX && count > 0.9 * ACTIVITY_ROWS_MAX, String(count))
  assert.equal((await firstEntries.execute()).length, firstsBefore)
})
