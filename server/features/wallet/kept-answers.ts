import { KEPT_ANSWER_MS } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { ruleBroken } from '#server/errors.ts'

/** The answer of a call that moves money, as it was first given. */
export type MoneyAnswer = { status: number; body: Record<string, unknown> }

/** Who asks, under which key (null: none given), and what for; the same key must ask for the same thing. */
export type MoneyRequest = { userNum: number; key: string | null; content: string }

/**
 * Runs a call that moves money, once for each key (DECISIONS §3 retries). `move` writes its
 * answer into `kept_answers` in its own transaction; when another call with the same key was
 * first, that breaks the primary key, everything of this one is undone, and the first answer
 * is given. A call still running holds the account's row, so the second waits for it.
 *
 * @throws Refusal 422 for a key that was used for something else
 */
export async function answerOnce(
  deps: Deps,
  request: MoneyRequest,
  move: () => Promise<MoneyAnswer>,
): Promise<MoneyAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await move()
    } catch (error) {
      if (request.key === null || !isKeyTaken(error) || attempt === 2) throw error
      const first = await findKeptAnswer(deps, request)
      if (first !== undefined) return first
    }
  }
}

function isKeyTaken(error: unknown): boolean {
  const { constraint, message } = (error ?? {}) as { constraint?: unknown; message?: unknown }
  return constraint === 'kept_answers_pkey' || String(message).includes('kept_answers_pkey')
}

/** The first answer under a key; one older than 24 h is forgotten, so that the call may run. */
async function findKeptAnswer(
  { db, now }: Deps,
  { userNum, key, content }: MoneyRequest,
): Promise<MoneyAnswer | undefined> {
  const kept = await db
    .selectFrom('kept_answers')
    .where('user_num', '=', userNum)
    .where('key', '=', key ?? '')
    .selectAll()
    .executeTakeFirst()
  if (kept === undefined) return undefined
  if (now().getTime() - kept.created_at.getTime() > KEPT_ANSWER_MS) {
    await db
      .deleteFrom('kept_answers')
      .where('user_num', '=', userNum)
      .where('key', '=', kept.key)
      .where('created_at', '=', kept.created_at)
      .execute()
    return undefined
  }
  if (kept.content !== content) throw ruleBroken(SHOP.keyReused)
  return { status: kept.status, body: kept.body as Record<string, unknown> }
}

/** Removes answers nobody can ask for again. */
export async function sweepKeptAnswers(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('kept_answers')
    .where('created_at', '<', new Date(now.getTime() - KEPT_ANSWER_MS))
    .execute()
}
