import type { TicketCategory, TicketState } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { createTicketNumber } from './numbers.ts'
import type { Picture } from './screenshots.ts'

export type NewTicket = {
  userNum: number | null
  email: string | null
  character: { cha_num: number; cha_name: string } | null
  category: TicketCategory
  subject: string
  address: string
  submission: string | null
  content: string
  now: Date
}

const NUMBERS_TRIED = 5

/** Inserts a ticket without its first message. @returns undefined when its submission was made before */
export async function insertTicket(tx: Db, ticket: NewTicket) {
  for (let tried = 0; tried < NUMBERS_TRIED; tried++) {
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
        submission: ticket.submission,
        submission_content: ticket.content,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['ticket', 'number'])
      .executeTakeFirst()
    if (row !== undefined) return row
    if (ticket.submission !== null && (await selectSubmittedTicket(tx, ticket.submission)) !== undefined)
      return undefined
  }
  throw new Error('no free ticket number was found')
}

export async function selectSubmittedTicket(db: Db, submission: string) {
  return db
    .selectFrom('tickets')
    .where('submission', '=', submission)
    .select(['ticket', 'number', 'state', 'submission_content'])
    .executeTakeFirst()
}

export type NewMessage = {
  writer: 'requester' | 'support'
  author?: string | null
  authorNum?: number | null
  body: string
  pictures: Picture[]
  submission?: string | null
  content?: string | null
  state: TicketState
  now: Date
}

/**
 * Adds a message with its pictures and moves the ticket to `state`; the ticket is locked by the
 * caller. @returns false when the same submission was made before
 */
export async function insertMessage(tx: Db, ticket: number, message: NewMessage): Promise<boolean> {
  const row = await tx
    .insertInto('ticket_messages')
    .values({
      ticket,
      writer: message.writer,
      author: message.author ?? null,
      author_num: message.authorNum ?? null,
      body: message.body,
      created_at: message.now,
      submission: message.submission ?? null,
      submission_content: message.content ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message')
    .executeTakeFirst()
  if (row === undefined) return false
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
      updated_at: message.now,
      closed_at: message.state === 'closed' ? message.now : null,
    }))
    .where('ticket', '=', ticket)
    .execute()
  return true
}

/** What came with a reply that was sent before under the same key. */
export async function selectSubmittedContent(db: Db, submission: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('ticket_messages')
    .where('submission', '=', submission)
    .select('submission_content')
    .executeTakeFirst()
  return row?.submission_content
}

export async function markClosed(tx: Db, ticket: number, now: Date): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ state: 'closed', closed_at: now, updated_at: now })
    .where('ticket', '=', ticket)
    .execute()
}

/** A new key to a ticket; those given before stay good. @returns the key, of which only the hash is kept */
export async function insertKey(tx: Db, ticket: number, now: Date): Promise<string> {
  const key = createLinkToken()
  await tx
    .insertInto('ticket_keys')
    .values({ key_hash: hashToken(key), ticket, created_at: now })
    .execute()
  return key
}
