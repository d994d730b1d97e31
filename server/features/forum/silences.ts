import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { lockWriter } from './gate.ts'

/** The SQL condition on `forum_silences` for players who must not write now. */
const isInForce = (now: Date) => sql<boolean>`lifted_at is null and starts_at <= ${now} and ends_at > ${now}`

/**
 * Silences a player and sends them the reason. Waits until a post that the player is sending is stored.
 *
 * @returns the number of the silence; null when the player is silenced already
 */
export async function silencePlayer(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  { userNum, post, hours, reason, by }: { userNum: number; post: number; hours: number; reason: string; by: number },
): Promise<number | null> {
  await lockWriter(tx, userNum)
  const starts_at = now()
  const ends_at = new Date(starts_at.getTime() + hours * HOUR_MS)
  const currentSilence = await tx
    .selectFrom('forum_silences')
    .where('user_num', '=', userNum)
    .where(isInForce(starts_at))
    .select('silence')
    .executeTakeFirst()
  if (currentSilence !== undefined) return null
  const { silence } = await tx
    .insertInto('forum_silences')
    .values({ user_num: userNum, reason, starts_at, ends_at, silenced_by: by, lifted_at: null, lifted_by: null, post })
    .returning('silence')
    .executeTakeFirstOrThrow()
  await sendLetter(tx, {
    kind: 'forum',
    to: userNum,
    subject: 'You cannot write in the forum for a while',
    body: `Until ${formatManilaMinute(ends_at)} (Manila) you can read the forum but not write in it.\n\nReason: ${reason}`,
    now: starts_at,
  })
  return silence
}

/** Ends a silence early and notifies the player. @returns whether it was in force */
export async function liftSilence(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  { silence, by }: { silence: number; by: number },
): Promise<boolean> {
  const liftedRow = await tx
    .updateTable('forum_silences')
    .set({ lifted_at: now(), lifted_by: by })
    .where('silence', '=', silence)
    .where(isInForce(now()))
    .returning('user_num')
    .executeTakeFirst()
  if (liftedRow === undefined) return false
  await sendLetter(tx, {
    kind: 'forum',
    to: liftedRow.user_num,
    subject: 'You can write in the forum again',
    body: 'A moderator ended your silence early. Welcome back!',
    now: now(),
  })
  return true
}
