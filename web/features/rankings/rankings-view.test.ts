import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterAndRank, getRankingPath, readRankingView } from './rankings-view.ts'

const readView = (query: string) => readRankingView(new URLSearchParams(query))

test('opens the unfiltered level board of this month', () => {
  assert.deepEqual(readView(''), { board: 'level', school: null, cls: null, period: null })
  assert.equal(getRankingPath(readView('')), '/rankings')
})

test('restores every choice from its address', () => {
  const query = 'tab=killer&school=2&class=gunner&period=2026-10'
  assert.deepEqual(readView(query), { board: 'killer', school: 2, cls: 'gunner', period: '2026-10' })
  assert.equal(getRankingPath(readView(query)), `/rankings?${query}`)
  assert.equal(getRankingPath(readView('school=0')), '/rankings?school=0')
})

test('replaces invalid parts of the address by the default', () => {
  assert.deepEqual(readView('tab=tallest&school=3&class=cook&period=2026-13'), readView(''))
  assert.equal(readView('school=').school, null)
})

test('accepts only shaman and extreme as classes of the resu board', () => {
  assert.equal(readView('tab=resu&class=archer').cls, null)
  assert.equal(readView('tab=resu&class=shaman').cls, 'shaman')
  assert.equal(getRankingPath({ ...readView('class=archer'), board: 'resu' }), '/rankings?tab=resu')
})

const rows = [
  { name: 'Amihan', ChaClass: '4', ChaSchool: 0 },
  { name: 'Bantay', ChaClass: '1', ChaSchool: 1 },
  { name: 'Kidlat', ChaClass: '999', ChaSchool: 0 },
  { name: 'Dagit', ChaClass: '256', ChaSchool: 0 },
  { name: 'Estero', ChaClass: '64', ChaSchool: 2 },
]
const listFiltered = (choice: Parameters<typeof filterAndRank>[1]) =>
  filterAndRank(rows, choice).map(({ rank, row }) => `${rank} ${row.name}`)

test('lists all characters in order without filters, including unknown classes', () => {
  assert.deepEqual(listFiltered({ school: null, cls: null }), [
    '1 Amihan',
    '2 Bantay',
    '3 Kidlat',
    '4 Dagit',
    '5 Estero',
  ])
})

test('numbers the ranks of filtered characters from 1', () => {
  assert.deepEqual(listFiltered({ school: 0, cls: null }), ['1 Amihan', '2 Kidlat', '3 Dagit'])
  assert.deepEqual(listFiltered({ school: 2, cls: null }), ['1 Estero'])
})

test('matches both codes of a class', () => {
  assert.deepEqual(listFiltered({ school: null, cls: 'archer' }), ['1 Amihan', '2 Dagit'])
  assert.deepEqual(listFiltered({ school: null, cls: 'brawler' }), ['1 Bantay', '2 Estero'])
})

test('hides unknown class codes when a class is chosen', () => {
  assert.deepEqual(listFiltered({ school: 0, cls: 'archer' }), ['1 Amihan', '2 Dagit'])
})

test('returns an empty list without a match', () => {
  assert.deepEqual(listFiltered({ school: 2, cls: 'shaper' }), [])
})
