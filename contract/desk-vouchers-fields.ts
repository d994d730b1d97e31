/** The fields of the forms about vouchers. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { limitField, wholeField } from './desk-money-fields.ts'
import { VOUCHER_VALUE_MAX, VOUCHERS_AT_ONCE } from './limits.ts'

const NAME = 'Give it a name of 1 to 60 characters.'
const DAY = 'Enter a day such as 2026-12-31.'
const STREAMER = 'Choose a streamer from the list.'
const CODE = 'Enter the code.'

export const campaignForm = z.object({
  name: z.string(NAME).check(z.trim(), z.minLength(1, NAME), z.maxLength(60, NAME), z.regex(/^\P{Cc}*$/u, NAME)),
  count: wholeField(1, VOUCHERS_AT_ONCE),
  r_coin: wholeField(0, VOUCHER_VALUE_MAX),
  milleage: wholeField(0, VOUCHER_VALUE_MAX),
  /** The last day in Manila on which codes can be redeemed, or ''. */
  expires: z.string(DAY).check(z.regex(/^(\d{4}-\d{2}-\d{2})?$/, DAY)),
  /** How many codes an account may redeem; null for any number. */
  per_account: limitField(VOUCHERS_AT_ONCE),
  /** How many codes may be redeemed at all; null for all. */
  in_total: limitField(VOUCHERS_AT_ONCE),
  /** The referral code of the streamer whom the codes are for, or ''. */
  streamer: z.string(STREAMER).check(z.maxLength(40, STREAMER)),
})

/** What can be changed later. The codes and their value stay. */
export const campaignChangeForm = z.extend(
  z.pick(campaignForm, { name: true, expires: true, per_account: true, in_total: true, streamer: true }),
  { version: z.int('Load this again.') },
)

/** A code that somebody types. */
export const codeForm = z.object({ code: z.string(CODE).check(z.trim(), z.minLength(1, CODE), z.maxLength(200, CODE)) })

const REFERRAL = 'Use 3 to 40 capitals, digits and hyphens.'
const STREAMER_NAME = 'Enter a name of 1 to 60 characters.'

export const streamerForm = z.object({
  code: z.string(REFERRAL).check(z.trim(), z.regex(/^[A-Z0-9-]{3,40}$/, REFERRAL)),
  streamer: z.string(STREAMER_NAME).check(z.trim(), z.minLength(1, STREAMER_NAME), z.maxLength(60, STREAMER_NAME)),
})
