import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { formatManilaMinute, toDayRange } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import * as calls from '#contract/vouchers.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { cutPage } from '#server/http/desk-lists.ts'
import { type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import { findCampaign, findRedeemer, listCampaigns, listRedemptions } from './campaigns.ts'
import {
  type CampaignTerms,
  changeTerms,
  findCode,
  mintCampaign,
  restoreCodes,
  revokeCode,
  revokeUnusedCodes,
  saveStreamer,
  selectStreamerResults,
  storeMaker,
} from './codes.ts'

const formatCodes = (count: number) => (count === 1 ? '1 code' : `${formatCount(count)} codes`)

const formatValue = ({ r_coin, milleage }: { r_coin: number; milleage: number }) =>
  [r_coin > 0 && `${r_coin} R-Coin`, milleage > 0 && `${milleage} Milleage`].filter(Boolean).join(' and ')

/** Reads the terms from a form. @throws Refusal 422 for a day that is not in the calendar */
function readTerms(input: Omit<ValidInput<typeof calls.changeCampaign>, 'campaign' | 'version'>): CampaignTerms {
  const day = input.expires === '' ? undefined : toDayRange(input.expires)
  if (input.expires !== '' && day === undefined) throw createInputRefusal({ expires: ['There is no such day.'] })
  return {
    name: input.name,
    expiresAt: day?.endsAt ?? null,
    perAccount: input.per_account,
    inTotal: input.in_total,
    streamer: input.streamer === '' ? null : input.streamer,
  }
}

const describeValue = ({ r_coin, milleage }: { r_coin: number; milleage: number }) => ({
  'R-Coin each': r_coin,
  'Milleage each': milleage,
})

async function describeTerms(db: Db, { name, expiresAt, perAccount, inTotal, streamer: code }: CampaignTerms) {
  const streamer =
    code === null
      ? undefined
      : await db.selectFrom('referral_codes').where('code', '=', code).select('streamer').executeTakeFirst()
  return {
    name,
    'good until': expiresAt === null ? 'no end' : formatManilaMinute(expiresAt),
    'per account': perAccount ?? 'any number',
    'in total': inTotal ?? 'all of them',
    streamer: code === null ? 'none' : `${streamer?.streamer ?? ''} (${code})`,
  }
}

type CodeCounts = {
  left: number
  suspended: number
  state: string
  in_total: number | null
  codes: number
  redeemed: number
}

/** Counts the codes that could be redeemed if the suspended codes were restored (UNDO-8). */
const countRedeemable = ({ left, suspended, state, in_total, codes, redeemed }: CodeCounts) =>
  state === 'over' ? left : Math.min(left + suspended, (in_total ?? codes) - redeemed)

/** Records the operator who approved codes, who cannot redeem them. */
async function storeApprover(
  { deps, approvedBy }: Pick<DeskTools, 'approvedBy'> & { deps: { db: Db } },
  campaign: number,
) {
  if (approvedBy !== null) await storeMaker(deps.db, { user_num: approvedBy, campaign })
}

/** The calls of the desk about vouchers. */
export const voucherDeskCalls: MountedCall[] = [
  mount(calls.getCampaigns, (filters, { deps }) => listCampaigns(deps.browseDb, filters, deps.now())),

  mount(calls.getCampaign, async ({ campaign }, { deps }) => {
    const campaignRow = await findCampaign(deps.browseDb, campaign, deps.now())
    if (campaignRow === undefined) throw refuse(calls.getCampaign, 'campaignNotFound')
    return campaignRow
  }),

  mount(calls.getRedemptions, (filters, { deps }) => listRedemptions(deps.browseDb, filters)),

  mount(calls.mintVouchers, async (input, context) => {
    const { name, count, r_coin: rCoin, milleage } = input
    const campaign = { ...readTerms(input), count, rCoin, milleage }
    await context.consumePayout({
      amount: count * (rCoin + milleage),
      kind: 'voucher',
      accounts: [],
      summary: `Make ${formatCodes(count)} of ${formatValue(input)} each: ${name}`,
      effect: { codes: count, ...describeValue(input), ...(await describeTerms(context.deps.db, campaign)) },
    })
    const author = { now: context.deps.now(), madeBy: context.staff.userNum }
    const mintedCampaign = await mintCampaign(context.deps.db, campaign, author)
    await storeApprover(context, mintedCampaign.campaign)
    context.record({ target: ['campaign', mintedCampaign.campaign], after: input })
    return { message: `${formatCodes(count)} made.`, name, ...mintedCampaign }
  }),

  mount(calls.changeCampaign, async ({ campaign, version, ...input }, context) => {
    const author = { now: context.deps.now(), changedBy: context.staff.userNum }
    const campaignChange = await changeTerms(context.deps.db, { campaign, version, terms: readTerms(input) }, author)
    if (campaignChange === undefined) throw refuse(calls.changeCampaign, 'campaignNotFound')
    const { before, after } = campaignChange
    // Suspended codes count too, because they can be restored.
    const reopenedCount = Math.max(0, countRedeemable(after) - countRedeemable(before))
    await context.consumePayout({
      amount: reopenedCount * (after.r_coin + after.milleage),
      kind: 'voucher',
      accounts: [],
      summary: `Let ${formatCodes(reopenedCount)} of ${formatValue(after)} each be redeemed again: ${after.name}`,
      effect: {
        campaign,
        'codes opened again': reopenedCount,
        ...describeValue(after),
        ...(await describeTerms(context.deps.db, readTerms(input))),
      },
    })
    await storeApprover(context, campaign)
    const selectTerms = ({ name, expires_at, per_account, in_total, streamer }: typeof after) => {
      return { name, expires_at, per_account, in_total, streamer }
    }
    context.record({ target: ['campaign', campaign], before: selectTerms(before), after: selectTerms(after) })
    return { message: 'Saved.' }
  }),

  mount(calls.revokeVouchers, async ({ campaign, reason }, context) => {
    const { deps, record } = context
    const revokedCount = await revokeUnusedCodes(deps.db, campaign, deps.now())
    const campaignRow = await findCampaign(deps.db, campaign, deps.now())
    if (revokedCount === undefined || campaignRow === undefined) throw refuse(calls.revokeVouchers, 'campaignNotFound')
    await context.consumeIrreversible({
      target: ['campaign', campaign],
      accounts: [],
      summary: `Revoke the unused codes of ${campaignRow.name}`,
      effect: { campaign, name: campaignRow.name, ...describeValue(campaignRow) },
    })
    record({ target: ['campaign', campaign], after: { 'codes revoked': revokedCount }, reason })
    return { message: `${formatCodes(revokedCount)} revoked.`, revoked: revokedCount }
  }),

  mount(calls.restoreVouchers, async ({ campaign, reason }, { deps, record }) => {
    const restoredCount = await restoreCodes(deps.db, { campaign }, deps.now())
    if (restoredCount === undefined) throw refuse(calls.restoreVouchers, 'campaignNotFound')
    if (restoredCount === 0) throw refuse(calls.restoreVouchers, 'noneSuspended')
    record({ target: ['campaign', campaign], after: { 'codes restored': restoredCount }, reason })
    return { message: `${formatCodes(restoredCount)} restored.`, restored: restoredCount }
  }),

  mount(calls.lookUpVoucher, async ({ code }, { deps, record }) => {
    const voucher = await findCode(deps.db, code)
    const campaign = voucher && (await findCampaign(deps.db, voucher.campaign, deps.now()))
    record({ target: campaign ? ['campaign', campaign.campaign] : ['voucher', 'unknown'] })
    if (voucher === undefined || campaign === undefined)
      return { state: 'unknown', campaign: null, redeemed: null, revoked_at: null, suspended_until: null }
    const redeemer = voucher.redeemed_by === null ? null : await findRedeemer(deps.db, voucher.redeemed_by)
    const { revoked_at } = voucher
    const permanentAt = revoked_at === null ? null : new Date(revoked_at.getTime() + IRREVERSIBLE_AFTER_MS)
    const isSuspended = permanentAt !== null && permanentAt > deps.now()
    const endsAt = campaign.expires_at === null ? null : campaign.expires_at.getTime() + Number(voucher.suspended_ms)
    const unredeemedState =
      endsAt !== null && endsAt <= deps.now().getTime() ? 'expired' : campaign.state === 'used_up' ? 'used_up' : 'good'
    return {
      state: redeemer !== null ? 'redeemed' : revoked_at === null ? unredeemedState : 'revoked',
      campaign,
      redeemed: redeemer &&
        voucher.redeemed_at && { ...redeemer, at: voucher.redeemed_at, referral_code: voucher.referral_code },
      revoked_at,
      suspended_until: isSuspended ? permanentAt : null,
    }
  }),

  mount(calls.revokeVoucher, async ({ code, reason }, context) => {
    const { deps, record } = context
    const outcome = await revokeCode(deps.db, code, deps.now())
    if ('refused' in outcome) throw refuse(calls.revokeVoucher, outcome.refused)
    const { campaign } = outcome
    const campaignRow = await findCampaign(deps.db, campaign, deps.now())
    await context.consumeIrreversible({
      target: ['campaign', campaign],
      accounts: [],
      summary: `Revoke a code of ${campaignRow?.name}`,
      effect: { campaign, name: campaignRow?.name ?? '' },
    })
    // The approver could read the code in the request.
    await storeApprover(context, campaign)
    record({ target: ['campaign', campaign], after: { 'codes revoked': 1 }, reason })
    return { message: 'The code has been revoked.' }
  }),

  mount(calls.restoreVoucher, async ({ code, reason }, { deps, record }) => {
    const voucher = await findCode(deps.db, code)
    if (voucher === undefined) throw refuse(calls.restoreVoucher, 'unknownCode')
    const { campaign, code_hash: hash } = voucher
    if ((await restoreCodes(deps.db, { campaign, hash }, deps.now())) !== 1)
      throw refuse(calls.restoreVoucher, 'notSuspended')
    record({ target: ['campaign', campaign], after: { 'codes restored': 1 }, reason })
    return { message: 'The code can be redeemed again.' }
  }),

  mount(calls.getStreamers, async ({ after }, { deps }) => {
    const rows = await selectStreamerResults(deps.browseDb, { after, size: DESK_PAGE_SIZE + 1 })
    return cutPage(rows, (row) => row.code)
  }),

  mount(calls.saveStreamer, async ({ code, streamer }, { deps, staff, record }) => {
    const { db: tx } = deps
    const existingStreamer = await tx
      .selectFrom('referral_codes')
      .where('code', '=', code)
      .select('streamer')
      .executeTakeFirst()
    await saveStreamer(tx, { code, streamer }, { now: deps.now(), savedBy: staff.userNum })
    record({ target: ['streamer', code], before: { streamer: existingStreamer?.streamer }, after: { streamer } })
    return { message: `${streamer} has the referral code ${code}.` }
  }),
]
