import type { TicketCategory, TicketState } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import { createGroupedCode, createLinkToken, hashToken } from '#server/http/tokens.ts'
import type { TicketRow } from './queries.ts'
import type { Screenshot } from './screenshots.ts'

export type NewTicket = {
  userNum: number | null
  email: string | null
  character: { cha_num: number; cha_name: string } | null
  category: TicketCategory
  subject: string
  address: string
  now: Date
}

/**
 * Creates a number such as T-7KQX-M2PD from 40 random bits, which can't be guessed and doesn't show how many tickets there
 * are.
 */
export const createTicketNumber = () => `T-${createGroupedCode(2)}`

const NUMBER_ATTEMPTS = 5

/** Inserts a ticket without its first message. @returns its id in the database */
export async function insertTicket(tx: Db, ticket: NewTicket): Promise<number> {
  for (let attempt = 0; attempt < NUMBER_ATTEMPTS; attempt++) {
    const row = await tx
      .insertInto('tickets')
      .values({
        number: createTicketNumber(),
        user_num: ticket.userNum,
        email: ticket.email,
        cha_num: ticket.character?.cha_num ?? null,
        cha_name: ticket.character?.cha_name ?? null,
        category: ticket.category,
        subject: ticket.subject,
        address: ticket.address,
        created_at: ticket.now,
        updated_at: ticket.now,
      })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returning('ticket')
      .executeTakeFirst()
    if (row !== undefined) return row.ticket
  }
  throw new Error('No free ticket number was found.')
}

export type NewMessage = {
  writer: 'requester' | 'support'
  author?: string | null
  authorNum?: number | null
  body: string
  pictures: Screenshot[]
  state: TicketState
  now: Date
}

/**
 * Adds a message with its screenshots and moves the ticket to `state`. The caller holds the ticket's lock.
 */
export async function insertMessage(tx: Db, ticket: number, message: NewMessage): Promise<void> {
  const row = await tx
    .insertInto('ticket_messages')
    .values({
      ticket,
      writer: message.writer,
      author: message.author ?? null,
      author_num: message.authorNum ?? null,
      body: message.body,
      created_at: message.now,
    })
    .returning('message')
    .executeTakeFirstOrThrow()
  for (const [index, { id, width, height, content }] of message.pictures.entries()) {
    await tx
      .insertInto('ticket_screenshots')
      .values({ screenshot: id, message: row.message, position: index + 1, width, height, content })
      .execute()
  }
  await tx
    .updateTable('tickets')
    .set((eb) => ({
      state: message.state,
      message_count: eb('message_count', '+', 1),
      version: eb('version', '+', 1),
      updated_at: message.now,
      closed_at: message.state === 'closed' ? message.now : null,
    }))
    .where('ticket', '=', ticket)
    .execute()
}

/** Closes a ticket in any state; the caller holds its lock. Sends no notice. */
export async function markClosed(tx: Db, ticket: number, now: Date): Promise<void> {
  await tx
    .updateTable('tickets')
    .set((eb) => ({ state: 'closed', closed_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('ticket', '=', ticket)
    .execute()
}

/**
 * Creates another key to a ticket for the reader of an email about it. Earlier keys still work.
 *
 * @returns the key, of which only the hash is stored
 */
export async function insertKey(tx: Db, { ticket, mail_to }: TicketRow, now: Date): Promise<string> {
  const key = createLinkToken()
  await tx
    .insertInto('ticket_keys')
    .values({ key_hash: hashToken(key), ticket, email: mail_to, created_at: now })
    .execute()
  return key
}
