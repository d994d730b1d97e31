import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'

/** Opens a session of a day for each account, as a login does. @returns their tokens */
export async function openSessions(db: Db, accounts: readonly number[]): Promise<string[]> {
  const now = new Date()
  const sessions = accounts.map((user_num) => ({ user_num, token: createToken() }))
  await db
    .insertInto('sessions')
    .values(
      sessions.map(({ user_num, token }) => ({
        user_num,
        token_hash: hashToken(token),
        address: '127.0.0.1',
        device: '',
        created_at: now,
        last_seen_at: now,
        ends_at: new Date(now.getTime() + DAY_MS),
      })),
    )
    .execute()
  return sessions.map(({ token }) => token)
}
