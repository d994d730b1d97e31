import { z } from 'zod'
import { declareDeskCalls } from './desk.ts'
import { NO_MAIL_SERVER } from './errors.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('health', { read: 'health.read', write: 'settings.write' })

/**
 * The states of a job. `new` has not run yet, `late` is overdue, and the last run of `failing` failed, even if it runs again.
 */
const JOB_STATES = ['well', 'running', 'new', 'late', 'failing'] as const

const backlog = z.object({
  count,
  more: z.boolean().meta({ description: 'Whether there are more than `count`' }),
  oldest_at: moment.nullable(),
})

const alertSchema = z.object({
  problem: z.string(),
  detail: z.string(),
  since: moment,
  told_at: moment.nullable().meta({
    description: 'When the site sent the alert, at least ten minutes after the problem began; null until then',
  }),
  over_at: moment.nullable(),
})

export const getHealth = desk.read('/admin/health', {
  summary: 'The health of the site: jobs, backlogs, backups, errors and alerts',
  output: z.object({
    now: moment,
    version: z.string(),
    migration: z.string(),
    node: z.string(),
    started_at: moment,
    database: z.object({ server: z.string(), bytes: z.int() }),
    free_bytes: z.int().nullable().meta({ description: 'Space left on the disk of DATA_DIR' }),
    backup: z.object({
      nightly: z.boolean().meta({ description: 'Whether the site makes a backup each night' }),
      too_old: z.boolean(),
      made_at: moment.nullable(),
      restored: z
        .object({ from: moment, at: moment, name: z.string() })
        .nullable()
        .meta({ description: 'The backup that this site was restored from, and when; null without a restore' }),
    }),
    backlogs: z.object({ mail: backlog, deliveries: backlog, receipts: backlog }),
    jobs: z.array(
      z.object({
        name: z.string(),
        state: z.enum(JOB_STATES),
        due_at: moment,
        succeeded_at: moment.nullable(),
        failed_at: moment.nullable(),
        failure: z.string().nullable(),
      }),
    ),
    errors: z.array(z.object({ kind: z.string(), count, last_hour: count, last_at: moment, last_message: z.string() })),
    alerts: z.array(alertSchema),
    told: z
      .object({ email: z.boolean(), discord: z.boolean() })
      .meta({ description: 'Whether alerts go to an email address, and to Discord' }),
  }),
})

export const getChangelog = desk.read('/admin/health/changelog', {
  summary: 'Which version runs, and what each version changed',
  output: z.object({ version: z.string(), html: z.string().meta({ description: 'Sanitised HTML' }) }),
})

export const sendTestAlert = desk.write('/admin/health/test-alert', {
  title: 'Send test alert',
  summary: 'Send a test alert to the recipients of alerts',
  idempotent: false,
  errors: {
    nobody: {
      status: 409,
      message: 'Alerts have no recipient yet. Set an email address or a Discord webhook for them first.',
    },
    mailServerMissing: { status: 409, message: NO_MAIL_SERVER },
    notPosted: { status: 409, message: 'Discord did not accept the message. Check the webhook address.' },
  },
})
