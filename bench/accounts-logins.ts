/**
 * Logins/s, from the request to the answer with token, account and characters, against
 * argon2id verifications/s of the library alone, both with 64 under way at any moment in
 * the same process. The database is a throw-away PostgreSQL server with the demo world.
 *
 * `node bench/accounts-logins.ts`
 */
import { verify } from '@node-rs/argon2'
import { pino } from 'pino'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/open.ts'
import { seedDemoWorld } from '#server/demo/seed.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { createSeal } from '#server/http/security-headers.ts'
import { compare, printRatio } from './side-by-side.ts'

const AT_ONCE = 64
const SECONDS = 3
const ROUNDS = 7

const now = () => new Date()
const postgres = await startThrowawayPostgres()
const database = await openPostgres(postgres.url)
await migrate(database.db)
await seedDemoWorld(database.db, now())
const config = readConfig({ DEMO: '1', RATE_LIMIT: 'off' })
const cache = createAnswerCache({
  now: () => performance.now(),
  lifetimeMs: 5000,
  maxBytes: 2 ** 20,
  seal: createSeal('http://localhost'),
  probe: async () => {},
})
const app = createApp({
  db: database.db,
  browseDb: database.browseDb,
  now,
  log: pino({ level: 'warn' }),
  config,
  limits: createLimits({ db: database.db, now, config }),
  cache,
  metrics: createMetrics({ cache, pools: { calls: database.db, browsing: database.browseDb } }),
  publicUrl: 'https://play.example.ph',
})
const { password_hash } = await database.db
  .selectFrom('accounts')
  .where('user_id', '=', 'juan')
  .select('password_hash')
  .executeTakeFirstOrThrow()

async function logIn(): Promise<void> {
  const answer = await app.request('/api/processlogin', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ UserID: 'juan', UserPass: 'juan-demo-1' }),
  })
  const { data } = (await answer.json()) as { data: { token: string | null } }
  if (data.token === null) throw new Error('A login failed.')
}

/** How many times a second `work` ends with 64 of it under way. */
async function timesPerSecondAtOnce(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const end = start + SECONDS * 1000
  let times = 0
  const keepWorking = async () => {
    while (performance.now() < end) {
      await work()
      times++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepWorking))
  return (times * 1000) / (performance.now() - start)
}

printRatio(
  'logins',
  'logins/s',
  await compare({
    ours: () => timesPerSecondAtOnce(logIn),
    theirs: () => timesPerSecondAtOnce(() => verify(password_hash, 'juan-demo-1')),
    rounds: ROUNDS,
  }),
  { atLeast: 0.85 },
)
await database.close()
await postgres.stop()
