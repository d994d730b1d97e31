import type { Db } from '#server/db/open.ts'
import { selectConversation, type TicketRow } from './queries.ts'

/** Returns the fields of a ticket that lists show. */
export function summarizeTicket(row: TicketRow) {
  return {
    number: row.number,
    category: row.category,
    subject: row.subject,
    state: row.state,
    created_at: row.created_at,
    updated_at: row.updated_at,
    messages: row.message_count,
  }
}

/** Returns a ticket with its conversation, as calls return it. */
export async function describeTicket(db: Db, row: TicketRow, mayReply: boolean) {
  const conversation = await selectConversation(db, row.ticket)
  return {
    ...summarizeTicket(row),
    character: row.cha_name,
    email: `${row.mail_to.slice(0, 1)}***`,
    closed_at: row.closed_at,
    may_reply: mayReply,
    conversation: conversation.map(({ writer, author, body, created_at, pictures }, index) => ({
      id: index + 1,
      from: writer,
      author,
      message: body,
      created_at,
      screenshots: pictures.map(({ screenshot, width, height, bytes }) => ({ id: screenshot, width, height, bytes })),
    })),
  }
}
