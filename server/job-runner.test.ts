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
function createJob(name: string, options: Partial<Job> = {}) {
  const runs: JobContext[] = []
  const { work = async () => {}, ...jobFields } = options
  const job: Job = {
    name,
    schedule: '30 * * * *',
    deadlineMs: 60_000,
    work: async (run) => {
      runs.push(run)
      await work(run)
    },
    ...jobFields,
  }
  return { job, runs }
}

const readRow = (name: string) => db.selectFrom('jobs').where('name', '=', name).selectAll().executeTakeFirstOrThrow()

/** Moves the jobs' times into the past, because the job runner uses the database's clock, which a test cannot change. */
const advanceTime = (ms: number) => {
  const createEarlierTime = (column: 'due_at' | 'leased_until') =>
    sql<Date>`${sql.ref(column)} - ${ms} * interval '1 millisecond'`
  return db
    .updateTable('jobs')
    .set({ due_at: createEarlierTime('due_at'), leased_until: createEarlierTime('leased_until') })
    .execute()
}

test('runs a job once at its scheduled time, and records its success', async () => {
  const { job, runs } = createJob('hourly')
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  assert.equal(runs.length, 0)
  assert.equal((await readRow('hourly')).due_at.getUTCMinutes(), 30)
  await advanceTime(HOUR_MS)
  await runDueJobs()
  await runDueJobs()
  assert.equal(runs.length, 1)
  const row = await readRow('hourly')
  assert.ok(row.succeeded_at !== null && row.started_at !== null && row.succeeded_at >= row.started_at)
  assert.ok(row.due_at > row.succeeded_at)
  assert.deepEqual([row.failed_at, row.failure, row.holder, row.leased_until], [null, null, null, null])
})

test('runs a job once for times that were missed while no process ran', async () => {
  const { job, runs } = createJob('missed')
  await createJobRunner({ db, log }, [job]).runDueJobs()
  await advanceTime(48 * HOUR_MS)
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  await runDueJobs()
  assert.equal(runs.length, 1)
})

test('runs a job in only one of several concurrent processes', async () => {
  const { job, runs } = createJob('shared')
  const processes = Array.from({ length: 5 }, () => createJobRunner({ db, log }, [job]))
  await Promise.all(processes.map(({ runDueJobs }) => runDueJobs()))
  await advanceTime(HOUR_MS)
  await Promise.all(processes.map(({ runDueJobs }) => runDueJobs()))
  assert.equal(runs.length, 1)
})

test('starts a running job again only when the lease of its crashed process ends', async () => {
  const release = Promise.withResolvers<void>()
  const [firstStart, secondStart] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { job, runs } = createJob('held', {
    work: async () => {
      if (runs.length === 2) return secondStart.resolve()
      firstStart.resolve()
      await release.promise
    },
  })
  const [firstRunner, secondRunner] = [createJobRunner({ db, log }, [job]), createJobRunner({ db, log }, [job])]
  await firstRunner.runDueJobs()
  await advanceTime(HOUR_MS)
  const firstRun = firstRunner.runDueJobs()
  await firstStart.promise
  await secondRunner.runDueJobs()
  await firstRunner.runDueJobs()
  assert.equal(runs.length, 1)
  await advanceTime(2 * job.deadlineMs)
  await Promise.all([secondRunner.runDueJobs(), secondStart.promise])
  release.resolve()
  await firstRun
  assert.equal(runs.length, 2)
})

test('runs a job with urgent work before its scheduled time', async () => {
  let isUrgent = true
  const { job, runs } = createJob('urgent', { isUrgent: async () => isUrgent })
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  isUrgent = false
  await runDueJobs()
  assert.equal(runs.length, 1)
})

test('logs and records a failed job, retries it within 15 minutes, and delays no other job', async () => {
  const failingJob = createJob('failing', {
    schedule: '30 4 * * *',
    work: () => Promise.reject(new Error('The disk is full.')),
  })
  const otherJob = createJob('other')
  const { runDueJobs } = createJobRunner({ db, log }, [failingJob.job, otherJob.job])
  await runDueJobs()
  await advanceTime(24 * HOUR_MS)
  logLines.length = 0
  await runDueJobs()
  assert.equal(otherJob.runs.length, 1)
  assert.deepEqual([logLines.length, logLines[0]?.job, logLines[0]?.err.message], [1, 'failing', 'The disk is full.'])
  const row = await readRow('failing')
  assert.deepEqual([row.failure, row.succeeded_at, row.leased_until], ['The disk is full.', null, null])
  assert.ok(row.failed_at !== null && row.due_at.getTime() - row.failed_at.getTime() <= HOUR_MS / 4)
  await advanceTime(HOUR_MS / 4)
  await runDueJobs()
  assert.equal(failingJob.runs.length, 2)
})

test('aborts a job at its deadline, and retains its lease while its work may still run', async () => {
  const { job, runs } = createJob('endless', { deadlineMs: 50, work: () => new Promise(() => {}) })
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  await advanceTime(HOUR_MS)
  await runDueJobs()
  assert.equal(runs[0]?.signal.aborted, true)
  const row = await readRow('endless')
  assert.match(row.failure ?? '', /^It did not end within 0\.05 seconds\.$/)
  assert.notEqual(row.leased_until, null)
  await advanceTime(HOUR_MS)
  await runDueJobs()
  assert.equal(runs.length, 2, 'a process runs it after the lease has ended')
})

test('runs a job at its next regular time if a wrong clock had scheduled it too late', async () => {
  const { job, runs } = createJob('ahead')
  await createJobRunner({ db, log }, [job]).runDueJobs()
  const futureTime = new Date(Date.now() + 400 * 24 * HOUR_MS)
  await db
    .updateTable('jobs')
    .set({ due_at: futureTime, leased_until: futureTime })
    .where('name', '=', 'ahead')
    .execute()
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  assert.equal(runs.length, 0)
  await advanceTime(HOUR_MS)
  await runDueJobs()
  assert.equal(runs.length, 1)
})

test('uses the time of the database', async () => {
  const { job, runs } = createJob('clock')
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  await advanceTime(HOUR_MS)
  await runDueJobs()
  const { rows } = await sql<{ near: boolean }>`
    select ${runs[0]?.now()}::timestamptz between started_at - interval '1 second' and clock_timestamp() + interval '1 second' as near
    from jobs where name = 'clock'`.execute(db)
  assert.equal(rows[0]?.near, true)
})

test('a stopping process aborts its jobs and releases their leases at once', async () => {
  const start = Promise.withResolvers<void>()
  const { job, runs } = createJob('stopped', {
    work: ({ signal }) =>
      new Promise((_, reject) => {
        start.resolve()
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const firstRunner = createJobRunner({ db, log }, [job])
  await firstRunner.runDueJobs()
  await advanceTime(HOUR_MS)
  const stoppedRun = firstRunner.runDueJobs()
  await start.promise
  logLines.length = 0
  await firstRunner.stop()
  await stoppedRun
  assert.deepEqual([logLines.length, (await readRow('stopped')).failure], [0, null])
  const otherJob = createJob('stopped')
  await createJobRunner({ db, log }, [otherJob.job]).runDueJobs()
  assert.deepEqual([runs.length, otherJob.runs.length], [1, 1])
})

test('logs an unavailable database once, and continues jobs when it is available again', async () => {
  const { job, runs } = createJob('away')
  const { runDueJobs } = createJobRunner({ db, log }, [job])
  await runDueJobs()
  await advanceTime(HOUR_MS)
  await sql`alter table jobs rename to jobs_away`.execute(db)
  logLines.length = 0
  await runDueJobs()
  await runDueJobs()
  assert.equal(logLines.length, 1)
  await sql`alter table jobs_away rename to jobs`.execute(db)
  await runDueJobs()
  assert.equal(runs.length, 1)
})
