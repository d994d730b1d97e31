import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from './db/open.ts'
import { describeFault } from './errors.ts'

/** The context of a job: the database's time, and a signal that aborts it. */
export type JobContext = { now: () => Date; signal: AbortSignal }

export type Job = {
  name: string
  /** The schedule: a cron pattern in Manila time. */
  schedule: string
  /** The time after which the work is aborted and has failed. */
  deadlineMs: number
  /** Returns whether the job should run before its scheduled time. Called every few seconds, so it must be cheap. */
  isUrgent?: (db: Db) => Promise<boolean>
  work: (context: JobContext) => Promise<void>
}

/** The interval at which each process checks for due jobs. */
const CHECK_EVERY_MS = 3000
/** The interval at which the table of jobs is compared with their schedules. */
const PREPARE_EVERY_MS = 10 * 60_000
/** A failed job is retried after this time, or at its next scheduled time if that is sooner. */
const RETRY_MS = 15 * 60_000
/** How long `stop` waits for running jobs. An interrupted email is sent again when its lease expires. */
const STOP_WAIT_MS = 1500

/**
 * Creates the runner of jobs for one of any number of processes on a database. Each job runs in one process at a time, which
 * has a lease in the table `jobs` by the database's clock. A lease lasts twice the deadline, so slow work ends before
 * another process starts it. A job that missed several runs runs once when a process is available again.
 *
 * @returns `runDueJobs`, which runs due jobs and waits for them; `start`, which does so every few seconds; and `stop`
 */
export function createJobRunner({ db, log }: { db: Db; log: Logger }, jobs: Job[]) {
  const holder = randomUUID()
  const stopController = new AbortController()
  const activeRuns = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let preparedAt = Number.NEGATIVE_INFINITY
  let isChecking = false
  let isUnavailable = false

  /**
   * Inserts new jobs, due at the next time of their schedule. Moves later due times to that time, and ends leases that are
   * too long, because only a wrong clock sets them.
   */
  async function prepare(): Promise<void> {
    const now = await readClock(db)
    const rows = jobs.map(({ name, schedule }) => ({ name, due_at: getNextRun(schedule, now) }))
    await db
      .insertInto('jobs')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ due_at: sql`least(jobs.due_at, excluded.due_at)` }),
      )
      .execute()
    for (const { name, deadlineMs } of jobs)
      await db
        .updateTable('jobs')
        .set({ leased_until: null })
        .where('name', '=', name)
        .where('leased_until', '>', new Date(now.getTime() + 2 * deadlineMs + PREPARE_EVERY_MS))
        .execute()
    preparedAt = performance.now()
  }

  async function findDueJobs(): Promise<Job[]> {
    const { rows } = await sql<{ name: string; due: boolean }>`
      select name, due_at <= clock_timestamp() as due from jobs
      where leased_until is null or leased_until <= clock_timestamp()`.execute(db)
    const availableJobs = new Map(rows.map(({ name, due }) => [name, due]))
    const dueJobs: Job[] = []
    for (const job of jobs)
      if (availableJobs.get(job.name) === true || (availableJobs.has(job.name) && (await job.isUrgent?.(db))))
        dueJobs.push(job)
    return dueJobs
  }

  /** Takes the lease of a job. @returns the database's time; undefined if another process was first */
  async function takeLease({ name, deadlineMs, isUrgent }: Job): Promise<Date | undefined> {
    const { rows } = await sql<{ started_at: Date }>`
      update jobs set holder = ${holder}, started_at = clock_timestamp(),
        leased_until = clock_timestamp() + ${2 * deadlineMs} * interval '1 millisecond'
      where name = ${name} and (leased_until is null or leased_until <= clock_timestamp())
        and (${isUrgent !== undefined} or due_at <= clock_timestamp())
      returning started_at`.execute(db)
    return rows[0]?.started_at
  }

  async function runJob(job: Job): Promise<void> {
    const startedAt = await takeLease(job)
    if (startedAt === undefined) return
    const monotonicStart = performance.now()
    const now = () => new Date(startedAt.getTime() + performance.now() - monotonicStart)
    const deadlineController = new AbortController()
    const expiration = Promise.withResolvers<never>()
    const deadline = setTimeout(() => {
      const error = new Error(`It did not end within ${job.deadlineMs / 1000} seconds.`)
      expiration.reject(error)
      deadlineController.abort(error)
    }, job.deadlineMs)
    let hasEnded = false
    const runningWork = job
      .work({ now, signal: AbortSignal.any([deadlineController.signal, stopController.signal]) })
      .finally(() => {
        hasEnded = true
      })
    const failure = await Promise.race([runningWork, expiration.promise])
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .finally(() => clearTimeout(deadline))
    if (failure !== null && stopController.signal.aborted) return
    if (failure !== null) log.error({ job: job.name, err: describeFault(failure.error) }, 'job failed')
    await recordOutcome(job, now(), failure, hasEnded)
  }

  /** Records the outcome of a job and its next due time, and releases its lease unless the work is still running. */
  async function recordOutcome(
    { name, schedule }: Job,
    at: Date,
    failure: { error: unknown } | null,
    hasEnded: boolean,
  ) {
    const nextRunAt = getNextRun(schedule, at)
    const retryAt = new Date(at.getTime() + RETRY_MS)
    const outcome =
      failure === null
        ? { succeeded_at: at, due_at: nextRunAt }
        : {
            failed_at: at,
            failure: String(describeFault(failure.error).message).slice(0, 500),
            due_at: nextRunAt < retryAt ? nextRunAt : retryAt,
          }
    await db
      .updateTable('jobs')
      .set({ ...outcome, ...(hasEnded ? { holder: null, leased_until: null } : {}) })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute()
  }

  async function runDueJobs(): Promise<void> {
    if (stopController.signal.aborted || isChecking) return
    try {
      isChecking = true
      if (performance.now() - preparedAt > PREPARE_EVERY_MS) await prepare()
      const dueJobs = await findDueJobs().finally(() => {
        isChecking = false
      })
      await Promise.all(dueJobs.map(runJob))
      isUnavailable = false
    } catch (error) {
      isChecking = false
      // Log this once, not every few seconds until the database is available again.
      if (!isUnavailable && !stopController.signal.aborted)
        log.error({ err: describeFault(error) }, 'jobs cannot use the database')
      isUnavailable = true
    }
  }

  function checkInBackground(): void {
    const check = runDueJobs().finally(() => activeRuns.delete(check))
    activeRuns.add(check)
  }

  return {
    runDueJobs,
    start: () => {
      // Start after a random delay, so the processes do not all check at the same time.
      timer = setTimeout(() => {
        timer = setInterval(checkInBackground, CHECK_EVERY_MS)
        checkInBackground()
      }, Math.random() * CHECK_EVERY_MS)
    },
    /** Starts no more work, aborts running work, waits briefly for it and releases this process's leases. */
    stop: async () => {
      clearTimeout(timer)
      stopController.abort(new Error('The site is stopping.'))
      await Promise.race([Promise.allSettled(activeRuns), sleep(STOP_WAIT_MS)])
      const release = db.updateTable('jobs').set({ holder: null, leased_until: null }).where('holder', '=', holder)
      await Promise.race([release.execute(), sleep(STOP_WAIT_MS)]).catch(() => {})
    },
  }
}

/** Reads the database's time. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  if (rows[0] === undefined) throw new Error('The database did not return the time.')
  return rows[0].now
}

/** Returns the first time after another time that matches a cron pattern in Manila time. */
function getNextRun(schedule: string, previousTime: Date): Date {
  const nextRunAt = new Cron(schedule, { timezone: 'Asia/Manila', paused: true }).nextRun(previousTime)
  if (nextRunAt === null) throw new Error(`${schedule} matches no time in the future.`)
  return nextRunAt
}
