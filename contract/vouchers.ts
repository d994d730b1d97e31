import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { conflict, maintenance, messageSchema } from './errors.ts'
import { limitField, lineField, reasonField, wholeField } from './fields.ts'
import { VOUCHER_VALUE_MAX, VOUCHERS_AT_ONCE } from './limits.ts'
import { pagingFields, wholeNumberParam } from './paging.ts'
import { count, moment, offsetMoment } from './scalars.ts'
import { VOUCHER_TEXTS } from './shop.ts'

const vouchers = declareCalls('vouchers', 'player')

const desk = declareDeskCalls('vouchers', { read: 'vouchers.read', write: 'vouchers.mint' })

const codeField = ({ required, invalid }: { required: string; invalid: string }) =>
  f.string(required).check(f.maxLength(200, invalid), f.regex(/^\P{Cc}*$/u, invalid))

/**
 * A voucher code, which is required (REDEEM-2), and an optional referral code of a streamer. Only the server can check
 * whether they exist.
 */
export const redeemForm = f.object({
  CouponCode: codeField({ required: VOUCHER_TEXTS.codeRequired, invalid: VOUCHER_TEXTS.unknown }).check(
    f.refine((code) => code.trim() !== '', VOUCHER_TEXTS.codeRequired),
  ),
  ReferralCode: f.pipe(
    f.nullish(codeField({ required: VOUCHER_TEXTS.unknownReferral, invalid: VOUCHER_TEXTS.unknownReferral })),
    f.transform((code: string | null | undefined) => code?.trim() ?? ''),
  ),
})

export const processCoupon = vouchers.post('/processCoupon', {
  summary: 'Redeem a voucher, which works only once; optionally with a streamer’s referral code',
  idempotent: true,
  fields: redeemForm,
  output: z.object({
    message: z.string(),
    status: z.int(),
    couponcode: z.string(),
    userPoints: z.int(),
    userPoints2: z.int(),
  }),
  // A code that cannot be redeemed is 422 (CALL-10).
  errors: {
    unknown: { status: 422, message: VOUCHER_TEXTS.unknown, field: 'CouponCode' },
    used: { status: 422, message: VOUCHER_TEXTS.used, field: 'CouponCode' },
    expired: { status: 422, message: VOUCHER_TEXTS.expired, field: 'CouponCode' },
    oncePerAccount: { status: 422, message: VOUCHER_TEXTS.oncePerAccount, field: 'CouponCode' },
    maintenance,
    allRedeemed: { status: 422, message: VOUCHER_TEXTS.allRedeemed, field: 'CouponCode' },
    ownCode: { status: 422, message: VOUCHER_TEXTS.ownCode, field: 'CouponCode' },
    ownReferral: { status: 422, message: VOUCHER_TEXTS.ownReferral, field: 'ReferralCode' },
    unknownReferral: { status: 422, message: VOUCHER_TEXTS.unknownReferral, field: 'ReferralCode' },
  },
})

export const getTopupHistory = vouchers.get('/topuphistory', {
  summary: 'The vouchers that the caller redeemed, newest first, 10 per page',
  input: { query: z.object({ page: wholeNumberParam('Page').optional() }) },
  output: z.object({
    topuphistory: z.array(
      z.object({
        CardCode: z.string(),
        DateTopUp: offsetMoment,
        Cardvalue: z.int().meta({ description: 'R-Coin' }),
        CardMilleage: z.int(),
      }),
    ),
    ...pagingFields,
  }),
})

const NAME_RULE = 'Give the campaign a name of 1 to 60 characters.'
const DAY_RULE = 'Enter a day such as 2026-12-31.'
const STREAMER_RULE = 'Choose a streamer from the list.'
const CODE_RULE = 'Enter the code.'

export const campaignForm = f.object({
  name: lineField(60, NAME_RULE, { tooLong: NAME_RULE, characters: NAME_RULE }),
  count: wholeField(1, VOUCHERS_AT_ONCE),
  r_coin: wholeField(0, VOUCHER_VALUE_MAX),
  milleage: wholeField(0, VOUCHER_VALUE_MAX),
  /** The last day in Manila for redeeming codes, or ''. */
  expires: f.string(DAY_RULE).check(f.regex(/^(\d{4}-\d{2}-\d{2})?$/, DAY_RULE)),
  /** The maximum number of codes per account; null for no limit. */
  per_account: limitField(VOUCHERS_AT_ONCE),
  /** The number of codes that can be redeemed in total; null for all. */
  in_total: limitField(VOUCHERS_AT_ONCE),
  /** The referral code of the streamer who receives the codes, or ''. */
  streamer: f.string(STREAMER_RULE).check(f.maxLength(40, STREAMER_RULE)),
})

const termLabels = {
  name: { label: 'Name', hint: 'Only staff see it' },
  expires: { label: 'Last day', hint: 'Until midnight in Manila; empty for no end', kind: 'day' },
  streamer: { label: 'Streamer', kind: 'choice', none: 'None' },
  per_account: { label: 'Codes per account', hint: 'Empty for any number' },
  in_total: { label: 'Codes in total', hint: 'Empty for all of them' },
} as const
export const campaignFields = describeFields(campaignForm, {
  count: 'How many codes',
  r_coin: 'R-Coin each',
  milleage: 'Milleage each',
  ...termLabels,
})

/** The fields that can change later. The codes and their value cannot. */
export const campaignChangeForm = f.extend(
  f.pick(campaignForm, { name: true, expires: true, per_account: true, in_total: true, streamer: true }),
  { version: f.int('Reload the page.') },
)

/** The input for a look-up of a code. */
export const codeForm = f.object({
  code: f.string(CODE_RULE).check(f.trim(), f.minLength(1, CODE_RULE), f.maxLength(200, CODE_RULE)),
})

export const codeFields = describeFields(codeForm, {
  code: { label: 'Code', hint: 'Lowercase letters and surrounding spaces are fine', kind: 'code' },
})

const REFERRAL_RULE = 'Use 3 to 40 capitals, digits and hyphens.'
const STREAMER_NAME_RULE = 'Enter a name of 1 to 60 characters.'

export const streamerForm = f.object({
  code: f.string(REFERRAL_RULE).check(f.trim(), f.regex(/^[A-Z0-9-]{3,40}$/, REFERRAL_RULE)),
  streamer: lineField(60, STREAMER_NAME_RULE, { tooLong: STREAMER_NAME_RULE, characters: STREAMER_NAME_RULE }),
})

export const streamerFields = describeFields(streamerForm, {
  streamer: 'Streamer’s name',
  code: { label: 'Referral code', hint: 'Capitals, digits and hyphens', kind: 'code', max: 40 },
})

export const campaignChangeFields = describeFields(campaignChangeForm, termLabels)

export const CAMPAIGN_STATES = ['open', 'over', 'used_up', 'revoked'] as const

const campaignRow = z
  .object({
    campaign: z.int(),
    version: z.int(),
    name: z.string(),
    state: z.enum(CAMPAIGN_STATES),
    r_coin: z.int(),
    milleage: z.int(),
    codes: count,
    redeemed: count,
    revoked: count.meta({ description: 'Codes that were revoked, suspended ones included' }),
    suspended: count.meta({ description: 'Revoked codes that can still be restored' }),
    suspended_until: moment.nullable().meta({ description: 'When the first suspended code is revoked permanently' }),
    left: count.meta({ description: 'Codes that can still be redeemed' }),
    expires_at: moment.nullable(),
    per_account: count.nullable(),
    in_total: count.nullable(),
    streamer: z.string().nullable(),
    streamer_name: z.string().nullable(),
    created_at: moment,
    made_by: z.string().nullable(),
  })
  .meta({ id: 'Campaign' })

const unknownCode = { status: 404, message: 'There is no such code.' } as const
const campaignNotFound = { status: 404, message: 'There is no such campaign.' } as const
const params = z.object({
  campaign: z
    .string()
    .regex(/^\d{1,15}$/, 'The campaign number must be 1 to 15 digits.')
    .transform(Number),
})

export const getCampaigns = desk.list('/admin/vouchers', {
  summary: 'Voucher campaigns, newest first',
  sorts: ['-campaign'],
  filters: {
    name: textFilter.meta({ description: 'A part of the name' }),
    state: choiceFilter(CAMPAIGN_STATES),
    streamer: textFilter.meta({ description: 'A streamer’s referral code' }),
  },
  row: campaignRow,
})

export const getCampaign = desk.read('/admin/vouchers/{campaign}', {
  summary: 'One campaign',
  input: { params },
  output: campaignRow,
  errors: { campaignNotFound },
})

export const getRedemptions = desk.list('/admin/redemptions', {
  summary: 'The redeemed codes of a campaign, newest first',
  sorts: ['-redeemed_at'],
  filters: { campaign: textFilter },
  row: z.object({
    code: z.string(),
    user_num: z.int(),
    user_id: z.string(),
    redeemed_at: moment,
    referral_code: z.string().nullable(),
  }),
})

export const mintVouchers = desk.write('/admin/vouchers', {
  title: 'Create campaign',
  summary: 'Create a campaign with its codes, which are shown only once',
  sudo: true,
  approvable: true,
  idempotent: { shownOnce: 'campaign' },
  fields: campaignForm,
  output: z.object({ message: z.string(), campaign: z.int(), name: z.string(), codes: z.array(z.string()) }),
})

/** Changes a campaign. Codes that become redeemable again count against the limit like new ones. */
export const changeCampaign = desk.write('/admin/vouchers/{campaign}/change', {
  title: 'Change campaign',
  summary: 'Change the name, the last day, the limits or the streamer of a campaign',
  sudo: true,
  approvable: true,
  input: { params },
  fields: campaignChangeForm,
  errors: {
    campaignNotFound,
    conflict,
  },
})

export const revokeVouchers = desk.write('/admin/vouchers/{campaign}/revoke', {
  title: 'Suspend campaign’s vouchers',
  summary:
    'Suspend the unused codes of a campaign. Unless restored, they are revoked permanently after seven days. Suspending codes of a second campaign within 24 hours needs another owner’s approval',
  access: 'vouchers.revoke',
  sudo: true,
  approvable: true,
  irreversible: { withoutApproval: 1 },
  input: { params, body: z.object({ reason: reasonField }) },
  output: messageSchema.extend({ revoked: count }),
  errors: { campaignNotFound },
})

export const restoreVouchers = desk.write('/admin/vouchers/{campaign}/restore', {
  title: 'Restore campaign’s vouchers',
  summary: 'Restore the suspended codes of a campaign; their last day is extended by the length of the suspension',
  access: 'vouchers.revoke',
  sudo: true,
  input: { params, body: z.object({ reason: reasonField }) },
  output: messageSchema.extend({ restored: count }),
  errors: { campaignNotFound, noneSuspended: { status: 409, message: 'This campaign has no suspended codes.' } },
})

/**
 * Looks up a code. It is a POST, because the code may be worth money and must not be in an address. The audit log
 * records it.
 */
export const lookUpVoucher = desk.read('/admin/voucher/look-up', {
  title: 'Look up voucher',
  summary: 'Look up what happened to a voucher code',
  method: 'POST',
  fields: codeForm,
  output: z.object({
    state: z.enum(['unknown', 'good', 'redeemed', 'revoked', 'expired', 'used_up']),
    campaign: campaignRow.nullable(),
    redeemed: z
      .object({ user_num: z.int(), user_id: z.string(), at: moment, referral_code: z.string().nullable() })
      .nullable(),
    revoked_at: moment.nullable(),
    suspended_until: moment
      .nullable()
      .meta({ description: 'Until when the code can be restored; null unless it is suspended' }),
  }),
})

export const revokeVoucher = desk.write('/admin/voucher/revoke', {
  title: 'Suspend voucher',
  summary:
    'Suspend one unused code. Unless restored, it is revoked permanently after seven days. Suspending codes of a second campaign within 24 hours needs another owner’s approval',
  access: 'vouchers.revoke',
  approvable: true,
  irreversible: { withoutApproval: 1 },
  input: { body: z.object({ ...codeForm.shape, reason: reasonField }) },
  errors: {
    unknownCode,
    codeUsed: { status: 409, message: 'This code has already been redeemed.' },
    codeRevoked: { status: 409, message: 'This code has already been revoked.' },
  },
})

export const restoreVoucher = desk.write('/admin/voucher/restore', {
  title: 'Restore voucher',
  summary: 'Restore a suspended code; its last day is extended by the length of the suspension',
  access: 'vouchers.revoke',
  sudo: true,
  input: { body: z.object({ ...codeForm.shape, reason: reasonField }) },
  errors: { unknownCode, notSuspended: { status: 409, message: 'This code is not suspended.' } },
})

export const getStreamers = desk.list('/admin/streamers', {
  summary: 'The redemptions of each streamer’s referral code and campaigns',
  sorts: ['code'],
  filters: {},
  row: z.object({
    code: z.string(),
    streamer: z.string(),
    redeemed: count.meta({ description: 'Codes that were redeemed together with the referral code' }),
    r_coin: z.int(),
    milleage: z.int(),
    given: count.meta({ description: 'Codes of the streamer’s own campaigns' }),
    given_redeemed: count,
    created_at: moment,
  }),
})

export const saveStreamer = desk.write('/admin/streamers', {
  title: 'Save streamer',
  summary: 'Add a streamer with a referral code, or rename the streamer who has this code',
  idempotent: false,
  fields: streamerForm,
})
