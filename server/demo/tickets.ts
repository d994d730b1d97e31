import type { Db } from '#server/db/open.ts'
import { TICKET_SCREENSHOT } from './content/ticket-screenshot.ts'
import { tickets } from './content/tickets.ts'

/** The picture's ID, the same on every machine like the rest of the demo world. */
const SCREENSHOT_ID = '5d1a3c52-6f0e-4a55-9c1e-2b7f4f0c9a61'

/** Inserts juan's tickets with their conversations, without sending mails. */
export async function insertTickets(tx: Db, now: Date, { juan, gm }: { juan: number; gm: number }): Promise<void> {
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const character = await tx
    .selectFrom('characters')
    .where('user_num', '=', juan)
    .select(['cha_num', 'cha_name'])
    .orderBy('cha_num')
    .executeTakeFirst()
  for (const { number, category, subject, state, aboutCharacter, messages } of tickets) {
    const newest = before(messages.at(-1)?.minutesAgo ?? 0)
    const { ticket } = await tx
      .insertInto('tickets')
      .values({
        number,
        user_num: juan,
        category,
        subject,
        state,
        cha_num: aboutCharacter ? character?.cha_num : null,
        cha_name: aboutCharacter ? character?.cha_name : null,
        message_count: messages.length,
        address: '127.0.0.1',
        created_at: before(messages[0]?.minutesAgo ?? 0),
        updated_at: newest,
        closed_at: state === 'closed' ? newest : null,
      })
      .returning('ticket')
      .executeTakeFirstOrThrow()
    for (const { from, minutesAgo, text, withScreenshot } of messages) {
      const isSupport = from !== 'juan'
      const { message } = await tx
        .insertInto('ticket_messages')
        .values({
          ticket,
          writer: isSupport ? 'support' : 'requester',
          author: isSupport ? from : null,
          author_num: isSupport ? gm : null,
          body: text,
          created_at: before(minutesAgo),
        })
        .returning('message')
        .executeTakeFirstOrThrow()
      if (withScreenshot) await insertScreenshot(tx, message)
    }
  }
}

async function insertScreenshot(tx: Db, message: number): Promise<void> {
  const { width, height, webp } = TICKET_SCREENSHOT
  await tx
    .insertInto('ticket_screenshots')
    .values({ screenshot: SCREENSHOT_ID, message, position: 1, width, height, content: Buffer.from(webp, 'base64') })
    .execute()
}
