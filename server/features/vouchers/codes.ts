import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { VOUCHER_VALUE_MAX, VOUCHERS_AT_ONCE } from '#contract/limits.ts'
import { manilaDay } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { changeCampaign } from '#contract/vouchers.ts'
import type { Db } from '#server/db/open.ts'
import { fieldRefusal, refuse } from '#server/errors.ts'
import { createGroupedCode } from '#server/http/tokens.ts'
import { findCampaign, isSuspended } from './campaigns.ts'

const CODES_A_STATEMENT = 1000

/** The terms of a campaign: who may redeem its codes, and until when. */
export type CampaignTerms = {
  name: string
  expiresAt: Date | null
  /** How many of the codes an account may redeem; null for any number. */
  perAccount: number | null
  /** The number of codes that may be redeemed in total; null for all of them. */
  inTotal: number | null
  /** The referral code of the streamer whom the codes are for. */
  streamer: string | null
}

/** A campaign's terms, the number of its codes, and the worth of each. */
export type NewCampaign = CampaignTerms & { count: number; rCoin: number; milleage: number }

/** Returns the hash under which the database stores a voucher. A code has enough random bits that no key is needed. */
export function hashVoucher(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** A code such as K7QX-M2PD-9WRA-3HTB: 80 random bits, in capitals because the inputs show capitals. */
const createCode = () => createGroupedCode(4)

/**
 * Creates a campaign with its codes, within the caller's transaction. The database stores only hashes of the codes, so
 * this is the only time that they can be read.
 *
 * @param madeBy the operator, null for a command
 * @throws Refusal 422 for contradicting values
 */
export async function mintCampaign(
  tx: Db,
  campaign: NewCampaign,
  { now, madeBy }: { now: Date; madeBy: number | null },
): Promise<{ campaign: number; codes: string[] }> {
  const codes = Array.from({ length: campaign.count }, createCode)
  return { campaign: await insertCampaign(tx, campaign, codes, { now, madeBy }), codes }
}

/** Inserts a campaign with given codes. @throws Refusal 422 for values that make no sense together */
export async function insertCampaign(
  tx: Db,
  campaign: Omit<NewCampaign, 'count'>,
  codes: readonly string[],
  { now, madeBy }: { now: Date; madeBy: number | null },
): Promise<number> {
  const { rCoin, milleage, expiresAt, inTotal, perAccount, streamer } = campaign
  if (codes.length < 1 || codes.length > VOUCHERS_AT_ONCE)
    throw fieldRefusal({ count: [`A campaign has 1 to ${formatCount(VOUCHERS_AT_ONCE)} codes.`] })
  if (rCoin + milleage < 1) throw fieldRefusal({ r_coin: ['A code must be worth something.'] })
  if (Math.max(rCoin, milleage) > VOUCHER_VALUE_MAX)
    throw fieldRefusal({
      [rCoin > milleage ? 'r_coin' : 'milleage']: [`A code is worth at most ${formatCount(VOUCHER_VALUE_MAX)}.`],
    })
  if (expiresAt !== null && expiresAt <= now) throw fieldRefusal({ expires: ['This day is over.'] })
  await checkTerms(tx, campaign, codes.length)
  const { id } = await tx
    .insertInto('voucher_campaigns')
    .values({
      name: campaign.name,
      r_coin: rCoin,
      milleage,
      codes: codes.length,
      expires_at: expiresAt,
      per_account: perAccount,
      in_total: inTotal,
      streamer,
      made_by: madeBy,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (madeBy !== null) await storeMaker(tx, { user_num: madeBy, campaign: id })
  for (let from = 0; from < codes.length; from += CODES_A_STATEMENT) {
    const hashes = codes.slice(from, from + CODES_A_STATEMENT).map(hashVoucher)
    await sql`insert into vouchers (code_hash, campaign) select unnest(${hashes}::text[]), ${id}`.execute(tx)
  }
  return id
}

/** Records that an operator was involved in codes, which they then cannot redeem. */
export async function storeMaker(
  tx: Db,
  made: { user_num: number } & ({ campaign: number } | { referral_code: string }),
): Promise<void> {
  await tx
    .insertInto('voucher_makers')
    .values({ campaign: null, referral_code: null, ...made })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @throws Refusal 422 for a limit above the number of codes, or a streamer who is not there */
async function checkTerms(tx: Db, { inTotal, streamer }: Pick<CampaignTerms, 'inTotal' | 'streamer'>, codes: number) {
  if (inTotal !== null && inTotal > codes)
    throw fieldRefusal({ in_total: ['The limit in total is higher than the number of codes.'] })
  if (streamer !== null && !(await isStreamer(tx, streamer)))
    throw fieldRefusal({ streamer: ['There is no such streamer.'] })
}

/**
 * Changes who may redeem the codes of a campaign until when, within the caller's transaction; their number and value stay.
 * Redemptions lock the campaign too, so each is settled by the terms before or after.
 *
 * @returns the campaign before and after; undefined if there is none
 * @throws Refusal 422 for terms that make no sense, 409 for another version
 */
export async function changeTerms(
  tx: Db,
  { campaign, version, terms }: { campaign: number; version: number; terms: CampaignTerms },
  { now, changedBy }: { now: Date; changedBy: number },
) {
  if (!(await lockCampaign(tx, campaign))) return undefined
  const before = await findCampaign(tx, campaign, now)
  if (before === undefined) return undefined
  if (before.version !== version) throw refuse(changeCampaign, 'conflict')
  const { name, perAccount, inTotal, streamer } = terms
  const end = before.expires_at === null ? null : new Date(before.expires_at)
  const isSameDay = end !== null && terms.expiresAt !== null && manilaDay(end) === manilaDay(terms.expiresAt)
  const expiresAt = isSameDay ? end : terms.expiresAt
  if (expiresAt !== null && !isSameDay && expiresAt <= now) throw fieldRefusal({ expires: ['This day is over.'] })
  if (inTotal !== null && inTotal < before.redeemed)
    throw fieldRefusal({ in_total: ['More codes than that have already been redeemed.'] })
  await checkTerms(tx, terms, before.codes)
  await tx
    .updateTable('voucher_campaigns')
    .set({ name, expires_at: expiresAt, per_account: perAccount, in_total: inTotal, streamer, version: version + 1 })
    .where('id', '=', campaign)
    .execute()
  await storeMaker(tx, { user_num: changedBy, campaign })
  const after = await findCampaign(tx, campaign, now)
  return after && { before, after }
}

async function isStreamer(tx: Db, code: string): Promise<boolean> {
  const known = await tx.selectFrom('referral_codes').where('code', '=', code).select('code').executeTakeFirst()
  return known !== undefined
}

/**
 * Revokes the unused codes of a campaign, within the caller's transaction. They are suspended: for seven days they can be
 * restored. A player who redeems one of them at the same moment either was first or is refused.
 *
 * @returns how many codes were revoked; undefined if there is no such campaign
 */
export async function revokeUnused(tx: Db, campaign: number, now: Date): Promise<number | undefined> {
  if (!(await lockCampaign(tx, campaign))) return undefined
  const { numUpdatedRows } = await tx
    .updateTable('vouchers')
    .set({ revoked_at: now })
    .where('campaign', '=', campaign)
    .where('redeemed_by', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  await countRevoked(tx, campaign, Number(numUpdatedRows))
  return Number(numUpdatedRows)
}

/** Revokes one code, within the caller's transaction. @returns its campaign, or why it could not be revoked */
export async function revokeCode(
  tx: Db,
  code: string,
  now: Date,
): Promise<{ campaign: number } | { refused: 'unknownCode' | 'codeUsed' | 'codeRevoked' }> {
  const voucher = await findCode(tx, code)
  if (voucher === undefined) return { refused: 'unknownCode' }
  await lockCampaign(tx, voucher.campaign)
  const revoked = await tx
    .updateTable('vouchers')
    .set({ revoked_at: now })
    .where('code_hash', '=', voucher.code_hash)
    .where('redeemed_by', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (revoked.numUpdatedRows !== 1n)
    return { refused: (await findCode(tx, code))?.revoked_at == null ? 'codeUsed' : 'codeRevoked' }
  await countRevoked(tx, voucher.campaign, 1)
  return { campaign: voucher.campaign }
}

/**
 * Restores the suspended codes of a campaign, or one of them, within the caller's transaction. Each ends as much later as it
 * was suspended.
 *
 * @param which.hash of the one code
 * @returns how many codes were restored; undefined if there is no such campaign
 */
export async function restoreCodes(
  tx: Db,
  { campaign, hash }: { campaign: number; hash?: string },
  now: Date,
): Promise<number | undefined> {
  if (!(await lockCampaign(tx, campaign))) return undefined
  const { rows } = await sql<{ suspended_ms: number }>`
    update vouchers v set revoked_at = null,
      suspended_ms = suspended_ms + (extract(epoch from ${now}::timestamptz - revoked_at) * 1000)::bigint
    where campaign = ${campaign} and ${isSuspended(now)} and (${hash ?? null}::text is null or code_hash = ${hash ?? null})
    returning suspended_ms`.execute(tx)
  const longest = Math.max(0, ...rows.map(({ suspended_ms }) => Number(suspended_ms)))
  await tx
    .updateTable('voucher_campaigns')
    .set((eb) => ({
      revoked: eb('revoked', '-', rows.length),
      suspended_ms: eb.fn<number>('greatest', ['suspended_ms', eb.val(longest)]),
    }))
    .where('id', '=', campaign)
    .execute()
  return rows.length
}

/** Finds a voucher by typed text: surrounding spaces and letter case do not count, as in the site's own form. */
export async function findCode(db: Db, typed: string) {
  const code = typed.trim()
  const found = await db
    .selectFrom('vouchers')
    .where('code_hash', 'in', [hashVoucher(code), hashVoucher(code.toUpperCase())])
    .selectAll()
    .execute()
  return found.find(({ code_hash }) => code_hash === hashVoucher(code)) ?? found[0]
}

/**
 * Redemptions lock the campaign too, so no code is redeemed while the codes are revoked. @returns whether there is one
 */
async function lockCampaign(tx: Db, campaign: number): Promise<boolean> {
  const found = await tx
    .selectFrom('voucher_campaigns')
    .where('id', '=', campaign)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

async function countRevoked(tx: Db, campaign: number, count: number): Promise<void> {
  await tx
    .updateTable('voucher_campaigns')
    .set((eb) => ({ revoked: eb('revoked', '+', count) }))
    .where('id', '=', campaign)
    .execute()
}

/** Adds a streamer, or renames one. Players type the code as their referral code. */
export async function saveStreamer(
  tx: Db,
  { code, streamer }: { code: string; streamer: string },
  { now, savedBy }: { now: Date; savedBy: number | null },
) {
  await tx
    .insertInto('referral_codes')
    .values({ code, streamer, created_at: now })
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ streamer }))
    .execute()
  if (savedBy !== null) await storeMaker(tx, { user_num: savedBy, referral_code: code })
}

/**
 * Reports the results of each streamer's referral code, and the campaigns with codes for the streamer, by referral
 * code.
 */
export async function reportStreamers(db: Db, { after, size }: { after: string; size: number }) {
  return db
    .selectFrom('referral_codes as r')
    .where('r.code', '>', after)
    .select(['r.code', 'r.streamer', 'r.redeemed', 'r.r_coin', 'r.milleage', 'r.created_at'])
    .select([
      sql<number>`(select coalesce(sum(codes), 0)::bigint from voucher_campaigns c where c.streamer = r.code)`.as(
        'given',
      ),
      sql<number>`(select coalesce(sum(redeemed), 0)::bigint from voucher_campaigns c where c.streamer = r.code)`.as(
        'given_redeemed',
      ),
    ])
    .orderBy('r.code')
    .limit(size)
    .execute()
}
