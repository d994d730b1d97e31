import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterRanked } from './filter-ranked.ts'

const rows = [
  { name: 'Amihan', ChaClass: '4', ChaSchool: 0 },
  { name: 'Bantay', ChaClass: '1', ChaSchool: 1 },
  { name: 'Kidlat', ChaClass: '999', ChaSchool: 0 },
  { name: 'Dagit', ChaClass: '256', ChaSchool: 0 },
  { name: 'Estero', ChaClass: '64', ChaSchool: 2 },
]
const shown = (choice: Parameters<typeof filterRanked>[1]) =>
  filterRanked(rows, choice).map(({ rank, row }) => `${rank} ${row.name}`)

test('without filters everyone stands in order, unknown classes too', () => {
  assert.deepEqual(shown({ school: null, cls: null }), ['1 Amihan', '2 Bantay', '3 Kidlat', '4 Dagit', '5 Estero'])
})

test('the rank is counted anew among those who are left', () => {
  assert.deepEqual(shown({ school: 0, cls: null }), ['1 Amihan', '2 Kidlat', '3 Dagit'])
  assert.deepEqual(shown({ school: 2, cls: null }), ['1 Estero'])
})

test('a class has two codes, and both count', () => {
  assert.deepEqual(shown({ school: null, cls: 'archer' }), ['1 Amihan', '2 Dagit'])
  assert.deepEqual(shown({ school: null, cls: 'brawler' }), ['1 Bantay', '2 Estero'])
})

test('unknown class codes are hidden whenever a class is chosen', () => {
  assert.deepEqual(shown({ school: 0, cls: 'archer' }), ['1 Amihan', '2 Dagit'])
})

test('nobody left is an empty list', () => {
  assert.deepEqual(shown({ school: 2, cls: 'shaper' }), [])
})
