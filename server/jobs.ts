import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { backupToFolder } from './backup/nightly.ts'
import type { Deps } from './deps.ts'
import { describeFault } from './errors.ts'
import { sweepEvents } from './features/accounts/events.ts'
import { sweepMailedLinks, sweepSessions } from './features/accounts/queries.ts'
import { mailReceipts } from './features/cart/receipts.ts'
import { rollOver } from './features/rankings/rollover.ts'
import { sweepIdempotencyKeys } from './http/idempotency.ts'
import { sweepAttempts } from './http/limits.ts'
import { sweepSentMails } from './mail/outbox.ts'
import { sendDueMails } from './mail/sender.ts'
import { createTransport } from './mail/transport.ts'

/** How long `stop` waits for running jobs. A mail interrupted here is sent again when its lease expires. */
const STOP_WAITS_MS = 1500

/** What the hourly clean-up deletes. */
const SWEEPS = [sweepAttempts, sweepSessions, sweepMailedLinks, sweepEvents, sweepSentMails, sweepIdempotencyKeys]

/** Starts the scheduled jobs: rollover, mails, clean-up, and the embedded database's nightly backup. */
export function startJobs(deps: Deps & { embedded: boolean }) {
  const { db, now, log, config } = deps
  const send = createTransport(config, deps.publicUrl)
  const schedule = (pattern: string, name: string, work: () => Promise<void>) => {
    const failed = (error: unknown) => log.error({ err: describeFault(error) }, `${name} failed`)
    return new Cron(pattern, { protect: true, timezone: 'Asia/Manila', catch: failed }, work)
  }
  const jobs = [
    schedule('* * * * *', 'rollover', async () => {
      const closed = await rollOver(db, now())
      if (closed !== null) log.info({ closed }, 'rankings rolled over')
    }),
    schedule('*/3 * * * * *', 'mail', async () => {
      await mailReceipts(deps)
      await sendDueMails(deps, send)
    }),
    schedule('7 * * * *', 'clean-up', async () => {
      for (const sweep of SWEEPS) await sweep(db, now())
    }),
  ]
  const nightly = () =>
    schedule('30 4 * * *', 'nightly backup', async () => {
      log.info({ path: await backupToFolder(db, config.dataDir, now()) }, 'backed up')
    })
  if (deps.embedded) jobs.push(nightly())
  return {
    stop: async () => {
      for (const job of jobs) job.stop()
      for (let waited = 0; waited < STOP_WAITS_MS && jobs.some((job) => job.isBusy()); waited += 20) await sleep(20)
    },
  }
}
