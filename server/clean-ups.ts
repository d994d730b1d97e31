import { sql } from 'kysely'
import { BRIDGE_NONCE_RETENTION_MS } from '#contract/bridge-signing.ts'
import { DAY_MS } from '#contract/durations.ts'
import {
  ACCOUNT_EVENTS_RETENTION_MS,
  ALERTS_RETENTION_MS,
  AUDIT_PERSONAL_RETENTION_MS,
  DISCORD_POSTS_RETENTION_MS,
  ERRORS_RETENTION_MS,
  FORMER_EMAIL_RETENTION_MS,
  IDEMPOTENCY_KEY_RETENTION_MS,
  KNOWN_DEVICE_RETENTION_MS,
  NEWS_TRASH_RETENTION_MS,
  SEALED_FORMS_RETENTION_MS,
  SESSION_IDLE_MAX_MS,
  STARTER_ITEMS_LIFETIME_MS,
} from '#contract/limits.ts'
import { sweepBackupTargets } from './backup/targets.ts'
import { deleteOld, type OldRowFilter } from './db/delete-old.ts'
import type { Db } from './db/open.ts'
import { sweepAppeals } from './features/accounts/appeals.ts'
import { sweepActivity } from './features/activity/record.ts'
import { sweepReminders } from './features/events/jobs.ts'
import { sweepFiles } from './features/files/store.ts'
import { sweepForum } from './features/forum/upkeep.ts'
import { sweepDaysPlayed } from './features/rewards/daily.ts'
import { sweepInvitations } from './features/rewards/friends.ts'
import { sweepVotes } from './features/rewards/votes.ts'
import { sweepTickets } from './features/tickets/queries.ts'
import { sweepSentMails } from './mail/outbox.ts'

/** Selects rows to delete: those whose `column` is more than `retentionMs` in the past; 0 by default. */
type OldRows = Omit<OldRowFilter, 'before'> & { retentionMs?: number }
type CleanUp = readonly OldRows[] | ((db: Db, now: Date, signal: AbortSignal | undefined) => Promise<void>)

const MAIL_IS_SENT = sql`not exists (
  select from mail_outbox m where m.link_hash = mailed_links.token_hash and m.sent_at is null and m.given_up_at is null)`

/** The rows that the hourly clean-ups delete: by age, or as a feature decides. */
export const CLEAN_UPS = {
  'audit log': [{ table: 'audit_personal', column: 'at', retentionMs: AUDIT_PERSONAL_RETENTION_MS }],
  letters: [{ table: 'letters', column: 'expires_at' }],
  votes: sweepVotes,
  'starter items': [{ table: 'starters', column: 'due_at', retentionMs: STARTER_ITEMS_LIFETIME_MS }],
  'days played': sweepDaysPlayed,
  'stuck logins': [{ table: 'login_resets', column: 'requested_at', retentionMs: DAY_MS }],
  invitations: sweepInvitations,
  attempts: [{ table: 'attempts', column: 'ends_at' }],
  sessions: [
    { table: 'sessions', column: 'last_seen_at', retentionMs: SESSION_IDLE_MAX_MS },
    { table: 'sessions', column: 'ends_at' },
    { table: 'replaced_tokens', column: 'ends_at' },
  ],
  'mailed links': [{ table: 'mailed_links', column: 'ends_at', condition: MAIL_IS_SENT }],
  'former e-mail addresses': [{ table: 'former_emails', column: 'left_at', retentionMs: FORMER_EMAIL_RETENTION_MS }],
  'known places': [{ table: 'known_places', column: 'seen_at', retentionMs: KNOWN_DEVICE_RETENTION_MS }],
  'second factors': [
    { table: 'login_challenges', column: 'ends_at' },
    { table: 'factor_ceremonies', column: 'ends_at' },
  ],
  'account history': [{ table: 'account_events', column: 'created_at', retentionMs: ACCOUNT_EVENTS_RETENTION_MS }],
  appeals: sweepAppeals,
  'event reminders': sweepReminders,
  activity: sweepActivity,
  tickets: sweepTickets,
  news: [
    { table: 'news', column: 'trashed_at', retentionMs: NEWS_TRASH_RETENTION_MS },
    { table: 'previews', column: 'ends_at' },
  ],
  'sent mails': sweepSentMails,
  'idempotency keys': [{ table: 'idempotency_keys', column: 'created_at', retentionMs: IDEMPOTENCY_KEY_RETENTION_MS }],
  'unused pictures': sweepFiles,
  errors: [{ table: 'recent_errors', column: 'hour', retentionMs: ERRORS_RETENTION_MS }],
  alerts: [{ table: 'alerts', column: 'over_at', retentionMs: ALERTS_RETENTION_MS }],
  'links with Discord': [{ table: 'discord_states', column: 'ends_at' }],
  'posts to Discord': [{ table: 'discord_posts', column: 'requested_at', retentionMs: DISCORD_POSTS_RETENTION_MS }],
  'bridge nonces': [{ table: 'bridge_nonces', column: 'used_at', retentionMs: BRIDGE_NONCE_RETENTION_MS }],
  forum: sweepForum,
  'sealed passwords': [{ table: 'game_forms', column: 'made_at', retentionMs: SEALED_FORMS_RETENTION_MS }],
  'places of backups': sweepBackupTargets,
} as const satisfies Record<string, CleanUp>

export type CleanUpName = keyof typeof CLEAN_UPS

/** Runs one clean-up. @param signal stops it between two statements @throws the signal's reason */
export async function runCleanUp(db: Db, name: CleanUpName, now: Date, signal?: AbortSignal): Promise<void> {
  const definition: CleanUp = CLEAN_UPS[name]
  if (typeof definition === 'function') return definition(db, now, signal)
  for (const { retentionMs = 0, ...rows } of definition)
    await deleteOld(db, { ...rows, before: new Date(now.getTime() - retentionMs) }, signal)
}
