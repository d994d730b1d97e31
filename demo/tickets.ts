import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { flag, headedSections, wholeNumber } from '#content/files.ts'
import { TICKET_CATEGORIES, TICKET_STATES } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import { readTexts, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

/** Each heading has a message of the player or of the staff, as `## player, 2d`, with the time since it was written. */
const ticketHead = z.strictObject({
  number: z.string(),
  /** juan, the index of another player, or a guest's address. */
  from: z.string(),
  category: z.enum(TICKET_CATEGORIES),
  subject: z.string(),
  state: z.enum(TICKET_STATES),
  priority: wholeNumber.default(1),
  /** Whether the ticket is assigned to gm. */
  assigned: flag,
  /** Whether the ticket is about juan's first character. */
  character: flag,
  /** The picture of the first message. */
  screenshot: z.string().optional(),
  /** A note by staff about the ticket. */
  note: z.string().optional(),
  body: headedSections,
})

/** The picture's ID, which is the same on every machine, and its size. */
const SCREENSHOT = { screenshot: '5d1a3c52-6f0e-4a55-9c1e-2b7f4f0c9a61', position: 1, width: 800, height: 450 }

/** Inserts tickets with their messages, without sending mails: one of juan's in each state, then other players'. */
export async function insertTickets(tx: Db, { now, juan, gm, players }: World): Promise<void> {
  const character = await tx
    .selectFrom('characters')
    .where('user_num', '=', juan)
    .select(['cha_num', 'cha_name'])
    .orderBy('cha_num')
    .executeTakeFirst()
  for (const { from, assigned, character: isAbout, screenshot, note, body, ...values } of readTexts(
    'tickets/*.md',
    ticketHead,
  )) {
    const messages = body.map(({ title, text }) => {
      const [author = '', age = ''] = title.split(', ')
      return { author, at: subtractMs(now, timeSpan.parse(age)), text }
    })
    const newest = messages.at(-1)?.at ?? now
    const { ticket } = await tx
      .insertInto('tickets')
      .values({
        ...values,
        user_num: from === 'juan' ? juan : (players[Number(from)] ?? null),
        email: from.includes('@') ? from : null,
        ...(isAbout && character),
        assignee: assigned ? gm : null,
        message_count: messages.length,
        address: '127.0.0.1',
        created_at: messages[0]?.at ?? now,
        updated_at: newest,
        closed_at: values.state === 'closed' ? newest : null,
      })
      .returning('ticket')
      .executeTakeFirstOrThrow()
    const rows = messages.map(({ author, at, text }) => ({
      ticket,
      ...(author === 'player'
        ? { writer: 'requester' as const }
        : { writer: 'support' as const, author, author_num: gm }),
      body: text,
      created_at: at,
    }))
    const [firstMessage] = await tx.insertInto('ticket_messages').values(rows).returning('message').execute()
    if (note !== undefined)
      await tx.insertInto('ticket_notes').values({ ticket, body: note, written_by: gm, written_at: newest }).execute()
    if (screenshot === undefined || firstMessage === undefined) continue
    const content = readFileSync(join(import.meta.dirname, 'tickets', screenshot))
    await tx
      .insertInto('ticket_screenshots')
      .values({ ...SCREENSHOT, ...firstMessage, content })
      .execute()
  }
}
