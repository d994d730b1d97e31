import { sql } from 'kysely'
import type { z } from 'zod'
import { HISTORY_PAGE_SIZE } from '#contract/limits.ts'
import { formatMoney } from '#contract/numbers.ts'
import { paginate } from '#contract/paging.ts'
import { VOUCHER_TEXTS } from '#contract/shop.ts'
import { processCoupon } from '#contract/vouchers.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { formatAmounts, sendLetter } from '#server/features/mailbox/letters.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import { refuseInMaintenance } from '#server/maintenance.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import { hashVoucher } from './codes.ts'

type Redemption = z.input<(typeof processCoupon)['output']>

/** The codes that the player entered; `referral` is '' if they entered none. */
type EnteredCodes = { code: string; referral: string }

/**
 * Redeems a voucher, which works only once (REDEEM-5), in the transaction of the call. Locks the account's row, which
 * serialises the counting of failures. A refused code counts as a failure, a refused referral code does not.
 *
 * @returns a refusal instead of throwing it, because the transaction must commit the counted failure
 * @throws Refusal 429 after ten failures in 15 minutes, 503 during maintenance
 */
export async function redeemVoucher(
  { db: tx, now, limits }: Pick<Deps, 'db' | 'now' | 'limits'>,
  userNum: number,
  enteredCodes: EnteredCodes,
): Promise<Redemption | Refusal> {
  await refuseInMaintenance({ db: tx, now }, 'topups')
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'r_coin', 'milleage', 'topup_count'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await limits.check('voucherFailures', userNum, tx)
  const outcome = await redeemOrRefuse(tx, account, enteredCodes, now())
  if (outcome instanceof Refusal && !isAboutReferral(outcome)) await limits.count('voucherFailures', userNum, tx)
  return outcome
}

/** Returns whether the referral code was refused. That does not count (REDEEM-6), because it does not help to guess vouchers. */
const isAboutReferral = ({ id }: Refusal) => id === 'unknownReferral' || id === 'ownReferral'

const createRefusal = (code: Exclude<keyof (typeof processCoupon)['errors'], 'maintenance'>) =>
  refuse(processCoupon, code)

type Account = { user_num: number; r_coin: number; milleage: number; topup_count: number }

/**
 * Redeems the code for its R-Coin and Milleage (REDEEM-1), or returns the refusal. Locks in this order: account (locked by the caller), campaign, voucher,
 * streamer. The campaign's lock protects its counts from concurrent redemptions and revocations.
 */
export async function redeemOrRefuse(
  tx: Db,
  account: Account,
  { code, referral }: EnteredCodes,
  now: Date,
): Promise<Redemption | Refusal> {
  if (referral !== '' && !(await isReferralCode(tx, referral))) return createRefusal('unknownReferral')
  const voucher = await findVoucher(tx, code)
  if (voucher === undefined) return createRefusal('unknown')
  if (voucher.redeemed_by !== null || (await isInHistory(tx, code))) return createRefusal('used')
  if (voucher.revoked_at !== null) return createRefusal('unknown')

  const campaign = await tx
    .selectFrom('voucher_campaigns')
    .where('id', '=', voucher.campaign)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const makerCodes = await findMakerCodes(tx, account.user_num, {
    campaign: campaign.id,
    codes: [campaign.streamer, referral],
  })
  if (makerCodes.some((code) => code === null || code === campaign.streamer)) return createRefusal('ownCode')
  if (makerCodes.length > 0) return createRefusal('ownReferral')
  const { expires_at } = campaign
  // The time for which a code was suspended moves its end.
  if (expires_at !== null && expires_at.getTime() + Number(voucher.suspended_ms) <= now.getTime())
    return createRefusal('expired')
  if (campaign.per_account !== null && (await countRedeemed(tx, campaign.id, account.user_num)) >= campaign.per_account)
    return createRefusal('oncePerAccount')
  if (campaign.in_total !== null && campaign.redeemed >= campaign.in_total) return createRefusal('allRedeemed')

  // The update checks again, because the code may have been redeemed or revoked since it was read.
  const redemption = await tx
    .updateTable('vouchers')
    .set({ redeemed_by: account.user_num, redeemed_at: now, referral_code: referral === '' ? null : referral })
    .where('code_hash', '=', voucher.code_hash)
    .where('redeemed_by', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (redemption.numUpdatedRows !== 1n)
    return createRefusal((await findVoucher(tx, code))?.revoked_at == null ? 'used' : 'unknown')
  const { r_coin, milleage } = campaign
  await tx
    .updateTable('voucher_campaigns')
    .set((eb) => ({ redeemed: eb('redeemed', '+', 1) }))
    .where('id', '=', campaign.id)
    .execute()
  if (referral !== '')
    await tx
      .updateTable('referral_codes')
      .set((eb) => ({
        redeemed: eb('redeemed', '+', 1),
        r_coin: eb('r_coin', '+', r_coin),
        milleage: eb('milleage', '+', milleage),
      }))
      .where('code', '=', referral)
      .execute()
  return creditAccount(tx, account, { code, r_coin, milleage }, now)
}

/** Selects a voucher by its code, of which only the hash is stored. */
function findVoucher(tx: Db, code: string) {
  return tx.selectFrom('vouchers').where('code_hash', '=', hashVoucher(code)).selectAll().executeTakeFirst()
}

/** Returns whether a code is in the history of top-ups, independent of its row's state. */
async function isInHistory(tx: Db, code: string): Promise<boolean> {
  const topupRow = await tx.selectFrom('topups').where('code', '=', code).select('code').executeTakeFirst()
  return topupRow !== undefined
}

async function isReferralCode(tx: Db, code: string): Promise<boolean> {
  const referralRow = await tx.selectFrom('referral_codes').where('code', '=', code).select('code').executeTakeFirst()
  return referralRow !== undefined
}

/** Returns the referral codes that the account saved or approved as an operator, and null if it did that for the campaign. */
async function findMakerCodes(
  tx: Db,
  userNum: number,
  { campaign, codes }: { campaign: number; codes: readonly (string | null)[] },
): Promise<(string | null)[]> {
  const rows = await tx
    .selectFrom('voucher_makers')
    .where('user_num', '=', userNum)
    .where((eb) => eb.or([eb('campaign', '=', campaign), eb('referral_code', 'in', codes)]))
    .select('referral_code')
    .execute()
  return rows.map(({ referral_code }) => referral_code)
}

/** Counts the codes of a campaign that an account has redeemed. The account's lock prevents concurrent redemptions. */
async function countRedeemed(tx: Db, campaign: number, userNum: number): Promise<number> {
  const { count } = await tx
    .selectFrom('vouchers')
    .where('campaign', '=', campaign)
    .where('redeemed_by', '=', userNum)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Adds a voucher's value to the account's balances, its ledger and its history of top-ups. The message names the value and
 * the new balance (REDEEM-8).
 */
async function creditAccount(
  tx: Db,
  account: Account,
  { code, r_coin, milleage }: { code: string; r_coin: number; milleage: number },
  now: Date,
): Promise<Redemption> {
  const { user_num } = account
  const currencies = await selectCurrencyNames(tx)
  const ordinal = account.topup_count + 1
  await tx.updateTable('accounts').set({ topup_count: ordinal }).where('user_num', '=', user_num).execute()
  await tx.insertInto('topups').values({ user_num, ordinal, code, r_coin, milleage, created_at: now }).execute()
  const booking = { reason: 'voucher', reference: code, now }
  if (r_coin > 0) await bookMoney(tx, user_num, { currency: 'r_coin', delta: r_coin, ...booking })
  if (milleage > 0) await bookMoney(tx, user_num, { currency: 'milleage', delta: milleage, ...booking })
  await sendLetter(tx, {
    kind: 'voucher',
    to: user_num,
    subject: `Your voucher was worth ${formatAmounts({ r_coin, milleage }, currencies)}`,
    body: `You redeemed the code ${code}. It is in your balance now.`,
    link: '/topuphistory',
    now,
  })
  const userPoints = account.r_coin + r_coin
  const userPoints2 = account.milleage + milleage
  const amounts = [
    [currencies.rCoin, r_coin, userPoints],
    [currencies.milleage, milleage, userPoints2],
  ] as const
  const lines = amounts
    .filter(([, amount]) => amount > 0)
    .map(([name, amount, balance]) => `You got ${formatMoney(amount)} ${name} and have ${formatMoney(balance)} now.`)
  return { message: [VOUCHER_TEXTS.redeemed, ...lines].join(' '), status: 1, couponcode: code, userPoints, userPoints2 }
}

/**
 * Returns a page of an account's redemptions, newest first (HISTORY-3). Finds rows by their number within the account, so a
 * late page of a long history costs as much as the first.
 */
export async function listTopups({ db }: Deps, userNum: number, requestedPage: number) {
  const { topup_count: total } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('topup_count')
    .executeTakeFirstOrThrow()
  const { page, paging } = paginate(requestedPage, total, HISTORY_PAGE_SIZE)
  const lastOrdinal = total - (page - 1) * HISTORY_PAGE_SIZE
  const rows = await db
    .selectFrom('topups')
    .where('user_num', '=', userNum)
    .where('ordinal', '<=', lastOrdinal)
    .where('ordinal', '>', lastOrdinal - HISTORY_PAGE_SIZE)
    .select(['code', 'r_coin', 'milleage', 'created_at'])
    .orderBy('ordinal', 'desc')
    .execute()
  return {
    topuphistory: rows.map((row) => ({
      CardCode: row.code,
      DateTopUp: row.created_at,
      Cardvalue: row.r_coin,
      CardMilleage: row.milleage,
    })),
    ...paging,
  }
}
