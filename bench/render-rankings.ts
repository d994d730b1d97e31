/**
 * Renderings/s of `/rankings`, from the request to the whole page: routing, loading, React,
 * handing the data to the browser, policy hashes. No page is kept, while the calls it makes are
 * answered as always. Against React's own renderToString of the same elements: those of
 * the very page that ours answered, as plain elements without router, components or data.
 *
 * `node bench/render-rankings.ts` (needs the built site: `npm run build`)
 */
process.env.NODE_ENV = 'production'

import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openInMemory } from '#server/db/open.ts'
import { seedDemoWorld } from '#server/demo/seed.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { createPageCache } from '#server/http/page-cache.ts'
import { sealHeaders } from '#server/http/security-headers.ts'
import { loadPages } from '#server/pages.ts'
import { elementsOf } from './elements-of.ts'
import { compare, printRatio, timesPerSecond } from './side-by-side.ts'

const { renderToString } = await import('react-dom/server')

const now = () => new Date()
const database = await openInMemory()
await migrate(database.db)
await seedDemoWorld(database.db, now())
await rollOver(database.db, now())

const cache = createPageCache({ now: () => performance.now(), lifetimeMs: 5000, maxBytes: 2 ** 26, seal: sealHeaders })
const deps = {
  db: database.db,
  now,
  log: pino({ level: 'warn' }),
  config: readConfig({ DEMO: '1', RATE_LIMIT: 'off' }),
  cache,
  publicUrl: 'https://play.example.ph',
}
const keepNothing = { ...cache, respond: (_: Request, render: () => Promise<Response>) => render() }
const app = createApp(deps, await loadPages({ ...deps, cache: keepNothing }))

const renderOurs = async () => (await app.fetch(new Request('http://site.internal/rankings'))).text()
const page = await renderOurs()
const elements = elementsOf(page)
const renderTheirs = () => renderToString(elements)

const bytes = [page, renderTheirs()].map((html) => Buffer.byteLength(html))
console.log(`The page has ${bytes[0]} bytes, the plain elements ${bytes[1]}.`)
printRatio(
  'uncached render of /rankings',
  'pages/s',
  await compare({ ours: () => timesPerSecond(renderOurs), theirs: () => timesPerSecond(renderTheirs), rounds: 9 }),
  { atLeast: 0.5 },
)
await database.close()
