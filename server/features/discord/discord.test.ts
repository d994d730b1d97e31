import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { DISCORD_CHANNELS } from '#contract/discord.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { getNextDay, getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { escapeForDiscord } from '#server/discord.ts'
import { deleteEncryptedSecrets, sealPlainWebhooks } from '#server/sealed-secrets.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_KEY } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { startDiscord } from '#test/discord.ts'
import { insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { submitTicket } from '#test/ticket-helpers.ts'
import { sendDuePosts } from './posts.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const discord = await startDiscord()
const deliver = () => discord.deliver(site)
const listRequests = () => discord.requests.map(({ method, path }) => `${method} ${path}`)
const selectPosts = () => db.selectFrom('discord_posts').selectAll().orderBy('post').execute()
const SECRET = 'https://discord.com/api/webhooks/1/abcdefgh'

/** Queues the message about a closed month, which names no player. */
const queueMonthPost = (period: string) => sql`select queue_discord_post('months', ${period})`.execute(db)
const [{ period } = { period: '' }] = await db
  .selectFrom('ranking_periods')
  .where('closed_at', 'is not', null)
  .select('period')
  .execute()

beforeEach(async () => {
  await db.deleteFrom('discord_posts').execute()
  await db.deleteFrom('settings').where('name', 'like', '%webhook%').execute()
  site.cache.clear()
  discord.reset()
})

test('queues nothing for a channel without a webhook, and nothing of a transaction that fails', async () => {
  await queueMonthPost(period)
  assert.deepEqual(await selectPosts(), [])
  await discord.connect(db, 'months')
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await sql`select queue_discord_post('months', ${period})`.execute(tx)
      throw new Error('refused')
    }),
  )
  assert.deepEqual(await selectPosts(), [])
})

test('concurrent processes post a message once', async () => {
  await discord.connect(db, 'months')
  await queueMonthPost(period)
  const sendPosts = () => sendDuePosts({ ...site, signal: new AbortController().signal })
  await Promise.all([sendPosts(), sendPosts(), sendPosts()])
  assert.deepEqual(listRequests(), ['POST /hook?wait=true'])
})

test('waits as long as Discord requires, for every channel with the same webhook', async () => {
  await discord.connect(db, 'months')
  await discord.connect(db, 'tournaments')
  await discord.connect(db, 'appeals', 'another')
  await queueMonthPost(period)
  await sql`select queue_discord_post('tournaments', '1'), queue_discord_post('appeals', '1')`.execute(db)
  discord.answers.push({ status: 429, body: { retry_after: 64.57, global: false } })
  await deliver()
  assert.deepEqual(listRequests(), ['POST /another?wait=true'])
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from due_at - clock_timestamp())::float8 as seconds from discord_posts where due_at is not null`.execute(
    db,
  )
  assert.equal(rows.length, 2)
  for (const { seconds } of rows) assert.ok(seconds > 55 && seconds < 65, String(seconds))
})

test('waits as soon as Discord reports that no request is left', async () => {
  await discord.connect(db, 'months')
  await queueMonthPost(period)
  await queueMonthPost('2026-01')
  discord.answers.push({
    status: 200,
    body: { id: '77' },
    headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '2.5' },
  })
  await deliver()
  assert.equal(discord.posts.length, 1)
})

test('edits a sent message when it is queued again', async () => {
  await discord.connect(db, 'months')
  await queueMonthPost(period)
  await deliver()
  await queueMonthPost(period)
  await deliver()
  assert.deepEqual(listRequests(), [
    'POST /hook?wait=true',
    `PATCH /hook/messages/${(await selectPosts())[0]?.message}`,
  ])
})

test('posts again after a change of the webhook, not after the message was deleted on Discord', async () => {
  await discord.connect(db, 'months')
  await queueMonthPost(period)
  await deliver()
  await discord.connect(db, 'months', 'another')
  await queueMonthPost(period)
  await deliver()
  assert.equal(listRequests().at(-1), 'POST /another?wait=true')
  discord.answers.push({ status: 404, body: { code: 10_008 } })
  await queueMonthPost(period)
  await deliver()
  assert.equal(listRequests().length, 2)
  assert.equal((await selectPosts())[0]?.due_at, null)
})

test('a webhook that was deleted on Discord is shown at the desk and not tried again', async () => {
  await discord.connect(db, 'months')
  await queueMonthPost(period)
  discord.answers.push({ status: 404, body: { code: 10_015 } })
  await deliver()
  await deliver()
  assert.deepEqual(listRequests(), [])
  const { rows } = (await gm.get('/api/admin/discord')).json()
  const { failure, waiting } = rows.find(({ channel }: { channel: string }) => channel === 'months')
  assert.deepEqual([failure, waiting], ['This webhook no longer exists at Discord. Enter a new one.', 0])
})

test('messages to staff have a number and a link, and nothing about a player', async () => {
  for (const channel of ['tickets', 'deliveries'] as const) await discord.connect(db, channel)
  const { number } = await submitTicket(site, {
    email: 'lola@example.net',
    subject: 'My secret subject',
    message: 'My secret message',
  })
  const units = await db
    .updateTable('deliveries')
    .set({ failed_at: clock.now(), failure: 'Lola77 is unknown' })
    .where('failed_at', 'is', null)
    .where('state', '=', 'queued')
    .returning('delivery')
    .execute()
  await deliver()
  assert.ok(units.length > 1)
  const numbers = units
    .map(({ delivery }) => delivery)
    .sort((a, b) => a - b)
    .slice(0, 20)
  assert.deepEqual(discord.posts, [
    `Ticket ${number}\n${site.publicUrl}/admin/tickets/${number}`,
    `Deliveries failed\nNumbers ${numbers.join(', ')}${units.length > 20 ? ' and more' : ''}.\n${site.publicUrl}/admin/orders?stage=failed`,
  ])
  assert.doesNotMatch(JSON.stringify(discord.requests), /secret|lola/i)
  await db.updateTable('deliveries').set({ failed_at: null, failure: '' }).execute()
})

test('a closed month is posted without names', async () => {
  await discord.connect(db, 'months')
  const row = await db.selectFrom('ranking_periods').where('period', '=', period).selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('ranking_periods')
    .values({ ...row, period: '2025-01', closed_at: row.closed_at })
    .execute()
  await db.updateTable('ranking_periods').set({ closed_at: clock.now() }).where('period', '=', '2025-01').execute()
  assert.deepEqual(await selectPosts(), [], 'a month that was inserted as closed is not posted')
  await queueMonthPost('2025-01')
  await deliver()
  const [embed] = discord.requests[0]?.body.embeds ?? []
  assert.deepEqual([embed?.title, embed?.url], ['January 2025 is over', `${site.publicUrl}/rankings?period=2025-01`])
  await db.deleteFrom('ranking_periods').where('period', '=', '2025-01').execute()
})

test('a tournament is posted when it is announced, and its message shows that it is cancelled', async () => {
  await discord.connect(db, 'tournaments')
  const minutesFromNow = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE_MS)
  const { tournament } = await db
    .insertInto('tournaments')
    .values({
      name: 'Cup',
      about: '',
      kind: 'players',
      format: 'single',
      max_entries: 8,
      registration_from: minutesFromNow(0),
      registration_until: minutesFromNow(1),
      checkin_from: minutesFromNow(1),
      checkin_until: minutesFromNow(2),
      starts_at: minutesFromNow(3),
      created_at: minutesFromNow(0),
    })
    .returning('tournament')
    .executeTakeFirstOrThrow()
  const updateTournament = (values: object) =>
    db.updateTable('tournaments').set(values).where('tournament', '=', tournament).execute()
  await updateTournament({ name: 'Rain Cup' })
  await deliver()
  assert.deepEqual(listRequests(), [])
  await updateTournament({ state: 'announced' })
  await deliver()
  await updateTournament({ state: 'cancelled', cancelled_why: 'Typhoon.' })
  await deliver()
  assert.deepEqual(
    discord.requests.map(({ method, body }) => [method, body.embeds?.[0]?.title]),
    [
      ['POST', 'Rain Cup'],
      ['PATCH', 'Rain Cup is cancelled'],
    ],
  )
})

test('a tournament’s message shows the last minute of a registration that ends at midnight', async () => {
  await discord.connect(db, 'tournaments')
  const midnight = getStartOfDay(getNextDay(toManilaDay(clock.now())))
  const minutesAfterMidnight = (minutes: number) => new Date(midnight.getTime() + minutes * MINUTE_MS)
  const announce = async (registration_until: Date) => {
    await db
      .insertInto('tournaments')
      .values({
        name: 'Midnight Cup',
        about: '',
        kind: 'players',
        format: 'single',
        max_entries: 8,
        registration_from: minutesAfterMidnight(-10),
        registration_until,
        checkin_from: minutesAfterMidnight(40),
        checkin_until: minutesAfterMidnight(50),
        starts_at: minutesAfterMidnight(60),
        created_at: clock.now(),
      })
      .execute()
    await db.updateTable('tournaments').set({ state: 'announced' }).where('state', '=', 'draft').execute()
    await deliver()
    return discord.requests.at(-1)?.body.embeds?.[0]?.description ?? ''
  }
  const toSeconds = (moment: Date) => moment.getTime() / 1000
  assert.match(await announce(midnight), new RegExp(`until <t:${toSeconds(minutesAfterMidnight(-1))}:F>`))
  const halfPast = minutesAfterMidnight(30)
  assert.match(await announce(halfPast), new RegExp(`until <t:${toSeconds(halfPast)}:F>`))
})

test('posts new topics of one board, and deletes the message with the topic', async () => {
  await discord.connect(db, 'forum')
  await db
    .insertInto('settings')
    .values({ name: 'forum_webhook_board', value: '600', changed_at: clock.now() })
    .execute()
  const insertTopic = (title: string, category: number, state: 'visible' | 'held') =>
    insertRows(db, 'forum_topics', [
      {
        title,
        category,
        state,
        author: gm.user.UserNum,
        created_at: clock.now(),
        last_post_at: clock.now(),
      },
    ])
  await insertTopic('Another board', 700, 'visible')
  await insertTopic('Held', 600, 'held')
  await insertTopic('Join [us](https://evil.example) @everyone', 600, 'visible')
  await deliver()
  assert.equal(discord.posts.length, 1)
  assert.match(discord.posts[0] ?? '', /^Join \\\[us\\\]\\\(https:\/\/evil\.example\\\) \\@everyone\n/)
  await db.updateTable('forum_topics').set({ state: 'deleted' }).where('category', '=', 600).execute()
  await deliver()
  assert.equal(discord.requests.at(-1)?.method, 'DELETE')
})

test('edits the one daily message about areas when another club takes an area', async () => {
  await discord.connect(db, 'wars')
  for (const club of ['Lakan', 'Buwan']) {
    clock.advance(1)
    await db
      .updateTable('club_areas')
      .set({ club, held_since: clock.now() })
      .where('id', '=', (eb) => eb.selectFrom('club_areas').select(({ fn }) => fn.min('id').as('id')))
      .execute()
    await deliver()
  }
  assert.deepEqual(
    discord.requests.map(({ method }) => method),
    ['POST', 'PATCH'],
  )
  const text = discord.requests[1]?.body.embeds?.[0]?.description ?? ''
  assert.match(text, /^Buwan holds .+\.\nLakan holds /)
})

test('a message has a title, a link, a time and the picture, and notifies no one', async () => {
  await discord.connect(db, 'news')
  const news = await db.selectFrom('news').where('picture', 'is not', null).selectAll().executeTakeFirstOrThrow()
  await sql`select queue_discord_post('news', ${String(news.id)})`.execute(db)
  await deliver()
  const body = discord.requests[0]?.body as unknown as Record<string, unknown>
  assert.deepEqual(body.allowed_mentions, { parse: [] })
  const [embed] = body.embeds as Record<string, unknown>[]
  assert.deepEqual(embed, {
    title: escapeForDiscord(news.subject),
    url: `${site.publicUrl}/topic/${news.id}`,
    ...(news.created_at && { timestamp: news.created_at.toISOString() }),
    image: { url: `${site.publicUrl}/share/news/${news.id}.jpg?v=1` },
    footer: { text: 'Tambayan Online' },
  })
})

test('a webhook is sealed in the settings and in their history, and its change can be undone', async () => {
  const saveWebhook = async (change: object) => {
    const { rows } = (await gm.get('/api/admin/settings')).json()
    const { version } = rows.find((row: { name: string }) => row.name === 'wars_webhook')
    return gm.post('/api/admin/settings/save', { changes: [{ name: 'wars_webhook', version, ...change }] })
  }
  assert.equal((await saveWebhook({ value: SECRET })).status, 200)
  for (const value of [{ sealed: 's1.x', end: 'x' }, 7, 'https://evil.example/api/webhooks/1/a'])
    assertRefused(await saveWebhook({ value }), 422)
  assert.equal((await saveWebhook({ value: '' })).status, 200)
  const storedText = JSON.stringify([
    await db.selectFrom('settings').selectAll().execute(),
    await db.selectFrom('setting_changes').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
  ])
  assert.ok(!storedText.includes('abcdefgh'))
  const { rows } = (await gm.get('/api/admin/settings/changes?name=wars_webhook')).json()
  assert.equal((await saveWebhook({ undoes: rows[0].change })).json().rows[0].value, '…efgh')
})

test('seals plain webhooks of an earlier version, and deletes sealed ones when the key is lost', async () => {
  await db
    .insertInto('settings')
    .values({ name: 'news_webhook', value: JSON.stringify(SECRET), changed_at: clock.now() })
    .execute()
  await db
    .insertInto('setting_changes')
    .values({
      name: 'news_webhook',
      before: JSON.stringify(SECRET),
      after: '""',
      actor: null,
      actor_name: 'gm',
      undoes: null,
      created_at: clock.now(),
    })
    .execute()
  await sealPlainWebhooks(db, TEST_KEY)
  await sealPlainWebhooks(db, TEST_KEY)
  const readStored = async (tx = db) =>
    JSON.stringify([
      await tx.selectFrom('settings').where('name', '=', 'news_webhook').select('value').execute(),
      await tx.selectFrom('setting_changes').where('name', '=', 'news_webhook').select(['before', 'after']).execute(),
    ])
  assert.match(await readStored(), /"value":{"end":"efgh","sealed".+"before":{"end":"efgh","sealed"/)
  assert.ok(!(await readStored()).includes('abcdefgh'))
  const deletion = db.transaction().execute(async (tx) => {
    assert.ok((await deleteEncryptedSecrets(tx, clock.now())).includes('a webhook of Discord'))
    assert.doesNotMatch(await readStored(tx), /sealed/)
    throw new Error('rolled back')
  })
  await assert.rejects(deletion, /^Error: rolled back$/)
})

test('an owner can test a channel at the desk; an operator with the role News cannot', async () => {
  const sendTest = (client: Pick<typeof gm, 'post'>, channel: string) =>
    client.post('/api/admin/discord/test', { channel })
  assertRefused(await sendTest(gm, 'wars'), 409)
  await discord.connect(db, 'wars')
  const response = await sendTest(gm, 'wars')
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(discord.posts, [`This is a test\nMessages will look like this.\n${site.publicUrl}/`])
  discord.answers.push({ status: 429, body: { retry_after: 3 } })
  assertRefused(await sendTest(gm, 'wars'), 409, 'Discord is limiting requests. Try again in a minute.')
  discord.isOpen = false
  assertRefused(await sendTest(gm, 'wars'), 409)
  const writer = await createOperator(site, 'news')
  assertRefused(await sendTest(writer, 'wars'), 403)
  const { rows } = (await gm.get('/api/admin/discord')).json()
  assert.deepEqual(
    rows.map(({ channel }: { channel: string }) => channel),
    DISCORD_CHANNELS,
  )
})
