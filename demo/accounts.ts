import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { DAY_MS } from '#contract/durations.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { OWNER } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { hashPassword, hashSecretAnswer } from '#server/features/accounts/passwords.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { recordOpening } from '#server/http/staff.ts'
import { createPersonNames, createPlayerIds } from './names.ts'
import { readTable } from './read.ts'
import { insertRows, type Random, subtractMs, type World } from './world.ts'

/** The accounts that the site prints when it starts (WORLD-2). */
export const DEMO_ACCOUNTS = readTable(
  'tables/accounts.csv',
  z.strictObject({
    user_id: z.enum(['juan', 'maria', 'gm']),
    password: z.string(),
    answer: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    staff_name: z.string().default(''),
    gender: z.enum(['Male', 'Female']),
    user_type: wholeNumber,
    r_coin: wholeNumber,
    milleage: wholeNumber,
  }),
)

const PLAYERS = 1150
/** No password has this hash, so no player can log in to these accounts. */
const NO_PASSWORD = '!'

/** Whether a database has accounts. The demo world is created only in a database without accounts. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('user_num').limit(1).executeTakeFirst()) !== undefined
}

/** Returns the demo accounts with hashed secrets. Hashing takes too long for a transaction. */
export function hashDemoAccounts() {
  return Promise.all(
    DEMO_ACCOUNTS.map(async ({ password, answer, ...account }) => ({
      ...account,
      password_hash: await hashPassword(password),
      secret_answer_hash: await hashSecretAnswer(answer),
    })),
  )
}

/** Inserts juan, maria and gm, the owner of the desk, with ledger entries for their balances. @returns their numbers */
export async function insertDemoAccounts(
  tx: Db,
  accounts: Awaited<ReturnType<typeof hashDemoAccounts>>,
  now: Date,
): Promise<Pick<World, 'juan' | 'maria' | 'gm'>> {
  const numbers = { juan: 0, maria: 0, gm: 0 }
  const created_at = subtractMs(now, 400 * DAY_MS)
  for (const account of accounts) {
    const { user_num } = await tx
      .insertInto('accounts')
      .values({
        ...account,
        user_email: `${account.user_id}@example.com`,
        secret_question: 3,
        country: 'PH',
        email_verified_at: now,
        created_at,
      })
      .returning('user_num')
      .executeTakeFirstOrThrow()
    numbers[account.user_id] = user_num
    // An operator may approve only a day after a role was granted, so the demo owner's role starts with the account.
    if (account.user_type >= ADMIN_USER_TYPE) {
      await grantRole(tx, { userNum: user_num, role: OWNER, grantedBy: null, now: created_at })
      await recordOpening({ db: tx, now: () => created_at }, user_num)
    }
    if (account.r_coin > 0) await bookOpeningBalances(tx, [user_num], account, created_at)
  }
  return numbers
}

/** Books the opening balances of players. */
export async function bookOpeningBalances(
  tx: Db,
  players: readonly number[],
  balances: { r_coin: number; milleage: number },
  created_at: Date,
): Promise<void> {
  const entries = players.flatMap((user_num) =>
    (['r_coin', 'milleage'] as const).map((currency) => {
      const delta = balances[currency]
      return { user_num, currency, delta, balance_after: delta, reason: 'opening balance', created_at }
    }),
  )
  await insertRows(tx, 'ledger', entries)
}

/** Creates the other players. Some are blocked or staff, whom the rankings omit. */
export function makePlayers(random: Random, now: Date) {
  const userIds = createPlayerIds(random, PLAYERS)
  const names = createPersonNames(random, PLAYERS)
  return userIds.map((user_id, index) => ({
    user_id,
    user_email: `${user_id.toLowerCase()}@example.com`,
    first_name: names[index]?.first ?? '',
    last_name: names[index]?.last ?? '',
    user_type: index % 230 === 7 ? ADMIN_USER_TYPE : 1,
    blocked_at: index % 190 === 11 ? now : null,
    password_hash: NO_PASSWORD,
    secret_question: 1 + (index % 6),
    secret_answer_hash: NO_PASSWORD,
    gender: random() < 0.6 ? ('Male' as const) : ('Female' as const),
    country: 'PH',
    email_verified_at: now,
    created_at: subtractMs(now, Math.floor(random() * 700) * DAY_MS),
  }))
}

/** Inserts the other players. @returns their numbers */
export async function insertPlayers(tx: Db, random: Random, now: Date): Promise<number[]> {
  await insertRows(tx, 'accounts', makePlayers(random, now))
  const rows = await tx
    .selectFrom('accounts')
    .where('password_hash', '=', NO_PASSWORD)
    .select('user_num')
    .orderBy('user_num')
    .execute()
  return rows.map((row) => row.user_num)
}
