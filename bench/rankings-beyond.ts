/**
 * What the rankings beyond the month cost with 1,000,000 characters against 1,000, on PostgreSQL (Debian's package):
 * processor time of this process and of the database for the boards of the running season, of all time, a final season, a
 * character's page and a player's own ranks, without the answer cache. Making the large world takes several minutes.
 *
 * `node bench/rankings-beyond.ts [CHARACTERS]`
 */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { BOARDS } from '#contract/game.ts'
import { ensureBuilt } from '#scripts/build.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/open.ts'
import { seedDemoWorld } from '#server/demo/seed.ts'
import type { Deps } from '#server/deps.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { runSeasons } from '#server/features/rankings/seasons.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { loadPages } from '#server/pages.ts'
import { growWorld } from '#test/grown-world.ts'
import { compare, printRatio } from './side-by-side.ts'

const FEW = 1000
const MANY = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 3
const CPU_MS_A_ROUND = 250
const MILLISECONDS_A_TICK = 10

const ASKED = [
  ...BOARDS.map((board) => `/api/season-rankings?board=${board}`),
  '/api/season-rankings?board=level&season=1',
  ...BOARDS.map((board) => `/api/total-rankings?board=${board}`),
  '/api/character/500',
  '/api/own-ranks?of=season&board=killer',
  '/api/own-ranks?of=total&board=killer',
  '/rankings/season',
  '/rankings/total?tab=killer',
  '/character/500',
]

/** A demo world with so many characters, a final season and a running one. */
async function makeWorld(server: string, name: string, characters: number) {
  const admin = await openPostgres(server)
  await sql`create database ${sql.ref(name)}`.execute(admin.db)
  await admin.close()
  const { db, jobsDb, browseDb, close } = await openPostgres(server.replace(/[^/]*$/, name))
  const now = () => new Date()
  await migrate(db)
  await seedDemoWorld(db, now())
  await rollOver(db, now())
  if (characters > FEW) {
    await growWorld(jobsDb, { items: 0, news: 0, characters: characters - FEW })
    // Most have gained something since the season began.
    await sql`
      update characters set start_level = greatest(1, cha_level - 20 * random()), start_mmr = cha_mmr - 300 * random(),
        start_money = cha_money * random(), start_kills = cha_pk_score * random(), start_resu = cha_resu_score * random()`.execute(
      jobsDb,
    )
  } else
    await sql`delete from characters where cha_num > ${FEW} and cha_num not in (select cha_num from characters
      join accounts using (user_num) where user_id = 'juan')`.execute(jobsDb)
  await sql`update season_boards set counted_at = null where season = (select season from seasons where ended_at is null)`.execute(
    jobsDb,
  )
  const start = performance.now()
  await runSeasons(jobsDb, now())
  console.log(`${name}: the job counts the divisions in ${Math.round(performance.now() - start)} ms`)
  await sql`vacuum analyze`.execute(jobsDb)

  const config = readConfig({ RATE_LIMIT: 'off', DEMO: '1' })
  const cache = createAnswerCache({
    now: Date.now,
    lifetimeMs: -1,
    maxBytes: 100,
    seal: () => {},
    probe: async () => {},
  })
  const log = pino({ level: 'error' })
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, pools: { calls: db, browsing: browseDb } })
  const deps: Deps = { db, browseDb, now, log, config, cache, limits, metrics, publicUrl: 'https://play.example.ph' }
  const app = createApp(deps, await loadPages(deps))
  const login = await app.fetch(
    new Request('https://play.example.ph/api/processlogin', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ UserID: 'juan', UserPass: 'juan-demo-1' }),
    }),
  )
  const { data } = (await login.json()) as { data: { token: string } }
  const get = async (path: string) => {
    const headers = { Authorization: `Bearer ${data.token}` }
    const answer = await app.fetch(new Request(`https://play.example.ph${path}`, { headers }))
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.text()
  }
  /** Milliseconds of processor time that this process and the world's connections have used. */
  const usedMs = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    const ticks = rows.map(({ pid }) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(fields[11]) + Number(fields[12])
    })
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + ticks.reduce((sum, used) => sum + used, 0) * MILLISECONDS_A_TICK
  }
  return { get, usedMs, close }
}

/** Processor time of one answer in milliseconds. */
async function costOf({ get, usedMs }: Awaited<ReturnType<typeof makeWorld>>, path: string): Promise<number> {
  const before = await usedMs()
  let used = 0
  let answers = 0
  while (used < CPU_MS_A_ROUND) {
    for (let more = 0; more < 5; more++, answers++) await get(path)
    used = (await usedMs()) - before
  }
  return used / answers
}

const throwaway = await startThrowawayPostgres(['autovacuum=off'])
await ensureBuilt(console.log)
const few = await makeWorld(throwaway.url, 'few', FEW)
const many = await makeWorld(throwaway.url, 'many', MANY)
for (const path of ASKED) {
  const found = await compare({ ours: () => costOf(many, path), theirs: () => costOf(few, path), rounds: ROUNDS })
  printRatio(`${path} with ${MANY} characters (ours) and ${FEW} (theirs)`, 'ms', found, { atMost: 1.5 })
}
await few.close()
await many.close()
await throwaway.stop()
process.exit(0)
