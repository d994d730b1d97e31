import { sql } from 'kysely'
import { NO_MAIL_SERVER } from '#contract/errors.ts'
import * as calls from '#contract/health.ts'
import { readFreeBytes } from '#server/backup/backup-folder.ts'
import { readSchemaState } from '#server/db/migrate.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { postTest } from '#server/features/discord/test-post.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { hasMailServer } from '#server/mail/servers.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { readSettings } from '#server/settings.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { getAlertTargets } from './alerts.ts'
import { readChangelog } from './changelog.ts'
import { readBackupState, readProblems, selectJobs } from './problems.ts'

/** Backlogs are counted up to this number. */
const BACKLOG_COUNT_MAX = 1000
const ALERTS_SHOWN = 20
const ERROR_KINDS_SHOWN = 50

/** The calls of the desk's Health screen. */
export const healthDeskCalls: MountedCall[] = [
  mount(calls.getHealth, async (_, { deps }) => readHealth(deps)),

  mount(calls.getChangelog, async () => ({ version: packageJson.version, html: await readChangelog() })),

  mount(calls.sendTestAlert, {
    prepare: async (_, { deps }) => {
      const settings = await readSettings(deps)
      const { email, webhook } = getAlertTargets(settings, await hasMailServer(deps))
      const lacksMailServer = settings.alert_email !== email
      if (email === '' && webhook === '')
        throw refuse(calls.sendTestAlert, lacksMailServer ? 'mailServerMissing' : 'nobody')
      if (webhook !== '' && (await postTest(deps, 'alert')) !== 'posted') throw refuse(calls.sendTestAlert, 'notPosted')
      return { email, lacksMailServer, toDiscord: webhook !== '' }
    },
    write: async (_, { deps, prepared: { email, lacksMailServer, toDiscord }, record }) => {
      if (email !== '') await enqueueMail(deps.db, email, mails.testAlert(await readMailSite(deps)), deps.now())
      const to = [email !== '' && 'the email for alerts', toDiscord && 'Discord'].filter(Boolean).join(' and ')
      record({ target: ['alert', 'test'], after: { email: email !== '', discord: toDiscord } })
      return { message: `A test is on its way to ${to}.${lacksMailServer ? ` ${NO_MAIL_SERVER}` : ''}` }
    },
  }),
]

async function readHealth(deps: Deps) {
  const { browseDb: db, config } = deps
  const { email, webhook } = getAlertTargets(await readSettings(deps), await hasMailServer(deps))
  const { newest } = await readSchemaState(db)
  const { rows } = await sql<{ now: Date; server: string; bytes: number }>`
    select clock_timestamp() as now, current_setting('server_version') as server,
      pg_database_size(current_database())::bigint as bytes`.execute(db)
  const [database] = rows
  if (database === undefined) throw new Error('The database did not return its size.')
  const backup = await readBackupState({ db, config })
  const jobs = await selectJobs(db)
  return {
    now: database.now,
    version: packageJson.version,
    migration: newest,
    node: process.version,
    started_at: new Date(Date.now() - process.uptime() * 1000),
    database: { server: database.server, bytes: Number(database.bytes) },
    free_bytes: await readFreeBytes(config.dataDir).catch(() => null),
    backup: {
      nightly: backup.nightly,
      too_old: backup.tooOld,
      made_at: backup.madeAt,
      restored: backup.restored && {
        from: backup.restored.made_at,
        at: backup.restored.restored_at,
        name: backup.restored.name,
      },
    },
    backlogs: {
      mail: await countBacklog(
        db,
        sql`select created_at as at from mail_outbox where sent_at is null and given_up_at is null
          order by priority, next_attempt_at`,
      ),
      deliveries: await countBacklog(
        db,
        sql`select queued_at as at from deliveries where state = 'queued' and not is_service order by delivery`,
      ),
      receipts: await countBacklog(db, sql`select created_at as at from receipts_due order by created_at`),
    },
    jobs,
    errors: await selectErrors(db),
    alerts: [...(await readProblems(deps)), ...(await selectPastAlerts(db))],
    told: { email: email !== '', discord: webhook !== '' },
  }
}

/** Counts the rows of a backlog, and returns the time of its oldest row. */
async function countBacklog(db: Db, backlog: ReturnType<typeof sql>) {
  const { rows } = await sql<{ count: number; oldest_at: Date | null }>`
    select count(*)::int as count, min(at) as oldest_at from (${backlog} limit ${BACKLOG_COUNT_MAX + 1}) waiting`.execute(
    db,
  )
  const { count = 0, oldest_at = null } = rows[0] ?? {}
  return { count: Math.min(count, BACKLOG_COUNT_MAX), more: count > BACKLOG_COUNT_MAX, oldest_at }
}

/** Selects the errors of the last week by kind, the newest first. */
async function selectErrors(db: Db) {
  const { rows } = await sql<{ kind: string; count: number; last_hour: number; last_at: Date; last_message: string }>`
    select kind, sum(count)::int as count, max(last_at) as last_at,
      (array_agg(last_message order by last_at desc))[1] as last_message,
      coalesce(sum(count) filter (where hour >= date_trunc('hour', clock_timestamp())), 0)::int as last_hour
    from recent_errors group by kind order by max(last_at) desc limit ${ERROR_KINDS_SHOWN}`.execute(db)
  return rows
}

/** Selects past alerts, the latest first. */
const selectPastAlerts = (db: Db) =>
  db
    .selectFrom('alerts')
    .where('over_at', 'is not', null)
    .select(['problem', 'detail', 'since', 'told_at', 'over_at'])
    .orderBy('over_at', 'desc')
    .limit(ALERTS_SHOWN)
    .execute()
