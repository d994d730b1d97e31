import { parseArgs } from 'node:util'
import { VOUCHER_VALUE_MAX } from '#contract/limits.ts'
import { type CommandAnswer, fail } from './command-answer.ts'
import { runStaffCommand, STAFF_USAGE } from './commands-staff.ts'
import { runTicketCommand, TICKETS_USAGE } from './commands-tickets.ts'
import type { Db } from './db/open.ts'
import { type Batch, mintVouchers, reportReferrals } from './features/vouchers/mint.ts'
import { findLedgerFault } from './features/wallet/ledger.ts'
import type { MailSite } from './mail/templates.ts'

const VOUCHERS_AT_ONCE = 100_000

const MINT_USAGE =
  'vouchers mint --batch NAME --count N [--r-coin N] [--milleage N] [--expires 2026-12-31] [--one-per-account]'

/** What a command works on: the database, the current time, and the site as e-mails name it. */
export type CommandPlace = { db: Db; now: Date; site: MailSite }

/** Runs an operator's command on the database: `ledger`, `vouchers mint …`, `vouchers referrals`, `vouchers streamer CODE NAME`, `tickets …`, `staff …`. */
export async function runCommand(place: CommandPlace, [name, ...args]: string[]): Promise<CommandAnswer> {
  const { db, now } = place
  if (name === 'ledger') return checkLedger(db)
  if (name === 'vouchers' && args[0] === 'mint') return mint(db, now, args.slice(1))
  if (name === 'vouchers' && args[0] === 'referrals') return listReferrals(db)
  if (name === 'vouchers' && args[0] === 'streamer') return addStreamer(db, now, args[1], args[2])
  if (name === 'tickets') return runTicketCommand(place, args)
  if (name === 'staff') return runStaffCommand(place, args)
  return fail(
    `Commands: ledger; ${MINT_USAGE}; vouchers referrals; vouchers streamer CODE NAME; ${TICKETS_USAGE}; ${STAFF_USAGE}`,
  )
}

async function checkLedger(db: Db): Promise<CommandAnswer> {
  const fault = await findLedgerFault(db)
  if (fault === null) return { ok: true, lines: ['Every balance equals the sum of its ledger entries.'] }
  return fail(
    `Account ${fault.userNum}: ${fault.currency} is ${fault.balance}, but its ledger entries add up to ${fault.booked}.`,
  )
}

/** @returns undefined for invalid values @throws TypeError for an unknown option */
function readBatch(args: string[]): Batch | undefined {
  const { values } = parseArgs({
    args,
    options: {
      batch: { type: 'string', default: '' },
      count: { type: 'string', default: '' },
      'r-coin': { type: 'string', default: '0' },
      milleage: { type: 'string', default: '0' },
      expires: { type: 'string' },
      'one-per-account': { type: 'boolean', default: false },
    },
  })
  const whole = (value: string) => (/^\d{1,9}$/.test(value) ? Number(value) : Number.NaN)
  const batch = {
    name: values.batch.trim(),
    count: whole(values.count),
    rCoin: whole(values['r-coin']),
    milleage: whole(values.milleage),
    expiresAt: values.expires === undefined ? null : endOfDay(values.expires),
    onePerAccount: values['one-per-account'],
  }
  const isValid =
    batch.name !== '' &&
    batch.count >= 1 &&
    batch.count <= VOUCHERS_AT_ONCE &&
    batch.rCoin + batch.milleage >= 1 &&
    Math.max(batch.rCoin, batch.milleage) <= VOUCHER_VALUE_MAX &&
    !Number.isNaN(batch.expiresAt?.getTime() ?? 0)
  return isValid ? batch : undefined
}

/** The last moment of a day in Manila; an invalid date for a day that does not exist. */
function endOfDay(day: string): Date {
  const noon = new Date(`${day}T12:00:00Z`)
  const isDay = !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(`${day}T`)
  return new Date(isDay ? `${day}T23:59:59.999+08:00` : Number.NaN)
}

async function mint(db: Db, now: Date, args: string[]): Promise<CommandAnswer> {
  let batch: Batch | undefined
  try {
    batch = readBatch(args)
  } catch {
    batch = undefined
  }
  if (batch === undefined) return fail(`Usage: ${MINT_USAGE}`)
  if (batch.expiresAt !== null && batch.expiresAt <= now) return fail('The date given with --expires is in the past.')
  return { ok: true, lines: await mintVouchers(db, batch, now) }
}

async function listReferrals(db: Db): Promise<CommandAnswer> {
  const rows = await reportReferrals(db)
  return {
    ok: true,
    lines: rows.map(
      (row) => `${row.code}\t${row.streamer}\t${row.redeemed} codes\t${row.r_coin} R-Coin\t${row.milleage} Milleage`,
    ),
  }
}

async function addStreamer(db: Db, now: Date, code = '', streamer = ''): Promise<CommandAnswer> {
  if (!/^[A-Z0-9-]{3,40}$/.test(code) || streamer === '')
    return fail('Usage: vouchers streamer CODE NAME (capitals, digits, -)')
  await db
    .insertInto('referral_codes')
    .values({ code, streamer, created_at: now })
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ streamer }))
    .execute()
  return { ok: true, lines: [`Referral code ${code} belongs to ${streamer}.`] }
}
