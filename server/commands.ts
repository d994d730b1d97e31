import { type CommandAnswer, change, fail, recordCommand } from './command-answer.ts'
import { runStaffCommand, STAFF_USAGE } from './commands-staff.ts'
import { runTicketCommand, TICKETS_USAGE } from './commands-tickets.ts'
import { runVoucherCommand, VOUCHERS_USAGE } from './commands-vouchers.ts'
import type { Db } from './db/open.ts'
import { countFigures } from './features/figures/count.ts'
import { recountForum } from './features/forum/upkeep.ts'
import { findLedgerFault } from './features/wallet/ledger.ts'
import type { MailSite } from './mail/templates.ts'
import { forgetSealed } from './sealed-secrets.ts'

/** The context of a command: the database, the current time, and the site's values for emails. */
export type CommandContext = { db: Db; now: Date; site: MailSite }

/**
 * Runs an operator's command on the database: `ledger`, `figures`, `forum recount`, `site-key forget`,
 * `vouchers …`, `tickets …`, `staff …`.
 */
export async function runCommand(place: CommandContext, [name, ...args]: string[]): Promise<CommandAnswer> {
  if (name === 'ledger') return checkLedger(place.db)
  const answer = name === 'vouchers' ? await runVoucherCommand(place, args) : undefined
  if (answer !== undefined) return answer
  if (name === 'figures') return recountFigures(place)
  if (name === 'forum' && args.join() === 'recount') return recountPosts(place)
  if (name === 'site-key' && args.join() === 'forget') return forgetKey(place)
  if (name === 'tickets') return runTicketCommand(place, args)
  if (name === 'staff') return runStaffCommand(place, args)
  return fail(
    `Commands: ledger; figures; forum recount; site-key forget; ${VOUCHERS_USAGE}; ${TICKETS_USAGE}; ${STAFF_USAGE}`,
  )
}

/** Counts the figures of the desk's first screen again, in case rows were changed outside the site. */
async function recountFigures({ db, now }: CommandContext): Promise<CommandAnswer> {
  const days = await countFigures(db, now, { all: true })
  return { ok: true, lines: [`Counted ${days.length} days again, from ${days[0]} to ${days.at(-1)}.`] }
}

/** Counts the posts, likes and votes of the forum again. */
async function recountPosts({ db, now }: CommandContext): Promise<CommandAnswer> {
  return change(db, async (tx) => {
    const wrong = await recountForum(tx)
    await recordCommand(tx, now, 'forum recount', { target: ['forum', 'counts'], after: { corrected: wrong } })
    return {
      ok: true,
      lines: [wrong === 0 ? 'Every count is right.' : `${wrong} counts were wrong. They have been corrected.`],
    }
  })
}

/** Deletes all secrets that a lost key has sealed. */
async function forgetKey({ db, now }: CommandContext): Promise<CommandAnswer> {
  return change(db, async (tx) => {
    const removed = await forgetSealed(tx, now)
    await recordCommand(tx, now, 'site-key forget', { target: ['setting', 'site-key'], after: { removed } })
    return {
      ok: true,
      lines: [
        removed.length === 0 ? 'The key had sealed nothing that is still in use.' : `Removed: ${removed.join(', ')}.`,
        'The next start uses the key in the key file, or makes a new one.',
      ],
    }
  })
}

async function checkLedger(db: Db): Promise<CommandAnswer> {
  const fault = await findLedgerFault(db)
  if (fault === null) return { ok: true, lines: ['Every balance equals the sum of its ledger entries.'] }
  return fail(
    `Account ${fault.userNum}: ${fault.currency} is ${fault.balance}, but its ledger entries add up to ${fault.booked}.`,
  )
}
