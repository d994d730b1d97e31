import { sql } from 'kysely'
import { SCREENSHOTS_RETENTION_MS, TICKET_KEY_LIFETIME_MS, TICKET_RETENTION_MS } from '#contract/limits.ts'
import type { TicketCategory, TicketState } from '#contract/tickets.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'
import { hashToken } from '#server/http/tokens.ts'

/** A ticket and the address for its emails (`mail_to`). For a player's ticket, that is the account's current address. */
export type TicketRow = {
  ticket: number
  number: string
  user_num: number | null
  cha_name: string | null
  category: TicketCategory
  subject: string
  state: TicketState
  message_count: number
  created_at: Date
  updated_at: Date
  closed_at: Date | null
  assignee: number | null
  priority: number
  first_answered_at: Date | null
  merged_into: number | null
  version: number
  mail_to: string
  user_id: string | null
}

const selectTickets = (db: Db) =>
  db
    .selectFrom('tickets as t')
    .leftJoin('accounts as a', 'a.user_num', 't.user_num')
    .select([
      't.ticket',
      't.number',
      't.user_num',
      't.cha_name',
      't.category',
      't.subject',
      't.state',
      't.message_count',
      't.created_at',
      't.updated_at',
      't.closed_at',
      't.assignee',
      't.priority',
      't.first_answered_at',
      't.merged_into',
      't.version',
      sql<string>`coalesce(a.user_email, t.email)`.as('mail_to'),
      'a.user_id',
    ])

/** Selects the ticket of a number. The number of a merged ticket returns the ticket with its messages. */
export async function selectTicketByNumber(db: Db, number: string): Promise<TicketRow | undefined> {
  return selectTickets(db)
    .where('t.ticket', '=', (eb) =>
      eb
        .selectFrom('tickets as requested')
        .where('requested.number', '=', number)
        .select(sql<number>`coalesce(requested.merged_into, requested.ticket)`.as('ticket')),
    )
    .executeTakeFirst()
}

/**
 * Selects the ticket of a key. A key is valid for 30 days, and only while the ticket's emails go to the address that the
 * key was made for.
 */
export async function selectTicketByKey(db: Db, key: string, now: Date): Promise<TicketRow | undefined> {
  return selectTickets(db)
    .innerJoin('ticket_keys as k', 'k.ticket', 't.ticket')
    .where('k.key_hash', '=', hashToken(key))
    .where('k.created_at', '>', new Date(now.getTime() - TICKET_KEY_LIFETIME_MS))
    .where(sql<boolean>`coalesce(lower(k.email) = lower(coalesce(a.user_email, t.email)), true)`)
    .executeTakeFirst()
}

/**
 * Deletes expired keys, answered and closed tickets a year after their last change, and the screenshots of those tickets
 * after 90 days. Does not delete open tickets, which wait for support.
 */
export async function sweepTickets(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const getTimeBefore = (ms: number) => new Date(now.getTime() - ms)
  await deleteOld(
    db,
    { table: 'ticket_keys', column: 'created_at', before: getTimeBefore(TICKET_KEY_LIFETIME_MS) },
    signal,
  )
  const isNotOpen = sql`state <> 'open'`
  await deleteOld(
    db,
    {
      table: 'tickets',
      column: 'updated_at',
      before: getTimeBefore(TICKET_RETENTION_MS),
      condition: isNotOpen,
    },
    signal,
  )
  for (let deletedCount = SCREENSHOT_BATCH_SIZE; deletedCount === SCREENSHOT_BATCH_SIZE; ) {
    signal?.throwIfAborted()
    const { numAffectedRows = 0n } = await sql`
      delete from ticket_screenshots where screenshot in (
        select s.screenshot from tickets t
        join ticket_messages m on m.ticket = t.ticket
        join ticket_screenshots s on s.message = m.message
        where ${isNotOpen} and t.updated_at < ${getTimeBefore(SCREENSHOTS_RETENTION_MS)}
        limit ${sql.lit(SCREENSHOT_BATCH_SIZE)})`.execute(db)
    deletedCount = Number(numAffectedRows)
  }
}

const SCREENSHOT_BATCH_SIZE = 100

/** Locks and returns a ticket. For a merged ticket, locks and returns the ticket that has its messages. */
export async function lockTicket(tx: Db, ticket: number): Promise<TicketRow> {
  const row = await selectTickets(tx).where('t.ticket', '=', ticket).forNoKeyUpdate('t').executeTakeFirstOrThrow()
  return row.merged_into === null ? row : lockTicket(tx, row.merged_into)
}

/** Selects a page of a player's tickets, newest first, without merged tickets. */
export async function selectPlayerTickets(db: Db, userNum: number, page: { limit: number; offset: number }) {
  return selectTickets(db)
    .where('t.user_num', '=', userNum)
    .where('t.merged_into', 'is', null)
    .orderBy('t.ticket', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** Counts a player's tickets without merged tickets. */
export async function countPlayerTickets(db: Db, userNum: number): Promise<number> {
  const { count } = await db
    .selectFrom('tickets')
    .where('user_num', '=', userNum)
    .where('merged_into', 'is', null)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Selects tickets in a state, the longest waiting first. */
export async function selectTicketsByState(db: Db, state: TicketState, limit: number) {
  return selectTickets(db)
    .where('t.state', '=', state)
    .orderBy('t.updated_at')
    .orderBy('t.ticket')
    .limit(limit)
    .execute()
}

/** Selects a conversation, oldest message first, with the sizes of its screenshots. */
export async function selectConversation(db: Db, ticket: number) {
  const messages = await db
    .selectFrom('ticket_messages')
    .where('ticket', '=', ticket)
    .select(['message', 'writer', 'author', 'body', 'created_at'])
    .orderBy('message')
    .execute()
  const pictures = await db
    .selectFrom('ticket_screenshots as s')
    .innerJoin('ticket_messages as m', 'm.message', 's.message')
    .where('m.ticket', '=', ticket)
    .select(['s.screenshot', 's.message', 's.width', 's.height', sql<number>`length(s.content)`.as('bytes')])
    .orderBy('s.message')
    .orderBy('s.position')
    .execute()
  return messages.map((message) => ({
    ...message,
    pictures: pictures.filter((picture) => picture.message === message.message),
  }))
}

/** Selects the bytes of a screenshot, if it belongs to the ticket. */
export async function selectScreenshot(db: Db, ticket: number, screenshot: string) {
  return db
    .selectFrom('ticket_screenshots as s')
    .innerJoin('ticket_messages as m', 'm.message', 's.message')
    .where('m.ticket', '=', ticket)
    .where('s.screenshot', '=', screenshot)
    .select('s.content')
    .executeTakeFirst()
}

/** Selects a character's number and name. Returns undefined if the account has no such character. */
export async function selectOwnCharacter(db: Db, userNum: number, chaNum: number) {
  return db
    .selectFrom('characters')
    .where('cha_num', '=', chaNum)
    .where('user_num', '=', userNum)
    .select(['cha_num', 'cha_name'])
    .executeTakeFirst()
}

/** Selects an account's email address. @throws for an unknown account */
export async function selectEmail(db: Db, userNum: number): Promise<string> {
  const { user_email } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('user_email')
    .executeTakeFirstOrThrow()
  return user_email
}
