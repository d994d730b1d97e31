import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import {
  ACCOUNT_EVENTS_RETENTION_MS,
  FORMER_EMAIL_RETENTION_MS,
  IDEMPOTENCY_KEY_RETENTION_MS,
  INVITATION_LIFETIME_MS,
  INVITATION_REWARDED_RETENTION_MS,
  KNOWN_DEVICE_RETENTION_MS,
  MAIL_RETENTION_MS,
  PLAY_DAYS_RETENTION_MS,
  SESSION_IDLE_MAX_MS,
  STARTER_ITEMS_LIFETIME_MS,
  TICKET_KEY_LIFETIME_MS,
  TICKET_RETENTION_MS,
  VOTES_RETENTION_MS,
} from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { insertAccount, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { listJobs } from './jobs.ts'

// Use a missing folder, so the clean-up does not find a developer's emails.
const site = await createTestApp({ world: 'empty', config: { dataDir: join(tmpdir(), 'tambayan-no-data') } })
const { db } = site
const user_num = await insertAccount(db)

let rowCount = 0
const createKey = () => `row-${++rowCount}`

async function insertTicket(updated_at: Date, state: 'open' | 'answered'): Promise<number> {
  const number = `T-AAAA-${String(++rowCount).padStart(4, '2').replace(/[01]/g, 'Z')}`
  const ticket = { number, user_num, category: 'bug', subject: 'x', state, created_at: updated_at, updated_at } as const
  const row = await db.insertInto('tickets').values(ticket).returning('ticket').executeTakeFirstOrThrow()
  return row.ticket
}

/** Inserts a session that is in use. @returns its id */
async function insertSession(): Promise<number> {
  const now = site.clock.now()
  const session = { token_hash: createKey(), user_num, address: '', device: '', created_at: now, last_seen_at: now }
  const { session_id } = await db
    .insertInto('sessions')
    .values({ ...session, ends_at: new Date(now.getTime() + DAY_MS) })
    .returning('session_id')
    .executeTakeFirstOrThrow()
  return session_id
}

async function insertMail(endTimes: { sent_at?: Date; given_up_at?: Date }): Promise<void> {
  const mail = { to_address: 'a@b.ph', subject: '', body_text: '', body_html: '' }
  const now = site.clock.now()
  await insertRows(db, 'mail_outbox', { ...mail, ...endTimes, created_at: now, next_attempt_at: now })
}

async function insertInvitation(invited_at: Date, rewarded_at: Date | null): Promise<void> {
  await insertRows(db, 'invitations', { user_num: await insertAccount(db), inviter: user_num, invited_at, rewarded_at })
}

const TIME_SINCE_MIDNIGHT_MS = site.clock.now().getTime() - getStartOfDay(toManilaDay(site.clock.now())).getTime()

/** The periods of the privacy policy, each with a function that inserts a row of a certain age. */
const PERIODS: [period: string, retentionMs: number, insert: (since: Date) => Promise<unknown>, table: string][] = [
  [
    'sessions that are not used',
    SESSION_IDLE_MAX_MS,
    (last_seen_at) => {
      const ends_at = new Date(site.clock.now().getTime() + DAY_MS)
      const session = { token_hash: createKey(), user_num, address: '', device: '', created_at: last_seen_at }
      return insertRows(db, 'sessions', { ...session, last_seen_at, ends_at })
    },
    'sessions',
  ],
  [
    'the history of an account',
    ACCOUNT_EVENTS_RETENTION_MS,
    (created_at) => db.insertInto('account_events').values({ user_num, kind: 'login', created_at }).execute(),
    'account_events',
  ],
  [
    'addresses and devices of logins',
    KNOWN_DEVICE_RETENTION_MS,
    (seen_at) => db.insertInto('known_places').values({ user_num, place: createKey(), seen_at }).execute(),
    'known_places',
  ],
  [
    'former addresses of an account',
    FORMER_EMAIL_RETENTION_MS,
    (left_at) => insertRows(db, 'former_emails', { user_num, email: createKey(), left_at }),
    'former_emails',
  ],
  ['closed and answered tickets', TICKET_RETENTION_MS, (since) => insertTicket(since, 'answered'), 'tickets'],
  [
    'links to tickets',
    TICKET_KEY_LIFETIME_MS,
    async (created_at) => {
      const ticket = await insertTicket(site.clock.now(), 'open')
      await db.insertInto('ticket_keys').values({ key_hash: createKey(), ticket, created_at }).execute()
    },
    'ticket_keys',
  ],
  ['emails that were sent', MAIL_RETENTION_MS, (sent_at) => insertMail({ sent_at }), 'mail_outbox'],
  ['emails that failed', MAIL_RETENTION_MS, (given_up_at) => insertMail({ given_up_at }), 'mail_outbox'],
  ...(['reset-password', 'verify-email', 'undo-email', 'keep-account'] as const).map(
    (kind): (typeof PERIODS)[number] => [
      `links of the kind ${kind} that have ended`,
      0,
      (ends_at) => {
        const link = { token_hash: createKey(), kind, user_num, email: 'a@b.ph', created_at: ends_at, ends_at }
        return db.insertInto('mailed_links').values(link).execute()
      },
      'mailed_links',
    ],
  ),
  [
    'logins that waited too long for a second factor',
    0,
    (ends_at) =>
      insertRows(db, 'login_challenges', {
        challenge_hash: createKey(),
        user_num,
        password_mark: '',
        passkey_challenge: null,
        ends_at,
      }),
    'login_challenges',
  ],
  [
    'unfinished ceremonies of a session',
    0,
    async (ends_at) => {
      const session_id = await insertSession()
      await db.insertInto('factor_ceremonies').values({ session_id, kind: 'passkey', secret: '', ends_at }).execute()
    },
    'factor_ceremonies',
  ],
  [
    'tokens that a confirmation has replaced',
    0,
    async (ends_at) => {
      const session_id = await insertSession()
      await db.insertInto('replaced_tokens').values({ token_hash: createKey(), session_id, ends_at }).execute()
    },
    'replaced_tokens',
  ],
  [
    'reminders of events that are over',
    DAY_MS,
    async (ends_at) => {
      const starts_at = new Date(ends_at.getTime() - MINUTE_MS)
      const { event } = await db
        .insertInto('events')
        .values({ title: 'x', repeats: 'once', starts_at, ends_at, created_at: starts_at, changed_at: starts_at })
        .returning('event')
        .executeTakeFirstOrThrow()
      await db.insertInto('event_reminders').values({ user_num, event, asked_at: starts_at }).execute()
    },
    'event_reminders',
  ],
  [
    'votes',
    VOTES_RETENTION_MS,
    async (voted_at) => {
      const { site: list } = await db
        .insertInto('vote_sites')
        .values({
          name: 'x',
          list: 'generic',
          link: 'https://lists.example/{account}',
          pause_hours: 12,
          account_field: 'who',
        })
        .returning('site')
        .executeTakeFirstOrThrow()
      await insertRows(db, 'votes', { site: list, user_num, voted_at, reward: null })
    },
    'votes',
  ],
  [
    'invitations without a reward',
    INVITATION_LIFETIME_MS,
    (invited_at) => insertInvitation(invited_at, null),
    'invitations',
  ],
  [
    'rewarded invitations',
    INVITATION_REWARDED_RETENTION_MS,
    (rewarded_at) => insertInvitation(rewarded_at, rewarded_at),
    'invitations',
  ],
  [
    'new accounts that wait for starter items',
    STARTER_ITEMS_LIFETIME_MS,
    async (due_at) => insertRows(db, 'starters', { user_num: await insertAccount(db), due_at }),
    'starters',
  ],
  [
    'the players who were in the game today',
    TIME_SINCE_MIDNIGHT_MS,
    async (playedAt) =>
      insertRows(db, 'last_played', { user_num: await insertAccount(db), played_on: toManilaDay(playedAt) }),
    'last_played',
  ],
  [
    'the minutes of an account in the game by day',
    PLAY_DAYS_RETENTION_MS + TIME_SINCE_MIDNIGHT_MS,
    async (playedAt) =>
      insertRows(db, 'play_days', {
        user_num: await insertAccount(db),
        day: toManilaDay(playedAt),
        minutes: 1,
        seen_at: playedAt,
      }),
    'play_days',
  ],
  [
    'requests about stuck logins',
    DAY_MS,
    async (requested_at) => insertRows(db, 'login_resets', { user_num: await insertAccount(db), requested_at }),
    'login_resets',
  ],
  [
    'counters whose window is over',
    0,
    (ends_at) => db.insertInto('attempts').values({ key: createKey(), count: 1, ends_at }).execute(),
    'attempts',
  ],
  [
    'answers under an Idempotency-Key',
    IDEMPOTENCY_KEY_RETENTION_MS,
    (created_at) => {
      const answer = { owner: '1', key: createKey(), content: '', answer: '{}', created_at }
      return db.insertInto('idempotency_keys').values(answer).execute()
    },
    'idempotency_keys',
  ],
]

async function cleanUp(): Promise<void> {
  const jobs = listJobs(site, { send: async () => 'sent', jobsDb: db })
  const { signal } = new AbortController()
  for (const { name, work } of jobs) if (name.startsWith('clean-up')) await work({ now: site.clock.now, signal })
}

for (const [period, retentionMs, insert, table] of PERIODS) {
  test(`the clean-ups follow the privacy policy’s period: ${period}`, async () => {
    const countRows = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)
      return rows[0]?.n
    }
    await sql`delete from ${sql.table(table)}`.execute(db)
    const getTimeAgo = (ms: number) => new Date(site.clock.now().getTime() - ms)
    await insert(getTimeAgo(retentionMs - MINUTE_MS))
    await insert(getTimeAgo(retentionMs + MINUTE_MS))
    assert.equal(await countRows(), 2)
    await cleanUp()
    assert.equal(await countRows(), 1)
  })
}
