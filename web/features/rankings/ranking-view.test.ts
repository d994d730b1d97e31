import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankingPath, readRankingView } from './ranking-view.ts'

const view = (query: string) => readRankingView(new URLSearchParams(query))

test('the ranking opens on the level board of this month, unfiltered', () => {
  assert.deepEqual(view(''), { board: 'level', school: null, cls: null, period: null })
  assert.equal(rankingPath(view('')), '/rankings')
})

test('every choice has an address that leads back to it', () => {
  const query = 'tab=killer&school=2&class=gunner&period=2026-10'
  assert.deepEqual(view(query), { board: 'killer', school: 2, cls: 'gunner', period: '2026-10' })
  assert.equal(rankingPath(view(query)), `/rankings?${query}`)
  assert.equal(rankingPath(view('school=0')), '/rankings?school=0')
})

test('what the address says wrongly is the default', () => {
  assert.deepEqual(view('tab=tallest&school=3&class=cook&period=2026-13'), view(''))
  assert.equal(view('school=').school, null)
})

test('the resu board offers only shaman and extreme', () => {
  assert.equal(view('tab=resu&class=archer').cls, null)
  assert.equal(view('tab=resu&class=shaman').cls, 'shaman')
  assert.equal(rankingPath({ ...view('class=archer'), board: 'resu' }), '/rankings?tab=resu')
})
