import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { mails } from '#server/mail/templates.ts'
import { readTable, span } from './read.ts'
import { before, type World } from './world.ts'

/** The blocks of players, with reasons and ends; the last block has ended. */
const blockRow = z.strictObject({
  started: span,
  ends: span.optional(),
  reason: z.string(),
  note: z.string().default(''),
  /** The appeal of the first player who is blocked for it. */
  appeal: z.string().optional(),
})

/** Staff's notes about juan, or about another player by index. */
const noteRow = z.strictObject({ player: z.string(), written: span, body: z.string() })

const answerRow = z.strictObject({ title: z.string(), body: z.string() })

/** Mails that were given up, and how the mail server refused them. */
const mailRow = z.strictObject({ to: z.string(), age: span, error: z.string() })

/** Inserts the desk's entries about players: blocks, notes, ready-made answers and failed emails. */
export async function insertSupport(tx: Db, { now, gm, juan, players }: World): Promise<void> {
  const blocked = await tx
    .selectFrom('accounts')
    .where('blocked_at', 'is not', null)
    .select('user_num')
    .orderBy('user_num')
    .execute()
  const blockedNow = blocked.map(({ user_num }) => user_num)
  const free = players.find((player) => !blockedNow.includes(player)) ?? juan
  const reasons = readTable('tables/blocks.csv', blockRow)
  const over = reasons.pop()
  const blocks = [...blockedNow, free].flatMap((user_num, index) => {
    const block = user_num === free ? over : reasons[index % reasons.length]
    if (block === undefined) return []
    const { started, ends, reason, note } = block
    const ends_at = ends === undefined ? null : before(now, -ends)
    return [{ user_num, reason, note, starts_at: before(now, started), ends_at, blocked_by: gm }]
  })
  const made = await tx.insertInto('account_blocks').values(blocks).returning(['block', 'user_num', 'reason']).execute()
  const appealed = reasons.find(({ appeal }) => appeal !== undefined)
  const against = made.find(({ reason }) => reason === appealed?.reason)
  if (appealed?.appeal !== undefined && against !== undefined) {
    const { block, user_num } = against
    const waiting = { outcome: null, decided_by: null, decided_at: null }
    const appeal = { block, user_num, text: appealed.appeal, made_at: before(now, 5 * HOUR_MS), ...waiting }
    await tx.insertInto('block_appeals').values(appeal).execute()
  }
  const notes = readTable('tables/account-notes.csv', noteRow).map(({ player, written, body }) => ({
    user_num: players[Number(player)] ?? juan,
    body,
    written_by: gm,
    written_at: before(now, written),
  }))
  await tx.insertInto('account_notes').values(notes).execute()
  await tx.insertInto('ready_answers').values(readTable('tables/ready-answers.csv', answerRow)).execute()
  const lost = mails.userId({ appName: 'Tambayan', publicUrl: 'http://localhost:3000' }, 'player')
  const givenUp = readTable('tables/given-up-mails.csv', mailRow).map(({ to, age, error }) => ({
    to_address: to,
    subject: lost.subject,
    body_text: lost.text,
    body_html: lost.html,
    attempts: 20,
    created_at: before(now, age + 3 * DAY_MS),
    next_attempt_at: before(now, age),
    given_up_at: before(now, age),
    last_error: error,
  }))
  await tx.insertInto('mail_outbox').values(givenUp).execute()
}
