/**
 * Renderings/s of `/rankings`, from the request to the whole page: routing, loading, React,
 * handing the data to the browser, policy hashes. No page is kept, while the calls it makes are
 * answered as always. Against React's own renderToString of the page's element tree, the same
 * components with the same rows, whose data is loaded once and whose router is left out
 * (no-router/). Both end in the bytes of the page.
 *
 * `node bench/render-rankings.ts` (needs the built site: `npm run build`)
 */
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { createCall } from '#server/api.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openInMemory } from '#server/db/open.ts'
import { seedDemoWorld } from '#server/demo/seed.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import type { WholeAnswer } from '#server/http/packed-answer.ts'
import { createSeal } from '#server/http/security-headers.ts'
import { loadPages } from '#server/pages.ts'
import { buildNoRouter } from './no-router/build.ts'
import { compare, printRatio, timesPerSecond } from './side-by-side.ts'

const now = () => new Date()
const database = await openInMemory()
await migrate(database.db)
await seedDemoWorld(database.db, now())
await rollOver(database.db, now())

const cache = createAnswerCache({
  now: () => performance.now(),
  lifetimeMs: 5000,
  maxBytes: 2 ** 26,
  seal: createSeal('http://localhost'),
  probe: async () => {},
})
const config = readConfig({ DEMO: '1', RATE_LIMIT: 'off' })
const deps = {
  db: database.db,
  browseDb: database.browseDb,
  now,
  log: pino({ level: 'error' }),
  config,
  cache,
  limits: createLimits({ db: database.db, now, config }),
  metrics: createMetrics({ cache, pools: { calls: database.db, browsing: database.browseDb } }),
  publicUrl: 'https://play.example.ph',
}
const keepNothing = {
  ...cache,
  respond: async (_request: Request, _key: string, render: () => Promise<WholeAnswer>) => {
    const whole = await render()
    return new Response(whole.body, whole)
  },
}
const app = createApp(deps, await loadPages({ ...deps, cache: keepNothing }))

getRequestListener(app.fetch) // As at the site's start: puts its own Response in the place of Node's.

const renderOurs = async () => (await app.fetch(new Request('http://site.internal/rankings'))).arrayBuffer()
const { loadElements, renderToString } = await buildNoRouter()
const elements = await loadElements(createCall(deps))
const renderTheirs = () => Buffer.from(renderToString(elements))

for (const [side, page] of Object.entries({ ours: await renderOurs(), theirs: renderTheirs() })) {
  const html = new TextDecoder().decode(page)
  console.log(`${side}: ${html.length} characters, ${html.match(/<tr/g)?.length} rows`)
}
// The pause between two renderings keeps no process alive.
setInterval(() => {}, 60_000)
await timesPerSecond(renderOurs, 5000)
await timesPerSecond(renderTheirs, 5000)
printRatio(
  'uncached render of /rankings',
  'pages per second of processor time',
  await compare({ ours: () => timesPerSecond(renderOurs), theirs: () => timesPerSecond(renderTheirs), rounds: 11 }),
  { atLeast: 0.55 },
)
await database.close()
process.exit(0)
