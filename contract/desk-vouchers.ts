import { z } from 'zod'
import { choiceFilter, deskList, deskQuery, textFilter } from './desk-list.ts'
import { reasonField } from './desk-money-fields.ts'
import { campaignChangeForm, campaignForm, codeForm, streamerForm } from './desk-vouchers-fields.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'

const moment = z.iso.datetime()
const count = z.int()
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
    revoked: count,
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

const noCampaign = { status: 404, message: 'There is no such campaign.' } as const
const params = z.object({
  campaign: z
    .string()
    .regex(/^\d{1,15}$/, 'A campaign has a number.')
    .transform(Number),
})

export const getCampaigns = endpoint({
  method: 'GET',
  path: '/admin/vouchers',
  summary: 'Voucher campaigns, newest first',
  area: 'desk: vouchers',
  access: 'vouchers.read',
  input: {
    query: deskQuery(['-campaign'], {
      name: textFilter.meta({ description: 'A part of the name' }),
      state: choiceFilter(CAMPAIGN_STATES),
      streamer: textFilter.meta({ description: 'A streamer’s referral code' }),
    }),
  },
  output: deskList(campaignRow),
})

export const getCampaign = endpoint({
  method: 'GET',
  path: '/admin/vouchers/{campaign}',
  summary: 'One campaign',
  area: 'desk: vouchers',
  access: 'vouchers.read',
  input: { params },
  output: campaignRow,
  errors: { noCampaign },
})

export const getRedemptions = endpoint({
  method: 'GET',
  path: '/admin/redemptions',
  summary: 'The redeemed codes of a campaign, newest first',
  area: 'desk: vouchers',
  access: 'vouchers.read',
  input: { query: deskQuery(['-redeemed_at'], { campaign: textFilter }) },
  output: deskList(
    z.object({
      code: z.string(),
      user_num: z.int(),
      user_id: z.string(),
      redeemed_at: moment,
      referral_code: z.string().nullable(),
    }),
  ),
})

export const mintVouchers = endpoint({
  method: 'POST',
  path: '/admin/vouchers',
  summary: 'Make a campaign with its codes, which are shown this once',
  area: 'desk: vouchers',
  access: 'vouchers.mint',
  sudo: true,
  idempotent: { shownOnce: 'campaign' },
  input: { body: z.object(campaignForm.shape) },
  fields: campaignForm,
  output: z.object({ message: z.string(), campaign: z.int(), name: z.string(), codes: z.array(z.string()) }),
})

const said = z.object({ message: z.string() })

/** Codes that can be redeemed again after the change count against the limit like new ones. */
export const changeCampaign = endpoint({
  method: 'POST',
  path: '/admin/vouchers/{campaign}/change',
  summary: 'Change the name, the end, the limits or the streamer of a campaign',
  area: 'desk: vouchers',
  access: 'vouchers.mint',
  sudo: true,
  idempotent: true,
  input: { params, body: z.object(campaignChangeForm.shape) },
  fields: campaignChangeForm,
  output: said,
  errors: {
    noCampaign,
    changedMeanwhile,
  },
})

export const revokeVouchers = endpoint({
  method: 'POST',
  path: '/admin/vouchers/{campaign}/revoke',
  summary: 'Revoke the codes of a campaign that nobody has redeemed; for good',
  area: 'desk: vouchers',
  access: 'vouchers.revoke',
  idempotent: true,
  input: { params, body: z.object({ reason: reasonField }) },
  output: said.extend({ revoked: count }),
  errors: { noCampaign },
})

/** A writing call, because what is typed may be worth money: it must not stand in an address, and who looked is kept. */
export const lookUpVoucher = endpoint({
  method: 'POST',
  path: '/admin/voucher/look-up',
  summary: 'Look up what happened to a voucher code',
  area: 'desk: vouchers',
  access: 'vouchers.read',
  input: { body: z.object(codeForm.shape) },
  fields: codeForm,
  output: z.object({
    state: z.enum(['unknown', 'good', 'redeemed', 'revoked', 'expired', 'used_up']),
    campaign: campaignRow.nullable(),
    redeemed: z
      .object({ user_num: z.int(), user_id: z.string(), at: moment, referral_code: z.string().nullable() })
      .nullable(),
    revoked_at: moment.nullable(),
  }),
})

export const revokeVoucher = endpoint({
  method: 'POST',
  path: '/admin/voucher/revoke',
  summary: 'Revoke one code that nobody has redeemed; for good',
  area: 'desk: vouchers',
  access: 'vouchers.revoke',
  idempotent: true,
  input: { body: z.object({ ...codeForm.shape, reason: reasonField }) },
  output: said,
  errors: {
    unknownCode: { status: 404, message: 'There is no such code.' },
    codeUsed: { status: 409, message: 'This code has already been redeemed.' },
    codeRevoked: { status: 409, message: 'This code has already been revoked.' },
  },
})

export const getStreamers = endpoint({
  method: 'GET',
  path: '/admin/streamers',
  summary: 'What each streamer’s referral code and campaigns brought',
  area: 'desk: vouchers',
  access: 'vouchers.read',
  input: { query: deskQuery(['code'], {}) },
  output: deskList(
    z.object({
      code: z.string(),
      streamer: z.string(),
      redeemed: count.meta({ description: 'Codes that were redeemed together with the referral code' }),
      r_coin: z.int(),
      milleage: z.int(),
      given: count.meta({ description: 'Codes of the streamer’s own campaigns' }),
      given_redeemed: count,
      created_at: moment,
    }),
  ),
})

export const saveStreamer = endpoint({
  method: 'POST',
  path: '/admin/streamers',
  summary: 'Add a streamer with a referral code, or rename the one with that code',
  area: 'desk: vouchers',
  access: 'vouchers.mint',
  input: { body: z.object(streamerForm.shape) },
  fields: streamerForm,
  output: said,
})
