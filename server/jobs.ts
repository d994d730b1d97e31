import { MINUTE_MS } from '#contract/durations.ts'
import {
  checkBackups,
  copyBackup,
  hasBackupRequest,
  hasBackupToCopy,
  hasCheckRequest,
  makeBackups,
} from './backup/backup-jobs.ts'
import { CLEAN_UPS, type CleanUpName, runCleanUp } from './clean-ups.ts'
import type { Db } from './db/open.ts'
import { vacuumTables } from './db/vacuum.ts'
import type { Deps } from './deps.ts'
import { recordActivity } from './features/activity/record.ts'
import { endOverdueServices } from './features/bridge/services.ts'
import { hasDueReceipt, mailReceipts } from './features/cart/receipts.ts'
import { hasDuePost, sendDuePosts } from './features/discord/posts.ts'
import { hasDueFacts, sendFacts } from './features/discord/send-facts.ts'
import { hasDueReminder, sendDueReminders } from './features/events/jobs.ts'
import { countFigures } from './features/figures/count.ts'
import { watchProblems } from './features/health/alerts.ts'
import { mailCopies } from './features/mailbox/copies.ts'
import { returnOverdueGifts } from './features/mailbox/gifts.ts'
import { announceNews, hasUnannouncedNews } from './features/news/jobs.ts'
import { writeErasureLists } from './features/players/erasure-lists.ts'
import { eraseDueAccounts } from './features/players/erasures.ts'
import { recordDays } from './features/rankings/days.ts'
import { rollOver } from './features/rankings/rollover.ts'
import { hasDueSeason, runSeasons } from './features/rankings/seasons.ts'
import { rewardFriends } from './features/rewards/friends.ts'
import { giveStarters } from './features/rewards/starter.ts'
import { createPictureJob } from './features/sharing/jobs.ts'
import { hasChangedItem, updateItemSales } from './features/shop/jobs.ts'
import { storeAreaResults } from './features/wars/area-results.ts'
import { createJobRunner, type Job, type JobContext } from './job-runner.ts'
import { hasDueMail } from './mail/outbox.ts'
import { sendDueMails } from './mail/sender.ts'
import { createTransport, type SendMail, sweepMailFiles } from './mail/transport.ts'
import { hasDuePush } from './push/outbox.ts'
import { sendDuePushes } from './push/sender.ts'
import { readSettings } from './settings.ts'

/** `jobsDb` is for statements that may take minutes. All other statements fail within seconds if the database hangs. */
type JobOptions = { jobsDb: Db; send: SendMail }

/** Lists the jobs of a site. */
export function listJobs(deps: Deps, { jobsDb, send }: JobOptions) {
  const { log, config } = deps
  const cleanUps = [
    ...(Object.keys(CLEAN_UPS) as CleanUpName[]).map((name) => ({
      name,
      work: ({ now, signal }: JobContext) => runCleanUp(jobsDb, name, now(), signal),
    })),
    { name: 'mail files', work: ({ now }: JobContext) => sweepMailFiles(config.dataDir, now()) },
  ]
  const drawPictures = createPictureJob(deps)
  const jobs: Job[] = [
    {
      name: 'rollover',
      schedule: '* * * * *',
      deadlineMs: 2 * MINUTE_MS,
      work: async ({ now }) => {
        const closedMonth = await rollOver(jobsDb, now())
        if (closedMonth !== null) log.info({ closed: closedMonth }, 'rankings rolled over')
      },
    },
    {
      name: 'seasons',
      schedule: '* * * * *',
      deadlineMs: 10 * MINUTE_MS,
      isUrgent: hasDueSeason,
      work: ({ now }) => runSeasons(jobsDb, now()),
    },
    {
      name: 'services',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      work: async ({ now }) => void (await endOverdueServices({ ...deps, db: jobsDb }, now())),
    },
    {
      name: 'receipts',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasDueReceipt,
      work: async ({ now, signal }) => void (await mailReceipts({ ...deps, now }, signal)),
    },
    {
      name: 'days of characters',
      schedule: '*/30 * * * *',
      deadlineMs: 5 * MINUTE_MS,
      work: ({ now }) => recordDays(jobsDb, now()),
    },
    {
      name: 'activity',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      work: async ({ now }) =>
        recordActivity(jobsDb, { now: now(), showTimes: (await readSettings(deps)).show_who_plays }),
    },
    {
      name: 'shop shelf',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasChangedItem,
      work: ({ now }) => updateItemSales(jobsDb, now()),
    },
    {
      name: 'news',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasUnannouncedNews,
      work: ({ now }) => announceNews(jobsDb, now()),
    },
    {
      name: 'events',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasDueReminder,
      work: ({ now, signal }) => sendDueReminders({ db: jobsDb, now, signal }),
    },
    {
      name: 'posts to Discord',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasDuePost,
      work: ({ now, signal }) => sendDuePosts({ ...deps, db: jobsDb, now, signal }),
    },
    {
      name: 'linked roles',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasDueFacts,
      work: ({ now, signal }) => sendFacts({ ...deps, now, signal }),
    },
    {
      name: 'share pictures',
      schedule: '* * * * *',
      deadlineMs: 2 * MINUTE_MS,
      work: ({ signal }) => drawPictures(signal),
    },
    {
      name: 'leagues',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      work: async ({ now }) => void (await storeAreaResults(jobsDb, now())),
    },
    {
      name: 'push messages',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      isUrgent: hasDuePush,
      work: ({ now, signal }) => sendDuePushes({ ...deps, now }, signal),
    },
    {
      name: 'mail',
      schedule: '* * * * *',
      deadlineMs: 2 * MINUTE_MS,
      isUrgent: hasDueMail,
      work: async ({ now, signal }) => void (await sendDueMails({ ...deps, now }, send, { signal })),
    },
    {
      name: 'erasures',
      schedule: '* * * * *',
      deadlineMs: 10 * MINUTE_MS,
      work: async ({ now, signal }) => {
        await eraseDueAccounts(jobsDb, now(), signal)
        await writeErasureLists(jobsDb, config.backupDir, now())
      },
    },
    {
      name: 'figures',
      schedule: '*/5 * * * *',
      deadlineMs: 20 * MINUTE_MS,
      work: async ({ now, signal }) => void (await countFigures(jobsDb, now(), { signal })),
    },
    {
      name: 'copies of letters',
      schedule: '*/5 * * * *',
      deadlineMs: 4 * MINUTE_MS,
      work: async ({ now, signal }) => void (await mailCopies({ ...deps, now }, signal)),
    },
    {
      name: 'gifts',
      schedule: '*/5 * * * *',
      deadlineMs: 4 * MINUTE_MS,
      work: async ({ now, signal }) => void (await returnOverdueGifts(jobsDb, now(), signal)),
    },
    {
      name: 'invited friends',
      schedule: '*/5 * * * *',
      deadlineMs: 4 * MINUTE_MS,
      work: async ({ now, signal }) => void (await rewardFriends({ ...deps, db: jobsDb, now }, signal)),
    },
    {
      name: 'starter items',
      schedule: '* * * * *',
      deadlineMs: 4 * MINUTE_MS,
      work: async ({ now, signal }) => void (await giveStarters({ ...deps, db: jobsDb, now }, signal)),
    },
    {
      name: 'alerts',
      schedule: '* * * * *',
      deadlineMs: MINUTE_MS,
      work: ({ now }) => watchProblems({ ...deps, now }),
    },
    ...(config.databaseUrl === undefined ? [vacuumJob(jobsDb)] : []),
    {
      name: 'backup',
      schedule: '30 4 * * *',
      deadlineMs: 60 * MINUTE_MS,
      isUrgent: hasBackupRequest,
      work: (run) => makeBackups({ ...deps, jobsDb }, run),
    },
    {
      name: 'copy of the backup',
      schedule: '50 4 * * *',
      deadlineMs: 60 * MINUTE_MS,
      isUrgent: hasBackupToCopy,
      work: (run) => copyBackup({ ...deps, jobsDb }, run),
    },
    {
      name: 'checks of backups',
      schedule: '10 5 * * *',
      deadlineMs: 60 * MINUTE_MS,
      isUrgent: hasCheckRequest,
      work: (run) => checkBackups({ ...deps, jobsDb }, run),
    },
    // Clean-ups start seven minutes apart. 7 and 60 have no common factor, so up to 60 of them start in different minutes.
    ...cleanUps.map(
      ({ name, work }, index): Job => ({
        name: `clean-up ${name}`,
        schedule: `${(7 + index * 7) % 60} * * * *`,
        deadlineMs: 5 * MINUTE_MS,
        work,
      }),
    ),
  ]
  return jobs
}

const vacuumJob = (jobsDb: Db): Job => ({
  name: 'vacuum',
  schedule: '10 4 * * *',
  deadlineMs: 20 * MINUTE_MS,
  work: ({ signal }) => vacuumTables(jobsDb, signal),
})

/** Starts the jobs of this process. */
export function startJobs(deps: Deps, jobsDb: Db) {
  const { send, close } = createTransport(deps)
  const runner = createJobRunner(deps, listJobs(deps, { jobsDb, send }))
  runner.start()
  return {
    stop: async () => {
      await runner.stop()
      close()
    },
  }
}
