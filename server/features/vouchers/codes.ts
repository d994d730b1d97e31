import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { VOUCHER_VALUE_MAX, VOUCHERS_AT_ONCE } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { changeCampaign } from '#contract/vouchers.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { createGroupedCode } from '#server/http/tokens.ts'
import { findCampaign, isSuspended } from './campaigns.ts'

const CODES_PER_STATEMENT = 1000

/** The terms of a campaign, which limit who may redeem its codes and until when. */
export type CampaignTerms = {
  name: string
  expiresAt: Date | null
  /** The number of codes that an account may redeem; null for any number. */
  perAccount: number | null
  /** The number of codes that may be redeemed in total; null for all codes. */
  inTotal: number | null
  /** The referral code of the streamer who gives the codes to players. */
  streamer: string | null
}

/** A campaign's terms, the number of its codes, and the value of each. */
export type NewCampaign = CampaignTerms & { count: number; rCoin: number; milleage: number }

/** Returns the hash under which the database stores a voucher. It needs no secret key, because codes have 80 random bits. */
export function hashVoucher(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/**
 * Creates a code such as K7QX-M2PD-9WRA-3HTB with 80 random bits. It has capital letters because the input fields show them.
 */
const createCode = () => createGroupedCode(4)

/**
 * Creates a campaign and returns its codes, within the caller's transaction. They cannot be read later, because the
 * database stores only their hashes.
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

/** Inserts a campaign with the given codes. @throws Refusal 422 for contradicting values */
export async function insertCampaign(
  tx: Db,
  campaign: Omit<NewCampaign, 'count'>,
  codes: readonly string[],
  { now, madeBy }: { now: Date; madeBy: number | null },
): Promise<number> {
  const { rCoin, milleage, expiresAt, inTotal, perAccount, streamer } = campaign
  if (codes.length < 1 || codes.length > VOUCHERS_AT_ONCE)
    throw createInputRefusal({ count: [`A campaign has 1 to ${formatCount(VOUCHERS_AT_ONCE)} codes.`] })
  if (rCoin + milleage < 1) throw createInputRefusal({ r_coin: ['A code must be worth something.'] })
  if (Math.max(rCoin, milleage) > VOUCHER_VALUE_MAX)
    throw createInputRefusal({
      [rCoin > milleage ? 'r_coin' : 'milleage']: [`A code is worth at most ${formatCount(VOUCHER_VALUE_MAX)}.`],
    })
  if (expiresAt !== null && expiresAt <= now) throw createInputRefusal({ expires: ['This day is over.'] })
  await validateTerms(tx, campaign, codes.length)
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
  for (let from = 0; from < codes.length; from += CODES_PER_STATEMENT) {
    const hashes = codes.slice(from, from + CODES_PER_STATEMENT).map(hashVoucher)
    await sql`insert into vouchers (code_hash, campaign) select unnest(${hashes}::text[]), ${id}`.execute(tx)
  }
  return id
}

/** Records that an operator created, changed or approved codes, which prevents them from redeeming the codes. */
export async function storeMaker(
  tx: Db,
  author: { user_num: number } & ({ campaign: number } | { referral_code: string }),
): Promise<void> {
  await tx
    .insertInto('voucher_makers')
    .values({ campaign: null, referral_code: null, ...author })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @throws Refusal 422 for a limit above the number of codes, or an unknown streamer */
async function validateTerms(
  tx: Db,
  { inTotal, streamer }: Pick<CampaignTerms, 'inTotal' | 'streamer'>,
  codes: number,
) {
  if (inTotal !== null && inTotal > codes)
    throw createInputRefusal({ in_total: ['The limit in total is higher than the number of codes.'] })
  if (streamer !== null && !(await isStreamer(tx, streamer)))
    throw createInputRefusal({ streamer: ['There is no such streamer.'] })
}

/**
 * Changes the terms of a campaign within the caller's transaction. The number and the value of its codes stay. Redemptions
 * lock the campaign too, so either the old or the new terms apply to each redemption.
 *
 * @returns the campaign before and after; undefined for an unknown campaign
 * @throws Refusal 422 for contradicting terms, 409 for another version
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
  const expiryBefore = before.expires_at === null ? null : new Date(before.expires_at)
  const isSameDay =
    expiryBefore !== null && terms.expiresAt !== null && toManilaDay(expiryBefore) === toManilaDay(terms.expiresAt)
  const expiresAt = isSameDay ? expiryBefore : terms.expiresAt
  if (expiresAt !== null && !isSameDay && expiresAt <= now) throw createInputRefusal({ expires: ['This day is over.'] })
  if (inTotal !== null && inTotal < before.redeemed)
    throw createInputRefusal({ in_total: ['More codes than that have already been redeemed.'] })
  await validateTerms(tx, terms, before.codes)
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
  const streamerRow = await tx.selectFrom('referral_codes').where('code', '=', code).select('code').executeTakeFirst()
  return streamerRow !== undefined
}

/**
 * Revokes the unused codes of a campaign, within the caller's transaction (UNDO-7). They are suspended, and can be
 * restored for seven days. A concurrent redemption either commits first or is refused.
 *
 * @returns the number of revoked codes; undefined for an unknown campaign
 */
export async function revokeUnusedCodes(tx: Db, campaign: number, now: Date): Promise<number | undefined> {
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

/** Revokes one code, within the caller's transaction. @returns its campaign, or the code of the refusal */
export async function revokeCode(
  tx: Db,
  code: string,
  now: Date,
): Promise<{ campaign: number } | { refused: 'unknownCode' | 'codeUsed' | 'codeRevoked' }> {
  const voucher = await findCode(tx, code)
  if (voucher === undefined) return { refused: 'unknownCode' }
  await lockCampaign(tx, voucher.campaign)
  const updateResult = await tx
    .updateTable('vouchers')
    .set({ revoked_at: now })
    .where('code_hash', '=', voucher.code_hash)
    .where('redeemed_by', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (updateResult.numUpdatedRows !== 1n)
    return { refused: (await findCode(tx, code))?.revoked_at == null ? 'codeUsed' : 'codeRevoked' }
  await countRevoked(tx, voucher.campaign, 1)
  return { campaign: voucher.campaign }
}

/**
 * Restores all suspended codes of a campaign, or one code, within the caller's transaction (UNDO-7). Each code's end
 * moves by the time for which it was suspended.
 *
 * @param which.hash the hash of the code to restore; absent for all codes
 * @returns the number of restored codes; undefined for an unknown campaign
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
  const longestSuspension = Math.max(0, ...rows.map(({ suspended_ms }) => Number(suspended_ms)))
  await tx
    .updateTable('voucher_campaigns')
    .set((eb) => ({
      revoked: eb('revoked', '-', rows.length),
      suspended_ms: eb.fn<number>('greatest', ['suspended_ms', eb.val(longestSuspension)]),
    }))
    .where('id', '=', campaign)
    .execute()
  return rows.length
}

/** Finds a voucher by an entered code. Ignores surrounding spaces and letter case, as the players' form does. */
export async function findCode(db: Db, enteredCode: string) {
  const code = enteredCode.trim()
  const matchingCodes = await db
    .selectFrom('vouchers')
    .where('code_hash', 'in', [hashVoucher(code), hashVoucher(code.toUpperCase())])
    .selectAll()
    .execute()
  return matchingCodes.find(({ code_hash }) => code_hash === hashVoucher(code)) ?? matchingCodes[0]
}

/** Locks a campaign against redemptions, which take the same lock. @returns whether the campaign exists */
async function lockCampaign(tx: Db, campaign: number): Promise<boolean> {
  const campaignRow = await tx
    .selectFrom('voucher_campaigns')
    .where('id', '=', campaign)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return campaignRow !== undefined
}

async function countRevoked(tx: Db, campaign: number, count: number): Promise<void> {
  await tx
    .updateTable('voucher_campaigns')
    .set((eb) => ({ revoked: eb('revoked', '+', count) }))
    .where('id', '=', campaign)
    .execute()
}

/** Adds or renames a streamer, whose code players enter as their referral code. */
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
 * Selects for each streamer the redemptions with the referral code, and how many codes of the streamer's campaigns exist and
 * were redeemed.
 */
export async function selectStreamerResults(db: Db, { after, size }: { after: string; size: number }) {
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
