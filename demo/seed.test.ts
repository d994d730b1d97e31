import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import { CLASS_NAMES, findClassByCode } from '#contract/game.ts'
import { UNIT_STAGES } from '#contract/orders.ts'
import { CAMPAIGN_STATES } from '#contract/vouchers.ts'
import { ensureBuilt } from '#scripts/build.ts'
import { ROOT } from '#scripts/root.ts'
import type { Db } from '#server/db/open.ts'
import { selectOrders } from '#server/features/orders/queries.ts'
import { listRankings } from '#server/features/rankings/queries.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { listCampaigns } from '#server/features/vouchers/campaigns.ts'
import { hashVoucher } from '#server/features/vouchers/codes.ts'
import { readSettings } from '#server/settings.ts'
import { openTestDatabase } from '#test/databases.ts'
import { createTestApp } from '#test/helpers.ts'
import { DEMO_ACCOUNTS, seedDemoWorld } from './seed.ts'

const site = await createTestApp({ world: 'demo' })
const { db } = site

async function countRows(table: 'characters' | 'news' | 'banners' | 'downloads' | 'shop_items' | 'club_areas') {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

test('the demo world has the sizes of WORLD-4', async () => {
  assert.ok((await countRows('characters')) >= 3000)
  assert.ok((await countRows('shop_items')) >= 60)
  assert.ok((await countRows('news')) >= 40)
  assert.equal(await countRows('banners'), 5)
  assert.equal(await countRows('downloads'), 4)
  assert.equal(await countRows('club_areas'), 3)
})

test('the items have at least five categories and both currencies', async () => {
  const categories = await db
    .selectFrom('shop_categories as c')
    .innerJoin('shop_items as i', 'i.category_id', 'c.id')
    .select(['c.id'])
    .distinct()
    .execute()
  assert.ok(categories.length >= 5)
  const sections = await db.selectFrom('shop_items').select('section').distinct().orderBy('section').execute()
  assert.deepEqual(
    sections.map(({ section }) => section),
    [1, 2],
  )
})

test('the news have all three types, past dates and clean HTML', async () => {
  const newsRows = await db.selectFrom('news').selectAll().execute()
  const news = newsRows.filter(
    ({ published, created_at }) => published && !(created_at !== null && created_at > site.now()),
  )
  assert.deepEqual([...new Set(news.map(({ type }) => type))].sort(), [0, 1, 2])
  assert.ok(news.every(({ created_at }) => created_at === null || created_at <= site.now()))
  assert.equal(news.filter(({ created_at }) => created_at === null).length, 1)
  for (const { subject, content } of newsRows)
    assert.doesNotMatch(content, /<script|<style|onclick|javascript:/i, subject)
})

test('there are wallpapers, gallery pictures and movies', async () => {
  const kinds = await db.selectFrom('media').select('kind').distinct().orderBy('kind').execute()
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['gallery', 'movie', 'wallpaper'],
  )
})

test('every picture, film and caption that the demo world names exists', async () => {
  await ensureBuilt(() => {})
  for (const table of ['news', 'banners', 'media', 'club_areas', 'shop_items'] as const) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
    const picturePaths = [...rows.matchAll(/\/(art|movies)\/[\w.-]+\.\w+/g)].map(([path]) => path)
    assert.ok(picturePaths.length > 0, table)
    for (const path of picturePaths) assert.ok(existsSync(join(ROOT, 'web/public', path)), `${table}: ${path}`)
  }
})

test('the characters have every school and class, and some have an unknown class', async () => {
  const rows = await db.selectFrom('characters').select(['cha_class', 'cha_school']).execute()
  assert.deepEqual([...new Set(rows.map(({ cha_school }) => cha_school))].sort(), [0, 1, 2])
  const classes = new Set(rows.map(({ cha_class }) => findClassByCode(cha_class)))
  for (const name of CLASS_NAMES) assert.ok(classes.has(name), name)
  assert.ok(classes.has(undefined))
})

test('every board is full; the level board has ties, and some rows have unknown classes', async () => {
  const boards = await listRankings(site)
  for (const [key, rows] of Object.entries(boards)) assert.equal(rows.length, 100, key)
  const hasTies = boards.toplevel.some((row, index) => row.ChaLevel === boards.toplevel[index + 1]?.ChaLevel)
  assert.ok(hasTies)
  const unknown = [...boards.toplevel, ...boards.toppk, ...boards.topmoney, ...boards.topmmr].filter(
    (row) => findClassByCode(row.ChaClass) === undefined,
  )
  assert.ok(unknown.length > 0)
})

test('there are characters of blocked players and operators, which the boards omit', async () => {
  const { rows } = await sql<{ blocked: number; operators: number }>`
    select count(*) filter (where a.blocked_at is not null) as blocked,
           count(*) filter (where a.user_type >= 11) as operators
    from characters c join accounts a using (user_num)`.execute(db)
  assert.ok(Number(rows[0]?.blocked) > 0 && Number(rows[0]?.operators) > 0)
})

test('juan, maria and gm are as WORLD-2 lists them', async () => {
  const rows = await db
    .selectFrom('accounts')
    .where('user_id', 'in', ['juan', 'maria', 'gm'])
    .selectAll()
    .orderBy('user_num')
    .execute()
  assert.deepEqual(
    rows.map((row) => [row.user_id, row.user_type, row.r_coin, row.milleage]),
    [
      ['juan', 1, 50_000, 20_000],
      ['maria', 1, 0, 0],
      ['gm', 11, 0, 0],
    ],
  )
  const [juan, maria, gm] = rows
  assert.ok(await verify(juan?.password_hash ?? '', 'juan-demo-1'))
  assert.ok(await verify(maria?.password_hash ?? '', 'maria-demo-1'))
  assert.ok(await verify(gm?.password_hash ?? '', 'gm-demo-1'))
  assert.ok(await verify(juan?.secret_answer_hash ?? '', 'adobo'))
  assert.ok(await verify(maria?.secret_answer_hash ?? '', 'sinigang'))
  const ownedCharacters = await db
    .selectFrom('characters')
    .where('user_num', '=', juan?.user_num ?? 0)
    .select('cha_num')
    .execute()
  assert.equal(ownedCharacters.length, 3)
  assert.deepEqual(
    DEMO_ACCOUNTS.map(({ user_id, password }) => [user_id, password]),
    [
      ['juan', 'juan-demo-1'],
      ['maria', 'maria-demo-1'],
      ['gm', 'gm-demo-1'],
    ],
  )
})

test('only the three demo accounts have a usable password', async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from accounts where password_hash like '$argon2%'`.execute(db)
  assert.equal(Number(rows[0]?.n), 3)
})

test('there are five unredeemed demo vouchers of 1,000 R-Coin and the referral code TAMBAYAN', async () => {
  const codes = [...'ABCDE'].map((letter) => `DEMO-1000-AAA${letter}`)
  const vouchers = await db
    .selectFrom('vouchers as v')
    .innerJoin('voucher_campaigns as c', 'c.id', 'v.campaign')
    .where('v.code_hash', 'in', codes.map(hashVoucher))
    .where('v.redeemed_by', 'is', null)
    .where('v.revoked_at', 'is', null)
    .select(['c.r_coin', 'c.milleage', 'c.expires_at'])
    .execute()
  assert.deepEqual(vouchers, Array(5).fill({ r_coin: 1000, milleage: 0, expires_at: null }))
  const referralCode = await db.selectFrom('referral_codes').where('code', '=', 'TAMBAYAN').select('streamer').execute()
  assert.deepEqual(referralCode, [{ streamer: 'Tambayan' }])
})

test('there are campaigns in every state, failed deliveries, refunds and refund requests', async () => {
  const campaigns = await listCampaigns(db, { after: '', name: '', state: '', streamer: '' }, site.now())
  assert.deepEqual(new Set(campaigns.rows.map(({ state }) => state)), new Set(CAMPAIGN_STATES))
  for (const stage of UNIT_STAGES) {
    const { rows } = await selectOrders(db, { after: '', player: '', item: '', stage, from: '', until: '' })
    assert.ok(rows.length >= 3 || stage === 'handed' || stage === 'lost', stage)
  }
  assert.deepEqual(
    (await selectOrders(db, { after: '', player: 'juan', item: '', stage: '', from: '', until: '' })).rows,
    [],
  )
})

test('the ledger adds up to every balance', async () => {
  const { rows } = await sql`
    select a.user_id from accounts a
    left join ledger l using (user_num)
    group by a.user_num, a.user_id, a.r_coin, a.milleage
    having a.r_coin <> coalesce(sum(l.delta) filter (where l.currency = 'r_coin'), 0)
        or a.milleage <> coalesce(sum(l.delta) filter (where l.currency = 'milleage'), 0)`.execute(db)
  assert.deepEqual(rows, [])
})

test('only scheduled entries of the demo world have times in the future', async () => {
  const { rows } = await sql<{ latest: Date }>`
    select greatest((select max(level_up_at) from characters), (select max(created_at) from news where announced_at is not null),
      (select max(link_date) from downloads), (select max(created_at) from media),
      (select max(created_at) from accounts)) as latest`.execute(db)
  assert.ok(rows[0] && rows[0].latest <= site.now(), String(rows[0]?.latest))
})

const takeSnapshot = async (world: Db) => ({
  characters: await world
    .selectFrom('characters')
    .select(['cha_num', 'cha_name', 'cha_level', 'cha_class', 'cha_school', 'cha_pk_score', 'base_kills', 'cha_money'])
    .orderBy('cha_num')
    .execute(),
  accounts: await world
    .selectFrom('accounts')
    .select(['user_num', 'user_id', 'first_name'])
    .orderBy('user_num')
    .execute(),
  items: await world
    .selectFrom('shop_items')
    .select(['product_num', 'item_name', 'price', 'section', 'category_id'])
    .orderBy('product_num')
    .execute(),
  news: await world.selectFrom('news').select(['id', 'subject', 'type', 'author']).orderBy('id').execute(),
})

test('creates the same world on another machine and day, even in the first minute of a month', async () => {
  const otherDatabase = await openTestDatabase('empty')
  after(() => otherDatabase.close())
  const midnightOfMonth = new Date('2027-02-28T16:00:30Z')
  await rollOver(otherDatabase.db, midnightOfMonth)
  assert.equal(await seedDemoWorld(otherDatabase.db, midnightOfMonth), true)
  assert.deepEqual(await takeSnapshot(otherDatabase.db), await takeSnapshot(db))
  const { rows } = await sql<{ latest: Date }>`select max(level_up_at) as latest from characters`.execute(
    otherDatabase.db,
  )
  assert.ok(rows[0] && rows[0].latest <= midnightOfMonth)
  for (const [key, rows] of Object.entries(await listRankings({ ...site, db: otherDatabase.db }))) {
    assert.equal(rows.length, 100, key)
  }
})

test('does not seed a database with accounts', async () => {
  assert.equal(await seedDemoWorld(db, site.now()), false)
  assert.equal(await countRows('banners'), 5)
})

test('there are weekly and single events, one with a result and one cancelled', async () => {
  const { rows } = await sql<{ repeats: string; cancelled: boolean; results: number }>`
    select repeats, cancelled_why <> '' as cancelled,
      (select count(*)::int from event_results r where r.event = e.event and r.starts_at < ${site.now()}) as results
    from events e order by event`.execute(db)
  assert.deepEqual(
    rows.map(({ repeats, cancelled, results }) => [repeats, cancelled, results]),
    [
      ['weekly', false, 2],
      ['weekly', false, 0],
      ['once', false, 0],
      ['once', false, 0],
      ['once', false, 1],
      ['once', true, 0],
    ],
  )
  assert.equal((await site.get('/api/server-status')).json().events.length, 4)
})

test('there are a final and a running league with eight clubs each', async () => {
  const { leagues } = (await site.get('/api/wars')).json()
  assert.deepEqual(
    leagues.map(({ name, phase, table }: { name: string; phase: string; table: unknown[] }) => [
      name,
      phase,
      table.length,
    ]),
    [
      ['Lantern League', 'running', 8],
      ['League of Rains', 'finalised', 8],
    ],
  )
})

test('there are tournaments open for registration, in the second round, and final with prizes', async () => {
  const { rows } = await sql<{ state: string; round: number | null; entries: number; prizes: number }>`
    select state, (select max(round) from tournament_matches m where m.tournament = t.tournament and m.outcome is not null) as round,
      (select count(*)::int from tournament_entries e where e.tournament = t.tournament) as entries,
      (select count(*)::int from tournament_prizes p join letter_gifts g using (letter) where p.tournament = t.tournament) as prizes
    from tournaments t order by tournament`.execute(db)
  assert.deepEqual(
    rows.map(({ state, entries, prizes }) => [state, entries, prizes]),
    [
      ['finalised', 8, 3],
      ['drawn', 16, 0],
      ['announced', 19, 0],
      ['announced', 6, 0],
    ],
  )
  assert.equal(rows[1]?.round, 2)
})

test('every result of a tournament follows the start of its match, and none is in the future', async () => {
  const matches = await db
    .selectFrom('tournament_matches')
    .where('result_at', 'is not', null)
    .where('starts_at', 'is not', null)
    .select(['tournament', 'grp', 'round', 'match', 'starts_at', 'result_at'])
    .execute()
  assert.ok(matches.length > 20)
  const now = site.clock.now().getTime()
  const violations = matches.filter(
    ({ starts_at, result_at }) => Number(result_at) <= Number(starts_at) || Number(result_at) > now,
  )
  assert.deepEqual(violations, [])
  const early = await db
    .selectFrom('tournaments as t')
    .innerJoin('tournament_matches as m', 'm.tournament', 't.tournament')
    .whereRef('m.result_at', '>=', 't.finalised_at')
    .select('t.name')
    .execute()
  assert.deepEqual(early, [])
})

test('the texts promise the Milleage that the demo world pays for playing', async () => {
  const { milleage } = await db
    .selectFrom('reward_offers')
    .where('source', '=', 'playtime')
    .select('milleage')
    .executeTakeFirstOrThrow()
  const { playtime_times } = await readSettings(site)
  const files = ['content/**/*.md', 'content/*.json', 'demo/**/*.md'].flatMap((pattern) =>
    globSync(pattern, { cwd: ROOT }),
  )
  const promises = files.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /(\d+) (?:Milleage )?(?:for every full|an) hour.*?(\d+) a day/g,
      ),
    ].map(([, hourly, daily]) => [file, Number(hourly), Number(daily)]),
  )
  assert.ok(promises.length >= 5)
  const expected = [Number(milleage), Number(milleage) * playtime_times]
  assert.deepEqual(
    promises.filter(([, ...amounts]) => String(amounts) !== String(expected)),
    [],
  )
})
