import { type CommandAnswer, createFailure, recordCommand, runChange } from './command-answer.ts'
import { runStaffCommand, STAFF_USAGE } from './commands-staff.ts'
import { runTicketCommand, TICKETS_USAGE } from './commands-tickets.ts'
import { runVoucherCommand, VOUCHERS_USAGE } from './commands-vouchers.ts'
import type { Db } from './db/open.ts'
import { countFigures } from './features/figures/count.ts'
import { recountForum } from './features/forum/upkeep.ts'
import { findLedgerFault } from './features/wallet/ledger.ts'
import type { MailSite } from './mail/templates.ts'
import { deleteEncryptedSecrets } from './sealed-secrets.ts'

/** The context of a command: the database, the current time, and the site's values for emails. */
export type CommandContext = { db: Db; now: Date; site: MailSite }

/**
 * Runs an operator's command on the database: `ledger`, `figures`, `forum recount`, `site-key forget`,
 * `vouchers …`, `tickets …`, `staff …`.
 */
export async function runCommand(context: CommandContext, [name, ...args]: string[]): Promise<CommandAnswer> {
  if (name === 'ledger') return checkLedger(context.db)
  const answer = name === 'vouchers' ? await runVoucherCommand(context, args) : undefined
  if (answer !== undefined) return answer
  if (name === 'figures') return recountFigures(context)
  if (name === 'forum' && args.join() === 'recount') return recountPosts(context)
  if (name === 'site-key' && args.join() === 'forget') return forgetSiteKey(context)
  if (name === 'tickets') return runTicketCommand(context, args)
  if (name === 'staff') return runStaffCommand(context, args)
  return createFailure(
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
  return runChange(db, async (tx) => {
    const correctedCount = await recountForum(tx)
    await recordCommand(tx, now, 'forum recount', { target: ['forum', 'counts'], after: { corrected: correctedCount } })
    return {
      ok: true,
      lines: [
        correctedCount === 0
          ? 'Every count is right.'
          : `${correctedCount} counts were wrong. They have been corrected.`,
      ],
    }
  })
}

/** Deletes all secrets that were encrypted with a lost site key. */
async function forgetSiteKey({ db, now }: CommandContext): Promise<CommandAnswer> {
  return runChange(db, async (tx) => {
    const removedSecrets = await deleteEncryptedSecrets(tx, now)
    await recordCommand(tx, now, 'site-key forget', {
      target: ['setting', 'site-key'],
      after: { removed: removedSecrets },
    })
    return {
      ok: true,
      lines: [
        removedSecrets.length === 0
          ? 'Nothing was removed: no stored secret was encrypted with this key.'
          : `Removed: ${removedSecrets.join(', ')}.`,
        'The next start uses the key in the key file, or makes a new one.',
      ],
    }
  })
}

async function checkLedger(db: Db): Promise<CommandAnswer> {
  const fault = await findLedgerFault(db)
  if (fault === null) return { ok: true, lines: ['Every balance equals the sum of its ledger entries.'] }
  return createFailure(
    `Account ${fault.userNum}: ${fault.currency} is ${fault.balance}, but its ledger entries add up to ${fault.booked}.`,
  )
}
