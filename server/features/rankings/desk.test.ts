import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { RankedCharacter, Rankings } from '#contract/rankings.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { insertAccount, insertCharacter } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { rollOver } from './rollover.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
const DECEMBER = new Date('2026-11-30T16:00:00.000Z')

await db.deleteFrom('characters').execute()
const owner = await insertAccount(db, { user_id: 'may_ari' })
const addCharacter = (cha_name: string, kills: number, cha_level = 20) =>
  insertCharacter(db, { user_num: owner, cha_name, cha_level, cha_pk_score: kills, base_kills: 0, cha_mmr: kills })
const amihan = await addCharacter('Amihan', 50, 40)
const habagat = await addCharacter('Habagat', 90, 30)
const bagyo = await addCharacter('Bagyo', 10, 90)
await rollOver(db, DECEMBER)

const readDesk = async (path: string) => {
  const answer = await site.get(`/api/admin/rankings/${path}`, gm.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const callDesk = (path: string, body: object) => site.post(`/api/admin/rankings/${path}`, body, gm.headers)
const readBoards = async (query = ''): Promise<Rankings> => {
  site.cache.clear()
  return (await site.get(`/api/get-top-rankings-list${query}`)).json()
}
const getNames = (rows: RankedCharacter[]) => rows.map(({ ChaName }) => ChaName)
const readKillersOfClosedMonth = async () => getNames((await readBoards('?period=2026-11')).toppk)
const readEntry = async (chaNum: number) =>
  (await readDesk('month?period=2026-11&board=killer')).rows.find(
    ({ cha_num }: { cha_num: number }) => cha_num === chaNum,
  )
const readAudit = async (action: string) => {
  const { rows } = await sql<{ target_id: string; player: number | null; changes: unknown; reason: string }>`
    select l.target_id, l.player, l.changes, p.reason from audit_log l left join audit_personal p using (entry)
    where l.action = ${`/admin/rankings/${action}`} order by l.entry desc limit 1`.execute(db)
  return rows[0]
}

test('omits a hidden character from boards, the archive and the search until it is shown again', async () => {
  const response = await callDesk('hide', { cha_num: habagat, reason: 'Name of a real person' })
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(getNames((await readBoards()).topmmr), ['Amihan', 'Bagyo'])
  assert.deepEqual(await readKillersOfClosedMonth(), ['Amihan', 'Bagyo'])
  site.cache.clear()
  assert.equal((await site.get('/api/search?q=habagat')).json().counts.characters, 0)
  assert.equal((await readAudit('hide'))?.reason, 'Name of a real person')
  assert.equal((await readAudit('hide'))?.player, owner)
  const { rows } = await readDesk('characters?state=hidden')
  assert.deepEqual(
    rows.map(({ cha_name, reason, hidden_by }: Record<string, string>) => [cha_name, reason, hidden_by]),
    [['Habagat', 'Name of a real person', 'gm']],
  )
  assertRefused(await callDesk('hide', { cha_num: habagat, reason: 'Again' }), 409)
  assert.equal((await callDesk('show', { cha_num: habagat, reason: 'Renamed' })).status, 200)
  assertRefused(await callDesk('show', { cha_num: habagat, reason: 'Again' }), 409)
  assert.deepEqual(await readKillersOfClosedMonth(), ['Habagat', 'Amihan', 'Bagyo'])
  site.cache.clear()
  assert.equal((await site.get('/api/search?q=habagat')).json().counts.characters, 1)
})

test('requires an existing character and a reason to hide it', async () => {
  assertRefused(await callDesk('hide', { cha_num: 999_999, reason: 'Unknown' }), 404)
  assertRefused(await callDesk('hide', { cha_num: amihan, reason: ' ' }), 422)
})

test('an archived entry stays after a block of its account, until an operator takes it out', async () => {
  await db.updateTable('accounts').set({ blocked_at: DECEMBER }).where('user_num', '=', owner).execute()
  assert.deepEqual((await readBoards()).topmmr, [])
  assert.deepEqual(await readKillersOfClosedMonth(), ['Habagat', 'Amihan', 'Bagyo'])
  const entry = await readEntry(habagat)
  assert.deepEqual([entry.place, entry.closed_place, entry.blocked, entry.hidden], [1, 1, true, false])
  const takeOutInput = { period: '2026-11', cha_num: habagat, version: entry.version, reason: 'Used a bot' }
  assert.equal((await callDesk('take-out', takeOutInput)).status, 200)
  assert.deepEqual(await readKillersOfClosedMonth(), ['Amihan', 'Bagyo'])
  const removedEntry = await readEntry(habagat)
  assert.deepEqual([removedEntry.place, removedEntry.closed_place, removedEntry.kills], [null, 1, 90])
  assert.deepEqual(await readAudit('take-out'), {
    target_id: String(habagat),
    player: owner,
    changes: [
      { field: 'taken_out', before: false, after: true },
      { field: 'month', after: '2026-11' },
    ],
    reason: 'Used a bot',
  })
  assertRefused(await callDesk('take-out', { ...takeOutInput, version: removedEntry.version }), 409)
  assertRefused(await callDesk('put-back', takeOutInput), 409)
  assert.equal((await callDesk('put-back', { ...takeOutInput, version: removedEntry.version })).status, 200)
  assert.deepEqual(await readKillersOfClosedMonth(), ['Habagat', 'Amihan', 'Bagyo'])
  await db.updateTable('accounts').set({ blocked_at: null }).where('user_num', '=', owner).execute()
})

test('a corrected figure changes every board of the month, and the former value is stored', async () => {
  const { version, ...entry } = await readEntry(habagat)
  const figures = {
    cha_name: entry.cha_name,
    cha_level: 95,
    kills: 20,
    deaths: 0,
    mmr: 90,
    resu: 0,
    money: entry.money,
  }
  const correction = { period: '2026-11', cha_num: habagat, version, reason: 'Kills were traded', ...figures }
  const response = await callDesk('correct', correction)
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(await readKillersOfClosedMonth(), ['Amihan', 'Habagat', 'Bagyo'])
  assert.deepEqual(getNames((await readBoards('?period=2026-11')).toplevel), ['Habagat', 'Bagyo', 'Amihan'])
  const changes = [
    { field: 'cha_level', before: 30, after: 95 },
    { field: 'kills', before: 90, after: 20 },
  ]
  assert.deepEqual((await readAudit('correct'))?.changes, [...changes, { field: 'month', after: '2026-11' }])
  const { rows } = await readDesk(`corrections?period=2026-11&character=${habagat}`)
  assert.deepEqual([rows[0].kind, rows[0].by, rows.length], ['corrected', 'gm', 3])
  assert.deepEqual(rows[0].changes.toReversed(), changes)
  assertRefused(await callDesk('correct', correction), 409)
  assertRefused(await callDesk('correct', { ...correction, version: response.json().version }), 422)
  assert.equal((await readEntry(habagat)).version, response.json().version)
})

test('a character without kills is not on the killers’ board', async () => {
  const { version, cha_name, cha_level, deaths, mmr, resu, money } = await readEntry(bagyo)
  const figures = { cha_name, cha_level, deaths, mmr, resu, money, kills: 0 }
  const reason = 'Counted twice'
  assert.equal(
    (await callDesk('correct', { period: '2026-11', cha_num: bagyo, version, reason, ...figures })).status,
    200,
  )
  assert.deepEqual(await readKillersOfClosedMonth(), ['Amihan', 'Habagat'])
  assert.equal((await readEntry(bagyo)).place, null)
})

test('reports a conflict to all but the first of several operators who correct the same entry', async () => {
  const { version, cha_name, cha_level, deaths, mmr, resu, money } = await readEntry(amihan)
  const figures = { cha_name, cha_level, deaths, mmr, resu, money }
  const correction = { period: '2026-11', cha_num: amihan, version, reason: 'Recounted', ...figures }
  const answers = await Promise.all([61, 62, 63].map((kills) => callDesk('correct', { ...correction, kills })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test('corrections cannot be changed or deleted, but a name can be erased from them', async () => {
  await assert.rejects(sql`delete from ranking_corrections`.execute(db), /cannot be changed/)
  await assert.rejects(sql`update ranking_corrections set reason = 'x'`.execute(db), /cannot be changed/)
  await assert.rejects(sql`update ranking_corrections set before = before || '{"kills": 0}'`.execute(db), /cannot be/)
  await sql`update ranking_corrections set before = before || '{"cha_name": "Erased"}'`.execute(db)
})

test('lists the months with their corrections, but no entries of the open month', async () => {
  const { rows } = await readDesk('months')
  assert.deepEqual(
    rows.slice(0, 3).map(({ period, open, characters }: Record<string, unknown>) => [period, open, characters]),
    [
      ['2026-12', true, 0],
      ['2026-11', false, 3],
      ['2026-10', false, rows[2].characters],
    ],
  )
  assert.ok(rows[1].corrections > 3)
  assertRefused(await site.get('/api/admin/rankings/month?period=2026-12&board=mmr', gm.headers), 404)
})

test('lists characters in pages by level, by name or by number', async () => {
  for (let index = 0; index < 120; index++) await addCharacter(`Dagsa${index}`, index, 1 + (index % 7))
  for (const query of ['', 'q=dag']) {
    const listedNumbers: number[] = []
    let after = ''
    do {
      const page = await readDesk(`characters?${query}&after=${encodeURIComponent(after)}`)
      listedNumbers.push(...page.rows.map(({ cha_num }: { cha_num: number }) => cha_num))
      after = page.next ?? ''
    } while (after !== '')
    assert.equal(listedNumbers.length, query === '' ? 123 : 120)
    assert.equal(new Set(listedNumbers).size, listedNumbers.length)
  }
  const { rows } = await readDesk(`characters?q=${bagyo}`)
  assert.deepEqual(
    rows.map(({ cha_name }: { cha_name: string }) => cha_name),
    ['Bagyo'],
  )
  for (const after of ['x', '1|', 'a|b'])
    assertRefused(await site.get(`/api/admin/rankings/characters?after=${after}`, gm.headers), 422)
})
