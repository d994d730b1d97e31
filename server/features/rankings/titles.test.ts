import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { getTitles } from '#contract/characters.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db } = site

async function readTitles() {
  site.cache.clear()
  return ((await site.get('/api/titles')).json() as CallOutput<typeof getTitles>).data
}

test('lists the winners of months, seasons and tournaments, the newest first, and shows them on their pages', async () => {
  const titles = await readTitles()
  assert.deepEqual([...new Set(titles.map(({ kind }) => kind))].sort(), ['month', 'season', 'tournament'])
  assert.deepEqual(
    titles.map(({ won_at }) => won_at),
    titles
      .map(({ won_at }) => won_at)
      .toSorted()
      .reverse(),
  )
  const [{ ChaNum }] = titles as [(typeof titles)[number]]
  const own = titles.filter((title) => title.ChaNum === ChaNum)
  const page = (await site.get(`/api/character/${ChaNum}`)).json()
  assert.deepEqual(
    page.titles.map(({ name }: { name: string }) => name),
    own.map(({ name }) => name),
  )
})

test('each board of a closed month has one title, of the first that players see there', async () => {
  const titles = await readTitles()
  const isFirst = (title: (typeof titles)[number]) => title.kind === 'month' && title.board === 'level'
  const found = titles.find(isFirst)
  assert.ok(found)
  assert.equal(titles.filter(({ period, board }) => period === found.period && board === 'level').length, 1)
  const hidden = { cha_num: found.ChaNum, reason: 'x', hidden_at: site.now() }
  await insertRows(db, 'hidden_characters', hidden)
  const after = await readTitles()
  assert.equal(
    after.some(({ ChaNum }) => ChaNum === found.ChaNum),
    false,
    'a hidden character vanishes at once',
  )
  assert.ok(after.some(({ period, board }) => period === found.period && board === 'level'))
  await db.deleteFrom('hidden_characters').where('cha_num', '=', found.ChaNum).execute()
})

test('titles of deleted and blocked characters vanish at once', async () => {
  const [found] = await readTitles()
  assert.ok(found)
  await updateRows(db, 'characters', { cha_num: found.ChaNum }, { kept_out: 'blocked' })
  assert.equal(
    (await readTitles()).some(({ ChaNum }) => ChaNum === found.ChaNum),
    false,
  )
})
