import { VOUCHER_FAILURES_MAX } from '#contract/limits.ts'
import { VOUCHER } from '#contract/shop-messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { tooMany } from '#server/errors.ts'
import { countAttempt } from '#server/http/attempts.ts'
import { answerOnce, findKeptAnswer, keepAnswer, type MoneyAnswer } from '../wallet/kept-answers.ts'

type Asked = { userNum: number; key: string | null; code: string; referral: string }

const refuse = (message: string): MoneyAnswer => ({ status: 422, body: { error: message, message } })

/**
 * Redeems a voucher, once ever (DECISIONS §3 processCoupon). All in one transaction under the
 * account's lock: what the same key was answered before, the count of failures, the voucher's
 * row, its value booked, the top-up. Refusals are answers too, kept under the key like
 * successes. A refused referral code does not count as a failed voucher.
 *
 * @throws Refusal 429 after ten failures in 15 minutes, 422 for a key used for something else
 */
export function redeemVoucher(deps: Deps, asked: Asked): Promise<MoneyAnswer> {
  const { db, config } = deps
  const now = deps.now()
  const content = JSON.stringify(['processCoupon', asked.code, asked.referral])
  const request = { userNum: asked.userNum, key: asked.key, content }
  return answerOnce(deps, request, () =>
    db.transaction().execute(async (tx) => {
      const account = await tx
        .selectFrom('accounts')
        .where('user_num', '=', asked.userNum)
        .select(['r_coin', 'milleage', 'topup_count'])
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow()
      const first = await findKeptAnswer(tx, request, now)
      if (first !== undefined) return first
      if (config.rateLimit) await refuseGuesser(tx, asked.userNum, now)
      const { answer, failed } = await settleVoucher(tx, account, asked, now)
      if (failed && config.rateLimit) await countAttempt(tx, { key: failuresOf(asked.userNum), now })
      await keepAnswer(tx, request, answer, now)
      return answer
    }),
  )
}

const failuresOf = (userNum: number) => `voucher:${userNum}`

async function refuseGuesser(tx: Db, userNum: number, now: Date): Promise<void> {
  const failures = await tx
    .selectFrom('attempts')
    .where('key', '=', failuresOf(userNum))
    .where('ends_at', '>', now)
    .select(['count', 'ends_at'])
    .executeTakeFirst()
  if (failures === undefined || failures.count < VOUCHER_FAILURES_MAX) return
  throw tooMany(Math.ceil((failures.ends_at.getTime() - now.getTime()) / 1000))
}

type Account = { r_coin: number; milleage: number; topup_count: number }

async function settleVoucher(
  tx: Db,
  account: Account,
  asked: Asked,
  now: Date,
): Promise<{ answer: MoneyAnswer; failed: boolean }> {
  if (asked.referral !== '') {
    const known = await tx
      .selectFrom('referral_codes')
      .where('code', '=', asked.referral)
      .select('code')
      .executeTakeFirst()
    if (known === undefined) return { answer: refuse(VOUCHER.unknownReferral), failed: false }
  }
  const voucher = await tx
    .selectFrom('vouchers')
    .where('code', '=', asked.code)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  const wrong = voucher === undefined ? VOUCHER.unknown : await whyNot(tx, voucher, asked.userNum, now)
  if (voucher === undefined || wrong !== null) return { answer: refuse(wrong ?? VOUCHER.unknown), failed: true }

  const ordinal = account.topup_count + 1
  const after = { r_coin: account.r_coin + voucher.r_coin, milleage: account.milleage + voucher.milleage }
  await tx
    .updateTable('vouchers')
    .set({ redeemed_by: asked.userNum, redeemed_at: now, referral_code: asked.referral === '' ? null : asked.referral })
    .where('code', '=', voucher.code)
    .execute()
  await tx
    .updateTable('accounts')
    .set({ ...after, topup_count: ordinal })
    .where('user_num', '=', asked.userNum)
    .execute()
  await tx
    .insertInto('topups')
    .values({
      user_num: asked.userNum,
      ordinal,
      code: voucher.code,
      r_coin: voucher.r_coin,
      milleage: voucher.milleage,
      created_at: now,
    })
    .execute()
  for (const currency of ['r_coin', 'milleage'] as const) {
    if (voucher[currency] === 0) continue
    await tx
      .insertInto('ledger')
      .values({
        user_num: asked.userNum,
        currency,
        delta: voucher[currency],
        balance_after: after[currency],
        reason: 'voucher',
        reference: voucher.code,
        created_at: now,
      })
      .execute()
  }
  return {
    failed: false,
    answer: {
      status: 200,
      body: {
        message: VOUCHER.redeemed,
        status: 1,
        couponcode: voucher.code,
        userPoints: after.r_coin,
        userPoints2: after.milleage,
      },
    },
  }
}

type Voucher = { batch_id: number; one_per_account: boolean; redeemed_by: number | null; expires_at: Date | null }

async function whyNot(tx: Db, voucher: Voucher, userNum: number, now: Date): Promise<string | null> {
  if (voucher.redeemed_by !== null) return VOUCHER.used
  if (voucher.expires_at !== null && voucher.expires_at <= now) return VOUCHER.expired
  if (!voucher.one_per_account) return null
  const other = await tx
    .selectFrom('vouchers')
    .where('batch_id', '=', voucher.batch_id)
    .where('redeemed_by', '=', userNum)
    .select('code')
    .executeTakeFirst()
  return other === undefined ? null : VOUCHER.oncePerAccount
}
