import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Capitals and digits that are not easily confused. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODES_A_STATEMENT = 1000

export type Batch = {
  name: string
  count: number
  rCoin: number
  milleage: number
  expiresAt: Date | null
  onePerAccount: boolean
}

/** A code such as K7QX-M2PD-9WRA: 60 random bits, in capitals because the inputs show capitals. */
function createCode(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${group()}-${group()}-${group()}`
}

/** Mints a batch of vouchers in one transaction. @returns their codes */
export async function mintVouchers(db: Db, batch: Batch, now: Date): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('voucher_batches')
      .values({ name: batch.name, one_per_account: batch.onePerAccount, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const codes = new Set<string>()
    while (codes.size < batch.count) codes.add(createCode())
    const rows = [...codes].map((code) => ({
      code,
      batch_id: id,
      r_coin: batch.rCoin,
      milleage: batch.milleage,
      expires_at: batch.expiresAt,
      one_per_account: batch.onePerAccount,
    }))
    for (let from = 0; from < rows.length; from += CODES_A_STATEMENT) {
      await tx
        .insertInto('vouchers')
        .values(rows.slice(from, from + CODES_A_STATEMENT))
        .execute()
    }
    return [...codes]
  })
}

/** The redemptions and total value that each streamer's code brought. */
export async function reportReferrals(db: Db) {
  return db
    .selectFrom('referral_codes as r')
    .leftJoin('vouchers as v', 'v.referral_code', 'r.code')
    .groupBy(['r.code', 'r.streamer'])
    .select([
      'r.code',
      'r.streamer',
      sql<number>`count(v.code)`.as('redeemed'),
      sql<number>`coalesce(sum(v.r_coin), 0)::bigint`.as('r_coin'),
      sql<number>`coalesce(sum(v.milleage), 0)::bigint`.as('milleage'),
    ])
    .orderBy('r.code')
    .execute()
}
