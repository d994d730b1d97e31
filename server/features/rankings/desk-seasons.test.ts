import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { formatDivisions, parseSeasonDivisions } from '#contract/seasons.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { deleteSeasons } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { runSeasons } from './seasons.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
// The demo world's seasons would conflict with those of the tests.
await deleteSeasons(db)

const callSeasons = (path: string, body: object) => site.post(`/api/admin/rankings/seasons/${path}`, body, gm.headers)
const readSeason = async (path = '') => (await site.get(`/api/admin/rankings/seasons${path}`, gm.headers)).json()
const FORM = {
  season: null,
  version: null,
  name: 'Season of Lanterns',
  first_month: '2026-12',
  last_month: '2027-02',
  divisions: 'Bituin 5\nTala 25 %\n\nLupa 100',
  resu: 'growth',
  mmr: 'points',
  level: 'points',
  richest: 'growth',
  killer: 'growth',
}
const save = (values: object = {}) => callSeasons('save', { ...FORM, ...values })
const saveOk = async (values: object = {}) => {
  const answer = await save(values)
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as { season: number; message: string }
}
const readActions = async (season: number) => {
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where target_kind = 'season' and target_id = ${String(season)} order by entry`.execute(
    db,
  )
  return rows.map(({ action }) => action.replace('/admin/rankings/seasons/', ''))
}

test('parses divisions in different notations, and reports mistakes', () => {
  const divisions = parseSeasonDivisions('  Bituin 5\n\n Tala ng Gabi 25%\nLupa 100 ')
  assert.deepEqual(divisions, [
    { name: 'Bituin', share: 5 },
    { name: 'Tala ng Gabi', share: 25 },
    { name: 'Lupa', share: 100 },
  ])
  assert.equal(typeof divisions !== 'string' && formatDivisions(divisions), 'Bituin 5\nTala ng Gabi 25\nLupa 100')
  for (const invalidText of ['', 'Bituin', 'Bituin 5', 'A 50\nB 50\nC 100', 'A 50\nA 100', 'A 0\nB 100', 'A 5\nB 101'])
    assert.equal(typeof parseSeasonDivisions(invalidText), 'string', invalidText)
})

test('a season is planned, begins, is ended early and becomes final', async () => {
  const { season, message } = await saveOk()
  assert.equal(message, 'Season of Lanterns is saved.')
  assert.deepEqual(await readSeason(), {
    rows: [
      {
        season,
        version: 1,
        name: 'Season of Lanterns',
        first_month: '2026-12',
        last_month: '2027-02',
        state: 'planned',
        ranked: 0,
      },
    ],
    next: null,
  })
  assertRefused(await save({ season, version: 7, name: 'Other' }), 409)
  const changedForm = { season, version: 1, name: 'Season of Parols', first_month: '2026-11', mmr: 'growth' }
  assert.equal((await saveOk(changedForm)).message, 'Season of Parols is saved and begins within a minute.')
  await runSeasons(db, TEST_NOW)
  const runningSeason = await readSeason(`/${season}`)
  assert.deepEqual([runningSeason.state, runningSeason.version, runningSeason.created_by], ['running', 2, 'gm'])
  assert.deepEqual(
    runningSeason.boards.map(({ board, rule }: Record<string, string>) => [board, rule]),
    [
      ['resu', 'growth'],
      ['mmr', 'growth'],
      ['level', 'points'],
      ['richest', 'growth'],
      ['killer', 'growth'],
    ],
  )
  const longerForm = { ...changedForm, version: 2, last_month: '2027-03', divisions: 'Una 10\nLahat 100' }
  assertRefused(await save({ ...longerForm, level: 'growth' }), 409)
  assertRefused(await save({ ...longerForm, first_month: '2026-12' }), 409)
  assertRefused(await save({ ...longerForm, first_month: '2026-11', last_month: '2026-10' }), 422)
  await saveOk(longerForm)
  assertRefused(await callSeasons('delete', { season, version: 3, reason: 'No longer wanted' }), 409)
  assertRefused(await callSeasons('finalise', { season, version: 3, reason: 'Checked' }), 409)
  assertRefused(await callSeasons('end', { season, version: 2, reason: 'Server moves' }), 409)
  assert.equal((await callSeasons('end', { season, version: 3, reason: 'Server moves' })).status, 200)
  assertRefused(await callSeasons('end', { season, version: 4, reason: 'Server moves' }), 409)
  assert.equal((await readSeason(`/${season}`)).state, 'ending')
  await runSeasons(db, TEST_NOW)
  const endedSeason = await readSeason(`/${season}`)
  assert.deepEqual([endedSeason.state, endedSeason.last_month, endedSeason.ranked > 90], ['ended', '2026-11', true])
  assertRefused(await save({ ...longerForm, version: 4, name: 'Other' }), 409)
  assert.equal((await callSeasons('finalise', { season, version: 4, reason: 'Checked' })).status, 200)
  assert.equal((await readSeason(`/${season}`)).state, 'finalising')
  await runSeasons(db, TEST_NOW)
  assert.equal((await readSeason(`/${season}`)).state, 'final')
  assert.deepEqual(await readActions(season), [
    'save',
    'save',
    'season begins',
    'save',
    'end',
    'season ends',
    'finalise',
    'season is final',
  ])
})

test('refuses past, occupied and reversed months, and invalid divisions, names and rules', async () => {
  assertRefused(await save({ first_month: '2026-10' }), 422)
  assertRefused(await save({ first_month: '2026-11' }), 422)
  assertRefused(await save({ last_month: '2026-11' }), 422)
  assertRefused(await save({ divisions: 'Bituin 5' }), 422)
  assertRefused(await save({ name: ' ' }), 422)
  assertRefused(await save({ mmr: 'luck' }), 422)
  assertRefused(await save({ season: 999, version: 1 }), 404)
})

test('deletes a season only before it begins', async () => {
  const { season } = await saveOk({ first_month: '2027-05', last_month: '2027-06' })
  assert.equal((await callSeasons('delete', { season, version: 1, reason: 'Planned by mistake' })).status, 200)
  assert.equal((await site.get(`/api/admin/rankings/seasons/${season}`, gm.headers)).status, 404)
  assertRefused(await callSeasons('delete', { season, version: 1, reason: 'Again' }), 404)
})

test('creates one season if two operators plan the same months', async () => {
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => save({ name, first_month: '2028-01', last_month: '2028-03' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
})
