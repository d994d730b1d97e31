import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { formatCallName, isStaffAccess } from '#contract/endpoint.ts'
import { OWNER } from '#contract/permissions.ts'
import { SHARED_KINDS } from '#contract/sharing.ts'
import { CALLS } from '#server/api.ts'
import { createApp } from '#server/app.ts'
import { loadPages } from '#server/pages.ts'
import { createPlayer } from '#test/account-helpers.ts'
import { buildRequest } from '#test/calls.ts'
import { openTestDatabase } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createSampleInput } from '#test/samples.ts'
import { createToken, hashToken } from './tokens.ts'

/** The number of statements on each pool. */
const statements = { purchases: 0, browsing: 0 }
const createCounter = (pool: keyof typeof statements): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  // This also counts statements that are prepared by name.
  transformResult: async ({ result }) => {
    statements[pool]++
    return result
  },
})
const database = await openTestDatabase('demo')
after(() => database.close())
const { db } = database
const site = await createTestApp({
  pages: true,
  env: { RATE_LIMIT: 'off' },
  database: {
    ...database,
    db: db.withPlugin(createCounter('purchases')),
    browseDb: db.withPlugin(createCounter('browsing')),
  },
})
const consumedLimits: string[] = []
const limits = { ...site.limits, consumeInMemory: (name: string) => void consumedLimits.push(name) }
const app = createApp({ ...site, limits }, await loadPages(site))

/** For each route outside /api with parameters: requests for things that do not exist. */
const MADE_UP_ADDRESSES: Record<string, string[]> = {
  '/events/:file{[0-9]{1,15}\\.ics}': ['GET /events/999999.ics'],
  '/character/:file{[1-9][0-9]{0,14}\\.jpg}': ['GET /character/999999.jpg'],
  '/club/:file{[1-9][0-9]{0,14}\\.png}': ['GET /club/999999.png'],
  '/share/picture.jpg': ['GET /share/picture.jpg', 'GET /share/picture.jpg?of=/art/made-up.webp'],
  '/share/:kind{[a-z]{1,12}}/:file{[0-9-]{1,9}\\.jpg}': [
    ...SHARED_KINDS.map((kind) => `GET /share/${kind}/999999.jpg`),
    'GET /share/made/1.jpg',
  ],
  '/s/:mark{[a-z0-9]{6}}': ['GET /s/aaaaaa'],
  '/votes/:word{[\\w-]{32}}': [`GET /votes/${'A'.repeat(32)}`, `POST /votes/${'B'.repeat(32)}?account=juan`],
  '/verifyemail': ['GET /verifyemail?token=made-up', 'POST /verifyemail?token=made-up'],
  '/keepaccount': ['GET /keepaccount?token=made-up', 'POST /keepaccount?token=made-up'],
  '/unsubscribe': ['GET /unsubscribe?token=made-up', 'POST /unsubscribe?token=made-up'],
  '/preview/:token/:page{.*}?': ['GET /preview/made-up', 'GET /preview/made-up/rankings'],
  '/:name{sitemap-(?:items|news|boards|topics|clubs)-[1-9][0-9]{0,8}\\.xml}': ['GET /sitemap-news-999999.xml'],
  // The route of uploaded files and of pages.
  '/*': [
    `GET /files/${'0'.repeat(64)}.webp`,
    'GET /events/999999',
    'GET /rankings/tournament/999999',
    'GET /club/999999',
    'GET /character/999999',
    'GET /itemshop/999999',
    'GET /capsuleshop/999999',
    'GET /forum/999999',
    'GET /forum/200/999999',
    'GET /page/made-up',
    'GET /news?topic=999999',
    'GET /wishlist?list=made-up',
    'GET /nowhere',
  ],
}
/** Routes without parameters. Their response is the same for every visitor. */
const FIXED_PATHS =
  /^\/(healthz|readyz|metrics|robots\.txt|sitemap\.xml|sitemap-pages\.xml|manifest\.webmanifest|feed\.xml|events\.ics|launcher|launcher\.json|launcher\.jpg|admin.*)$/

const outsidePaths = [...new Set(app.routes.map(({ path }) => path))].filter((path) => !path.startsWith('/api'))

test('has made-up addresses for every route outside /api', () => {
  assert.deepEqual(outsidePaths.filter((path) => !FIXED_PATHS.test(path)).sort(), Object.keys(MADE_UP_ADDRESSES).sort())
})

test('accepts POST outside /api only at four addresses with a token', () => {
  const postRoutes = app.routes.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api'))
  assert.deepEqual([...new Set(postRoutes.map(({ path }) => path))].sort(), [
    '/keepaccount',
    '/unsubscribe',
    '/verifyemail',
    '/votes/:word{[\\w-]{32}}',
  ])
})

test('counts made-up addresses outside /api, and uses no connection of purchases', async () => {
  const send = async (request: string) => {
    const [method, path] = request.split(' ')
    return app.request(`http://test.local${path}`, { method })
  }
  // Cache the values that every address needs, such as the settings.
  for (const path of ['/', '/news', '/itemshop', '/forum', '/rankings', `/votes/${'C'.repeat(32)}`])
    await send(`GET ${path}`)
  const brokenRoutes: string[] = []
  for (const request of Object.values(MADE_UP_ADDRESSES).flat()) {
    consumedLimits.length = 0
    statements.purchases = 0
    statements.browsing = 0
    const { status } = await send(request)
    const isCheap = !request.includes('/votes/') || (status === 404 && statements.browsing === 0)
    if (status >= 500 || consumedLimits[0] !== 'pages' || statements.purchases > 0 || !isCheap)
      brokenRoutes.push(`${request}: ${status}, ${consumedLimits[0]}, ${JSON.stringify(statements)}`)
  }
  assert.deepEqual(brokenRoutes, [])
})

test('checks a made-up token without a connection of purchases', async () => {
  const player = await createPlayer(site)
  const sendAndCount = async (headers: Record<string, string>) => {
    statements.purchases = 0
    const { status } = await site.get('/api/user-ip', headers)
    return [status, statements.purchases > 0]
  }
  assert.deepEqual(await sendAndCount({ Authorization: `Bearer ${createToken()}` }), [401, false])
  await sendAndCount(player.headers)
  assert.deepEqual(await sendAndCount(player.headers), [200, true])
})

/** Runs `work` on a database that refuses every write. */
async function runWithoutWrites(work: () => Promise<void>): Promise<void> {
  await sql`set default_transaction_read_only = on`.execute(db)
  try {
    await work()
  } finally {
    await sql`set default_transaction_read_only = off`.execute(db)
  }
}

test('writes nothing for HEAD and GET outside /api', () =>
  runWithoutWrites(async () => {
    for (const path of [
      ...outsidePaths.filter((path) => FIXED_PATHS.test(path) && !path.endsWith('*')),
      '/',
      '/vote',
      '/verifyemail',
    ])
      for (const method of ['GET', 'HEAD'])
        assert.ok((await app.request(`http://test.local${path}`, { method })).status < 500, `${method} ${path}`)
    for (const request of Object.values(MADE_UP_ADDRESSES).flat())
      for (const method of ['GET', 'HEAD']) {
        const [, path] = request.split(' ')
        assert.ok((await app.request(`http://test.local${path}`, { method })).status < 500, `${method} ${path}`)
      }
  }))

test('writes nothing for HEAD or GET, except audit entries about personal data', async () => {
  const [player, owner] = [await createPlayer(site), await createOperator(site, OWNER)]
  await runWithoutWrites(async () => {
    const brokenRoutes: string[] = []
    for (const { endpoint } of CALLS) {
      if (endpoint.method !== 'GET' || endpoint.access === 'bridge' || endpoint.audited === true) continue
      const { path, init } = buildRequest(endpoint, createSampleInput(endpoint))
      const { headers } = isStaffAccess(endpoint.access) ? owner : player
      for (const method of ['GET', 'HEAD']) {
        const answer = await site.send(path, { ...init, method, headers })
        if (answer.status >= 500) brokenRoutes.push(`${method} ${formatCallName(endpoint)}: ${answer.text}`)
      }
    }
    assert.deepEqual(brokenRoutes, [])
  })
})

test('counts a vote by GET and not by HEAD', async () => {
  const token = createToken().slice(0, 32)
  await db
    .insertInto('vote_sites')
    .values({
      name: 'List',
      list: 'xtremetop100',
      link: 'https://lists.example/{account}',
      pause_hours: 12,
      account_field: 'custom',
      address_hash: hashToken(token),
    })
    .execute()
  await db
    .insertInto('account_words')
    .values({ user_num: 1, word: 'boto' })
    .onConflict((row) => row.doNothing())
    .execute()
  const account = await db.selectFrom('account_words').select('word').executeTakeFirstOrThrow()
  const countVotes = async () => (await db.selectFrom('votes').select('vote').execute()).length
  const countBefore = await countVotes()
  consumedLimits.length = 0
  const path = `http://test.local/votes/${token}?custom=${account.word}`
  assert.equal((await app.request(path, { method: 'HEAD' })).status, 200)
  assert.equal(await countVotes(), countBefore)
  assert.equal((await app.request(path)).status, 200)
  assert.equal(await countVotes(), countBefore + 1)
  assert.deepEqual(new Set(consumedLimits), new Set(['voteCalls']))
})
