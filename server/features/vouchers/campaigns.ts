import { type NotNull, type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import type { CAMPAIGN_STATES } from '#contract/vouchers.ts'
import type { Db } from '#server/db/open.ts'
import { createCursorError, cutPage, parseCursor } from '#server/http/desk-lists.ts'

type CampaignState = (typeof CAMPAIGN_STATES)[number]
type CampaignFilters = { after: string; name: string; state: CampaignState | ''; streamer: string }

/**
 * The number of codes of a campaign `c` that are neither redeemed nor revoked, at most the rest of its limit. Ignores whether
 * the campaign is over.
 */
const UNUSED_CODES = sql<number>`least(c.codes - c.revoked, coalesce(c.in_total, c.codes)) - c.redeemed`

/** Tests whether a revoked code `v` is suspended, which means that it can still be restored. */
export const isSuspended = (now: Date) =>
  sql<boolean>`v.revoked_at > ${new Date(now.getTime() - IRREVERSIBLE_AFTER_MS)}::timestamptz`

/** The end of a code `v` of the campaign `c`, which is later by the time for which the code was suspended. */
const CODE_END = sql`c.expires_at + v.suspended_ms * interval '1 millisecond'`
/** The end of the last code of the campaign `c`. */
const LAST_CODE_END = sql`c.expires_at + c.suspended_ms * interval '1 millisecond'`

const countSuspended = (now: Date) =>
  sql<number>`(case when c.revoked = 0 then 0 else (
    select count(*)::int from vouchers v where v.campaign = c.id and ${isSuspended(now)}) end)`

/** Counts the codes that can still be redeemed. After the campaign's end, that is only codes with a later end. */
const countRedeemable = (now: Date) => sql<number>`(case
  when c.expires_at is null or c.expires_at > ${now}::timestamptz then greatest(${UNUSED_CODES}, 0)
  when ${LAST_CODE_END} <= ${now}::timestamptz then 0
  else greatest(0, least(${UNUSED_CODES}, (
    select count(*)::int from vouchers v
    where v.campaign = c.id and v.redeemed_by is null and v.revoked_at is null and ${CODE_END} > ${now}::timestamptz))) end)`

const computeState = (now: Date): RawBuilder<CampaignState> => sql`case
  when c.revoked > 0 and c.redeemed + c.revoked = c.codes then 'revoked'
  when ${LAST_CODE_END} <= ${now}::timestamptz then 'over'
  when ${UNUSED_CODES} <= 0 then 'used_up'
  else 'open' end`

function selectCampaign(db: Db, now: Date) {
  return db
    .selectFrom('voucher_campaigns as c')
    .leftJoin('referral_codes as r', 'r.code', 'c.streamer')
    .leftJoin('accounts as a', 'a.user_num', 'c.made_by')
    .select(['c.id as campaign', 'c.version', 'c.name', 'c.r_coin', 'c.milleage', 'c.codes', 'c.redeemed', 'c.revoked'])
    .select(['c.expires_at', 'c.per_account', 'c.in_total', 'c.streamer', 'c.created_at'])
    .select(['r.streamer as streamer_name', 'a.user_id as made_by'])
    .select([
      computeState(now).as('state'),
      countRedeemable(now).as('left'),
      countSuspended(now).as('suspended'),
      sql<Date | null>`(case when c.revoked > 0 then (
        select min(v.revoked_at) + ${sql.lit(IRREVERSIBLE_AFTER_MS)} * interval '1 millisecond'
        from vouchers v where v.campaign = c.id and ${isSuspended(now)}) end)`.as('suspended_until'),
    ])
}

/** Selects a page of campaigns, newest first. */
export async function listCampaigns(db: Db, { after, name, state, streamer }: CampaignFilters, now: Date) {
  const rows = await selectCampaign(db, now)
    .$if(after !== '', (query) => query.where('c.id', '<', parseCursor(after)))
    .$if(name !== '', (query) => query.where(sql<boolean>`position(search_fold(${name}) in search_fold(c.name)) > 0`))
    .$if(streamer !== '', (query) => query.where('c.streamer', '=', streamer.toUpperCase()))
    .$if(state !== '', (query) => query.where(computeState(now), '=', state as CampaignState))
    .orderBy('c.id', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(rows, ({ campaign }) => campaign)
}

/** Finds a campaign by its id. */
export function findCampaign(db: Db, campaign: number, now: Date) {
  return selectCampaign(db, now).where('c.id', '=', campaign).executeTakeFirst()
}

/** Selects a page of a campaign's redeemed codes, newest first. The codes come from the top-ups, which store them as text. */
export async function listRedemptions(db: Db, { campaign, after }: { campaign: string; after: string }) {
  const [cursorTime, cursorHash = ''] = after.split('|')
  if (
    !/^(.{19,40}\|[0-9a-f]{64})?$/.test(after) ||
    Number.isNaN(Date.parse(`${after === '' ? '2026-01-01' : cursorTime}`))
  )
    throw createCursorError()
  const rows = await db
    .selectFrom('vouchers as v')
    .innerJoin('topups as t', 't.code_hash', 'v.code_hash')
    .innerJoin('accounts as a', 'a.user_num', 't.user_num')
    .where('v.campaign', '=', campaign === '' ? 0 : parseCursor(campaign))
    .where('v.redeemed_by', 'is not', null)
    .$if(after !== '', (query) =>
      query.where(sql<boolean>`(v.redeemed_at, v.code_hash) < (${cursorTime}::timestamptz, ${cursorHash})`),
    )
    .select(['t.code', 'a.user_num', 'a.user_id', 'v.redeemed_at', 'v.referral_code'])
    .select(sql<string>`v.redeemed_at::text || '|' || v.code_hash`.as('key'))
    .$narrowType<{ redeemed_at: NotNull }>()
    .orderBy('v.redeemed_at', 'desc')
    .orderBy('v.code_hash', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(rows, (row) => row.key)
}

/** Selects the player who redeemed a voucher. */
export function findRedeemer(db: Db, userNum: number) {
  return db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'user_id'])
    .executeTakeFirstOrThrow()
}
