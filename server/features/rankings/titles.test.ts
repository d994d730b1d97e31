import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { getTitles } from '#contract/characters.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { insertAccount, insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db } = site

async function readTitles() {
  site.cache.clear()
  return ((await site.get('/api/titles')).json() as CallOutput<typeof getTitles>).data
}

test('lists all kinds of titles, newest first, and shows them on the characters’ pages', async () => {
  const titles = await readTitles()
  assert.deepEqual([...new Set(titles.map(({ kind }) => kind))].sort(), [
    'first',
    'league',
    'month',
    'season',
    'tournament',
  ])
  assert.deepEqual(
    titles.map(({ won_at }) => won_at),
    titles
      .map(({ won_at }) => won_at)
      .toSorted()
      .reverse(),
  )
  const [{ ChaNum }] = titles as [(typeof titles)[number]]
  const page = (await site.get(`/api/character/${ChaNum}`)).json()
  const ownTitles = titles.filter(({ club, ...title }) =>
    club === null ? title.ChaNum === ChaNum : club.GuNum === page.club?.GuNum,
  )
  assert.deepEqual(
    page.titles.map(({ name }: { name: string }) => name),
    ownTitles.map(({ name }) => name),
  )
})

test('gives one title for each board of a closed month, to the first visible character', async () => {
  const titles = await readTitles()
  const isLevelTitle = (title: (typeof titles)[number]) => title.kind === 'month' && title.board === 'level'
  const title = titles.find(isLevelTitle)
  assert.ok(title)
  assert.equal(titles.filter(({ period, board }) => period === title.period && board === 'level').length, 1)
  const hiddenCharacter = { cha_num: title.ChaNum, reason: 'x', hidden_at: site.now() }
  await insertRows(db, 'hidden_characters', hiddenCharacter)
  const titlesAfter = await readTitles()
  assert.equal(
    titlesAfter.some(({ ChaNum }) => ChaNum === title.ChaNum),
    false,
    'a hidden character loses its titles at once',
  )
  assert.ok(titlesAfter.some(({ period, board }) => period === title.period && board === 'level'))
  await db.deleteFrom('hidden_characters').where('cha_num', '=', title.ChaNum).execute()
})

test('hides titles of deleted and blocked characters at once', async () => {
  const [title] = await readTitles()
  assert.ok(title)
  for (const kept_out of ['deleted', 'blocked'] as const) {
    await updateRows(db, 'characters', { cha_num: title.ChaNum }, { kept_out })
    assert.equal(
      (await readTitles()).some(({ ChaNum }) => ChaNum === title.ChaNum),
      false,
      kept_out,
    )
  }
  await updateRows(db, 'characters', { cha_num: title.ChaNum }, { kept_out: '' })
  assert.ok((await readTitles()).some(({ ChaNum }) => ChaNum === title.ChaNum))
})

test('hides the titles and the picture of a player who chose to be left out, and still ranks them', async () => {
  const [title] = await readTitles()
  assert.ok(title)
  const owner = await insertAccount(db, { left_out: true })
  const { user_num } = await db
    .selectFrom('characters')
    .where('cha_num', '=', title.ChaNum)
    .select('user_num')
    .executeTakeFirstOrThrow()
  const address = `/character/${title.ChaNum}.jpg`
  assert.equal((await site.get(address)).status, 200)
  await updateRows(db, 'characters', { cha_num: title.ChaNum }, { user_num: owner })
  assert.equal(
    (await readTitles()).some(({ ChaNum }) => ChaNum === title.ChaNum),
    false,
  )
  assert.equal((await site.get(address)).status, 404)
  const page = (await site.get(`/api/character/${title.ChaNum}`)).json()
  assert.deepEqual([page.titles, page.picture], [[], '/art/share.jpg'])
  const readLevelBoard = async () =>
    (await site.get('/api/get-top-rankings-list')).json().toplevel as { ChaNum: number }[]
  const isRanked = (await readLevelBoard()).some(({ ChaNum }) => ChaNum === title.ChaNum)
  await updateRows(db, 'accounts', { user_num: owner }, { left_out: false })
  site.cache.clear()
  assert.equal(
    (await readLevelBoard()).some(({ ChaNum }) => ChaNum === title.ChaNum),
    isRanked,
  )
  assert.ok((await readTitles()).some(({ ChaNum }) => ChaNum === title.ChaNum))
  await updateRows(db, 'characters', { cha_num: title.ChaNum }, { user_num })
})

test('gives the first character of a class a title at each tenth level and at the highest level', async () => {
  const owner = await insertAccount(db)
  const cha_num = await insertCharacter(db, { user_num: owner, cha_level: 203, cha_class: '2' })
  for (const level of [199, 200, 202, 203])
    await insertRows(db, 'activity', {
      kind: 'first',
      day: toManilaDay(site.now()),
      cha_num,
      level,
      class: 'swordsman',
    })
  const ownTitles = (await readTitles()).filter(({ ChaNum }) => ChaNum === cha_num)
  assert.deepEqual(
    ownTitles.map(({ kind, name, level }) => [kind, name, level]).toSorted((a, b) => Number(a[2]) - Number(b[2])),
    [
      ['first', 'Swordsman', 200],
      ['first', 'Swordsman', 203],
    ],
  )
  assert.ok(
    ownTitles.every(({ won_at }) => new Date(won_at).getTime() === getStartOfDay(toManilaDay(site.now())).getTime()),
  )
})
