import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { HOUR_MS } from '#contract/durations.ts'
import { openTestDatabase } from '#test/databases.ts'
import { createJobRunner, type Job, type JobContext } from './job-runner.ts'

const { db, close } = await openTestDatabase('empty')
after(close)

const logLines: { job?: string; err: { message: string }; msg: string }[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void logLines.push(JSON.parse(line)) })

/** Creates a job that is due every hour, and a list of its runs. */
function createJob(name: string, more: Partial<Job> = {}) {
  const runs: JobContext[] = []
  const { work = async () => {}, ...rest } = more
  const job: Job = {
    name,
    schedule: '30 * * * *',
    deadlineMs: 60_000,
    work: async (run) => {
      runs.push(run)
      await work(run)
    },
    ...rest,
  }
  return { job, runs }
}

const readRow = (name: string) => db.selectFrom('jobs').where('name', '=', name).selectAll().executeTakeFirstOrThrow()

/** Moves the times in the table of jobs into the past, because it uses the database's clock. */
const wait = (ms: number) => {
  const earlier = (column: 'due_at' | 'leased_until') =>
    sql<Date>`${sql.ref(column)} - ${ms} * interval '1 millisecond'`
  return db
    .updateTable('jobs')
    .set({ due_at: earlier('due_at'), leased_until: earlier('leased_until') })
    .execute()
}

test('runs a job once at its scheduled time, and records its success', async () => {
  const { job, runs } = createJob('hourly')
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  assert.equal(runs.length, 0)
  assert.equal((await readRow('hourly')).due_at.getUTCMinutes(), 30)
  await wait(HOUR_MS)
  await look()
  await look()
  assert.equal(runs.length, 1)
  const row = await readRow('hourly')
  assert.ok(row.succeeded_at !== null && row.started_at !== null && row.succeeded_at >= row.started_at)
  assert.ok(row.due_at > row.succeeded_at)
  assert.deepEqual([row.failed_at, row.failure, row.holder, row.leased_until], [null, null, null, null])
})

test('runs a job once for times that were missed while no process ran', async () => {
  const { job, runs } = createJob('missed')
  await createJobRunner({ db, log }, [job]).runDueJobs()
  await wait(48 * HOUR_MS)
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  await look()
  assert.equal(runs.length, 1)
})

test('runs a job in only one of several concurrent processes', async () => {
  const { job, runs } = createJob('shared')
  const processes = Array.from({ length: 5 }, () => createJobRunner({ db, log }, [job]))
  await Promise.all(processes.map(({ runDueJobs: look }) => look()))
  await wait(HOUR_MS)
  await Promise.all(processes.map(({ runDueJobs: look }) => look()))
  assert.equal(runs.length, 1)
})

test('starts a running job again only when the lease of its crashed process ends', async () => {
  const hold = Promise.withResolvers<void>()
  const [firstBegun, secondBegun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { job, runs } = createJob('held', {
    work: async () => {
      if (runs.length === 2) return secondBegun.resolve()
      firstBegun.resolve()
      await hold.promise
    },
  })
  const [one, two] = [createJobRunner({ db, log }, [job]), createJobRunner({ db, log }, [job])]
  await one.runDueJobs()
  await wait(HOUR_MS)
  const first = one.runDueJobs()
  await firstBegun.promise
  await two.runDueJobs()
  await one.runDueJobs()
  assert.equal(runs.length, 1)
  await wait(2 * job.deadlineMs)
  await Promise.all([two.runDueJobs(), secondBegun.promise])
  hold.resolve()
  await first
  assert.equal(runs.length, 2)
})

test('runs a job with urgent work before its scheduled time', async () => {
  let urgent = true
  const { job, runs } = createJob('urgent', { isUrgent: async () => urgent })
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  urgent = false
  await look()
  assert.equal(runs.length, 1)
})

test('logs and records a failed job, retries it within 15 minutes, and delays no other job', async () => {
  const failing = createJob('failing', {
    schedule: '30 4 * * *',
    work: () => Promise.reject(new Error('The disk is full.')),
  })
  const other = createJob('other')
  const { runDueJobs: look } = createJobRunner({ db, log }, [failing.job, other.job])
  await look()
  await wait(24 * HOUR_MS)
  logLines.length = 0
  await look()
  assert.equal(other.runs.length, 1)
  assert.deepEqual([logLines.length, logLines[0]?.job, logLines[0]?.err.message], [1, 'failing', 'The disk is full.'])
  const row = await readRow('failing')
  assert.deepEqual([row.failure, row.succeeded_at, row.leased_until], ['The disk is full.', null, null])
  assert.ok(row.failed_at !== null && row.due_at.getTime() - row.failed_at.getTime() <= HOUR_MS / 4)
  await wait(HOUR_MS / 4)
  await look()
  assert.equal(failing.runs.length, 2)
})

test('aborts a job at its deadline, and retains its lease while its work may still run', async () => {
  const { job, runs } = createJob('endless', { deadlineMs: 50, work: () => new Promise(() => {}) })
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  await wait(HOUR_MS)
  await look()
  assert.equal(runs[0]?.signal.aborted, true)
  const row = await readRow('endless')
  assert.match(row.failure ?? '', /^It did not end within 0\.05 seconds\.$/)
  assert.notEqual(row.leased_until, null)
  await wait(HOUR_MS)
  await look()
  assert.equal(runs.length, 2, 'a process runs it after the lease has ended')
})

test('runs a job at its next regular time if a wrong clock had scheduled it too late', async () => {
  const { job, runs } = createJob('ahead')
  await createJobRunner({ db, log }, [job]).runDueJobs()
  const future = new Date(Date.now() + 400 * 24 * HOUR_MS)
  await db.updateTable('jobs').set({ due_at: future, leased_until: future }).where('name', '=', 'ahead').execute()
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  assert.equal(runs.length, 0)
  await wait(HOUR_MS)
  await look()
  assert.equal(runs.length, 1)
})

test('uses the time of the database', async () => {
  const { job, runs } = createJob('clock')
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  await wait(HOUR_MS)
  await look()
  const { rows } = await sql<{ near: boolean }>`
    select ${runs[0]?.now()}::timestamptz between started_at - interval '1 second' and clock_timestamp() + interval '1 second' as near
    from jobs where name = 'clock'`.execute(db)
  assert.equal(rows[0]?.near, true)
})

test('a stopping process aborts its jobs and releases their leases at once', async () => {
  const hasStarted = Promise.withResolvers<void>()
  const { job, runs } = createJob('stopped', {
    work: ({ signal }) =>
      new Promise((_, reject) => {
        hasStarted.resolve()
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const one = createJobRunner({ db, log }, [job])
  await one.runDueJobs()
  await wait(HOUR_MS)
  const looking = one.runDueJobs()
  await hasStarted.promise
  logLines.length = 0
  await one.stop()
  await looking
  assert.deepEqual([logLines.length, (await readRow('stopped')).failure], [0, null])
  const other = createJob('stopped')
  await createJobRunner({ db, log }, [other.job]).runDueJobs()
  assert.deepEqual([runs.length, other.runs.length], [1, 1])
})

test('logs an unavailable database once, and continues jobs when it is available again', async () => {
  const { job, runs } = createJob('away')
  const { runDueJobs: look } = createJobRunner({ db, log }, [job])
  await look()
  await wait(HOUR_MS)
  await sql`alter table jobs rename to jobs_away`.execute(db)
  logLines.length = 0
  await look()
  await look()
  assert.equal(logLines.length, 1)
  await sql`alter table jobs_away rename to jobs`.execute(db)
  await look()
  assert.equal(runs.length, 1)
})
