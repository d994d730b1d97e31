import { parseArgs } from 'node:util'
import { VOUCHER_VALUE_MAX, VOUCHERS_AT_ONCE } from '#contract/limits.ts'
import { toDayRange } from '#contract/manila.ts'
import { type CommandAnswer, createFailure, recordCommand, runChange } from './command-answer.ts'
import type { Db } from './db/open.ts'
import { mintCampaign, type NewCampaign, saveStreamer, selectStreamerResults } from './features/vouchers/codes.ts'

const MINT_USAGE =
  'vouchers mint --batch NAME --count N [--r-coin N] [--milleage N] [--expires 2026-12-31] [--one-per-account | --per-account N] [--in-total N] [--streamer CODE]'
export const VOUCHERS_USAGE = `${MINT_USAGE}; vouchers referrals; vouchers streamer CODE NAME`

/** How many streamers `vouchers referrals` lists. */
const LISTED_STREAMERS_MAX = 10_000

type VoucherDeps = { db: Db; now: Date }

/**
 * Runs `vouchers mint …`, `vouchers referrals` or `vouchers streamer CODE NAME`, which correspond to calls of the desk.
 *
 * @returns undefined for any other command
 */
export async function runVoucherCommand(
  deps: VoucherDeps,
  [name, ...args]: string[],
): Promise<CommandAnswer | undefined> {
  if (name === 'mint') return mintVouchers(deps, args)
  if (name === 'referrals') return listReferrals(deps.db)
  if (name === 'streamer') return addStreamer(deps, args[0], args[1])
  return undefined
}

/** @returns undefined for invalid values @throws TypeError for an unknown option */
function readCampaign(args: string[]): NewCampaign | undefined {
  const { values } = parseArgs({
    args,
    options: {
      batch: { type: 'string', default: '' },
      count: { type: 'string', default: '' },
      'r-coin': { type: 'string', default: '0' },
      milleage: { type: 'string', default: '0' },
      expires: { type: 'string' },
      'one-per-account': { type: 'boolean', default: false },
      'per-account': { type: 'string' },
      'in-total': { type: 'string' },
      streamer: { type: 'string' },
    },
  })
  const parseCount = (value: string) => (/^\d{1,9}$/.test(value) ? Number(value) : Number.NaN)
  const parseLimit = (value: string | undefined) => (value === undefined ? null : parseCount(value))
  const day = values.expires === undefined ? undefined : toDayRange(values.expires)
  const campaign = {
    name: values.batch.trim(),
    count: parseCount(values.count),
    rCoin: parseCount(values['r-coin']),
    milleage: parseCount(values.milleage),
    expiresAt: day?.endsAt ?? null,
    perAccount: values['one-per-account'] ? 1 : parseLimit(values['per-account']),
    inTotal: parseLimit(values['in-total']),
    streamer: values.streamer ?? null,
  }
  const isValid =
    campaign.name !== '' &&
    campaign.count >= 1 &&
    campaign.count <= VOUCHERS_AT_ONCE &&
    campaign.rCoin + campaign.milleage >= 1 &&
    Math.max(campaign.rCoin, campaign.milleage) <= VOUCHER_VALUE_MAX &&
    (values.expires === undefined || day !== undefined) &&
    (campaign.perAccount ?? 1) >= 1 &&
    (campaign.inTotal ?? 1) >= 1
  return isValid ? campaign : undefined
}

async function mintVouchers({ db, now }: VoucherDeps, args: string[]): Promise<CommandAnswer> {
  let campaign: NewCampaign | undefined
  try {
    campaign = readCampaign(args)
  } catch {
    campaign = undefined
  }
  if (campaign === undefined) return createFailure(`Usage: ${MINT_USAGE}`)
  if (campaign.expiresAt !== null && campaign.expiresAt <= now)
    return createFailure('The date given with --expires is in the past.')
  const newCampaign = campaign
  return runChange(db, async (tx) => {
    const mintedCampaign = await mintCampaign(tx, newCampaign, { now, madeBy: null })
    await recordCommand(tx, now, 'vouchers mint', {
      target: ['campaign', mintedCampaign.campaign],
      after: { ...newCampaign },
    })
    return { ok: true, lines: mintedCampaign.codes }
  })
}

async function listReferrals(db: Db): Promise<CommandAnswer> {
  const rows = await selectStreamerResults(db, { after: '', size: LISTED_STREAMERS_MAX })
  return {
    ok: true,
    lines: rows.map(({ code, streamer, redeemed, r_coin, milleage }) => {
      const countText = redeemed === 1 ? '1 code' : `${redeemed} codes`
      return `${code}\t${streamer}\t${countText}\t${r_coin} R-Coin\t${milleage} Milleage`
    }),
  }
}

async function addStreamer({ db, now }: VoucherDeps, code = '', streamer = ''): Promise<CommandAnswer> {
  if (!/^[A-Z0-9-]{3,40}$/.test(code) || streamer === '')
    return createFailure('Usage: vouchers streamer CODE NAME. CODE has 3 to 40 capitals, digits and hyphens.')
  return runChange(db, async (tx) => {
    await saveStreamer(tx, { code, streamer }, { now, savedBy: null })
    await recordCommand(tx, now, 'vouchers streamer', { target: ['streamer', code], after: { streamer } })
    return { ok: true, lines: [`Referral code ${code} belongs to ${streamer}.`] }
  })
}
