import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { mails } from '#server/mail/templates.ts'
import { blocks, givenUpMails, notes, readyAnswers, supportTickets } from './content/support.ts'

type Cast = { gm: number; juan: number; players: number[] }

/** Inserts what fills the desk about players: blocks, notes, tickets, ready-made answers and mails that did not arrive. */
export async function insertSupport(tx: Db, now: Date, { gm, juan, players }: Cast): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const blocked = await tx
    .selectFrom('accounts')
    .where('blocked_at', 'is not', null)
    .select('user_num')
    .orderBy('user_num')
    .execute()
  const kept = blocked.map(({ user_num }) => user_num)
  // One of them is over by its time.
  const free = players.find((player) => !kept.includes(player)) ?? juan
  await tx
    .insertInto('account_blocks')
    .values(
      [...kept, free].map((user_num, index) => {
        const isOver = user_num === free
        const block = isOver ? blocks.at(-1) : blocks[index % (blocks.length - 1)]
        const { reason = '', note = '', daysAgo: days = 1, endsInDays } = block ?? {}
        const ends_at = endsInDays === undefined ? null : daysAgo(-endsInDays)
        return { user_num, reason, note, starts_at: daysAgo(days), ends_at, blocked_by: gm }
      }),
    )
    .execute()
  await tx
    .insertInto('account_notes')
    .values(
      notes.map((body, index) => ({
        user_num: index === 2 ? juan : (players[index * 31] ?? juan),
        body,
        written_by: gm,
        written_at: daysAgo(index * 3 + 1),
      })),
    )
    .execute()
  await tx.insertInto('ready_answers').values(readyAnswers).execute()
  await insertSupportTickets(tx, now, { gm, juan, players })
  const lost = mails.userId({ appName: 'Tambayan', publicUrl: 'http://localhost:3000' }, 'player')
  await tx
    .insertInto('mail_outbox')
    .values(
      givenUpMails.map(({ to, error, daysAgo: days }) => ({
        to_address: to,
        subject: lost.subject,
        body_text: lost.text,
        body_html: lost.html,
        attempts: 20,
        created_at: daysAgo(days + 3),
        next_attempt_at: daysAgo(days),
        given_up_at: daysAgo(days),
        last_error: error,
      })),
    )
    .execute()
}

async function insertSupportTickets(tx: Db, now: Date, { gm, juan, players }: Cast): Promise<void> {
  const before = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)
  for (const { number, from, category, subject, state, priority, isMine, note, messages } of supportTickets) {
    const newest = before(messages.at(-1)?.minutesAgo ?? 0)
    const { ticket } = await tx
      .insertInto('tickets')
      .values({
        number,
        user_num: typeof from === 'number' ? (players[from] ?? juan) : null,
        email: typeof from === 'string' ? from : null,
        category,
        subject,
        state,
        priority,
        assignee: isMine ? gm : null,
        message_count: messages.length,
        address: '127.0.0.1',
        created_at: before(messages[0]?.minutesAgo ?? 0),
        updated_at: newest,
        closed_at: state === 'closed' ? newest : null,
      })
      .returning('ticket')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('ticket_messages')
      .values(
        messages.map(({ by, minutesAgo, text }) => ({
          ticket,
          writer: by === 'requester' ? ('requester' as const) : ('support' as const),
          author: by === 'requester' ? null : by,
          author_num: by === 'requester' ? null : gm,
          body: text,
          created_at: before(minutesAgo),
        })),
      )
      .execute()
    if (note !== undefined)
      await tx.insertInto('ticket_notes').values({ ticket, body: note, written_by: gm, written_at: newest }).execute()
  }
}
