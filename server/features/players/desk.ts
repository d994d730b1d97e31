import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { formatCallName } from '#contract/endpoint.ts'
import { NO_MAIL_SERVER } from '#contract/errors.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import * as calls from '#contract/players.ts'
import { isFrozen } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { requestErasure, withdrawErasure } from '#server/features/accounts/erasure-requests.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { type Account, endSessions } from '#server/features/accounts/queries.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { createTerminalRefusal, findRequiredApproval, requireRemainingOwner } from '#server/features/staff/owners.ts'
import { wasCalledRecently } from '#server/features/staff/suspension.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { hasMailServer } from '#server/mail/servers.ts'
import { readSettings } from '#server/settings.ts'
import {
  describeTarget,
  hasRoleOffer,
  isStaff,
  lockOtherPlayer,
  lockPlayer,
  requireStaffChangeApproval,
} from './account-protection.ts'
import { blockAccount, describeBlock, liftBlock } from './blocks.ts'
import { exportPersonalData } from './personal-data.ts'
import { isEmail, selectPlayer, selectPlayers, selectSharers } from './queries.ts'
import { changeEmail, confirmEmail, removeFactors, SUPPORT, sendReset } from './recover.ts'
import { selectTimeline } from './timeline.ts'

type AccountStates = { erased_at: Date | null; erasure_due_at: Date | null; is_blocked: boolean }

const toPlayerState = ({ erased_at, erasure_due_at, is_blocked }: AccountStates) =>
  erased_at !== null ? 'erased' : erasure_due_at !== null ? 'erasing' : is_blocked ? 'blocked' : 'active'

/**
 * Mails every owner that an operator logged a colleague out. This needs no approval, but each colleague can be logged out
 * only once in 24 hours.
 *
 * @throws Refusal 409
 */
async function announceStaffLogout(
  deps: Deps,
  staff: Staff,
  { user_num, user_id }: Account,
  reason: string,
): Promise<void> {
  const { db: tx, now } = deps
  if (await wasCalledRecently(tx, calls.logOutPlayer.path, user_num, now())) throw refuse(calls.logOutPlayer, 'tooSoon')
  await mailOwners(tx, deps, {
    subject: `${user_id} was logged out`,
    lines: [
      `${staff.userId} logged ${user_id} out everywhere on ${formatManilaMinute(now())}, Manila time. The reason: ${reason}`,
    ],
  })
}

/**
 * Requires that an approver approved this operator's request for the export in the last 24 hours, because a call that reads
 * cannot wait for an approval itself.
 *
 * @throws Refusal 403, 409
 */
async function requireApprovedExport(
  { db, now }: Deps,
  staff: Staff,
  account: Pick<Account, 'user_num' | 'user_id'>,
): Promise<void> {
  const approver = await findRequiredApproval(db, staff, account)
  if (approver === 'terminal') throw createTerminalRefusal(account)
  if (approver === 'none') return
  const approval = await db
    .selectFrom('approvals')
    .where('call', '=', formatCallName(calls.requestPlayerExport))
    .where('requested_by', '=', staff.userNum)
    .where('state', '=', 'done')
    .where('decided_at', '>', new Date(now().getTime() - DAY_MS))
    .where(sql<boolean>`${account.user_num}::bigint = any(accounts)`)
    .select('approval')
    .executeTakeFirst()
  if (approval === undefined) throw refuse(calls.exportPlayer, 'notAgreed')
}

/** The desk's calls about players. */
export const playerDeskCalls: MountedCall[] = [
  mount(calls.getPlayers, async (filters, { deps, record }) => {
    const { rows, next } = await selectPlayers(deps.browseDb, filters, deps.now())
    const { q } = filters
    if (isEmail(q) || ipaddr.isValid(q)) {
      const numbers = rows.map(({ user_num }) => user_num)
      const [onlyPlayer] = numbers
      const isSinglePlayer = onlyPlayer !== undefined && numbers.length === 1
      record({
        ...(isSinglePlayer ? describeTarget(onlyPlayer) : { target: ['players', 'search'] }),
        after: { search: q, found: numbers.length },
      })
    }
    return {
      rows: rows.map(({ is_blocked, erased_at, erasure_due_at, ...row }) => ({
        ...row,
        state: toPlayerState({ is_blocked, erased_at, erasure_due_at }),
      })),
      next,
    }
  }),

  mount(calls.getPlayer, async ({ user_num: userNum }, { deps, record }) => {
    const playerRow = await selectPlayer(deps.db, userNum, deps.now())
    if (playerRow === undefined) throw refuse(calls.getPlayer, 'playerNotFound')
    record(describeTarget(userNum))
    const {
      user_email: email,
      purchase_count: purchases,
      topup_count: topups,
      purchases: newestPurchases,
      ...row
    } = playerRow
    return {
      player: {
        ...row,
        email,
        purchases,
        topups,
        state: toPlayerState(row),
        frozen_until: isFrozen(row, deps.now()) ? row.frozen_until : null,
        roles: row.roles.map(({ name }) => name),
        newest_purchases: newestPurchases,
      },
    }
  }),

  mount(calls.getPlayerTimeline, ({ user_num: userNum, kind, after }, { deps, staff }) =>
    selectTimeline(deps.browseDb, userNum, { kind, after, staff }),
  ),

  mount(calls.getSharers, async ({ user_num: userNum }, { deps }) => {
    const rows = await selectSharers(deps.browseDb, userNum, deps.now())
    return {
      rows: rows.map(({ place: text, seen_at, own_seen_at, ...row }) => {
        const [kind = '', name = ''] = text.split(' ')
        const place = kind === 'device' ? ('device' as const) : ('address' as const)
        return {
          ...row,
          place,
          name: place === 'device' ? name.slice(0, 6) : name,
          seen_at,
          own_seen_at,
        }
      }),
    }
  }),

  mount(calls.blockPlayer, async ({ user_num: userNum, block: expectedBlock, reason, note, ends_at }, context) => {
    const { deps, staff, record } = context
    const { db: tx, now } = deps
    const account = await lockOtherPlayer(tx, staff, userNum)
    const endsAt = ends_at === null ? null : new Date(ends_at)
    const block = { expectedBlock, reason, note, endsAt, by: staff.userNum, now: now() }
    const blockBefore = await blockAccount(tx, account, block)
    if (isStaff(account)) await requireRemainingOwner(deps)
    await requireStaffChangeApproval(context, account, {
      summary: `Block ${account.user_id}${endsAt === null ? '' : ` until ${formatManilaMinute(endsAt)}`}: ${reason}`,
      effect: { block: expectedBlock, reason, note, ends_at },
      what: 'Your account was blocked.',
    })
    record({
      ...describeTarget(userNum),
      before: describeBlock(blockBefore),
      after: describeBlock({ reason, note, ends_at: endsAt }),
      reason,
    })
    return { message: `${account.user_id} is blocked.` }
  }),

  mount(calls.unblockPlayer, async ({ user_num: userNum, block: expectedBlock, reason }, context) => {
    const { deps, staff, record } = context
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    const blockBefore = await liftBlock(deps, account, { expectedBlock, by: staff.userNum })
    await requireStaffChangeApproval(context, account, {
      summary: `Lift the block of ${account.user_id}`,
      effect: { block: expectedBlock },
      what: 'Your account is no longer blocked.',
    })
    record({ ...describeTarget(userNum), before: describeBlock(blockBefore), after: describeBlock(null), reason })
    return { message: `${account.user_id} can log in again.` }
  }),

  mount(calls.logOutPlayer, async ({ user_num: userNum, reason }, { deps, staff, record }) => {
    const { db: tx, now } = deps
    const isOwnAccount = userNum === staff.userNum
    const account = isOwnAccount ? await lockPlayer(tx, userNum) : await lockOtherPlayer(tx, staff, userNum)
    if (isStaff(account) && !isOwnAccount) await announceStaffLogout(deps, staff, account, reason)
    await endSessions(tx, userNum)
    await recordEvent(tx, { userNum, kind: 'logged-out-everywhere', caller: SUPPORT, now: now() })
    record({ ...describeTarget(userNum), reason })
    return { message: `${account.user_id} is logged out on every device.` }
  }),

  mount(calls.sendPlayerReset, async ({ user_num: userNum, reason }, context) => {
    const { deps, staff, record } = context
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    await sendReset(deps, account)
    await requireStaffChangeApproval(context, account, {
      summary: `Mail ${account.user_id} a link to set a new password`,
      effect: { email: account.user_email },
      what: 'You were mailed a link to set a new password.',
    })
    record({ ...describeTarget(userNum), reason })
    const hasServer = await hasMailServer(deps)
    return {
      message: hasServer
        ? 'The link is on its way. It works once, for 30 minutes.'
        : `The link is only saved as a file. ${NO_MAIL_SERVER}`,
    }
  }),

  mount(calls.changePlayerEmail, async ({ user_num: userNum, from, email, reason }, context) => {
    const { deps, staff, record } = context
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    await changeEmail(deps, account, { from, email })
    await requireStaffChangeApproval(context, account, {
      summary: `Change the email of ${account.user_id} to ${email}`,
      effect: { from, email },
      what: 'The email address of your account was changed to this one.',
      address: email,
    })
    record({
      ...describeTarget(userNum),
      before: { user_email: account.user_email },
      after: { user_email: email },
      reason,
    })
    const hasServer = await hasMailServer(deps)
    return {
      message: `The address has been changed. ${hasServer ? 'A verification link is on its way, and the old address is notified.' : NO_MAIL_SERVER}`,
    }
  }),

  mount(calls.confirmPlayerEmail, async ({ user_num: userNum, email, reason }, context) => {
    const { deps, staff, record } = context
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    await confirmEmail(deps, account, email)
    await requireStaffChangeApproval(context, account, {
      summary: `Mark the email of ${account.user_id}, ${email}, as verified`,
      effect: { email },
      what: 'Your email address was marked as verified.',
    })
    record({
      ...describeTarget(userNum),
      before: { email_verified: account.email_verified_at !== null },
      after: { email_verified: true },
      reason,
    })
    return { message: 'The address is now marked as verified.' }
  }),

  mount(calls.removePlayerFactors, async ({ user_num: userNum, reason }, context) => {
    const { deps, staff, record } = context
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    const factors = await describeFactors(deps.db, userNum)
    const removedCount = await removeFactors(deps, account)
    if (isStaff(account)) await requireRemainingOwner(deps)
    await requireStaffChangeApproval(context, account, {
      summary: `Remove the second factor of ${account.user_id}`,
      effect: { 'second factors': factors },
      what: 'Every second factor was removed from your account.',
    })
    record({ ...describeTarget(userNum), before: { factors: removedCount }, after: { factors: 0 }, reason })
    return { message: `${account.user_id} can now log in with just the password.` }
  }),

  mount(calls.writePlayerNote, async ({ user_num: userNum, body }, { deps: { db: tx, now }, staff, record }) => {
    await lockPlayer(tx, userNum)
    const { note } = await tx
      .insertInto('account_notes')
      .values({ user_num: userNum, body, written_by: staff.userNum, written_at: now() })
      .returning('note')
      .executeTakeFirstOrThrow()
    record({ ...describeTarget(userNum), after: { note_number: note, note: body } })
    return { message: 'The note is saved.' }
  }),

  mount(calls.deletePlayerNote, async ({ note }, { deps: { db: tx }, record }) => {
    const deletedNote = await tx.deleteFrom('account_notes').where('note', '=', note).returningAll().executeTakeFirst()
    if (deletedNote === undefined) throw refuse(calls.deletePlayerNote, 'noteNotFound')
    record({ ...describeTarget(deletedNote.user_num), before: { note_number: note, note: deletedNote.body } })
    return { message: 'The note has been deleted.' }
  }),

  mount(calls.requestPlayerExport, async ({ user_num: userNum, reason }, context) => {
    const { deps, staff, record } = context
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    await requireStaffChangeApproval(context, account, {
      summary: `Export the personal data of ${account.user_id}`,
      effect: {},
      what: 'A file with your personal data can be downloaded for 24 hours.',
    })
    record({ ...describeTarget(userNum), reason })
    return { message: 'You can download the file now.' }
  }),

  mount(calls.exportPlayer, async ({ user_num: userNum }, { deps, staff, record }) => {
    const account = await deps.db
      .selectFrom('accounts')
      .where('user_num', '=', userNum)
      .select(['user_num', 'user_id', 'user_type', 'erased_at'])
      .executeTakeFirst()
    if (account === undefined) throw refuse(calls.exportPlayer, 'playerNotFound')
    if (account.erased_at !== null) throw refuse(calls.exportPlayer, 'erased')
    const isOperatorAccount = isStaff({ ...account, has_role_offer: await hasRoleOffer(deps.db, userNum) })
    if (isOperatorAccount && userNum !== staff.userNum) await requireApprovedExport(deps, staff, account)
    record(describeTarget(userNum))
    const header = {
      about: `Everything that ${(await readSettings(deps)).site_name} stores about the account ${account.user_id}`,
      made_at: deps.now().toISOString(),
    }
    const text = await exportPersonalData(deps.browseDb, userNum, header)
    return new File([text], `${account.user_id}.json`, { type: 'application/json' })
  }),

  mount(calls.erasePlayer, async (input, context) => {
    const { deps, staff, record } = context
    const { user_num: userNum, user_id: enteredUserId, rename_characters: renameCharacters, reason } = input
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    if (enteredUserId.toLowerCase() !== account.user_id.toLowerCase()) throw refuse(calls.erasePlayer, 'otherUserId')
    if (isStaff(account)) throw refuse(calls.erasePlayer, 'stillStaff')
    const dueAt = await requestErasure(deps, account, { by: staff, renameCharacters, caller: SUPPORT })
    await context.consumeIrreversible({
      target: ['player', userNum],
      accounts: [userNum],
      summary: `Erase the personal data of ${account.user_id}`,
      effect: { account: userNum, user_id: account.user_id, 'replace the names of characters': renameCharacters },
    })
    // The reason is not recorded, because the audit log would retain personal data in it after the erasure.
    record({ ...describeTarget(userNum), after: { erasure_due_at: dueAt.toISOString(), reason_given: reason !== '' } })
    return {
      message: `${account.user_id} is locked and hidden, and will be erased on ${formatManilaMinute(dueAt)}, Manila time.`,
      erasure_due_at: dueAt,
    }
  }),

  mount(calls.withdrawPlayerErasure, async ({ user_num: userNum, reason }, { deps, staff, record }) => {
    const account = await lockOtherPlayer(deps.db, staff, userNum)
    const wasWithdrawn = await withdrawErasure(deps, account, { by: staff, caller: SUPPORT })
    if (!wasWithdrawn) throw refuse(calls.withdrawPlayerErasure, 'notErasing')
    record({ ...describeTarget(userNum), before: { erasure_due_at: account.erasure_due_at?.toISOString() }, reason })
    return { message: `${account.user_id} will not be erased and can log in again.` }
  }),
]

/** Describes an account's second factors to the owner who approves their removal. */
async function describeFactors(db: Db, userNum: number): Promise<string[]> {
  const factors = await db
    .selectFrom('account_factors')
    .where('user_num', '=', userNum)
    .select(['kind', 'name', 'created_at'])
    .orderBy('factor')
    .execute()
  return factors.map(
    ({ kind, name, created_at }) =>
      `${kind === 'totp' ? 'Authenticator app' : 'Passkey'} ${name}, since ${formatManilaMinute(created_at)}`,
  )
}
