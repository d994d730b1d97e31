import { KEPT_ANSWER_MS } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { isUniqueViolation } from '#server/db/errors.ts'
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
      if (request.key === null || !isUniqueViolation(error, 'kept_answers_pkey') || attempt === 2) throw error
      const first = await findKeptAnswer(deps.db, request, deps.now())
      if (first !== undefined) return first
    }
  }
}

/**
 * The first answer under a key; one older than 24 h is forgotten, so that the call may run.
 *
 * @throws Refusal 422 for a key that was used for something else
 */
export async function findKeptAnswer(
  db: Db,
  { userNum, key, content }: MoneyRequest,
  now: Date,
): Promise<MoneyAnswer | undefined> {
  if (key === null) return undefined
  const kept = await db
    .selectFrom('kept_answers')
    .where('user_num', '=', userNum)
    .where('key', '=', key)
    .selectAll()
    .executeTakeFirst()
  if (kept === undefined) return undefined
  if (now.getTime() - kept.created_at.getTime() > KEPT_ANSWER_MS) {
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

/** Keeps the answer of a call under its key, in the call's own transaction. */
export async function keepAnswer(tx: Db, request: MoneyRequest, answer: MoneyAnswer, now: Date): Promise<void> {
  const { userNum: user_num, key, content } = request
  if (key === null) return
  const { status, body } = answer
  await tx
    .insertInto('kept_answers')
    .values({ user_num, key, content, status, body: JSON.stringify(body), created_at: now })
    .execute()
}

/** Removes answers nobody can ask for again. */
export async function sweepKeptAnswers(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('kept_answers')
    .where('created_at', '<', new Date(now.getTime() - KEPT_ANSWER_MS))
    .execute()
}
