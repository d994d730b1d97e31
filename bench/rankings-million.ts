/**
 * Time of one get-top-rankings-list answer, all six lists read from the database without any
 * cache, with 1,000,000 characters against 1,000; on PostgreSQL (Debian's package) and on the
 * embedded database, in memory. Making the million takes a few minutes.
 *
 * `node bench/rankings-million.ts`
 */
import { sql } from 'kysely'
import { pino } from 'pino'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, type Db, openInMemory, openPostgres } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { listRankings } from '#server/features/rankings/service.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { compare, millisecondsOf, printRatio } from './side-by-side.ts'

const FEW = 1_000
const MANY = 1_000_000
const ROUNDS = 15
const ANSWERS_A_ROUND = 20

/** Accounts with three characters each, one in a hundred blocked; a third of the characters did nothing this month. */
async function fillWorld(db: Db, characters: number): Promise<void> {
  await migrate(db)
  await rollOver(db, new Date())
  await sql`
    insert into accounts (user_num, user_id, user_email, first_name, last_name, password_hash,
      secret_question, secret_answer_hash, blocked_at)
    select n, 'player' || n, 'player' || n || '@example.com', 'P', 'L', '', 1, '', case when n % 100 = 7 then now() end
    from generate_series(1, ${sql.lit(characters)} / 3 + 1) n`.execute(db)
  await sql`
    insert into characters (user_num, cha_name, cha_level, cha_class, cha_school, cha_pk_score, cha_pk_death,
      cha_mmr, cha_resu_score, cha_money, level_up_at, base_kills, base_deaths, base_resu)
    select n / 3 + 1, 'Char' || n, 1 + (random() * 299)::int, (1 << (n % 10))::text, n % 3, (random() * 900)::int,
      (random() * 900)::int, 1000 + (random() * 2000)::int, (random() * 400)::int, (random() * 1e9)::bigint,
      now() - random() * interval '300 days', case when n % 3 = 0 then null else 0 end, 0,
      case when n % 3 = 1 then null else 0 end
    from generate_series(1, ${sql.lit(characters)}) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

function depsOn({ db }: Database): Deps {
  const cache = createAnswerCache({
    now: Date.now,
    lifetimeMs: 0,
    maxBytes: 1000,
    seal: () => {},
    probe: async () => {},
  })
  const log = pino({ level: 'error' })
  const now = () => new Date()
  const config = readConfig({})
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, pools: { calls: db, browsing: db } })
  return { db, browseDb: db, now, log, config, cache, limits, metrics, publicUrl: '' }
}

async function comparePair(name: string, few: Database, many: Database): Promise<void> {
  await fillWorld(few.db, FEW)
  await fillWorld(many.db, MANY)
  const answerTime = (database: Database) => {
    const deps = depsOn(database)
    return () => millisecondsOf(() => listRankings(deps), ANSWERS_A_ROUND)
  }
  const found = await compare({ ours: answerTime(many), theirs: answerTime(few), rounds: ROUNDS })
  printRatio(`rankings of 1,000,000 characters (ours) and of 1,000 (theirs), ${name}`, 'ms', found, { atMost: 1.5 })
  await few.close()
  await many.close()
}

const postgres = await startThrowawayPostgres()
const admin = await openPostgres(postgres.url)
for (const name of ['few', 'many']) await sql`create database ${sql.id(name)}`.execute(admin.db)
await admin.close()
const urlOf = (name: string) => postgres.url.replace(/\/postgres$/, `/${name}`)
await comparePair('PostgreSQL', await openPostgres(urlOf('few')), await openPostgres(urlOf('many')))
await postgres.stop()
await comparePair('PGlite', await openInMemory(), await openInMemory())
process.exit(0)
