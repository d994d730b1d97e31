import { DAY_MS } from '#contract/durations.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { OWNER } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { hashPassword, hashSecretAnswer } from '#server/features/accounts/passwords.ts'
import { personNames, playerIds } from './content/names.ts'

/** The accounts that the site prints when it starts (DECISIONS §2). */
export const DEMO_ACCOUNTS = [
  {
    userId: 'juan',
    password: 'juan-demo-1',
    first: 'Juan',
    last: 'Dela Cruz',
    answer: 'adobo',
    userType: 1,
    rCoin: 50_000,
    milleage: 20_000,
  },
  {
    userId: 'maria',
    password: 'maria-demo-1',
    first: 'Maria',
    last: 'Santos',
    answer: 'sinigang',
    userType: 1,
    rCoin: 0,
    milleage: 0,
  },
  {
    userId: 'gm',
    password: 'gm-demo-1',
    first: 'Bituin',
    last: 'Reyes',
    answer: 'kare-kare',
    userType: 11,
    rCoin: 0,
    milleage: 0,
  },
] as const

export type DemoUserId = (typeof DEMO_ACCOUNTS)[number]['userId']

const PLAYERS = 1150
/** No password has this hash, so these players cannot log in. */
const NO_PASSWORD = '!'

/** The accounts with their secrets hashed, which takes too long for a transaction. */
export function hashDemoAccounts() {
  return Promise.all(
    DEMO_ACCOUNTS.map(async (account) => ({
      ...account,
      passwordHash: await hashPassword(account.password),
      answerHash: await hashSecretAnswer(account.answer),
    })),
  )
}

/** Inserts juan, maria and gm, who owns the desk, with their balances booked in the ledger. */
export async function insertDemoAccounts(
  tx: Db,
  accounts: Awaited<ReturnType<typeof hashDemoAccounts>>,
  now: Date,
): Promise<Map<DemoUserId, number>> {
  const numbers = new Map<DemoUserId, number>()
  for (const account of accounts) {
    const { user_num } = await tx
      .insertInto('accounts')
      .values({
        user_id: account.userId,
        user_email: `${account.userId}@example.com`,
        first_name: account.first,
        last_name: account.last,
        user_type: account.userType,
        password_hash: account.passwordHash,
        secret_question: 3,
        secret_answer_hash: account.answerHash,
        gender: account.userId === 'juan' ? 'Male' : 'Female',
        country: 'PH',
        r_coin: account.rCoin,
        milleage: account.milleage,
        email_verified_at: now,
        created_at: new Date(now.getTime() - 400 * DAY_MS),
      })
      .returning('user_num')
      .executeTakeFirstOrThrow()
    numbers.set(account.userId, user_num)
    // A role of a day may not approve yet; the demo's owner may.
    const granted_at = new Date(now.getTime() - 400 * DAY_MS)
    if (account.userType >= ADMIN_USER_TYPE)
      await tx.insertInto('staff_members').values({ user_num, role: OWNER, granted_by: null, granted_at }).execute()
    const balances = [['r_coin', account.rCoin] as const, ['milleage', account.milleage] as const]
    for (const [currency, delta] of balances) {
      if (delta === 0) continue
      await tx
        .insertInto('ledger')
        .values({
          user_num,
          currency,
          delta,
          balance_after: delta,
          reason: 'opening balance',
          created_at: new Date(now.getTime() - 400 * DAY_MS),
        })
        .execute()
    }
  }
  return numbers
}

/** The other players. A few are blocked or staff, which the rankings leave out. */
export function makePlayers(random: () => number, now: Date) {
  const ids = playerIds(random, PLAYERS)
  const names = personNames(random, PLAYERS)
  return ids.map((user_id, index) => ({
    user_id,
    user_email: `${user_id.toLowerCase()}@example.com`,
    first_name: names[index]?.first ?? '',
    last_name: names[index]?.last ?? '',
    user_type: index % 230 === 7 ? 11 : 1,
    blocked_at: index % 190 === 11 ? now : null,
    password_hash: NO_PASSWORD,
    secret_question: 1 + (index % 6),
    secret_answer_hash: NO_PASSWORD,
    gender: random() < 0.6 ? ('Male' as const) : ('Female' as const),
    country: 'PH',
    email_verified_at: now,
    created_at: new Date(now.getTime() - Math.floor(random() * 700) * DAY_MS),
  }))
}

/** Inserts the other players. @returns their numbers */
export async function insertPlayers(tx: Db, random: () => number, now: Date): Promise<number[]> {
  const rows = await tx.insertInto('accounts').values(makePlayers(random, now)).returning('user_num').execute()
  return rows.map((row) => row.user_num)
}
