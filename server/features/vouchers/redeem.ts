import { VOUCHER_FAILURES_MAX } from '#contract/limits.ts'
import { VOUCHER } from '#contract/shop-messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, tooMany } from '#server/errors.ts'
import { countAttempt, takeBackAttempt } from '#server/http/attempts.ts'
import { answerOnce, type MoneyAnswer } from '../wallet/service.ts'

type Asked = { userNum: number; key: string | null; code: string; referral: string }

const refuse = (message: string): MoneyAnswer => ({ status: 422, body: { error: message, message } })

/**
 * Redeems a voucher, once ever (DECISIONS §3 processCoupon): the voucher's row is locked, its
 * value booked and the top-up written in one transaction. Refusals are answers too, kept under
 * the key like successes. A refused referral code does not count as a failed voucher.
 *
 * @throws Refusal 429 after ten failures in 15 minutes
 */
export async function redeemVoucher(deps: Deps, asked: Asked): Promise<MoneyAnswer> {
  const { db, now, config } = deps
  const failures = `voucher:${asked.userNum}`
  if (config.rateLimit) {
    const attempt = await countAttempt(db, { key: failures, now: now() })
    if (attempt.count > VOUCHER_FAILURES_MAX) throw tooMany(attempt.retryAfterSeconds)
  }
  let counts = true
  const request = { userNum: asked.userNum, key: asked.key, content: `processCoupon ${asked.code} ${asked.referral}` }
  try {
    const answer = await answerOnce(deps, request, () =>
      db.transaction().execute(async (tx) => {
        const verdict = await settleVoucher(tx, asked, now())
        counts = verdict.counts
        if (asked.key !== null) await keepAnswer(tx, request, verdict.answer, now())
        return verdict.answer
      }),
    )
    if (answer.status === 200) counts = false
    return answer
  } catch (error) {
    counts = error instanceof Refusal ? counts : false
    throw error
  } finally {
    if (config.rateLimit && !counts) await takeBackAttempt(db, failures)
  }
}

async function settleVoucher(tx: Db, asked: Asked, now: Date): Promise<{ answer: MoneyAnswer; counts: boolean }> {
  // The account first, as everywhere money moves; it also makes "one per account" exact.
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', asked.userNum)
    .select(['r_coin', 'milleage', 'topup_count'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (asked.referral !== '') {
    const known = await tx
      .selectFrom('referral_codes')
      .where('code', '=', asked.referral)
      .select('code')
      .executeTakeFirst()
    if (known === undefined) return { answer: refuse(VOUCHER.unknownReferral), counts: false }
  }
  const voucher = await tx
    .selectFrom('vouchers')
    .where('code', '=', asked.code)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  const wrong = voucher === undefined ? VOUCHER.unknown : await whyNot(tx, voucher, asked.userNum, now)
  if (voucher === undefined || wrong !== null) return { answer: refuse(wrong ?? VOUCHER.unknown), counts: true }

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
    counts: false,
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

async function keepAnswer(
  tx: Db,
  { userNum, key, content }: { userNum: number; key: string | null; content: string },
  answer: MoneyAnswer,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('kept_answers')
    .values({
      user_num: userNum,
      key: key ?? '',
      content,
      status: answer.status,
      body: JSON.stringify(answer.body),
      created_at: now,
    })
    .execute()
}
