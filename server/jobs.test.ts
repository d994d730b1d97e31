import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { createTestApp } from '#test/helpers.ts'
import { deleteOld } from './db/delete-old.ts'
import type { Schema } from './db/schema.ts'
import { vacuumTables } from './db/vacuum.ts'
import { createJobRunner } from './job-runner.ts'
import { listJobs } from './jobs.ts'

// Use an empty folder, so the clean-up does not find a developer's emails, and no backup starts a process.
const site = await createTestApp({
  config: { dataDir: join(tmpdir(), 'tambayan-no-data'), databaseUrl: 'postgres://not-backed-up-at-night' },
})
const { db } = site
const jobs = listJobs(site, { jobsDb: db, send: async () => 'sent' })

test('runs every job of the site on its schedule, and records its success', async () => {
  const { runDueJobs } = createJobRunner(site, jobs)
  await runDueJobs()
  await db.updateTable('jobs').set({ due_at: sql`clock_timestamp()` }).execute()
  await runDueJobs()
  const rows = await db.selectFrom('jobs').select(['name', 'failure', 'succeeded_at']).execute()
  assert.deepEqual(
    rows.filter(({ succeeded_at }) => succeeded_at === null),
    [],
  )
  assert.deepEqual(rows.map(({ name }) => name).sort(), jobs.map(({ name }) => name).sort())
  const hourlySchedules = jobs.filter(({ schedule }) => /^\d+ \*/.test(schedule)).map(({ schedule }) => schedule)
  assert.equal(new Set(hourlySchedules).size, hourlySchedules.length)
})

test('does not close the month in a process with a wrong clock', async () => {
  const readOpenMonths = () =>
    db.selectFrom('ranking_periods').where('closed_at', 'is', null).select('period').execute()
  const [openMonth] = await readOpenMonths()
  await db.updateTable('ranking_periods').set({ ends_at: sql`clock_timestamp() + interval '1 day'` }).execute()
  const getTimeInTwoDays = () => new Date(Date.now() + 2 * DAY_MS)
  const { runDueJobs } = createJobRunner(
    site,
    listJobs({ ...site, now: getTimeInTwoDays }, { jobsDb: db, send: async () => 'sent' }),
  )
  await db.updateTable('jobs').set({ due_at: sql`clock_timestamp()` }).execute()
  await runDueJobs()
  assert.deepEqual(await readOpenMonths(), [openMonth])
})

test('collects statistics every night, on the embedded database only', async () => {
  const listNames = (databaseUrl?: string) =>
    listJobs({ ...site, config: { ...site.config, databaseUrl } }, { jobsDb: db, send: async () => 'sent' }).map(
      ({ name }) => name,
    )
  assert.ok(listNames().includes('vacuum'))
  assert.ok(!listNames('postgres://localhost/site').includes('vacuum'))

  await sql`insert into attempts (key, count, ends_at)
    select 'counted:' || n, 1, timestamptz '2020-01-01' from generate_series(1, 700) n`.execute(db)
  await vacuumTables(db, new AbortController().signal)
  const { rows } = await sql<{ estimate: number; rows: number }>`
    select reltuples::int as estimate, (select count(*)::int from attempts) as rows
    from pg_class where relname = 'attempts'`.execute(db)
  assert.equal(rows[0]?.estimate, rows[0]?.rows)
  await assert.rejects(vacuumTables(db, AbortSignal.abort(new Error('The site is stopping.'))), /stopping/)
})

test('deletes old rows in small batches and skips locked ones', async () => {
  await sql`delete from attempts`.execute(db)
  await sql`insert into attempts (key, count, ends_at)
    select 'old:' || n, 1, timestamptz '2020-01-01' + n * interval '1 second' from generate_series(1, 2500) n`.execute(
    db,
  )
  const before = new Date('2020-01-01T00:40:00Z')
  assert.equal(await deleteOld(db, { table: 'attempts', column: 'ends_at', before }), 2399)
  const stopSignal = AbortSignal.abort(new Error('The site is stopping.'))
  await assert.rejects(deleteOld(db, { table: 'attempts', column: 'ends_at', before }, stopSignal), /stopping/)
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from attempts`.execute(db)
  assert.equal(rows[0]?.left, 101)
})

const CLEANED_COLUMNS: [keyof Schema, string][] = [
  ['account_events', 'created_at'],
  ['sessions', 'last_seen_at'],
  ['sessions', 'ends_at'],
  ['mail_outbox', 'sent_at'],
  ['mail_outbox', 'given_up_at'],
  ['known_places', 'seen_at'],
  ['ticket_keys', 'created_at'],
  ['mailed_links', 'ends_at'],
  ['idempotency_keys', 'created_at'],
  ['attempts', 'ends_at'],
  ['news', 'trashed_at'],
  ['previews', 'ends_at'],
]

test('finds the rows of clean-ups through an index', async () => {
  for (const [table, column] of CLEANED_COLUMNS) {
    const { rows } = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_sort = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`
        explain select ctid from ${sql.table(table)} where ${sql.ref(column)} < now()
        order by ${sql.ref(column)} limit 1000 for update skip locked`.execute(tx)
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, new RegExp(`Index Scan using \\w+ on ${table}\\b[\\s\\S]*Index Cond: \\(${column} <`), plan)
  }
})
