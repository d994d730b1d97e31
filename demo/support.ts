import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { mails } from '#server/mail/templates.ts'
import { readTable, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

/** The blocks of players, with reasons and ends; the last block has ended. */
const blockRow = z.strictObject({
  started: timeSpan,
  ends: timeSpan.optional(),
  reason: z.string(),
  note: z.string().default(''),
  /** The appeal of the first player with this block. */
  appeal: z.string().optional(),
})

/** Notes by staff about juan, or about another player by index. */
const noteRow = z.strictObject({ player: z.string(), written: timeSpan, body: z.string() })

const answerRow = z.strictObject({ title: z.string(), body: z.string() })

/** Mails that the site stopped sending, with the mail server's error. */
const mailRow = z.strictObject({ to: z.string(), age: timeSpan, error: z.string() })

/** Inserts the desk's entries about players: blocks, notes, ready-made answers and failed emails. */
export async function insertSupport(tx: Db, { now, gm, juan, players }: World): Promise<void> {
  const blockedRows = await tx
    .selectFrom('accounts')
    .where('blocked_at', 'is not', null)
    .select('user_num')
    .orderBy('user_num')
    .execute()
  const blockedUserNums = blockedRows.map(({ user_num }) => user_num)
  const unblockedPlayer = players.find((player) => !blockedUserNums.includes(player)) ?? juan
  const blockTemplates = readTable('tables/blocks.csv', blockRow)
  const endedBlock = blockTemplates.pop()
  const blocks = [...blockedUserNums, unblockedPlayer].flatMap((user_num, index) => {
    const block = user_num === unblockedPlayer ? endedBlock : blockTemplates[index % blockTemplates.length]
    if (block === undefined) return []
    const { started, ends, reason, note } = block
    const ends_at = ends === undefined ? null : subtractMs(now, -ends)
    return [{ user_num, reason, note, starts_at: subtractMs(now, started), ends_at, blocked_by: gm }]
  })
  const blockRows = await tx
    .insertInto('account_blocks')
    .values(blocks)
    .returning(['block', 'user_num', 'reason'])
    .execute()
  const appealedTemplate = blockTemplates.find(({ appeal }) => appeal !== undefined)
  const appealedBlock = blockRows.find(({ reason }) => reason === appealedTemplate?.reason)
  if (appealedTemplate?.appeal !== undefined && appealedBlock !== undefined) {
    const { block, user_num } = appealedBlock
    const undecidedFields = { outcome: null, decided_by: null, decided_at: null }
    const appeal = {
      block,
      user_num,
      text: appealedTemplate.appeal,
      made_at: subtractMs(now, 5 * HOUR_MS),
      ...undecidedFields,
    }
    await tx.insertInto('block_appeals').values(appeal).execute()
  }
  const noteRows = readTable('tables/account-notes.csv', noteRow).map(({ player, written, body }) => ({
    user_num: players[Number(player)] ?? juan,
    body,
    written_by: gm,
    written_at: subtractMs(now, written),
  }))
  await tx.insertInto('account_notes').values(noteRows).execute()
  await tx.insertInto('ready_answers').values(readTable('tables/ready-answers.csv', answerRow)).execute()
  const failedMail = mails.userId({ appName: 'Tambayan', publicUrl: 'http://localhost:3000' }, 'player')
  const failedMails = readTable('tables/given-up-mails.csv', mailRow).map(({ to, age, error }) => ({
    to_address: to,
    subject: failedMail.subject,
    body_text: failedMail.text,
    body_html: failedMail.html,
    attempts: 20,
    created_at: subtractMs(now, age + 3 * DAY_MS),
    next_attempt_at: subtractMs(now, age),
    given_up_at: subtractMs(now, age),
    last_error: error,
  }))
  await tx.insertInto('mail_outbox').values(failedMails).execute()
}
