import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, factsOf, hrefOf } from './hit-words.ts'

const nobody = { news: null, character: null }
const archer = { ChaLevel: 90, ChaClass: '4', ChaSchool: 2, place: { board: 'killer', rank: 3 } as const }
const title = [
  { text: 'Juan', hit: true },
  { text: '-Tamad', hit: false },
]

test('the day of a news item is Manila’s', () => {
  assert.deepEqual(dayOf('2026-11-20T17:00:00.000Z'), { day: '21', month: 'Nov', year: '2026' })
  assert.equal(dayOf(null), null)
})

test('facts say what a hit is', () => {
  const news = { type: 2, created_at: '2026-11-20T10:00:00.000Z' }
  assert.deepEqual(factsOf({ ...nobody, news, path: '/news?topic=1' }), ['Event', '20 Nov 2026'])
  assert.deepEqual(factsOf({ ...nobody, news: { type: 0, created_at: null }, path: '/news?topic=1' }), [
    'News',
    'No date available',
  ])
  assert.deepEqual(factsOf({ ...nobody, character: archer, path: '/rankings?tab=killer' }), [
    'Level 90',
    'Archer',
    'Phoenix',
    'Killer Ranking, rank 3',
  ])
  const stranger = { ChaLevel: 1, ChaClass: '77', ChaSchool: 9, place: null }
  assert.deepEqual(factsOf({ ...nobody, character: stranger, path: '/rankings' }), [
    'Level 1',
    'Unknown class',
    'Unknown school',
    'Not in a top 100',
  ])
  assert.deepEqual(factsOf({ ...nobody, path: '/characters?class=archer' }), ['Class guide'])
  assert.deepEqual(factsOf({ ...nobody, path: '/ticket' }), ['Page'])
  assert.deepEqual(factsOf({ ...nobody, path: '/itemshop/5' }), [])
})

test('a character on a board leads to its name there, any other hit to its page', () => {
  assert.deepEqual(hrefOf({ path: '/rankings?tab=killer', character: archer, title }), {
    to: '/rankings?tab=killer#:~:text=Juan%2DTamad',
    isDocument: true,
  })
  assert.deepEqual(hrefOf({ path: '/rankings?class=archer', character: { ...archer, place: null }, title }), {
    to: '/rankings?class=archer',
    isDocument: false,
  })
  assert.deepEqual(hrefOf({ path: '/story', character: null, title }), { to: '/story', isDocument: false })
})
