import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PluginTransformQueryArgs, type PluginTransformResultArgs, type RawNode, sql } from 'kysely'
import { TEST_NOW } from '#test/databases.ts'
import { growWorld } from '#test/grown-world.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer } from '#test/money-helpers.ts'
import type { Db } from './db/open.ts'
import { selectMails } from './features/mails/queries.ts'
import { selectOrders } from './features/orders/queries.ts'
import { selectPlayers } from './features/players/queries.ts'
import { findCharacters, findItems, findNews } from './features/search/queries.ts'
import { selectSitemapFiles } from './features/site/queries.ts'
import { selectQueue } from './features/tickets/queue.ts'

const site = await createTestApp()
await growWorld(site.database.jobsDb, { items: 4000, news: 4000, characters: 12_000 })

type ExplainedStatement = { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }

/** Counts the blocks that the statements of `work` read, with PostgreSQL's `explain (analyze, buffers)`. */
async function countReadBlocks(work: (db: Db) => Promise<unknown>): Promise<number> {
  let blocks = 0
  const explainPlugin = {
    transformQuery: ({ node }: PluginTransformQueryArgs) => {
      const { sqlFragments, ...nodeFields } = node as RawNode
      const [firstFragment = '', ...otherFragments] = sqlFragments
      const explainFragment = `explain (analyze, buffers, format json) ${firstFragment}`
      return { ...nodeFields, sqlFragments: [explainFragment, ...otherFragments] }
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => {
      const [plan] = Object.values(result.rows[0] ?? {}) as ExplainedStatement[][]
      const topNode = plan?.[0]?.Plan
      blocks += (topNode?.['Shared Hit Blocks'] ?? Number.NaN) + (topNode?.['Shared Read Blocks'] ?? 0)
      return { ...result, rows: [] }
    },
  }
  await work(site.db.withPlugin(explainPlugin))
  return blocks
}

const PURCHASES = 20_000

/** Adds purchases of one or two units by all players, over 200 days; every 2,000th has a failed unit. */
async function growOrders() {
  await sql`
    with shoppers as (select array_agg(user_num order by user_num) as nums, count(*)::int as size from accounts),
    goods as (select array_agg(product_num order by product_num) as nums, count(*)::int as size from shop_items)
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select s.nums[1 + n % s.size], 1000 + n, g.nums[1 + n * 7 % least(g.size, 60)], 'Bagay', 2, 10, 1 + n % 2,
      ${TEST_NOW}::timestamptz - (${PURCHASES}::int - n) * interval '14 minutes'
    from shoppers s, goods g, generate_series(1, ${PURCHASES}::int) n`.execute(site.db)
  await sql`
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at, state, handed_at, failed_at)
    select user_num, ordinal, product_num, unit, created_at, case when ordinal % 2000 = 0 then 'queued' else 'claimed' end,
      created_at, case when ordinal % 2000 = 0 then created_at end
    from purchases, generate_series(1, quantity) unit where ordinal > 1000 order by created_at`.execute(site.db)
  await sql`analyze`.execute(site.db)
}

test('a page of orders reads a bounded number of rows for any filter and depth', async () => {
  await growOrders()
  const emptyFilters = { after: '', player: '', item: '', stage: '', from: '', until: '' } as const
  const deepPage = { after: '2026-08-01 00:00:00+00|999999999|1', from: '2026-06-01', until: '2026-11-30' }
  for (const filters of [
    {},
    deepPage,
    { from: '2026-08-01', until: '2026-08-02' },
    { item: '3' },
    { item: '3', ...deepPage },
    { stage: 'failed' },
    { stage: 'refunded' },
    { stage: 'claimed' },
    { stage: 'claimed', after: '2026-08-01 00:00:00+00|1' },
    { stage: 'failed', item: '3' },
  ] as const) {
    const blocks = await countReadBlocks((db) => selectOrders(db, { ...emptyFilters, ...filters }))
    assert.ok(blocks < 1500, `${JSON.stringify(filters)}: ${blocks} blocks`)
  }
})

const SORTS = ['', 'price', '-price', 'name'] as const

test('shows no item twice on the first and last pages of the shop, in every sort order', async () => {
  const visibleItems = await site.db
    .selectFrom('shop_items')
    .where('visible', '=', true)
    .select('product_num')
    .execute()
  for (const sort of SORTS) {
    const shownItems: number[] = []
    // Reads the first 20 and the last 21 pages, of eight items each.
    const lastPage = Math.ceil(visibleItems.length / 8)
    for (let page = 1; page <= lastPage; page += page === 20 ? lastPage - 40 : 1) {
      const { itemshopdata, total } = (await site.get(`/api/itemshop?page=${page}&sort=${sort}`)).json()
      assert.equal(total, visibleItems.length)
      shownItems.push(...itemshopdata.map(({ ProductNum }: { ProductNum: number }) => ProductNum))
    }
    assert.equal(new Set(shownItems).size, shownItems.length, sort)
  }
})

test('a search reads a bounded number of rows', async () => {
  const pages = { size: 5, page: 1 }
  for (const query of ['the', 'club', 'ma', 'st', '12', 'lantern', 'club war', '"club war"', 'zzzz', 'a or b or the']) {
    const search = { query, now: TEST_NOW, ...pages }
    const news = await countReadBlocks((db) => findNews(db, { query, now: TEST_NOW, news: pages, guides: pages }))
    const items = await countReadBlocks((db) => findItems(db, search))
    const characters = await countReadBlocks((db) => findCharacters(db, search))
    assert.ok(news < 12_000, `${query} in the news: ${news} blocks`)
    assert.ok(items < 3000, `${query} in the shop: ${items} blocks`)
    assert.ok(characters < 3500, `${query} among the characters: ${characters} blocks`)
  }
})

test('finds a phrase among a bounded number of the newest texts with its terms', async () => {
  await sql`
    insert into news (subject, type, author, content, created_at)
    select 'Balita ' || n, 0, 'GM Bituin',
      '<p>palengke ' || case when n in (1, 5800) then '' else 'at ' end || 'tricycle ' ||
        (select string_agg(md5(n::text || i), ' ') from generate_series(1, 40) i) || '</p>',
      ${TEST_NOW}::timestamptz - interval '20 years' + n * interval '1 hour'
    from generate_series(1, 6000) n`.execute(site.database.jobsDb)
  const page = { size: 5, page: 1 }
  const foundNews = await findNews(site.db, { query: '"palengke tricycle"', now: TEST_NOW, news: page, guides: page })
  assert.deepEqual(
    foundNews.map(({ title, total }) => [title, total]),
    [['Balita 5800', 1]],
  )
})

test('the shop’s search finds all items whose names contain the query, in every sort order', async () => {
  const visibleItems = await site.db
    .selectFrom('shop_items')
    .where('visible', '=', true)
    .select(['product_num', 'item_name'])
    .orderBy('position')
    .orderBy('product_num')
    .execute()
  const matchingItems = visibleItems.filter(({ item_name }) => item_name.toLowerCase().includes('a'))
  for (const sort of SORTS)
    assert.equal((await site.get(`/api/itemshop?sort=${sort}&q=a`)).json().total, matchingItems.length, sort)
  const { itemshopdata } = (await site.get('/api/itemshop?q=A&page=2')).json()
  assert.deepEqual(
    itemshopdata.map(({ ProductNum }: { ProductNum: number }) => ProductNum),
    matchingItems.slice(8, 16).map(({ product_num }) => product_num),
  )
})

test('counts frequent matches up to the limit of their kind, and fills the last page', async () => {
  const { counts } = (await site.get('/api/search?q=the')).json()
  assert.deepEqual([counts.news, counts.guides], [80, 80])
  const answer = (await site.get('/api/search?q=the&kind=news&page=99')).json()
  assert.deepEqual([answer.page, answer.last_page, answer.total, answer.data.length], [4, 4, 80, 20])
})

test('reads a bounded number of rows for the index of the sitemaps', async () => {
  for (const table of ['items', 'news'] as const) {
    const blocks = await countReadBlocks((db) => selectSitemapFiles(db, table, TEST_NOW))
    assert.ok(blocks < 100, `${table}: ${blocks} blocks`)
  }
})

test('does not delay purchases while an operator changes an item', async (t) => {
  if (site.database.kind === 'embedded') return t.skip('the embedded database has one connection')
  const buyer = await createBuyer(site, { rCoin: 100_000, milleage: 100_000 })
  await site.db.transaction().execute(async (tx) => {
    await tx.updateTable('shop_items').set({ price: 7 }).where('product_num', '=', 2).execute()
    assert.equal((await buyer.buy(1)).status, 200)
  })
})

/** Adds `count` accounts, each with a device, a ticket and an email. */
async function growSupport(count: number) {
  await sql`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
    select 'grown_' || n, 'grown' || n || '@example.com', 'Maria', 'Santos', '!', 1, '!'
    from generate_series(1, ${count}::int) n`.execute(site.db)
  await sql`
    insert into known_places (user_num, place, seen_at)
    select user_num, 'address 203.0.113.' || (user_num % 2), now() from accounts where user_id like 'grown%'`.execute(
    site.db,
  )
  await sql`
    insert into tickets (number, user_num, category, subject, state, closed_at, priority, created_at, updated_at)
    select 'T-' || substr(letters, 1, 4) || '-' || substr(letters, 5, 4), user_num, 'bug', 'Stuck',
      case user_num % 3 when 0 then 'open' when 1 then 'answered' else 'closed' end,
      case when user_num % 3 = 2 then now() end, 1, now() - user_num * interval '1 minute', now() - user_num * interval '1 minute'
    from (select user_num, translate(lpad(to_hex(user_num), 8, '0'), '0123456789abcdef', 'ABCDEFGHJKLMNPQR') as letters
      from accounts where user_id like 'grown%') grown`.execute(site.db)
  await sql`
    insert into mail_outbox (to_address, subject, body_text, body_html, created_at, next_attempt_at, sent_at)
    select user_email, 'x', '', '', now(), now(), now() from accounts where user_id like 'grown%'`.execute(site.db)
  await sql`analyze`.execute(site.db)
}

test('searches for players, tickets and mails read a bounded number of rows', async () => {
  await growSupport(20_000)
  const players = { state: '', sort: '-user_num', after: '' } as const
  for (const q of ['', 'grown_1', 'm', 'maria santos', 'santos m', 'grown1', '203.0.113.1', 'zzzz']) {
    const blocks = await countReadBlocks((db) => selectPlayers(db, { ...players, q }, TEST_NOW))
    assert.ok(blocks < 1500, `${q} among the players: ${blocks} blocks`)
  }
  for (const state of ['logged-in', 'most-r-coin'] as const) {
    const blocks = await countReadBlocks((db) => selectPlayers(db, { ...players, q: '', state }, TEST_NOW))
    assert.ok(blocks < 1500, `${state}: ${blocks} blocks`)
  }
  const queue = { after: '', sort: 'waiting', state: 'open', category: '', priority: '', assignee: '', q: '' } as const
  const deepCursor = `1.${BigInt(TEST_NOW.getTime()) * 1000n}.1`
  for (const filters of [
    queue,
    { ...queue, after: deepCursor },
    { ...queue, state: '', sort: '-ticket' } as const,
    { ...queue, q: 'grown_77' },
  ]) {
    const blocks = await countReadBlocks((db) => selectQueue(db, filters, 1))
    assert.ok(blocks < 1500, `${JSON.stringify(filters)}: ${blocks} blocks`)
  }
  for (const [state, q] of [
    ['', ''],
    ['sent', ''],
    ['given-up', ''],
    ['', 'grown77'],
  ] as const) {
    const blocks = await countReadBlocks((db) => selectMails(db, { state, q, after: '' }))
    assert.ok(blocks < 500, `${state} ${q}: ${blocks} blocks`)
  }
})
