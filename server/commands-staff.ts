import { sql } from 'kysely'
import { PASSWORD_FORMS, type PasswordForm } from '#contract/bridge-sealing.ts'
import { OWNER } from '#contract/permissions.ts'
import { restoreStaff } from '#contract/staff.ts'
import { type CommandAnswer, createFailure, recordCommand, runChange } from './command-answer.ts'
import type { Db } from './db/open.ts'
import { Refusal, refuse } from './errors.ts'
import { endErasureRequest } from './features/accounts/erasure-requests.ts'
import { removeLostFactors } from './features/accounts/second-factors.ts'
import { makeBridgeCode } from './features/bridge/pairing.ts'
import { offerRole, revokeRole } from './features/staff/members.ts'
import { mailAboutMember } from './features/staff/notify.ts'
import { lockOwners } from './features/staff/owners.ts'
import { selectMembers } from './features/staff/queries.ts'
import { endSuspension } from './features/staff/suspension.ts'
import { enqueueMail } from './mail/outbox.ts'
import { type MailSite, mails } from './mail/templates.ts'

export const STAFF_USAGE =
  'staff list; staff owner USERID; staff take USERID ROLE; staff restore USERID; staff remove-factor USERID; staff bridge-code [FORM]'

/**
 * Runs an operator's command about staff:
 *
 * - `owner` offers an account the role Owner, even if it had lost the role, or was blocked or suspended.
 * - `take` takes a role, or the offer of a role, from an account.
 * - `restore` ends a suspension.
 * - `remove-factor` removes an account's second factors.
 * - `bridge-code` makes a code that pairs a bridge. If FORM (the form of the game's passwords) is left out, the bridge
 *   sets it at its first start.
 */
export async function runStaffCommand(
  { db, now, site }: { db: Db; now: Date; site: MailSite },
  args: string[],
): Promise<CommandAnswer> {
  const [verb, userId = '', ...moreArguments] = args
  if (verb === 'list' && userId === '') return listMembers(db)
  if (verb === 'bridge-code' && moreArguments.length === 0) return createPairingCode(db, userId, now)
  const changeAccount = Object.hasOwn(ACCOUNT_CHANGES, verb ?? '') ? ACCOUNT_CHANGES[verb ?? ''] : undefined
  if (changeAccount === undefined || userId === '' || moreArguments.length !== (verb === 'take' ? 1 : 0))
    return createFailure(`Usage: ${STAFF_USAGE}`)
  return runChange(db, async (tx) => {
    await lockOwners(tx)
    const account = await tx
      .selectFrom('accounts')
      .where(sql`lower(user_id)`, '=', userId.toLowerCase())
      .select(['user_num', 'user_id', 'user_email', 'user_type'])
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (account === undefined)
      return createFailure(`There is no account ${userId}. Register it on the site first, then run this again.`)
    const before = await describeMember(tx, account.user_num)
    const line = await changeAccount(tx, account, { now, site, role: moreArguments[0] ?? '' })
    const after = await describeMember(tx, account.user_num)
    if ([before, after].some(({ roles, offered }) => roles.length + offered.length > 0))
      await mailAboutMember(tx, { now, site }, account, { what: line, by: null })
    await recordCommand(tx, now, `staff ${verb}`, {
      target: ['staff', account.user_num],
      player: account.user_num,
      before,
      after,
    })
    return { ok: true, lines: [line] }
  })
}

async function describeMember(tx: Db, userNum: number) {
  const [member] = await selectMembers(tx, userNum)
  // An account without a role can have a second factor too.
  const { has_factor } = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('has_factor')
    .executeTakeFirstOrThrow()
  return {
    roles: member?.roles.map(({ role }) => role) ?? [],
    offered: member?.offers.map(({ role }) => role) ?? [],
    second_factor: has_factor,
    suspended: member !== undefined && member.suspended_at !== null,
  }
}

const formatRoles = (roles: string[], offeredRoles: string[]) =>
  [...roles, ...offeredRoles.map((role) => `${role} (not accepted)`)].join(', ')

type Account = { user_num: number; user_id: string; user_email: string }
type AccountChange = (tx: Db, account: Account, context: { now: Date; site: MailSite; role: string }) => Promise<string>

/**
 * The effect of each command on an account. Each returns the line to print.
 *
 * @throws Refusal; the caller then rolls back the transaction
 */
const ACCOUNT_CHANGES: Record<string, AccountChange> = {
  owner: async (tx, { user_num: userNum, user_id: name }, { now }) => {
    await tx
      .updateTable('account_blocks')
      .set({ lifted_at: now })
      .where('user_num', '=', userNum)
      .where('lifted_at', 'is', null)
      .execute()
    await tx
      .updateTable('accounts')
      .set({ blocked_at: null, blocked_until: null })
      .where('user_num', '=', userNum)
      .execute()
    await endSuspension(tx, userNum)
    await endErasureRequest(tx, userNum, { outcome: 'taken back', by: null, now })
    const { roles } = await describeMember(tx, userNum)
    if (roles.includes(OWNER)) return `${name} is an owner of the desk. They log in as usual and open /admin.`
    await offerRole(tx, { userNum, role: OWNER, offeredBy: null, now })
    return `${name} becomes an owner of the desk by accepting the role: they log in as usual, open /admin and enter their password.`
  },

  // The remaining owners need no second factor here: an operator who can run commands can also remove an owner's lost
  // factor with `remove-factor`.
  take: async (tx, { user_num: userNum, user_id: name }, { now, role: roleInput }) => {
    // The desk shows role names with a capital letter.
    const role = roleInput.toLowerCase()
    const { roles, offered } = await describeMember(tx, userNum)
    if (roles.length + offered.length === 0) throw new Refusal(404, 'no-role', `${name} has no role at the desk.`)
    if (!roles.includes(role) && !offered.includes(role))
      throw new Refusal(
        404,
        'no-role',
        `${name} does not have the role ${role}. Their roles: ${formatRoles(roles, offered)}.`,
      )
    const revokeOptions = { isFactorRequired: false, countsOffers: true, now }
    const { remainingRoles, wasOffer } = await revokeRole(tx, { userNum, role, ...revokeOptions })
    if (wasOffer) return `${name} can no longer accept the role ${role}.`
    const rolesText =
      remainingRoles.length === 0
        ? 'They are a player again and were logged out.'
        : `They still have: ${remainingRoles.join(', ')}.`
    return `${name} no longer has the role ${role}. ${rolesText}`
  },

  restore: async (tx, { user_num: userNum, user_id: name }) => {
    if (!(await endSuspension(tx, userNum))) throw refuse(restoreStaff, 'notSuspended')
    return `${name} can open the desk again.`
  },

  'remove-factor': async (tx, account, { now, site }) => {
    const { user_id: name, user_email: email } = account
    if ((await removeLostFactors(tx, account, { caller: { address: '', device: 'Support' }, now })) > 0) {
      const changeText =
        'Support removed every second factor from your account. You can now log in with just your password.'
      await enqueueMail(tx, email, mails.factorChanged(site, name, changeText), now)
    }
    return `${name} no longer has a second factor. They can set up a new one on their account page.`
  },
}

/** Makes a code that pairs a bridge. The last line of the answer is only the code, for programs (BRIDGE-2). */
async function createPairingCode(db: Db, form: string, now: Date): Promise<CommandAnswer> {
  if (form !== '' && !isPasswordForm(form))
    return createFailure(`Unknown form of passwords “${form}”. Use one of: ${PASSWORD_FORMS.join(', ')}.`)
  const passwordForm = form === '' ? null : form
  const code = await db.transaction().execute(async (tx) => {
    const bridgeCode = await makeBridgeCode(tx, { madeBy: null, approvedBy: null, passwordForm, now })
    await recordCommand(tx, now, 'staff bridge-code', {
      target: ['bridge code', bridgeCode.number],
      after: { 'good until': bridgeCode.endsAt.toISOString(), 'form of passwords': passwordForm },
    })
    return bridgeCode.code
  })
  return { ok: true, lines: ['This code pairs one bridge. It is valid for ten minutes and is not shown again:', code] }
}

const isPasswordForm = (text: string): text is PasswordForm => (PASSWORD_FORMS as readonly string[]).includes(text)

async function listMembers(db: Db): Promise<CommandAnswer> {
  const members = await selectMembers(db)
  if (members.length === 0)
    return { ok: true, lines: ['The site has no operator yet: staff owner USERID makes the first owner.'] }
  return {
    ok: true,
    lines: members.map(({ user_id, roles, offers, has_factor, suspended_at }) =>
      [
        user_id,
        formatRoles(
          roles.map(({ role }) => role),
          offers.map(({ role }) => role),
        ),
        has_factor ? 'second factor' : 'no second factor',
        ...(suspended_at === null ? [] : ['suspended']),
      ].join('\t'),
    ),
  }
}
