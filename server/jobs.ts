import { Cron } from 'croner'
import { backupToFolder } from './backup/nightly.ts'
import type { Deps } from './deps.ts'
import { sweepSessions } from './features/accounts/service.ts'
import { mailReceipts } from './features/cart/service.ts'
import { rollOver } from './features/rankings/rollover.ts'
import { sweepKeptAnswers } from './features/wallet/service.ts'
import { sweepAttempts } from './http/attempts.ts'
import { sendDueMails } from './mail/sender.ts'
import { createTransport } from './mail/transport.ts'

/** Starts what runs by itself: the month's rollover, looked after every minute, and the embedded database's nightly backup. */
export function startJobs(deps: Deps & { embedded: boolean }) {
  const { db, now, log, config } = deps
  const schedule = (pattern: string, name: string, work: () => Promise<void>) =>
    new Cron(
      pattern,
      { protect: true, timezone: 'Asia/Manila', catch: (err) => log.error({ err }, `${name} failed`) },
      work,
    )
  const send = createTransport(config, deps.publicUrl)
  const jobs = [
    schedule('* * * * *', 'rollover', async () => {
      const closed = await rollOver(db, now())
      if (closed !== null) log.info({ closed }, 'rankings rolled over')
    }),
  ]
  jobs.push(
    schedule('*/3 * * * * *', 'mail', async () => {
      await mailReceipts(deps)
      await sendDueMails(deps, send)
    }),
    schedule('7 * * * *', 'clean-up', async () => {
      await sweepAttempts(db, now())
      await sweepSessions(db, now())
      await sweepKeptAnswers(db, now())
    }),
  )
  if (deps.embedded) {
    jobs.push(
      schedule('30 4 * * *', 'nightly backup', async () => {
        log.info({ path: await backupToFolder(db, config.dataDir, now()) }, 'backed up')
      }),
    )
  }
  return {
    stop: async () => {
      for (const job of jobs) job.stop()
      while (jobs.some((job) => job.isBusy())) await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}
