import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createNumberOrder, cutPage } from '#server/http/desk-lists.ts'

const STATE_CONDITIONS = {
  waiting: sql`sent_at is null and given_up_at is null`,
  sent: sql`sent_at is not null and not kept_as_file`,
  kept: sql`sent_at is not null and kept_as_file`,
  'given-up': sql`given_up_at is not null`,
} as const

type MailRow = {
  mail: number
  to_address: string
  subject: string
  state: keyof typeof STATE_CONDITIONS
  attempts: number
  created_at: Date
  next_attempt_at: Date
  sent_at: Date | null
  given_up_at: Date | null
  last_error: string | null
  has_text: boolean
  has_no_expired_link: boolean
}

/** The SQL condition that a mail has no link, or a link that is still valid. */
const HAS_NO_EXPIRED_LINK = sql`(link_hash is null or exists (
  select from mailed_links l where l.token_hash = link_hash and l.used_at is null))`

/** Selects a page of the outbox, newest first. */
export async function selectMails(
  db: Db,
  { after, state, q }: { after: string; state: keyof typeof STATE_CONDITIONS | ''; q: string },
) {
  const address = sql`lower(to_address)`
  const query = sql`lower(${q})`
  const { condition: isAfterCursor, order } = createNumberOrder('mail', after)
  const conditions = combineConditions([
    state !== '' && STATE_CONDITIONS[state],
    q !== '' && sql`${address} ~>=~ ${query} and ${address} ~<~ (${query} || chr(1114111))`,
    isAfterCursor,
  ])
  const { rows } = await sql<MailRow>`
    select mail, to_address, subject, attempts, created_at, next_attempt_at, sent_at, given_up_at, last_error,
      case when kept_as_file then 'kept' when sent_at is not null then 'sent' when given_up_at is not null then 'given-up' else 'waiting' end as state,
      body_text <> '' as has_text, ${HAS_NO_EXPIRED_LINK} as has_no_expired_link
    from mail_outbox
    where ${conditions} order by ${order} limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
  return cutPage(
    rows,
    (row) => row.mail,
    ({ sent_at, given_up_at, next_attempt_at, has_text, has_no_expired_link, ...row }) => ({
      ...row,
      next_attempt_at: row.state === 'waiting' ? next_attempt_at : null,
      ended_at: sent_at ?? given_up_at,
      can_send_again: (row.state === 'waiting' || row.state === 'given-up') && has_text && has_no_expired_link,
    }),
  )
}

/**
 * Moves mails to the head of the queue. Given-up mails get all their attempts again, and waiting mails are due at once.
 *
 * @returns the numbers of the moved mails
 */
export async function requeueMails(tx: Db, mails: number[]): Promise<number[]> {
  const { rows } = await sql<{ mail: number }>`
    update mail_outbox set given_up_at = null, attempts = case when given_up_at is null then attempts else 0 end,
      next_attempt_at = clock_timestamp()
    where mail = any(${mails}::bigint[]) and sent_at is null and body_text <> '' and ${HAS_NO_EXPIRED_LINK}
    returning mail`.execute(tx)
  return rows.map(({ mail }) => mail)
}
