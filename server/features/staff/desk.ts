import { sql } from 'kysely'
import { z } from 'zod'
import { type Endpoint, isStaffAccess } from '#contract/endpoint.ts'
import { CONFIRMATION_VALID_MS } from '#contract/limits.ts'
import { filterSensitive, OWNER, PERMISSIONS, type Permission } from '#contract/permissions.ts'
import * as calls from '#contract/staff.ts'
import { writeCsv } from '#server/csv.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import { readSiteTheme } from '#server/features/theme/queries.ts'
import { countByScreen } from '#server/features/today/needs.ts'
import { callMounted } from '#server/http/answer-calls.ts'
import { findMounted, type MountedCall, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { readMailSite } from '#server/mail/site.ts'
import { getCurrencyNames, readSettings, readSettingsNow } from '#server/settings.ts'
import {
  lockInvitation,
  offerRole,
  removeRole,
  revokeRole,
  selectOfferedRoles,
  selectRoleHolders,
  writeRole,
} from './members.ts'
import { mailAboutMember, mailOffer } from './notify.ts'
import { findLostApprovers, lockOwners, requireOwnerApproval, selectActiveApprovers } from './owners.ts'
import { selectAuditActions, selectAuditLog, selectMembers, selectRoles } from './queries.ts'
import { decideRequest, runForRequester, selectApprovals, withdrawRequest } from './requests.ts'
import { restoreMember, suspendMember } from './suspension.ts'

const EXPORTED_ROWS_MAX = 100_000

/** The calls about staff, the audit log, approvals, exports and saved views. */
export const staffDeskCalls: MountedCall[] = [
  mount(calls.getDeskUser, async (_, { deps, staff }) => {
    const { db } = deps
    const account = await db
      .selectFrom('accounts')
      .where('user_num', '=', staff.userNum)
      .select(sql<string>`btrim(first_name || ' ' || last_name)`.as('name'))
      .executeTakeFirstOrThrow()
    const { confirmedAt } = staff
    const settings = await readSettings(deps)
    return {
      user_num: staff.userNum,
      user_id: staff.userId,
      name: account.name,
      staff_name: staff.staffName,
      roles: staff.roles,
      offers: await selectOfferedRoles(db, staff.userNum),
      permissions: [...staff.permissions],
      confirmed_until: confirmedAt && new Date(confirmedAt.getTime() + CONFIRMATION_VALID_MS),
      has_factor: staff.hasFactor,
      app_name: settings.site_name,
      currencies: getCurrencyNames(settings),
      logo: (await readSiteTheme(deps))?.pictures.logo?.[0] ?? null,
      waiting: await countByScreen(deps, staff),
    }
  }),

  mount(calls.getStaff, async (_, { deps }) => ({ rows: await selectMembers(deps.db) })),

  mount(calls.setStaffName, async ({ user_num: userNum, name }, { deps: { db: tx }, staff, record }) => {
    if (userNum !== staff.userNum && !staff.permissions.has('staff.write')) throw refuse(calls.setStaffName, 'notYours')
    const [member] = await selectMembers(tx, userNum)
    if (member === undefined) throw refuse(calls.setStaffName, 'memberNotFound')
    await tx
      .updateTable('accounts')
      .set({ staff_name: name })
      .where('user_num', '=', userNum)
      .execute()
      .catch(refuseViolations(calls.setStaffName, { accounts_staff_name_key: 'taken' }))
    record({ target: ['staff', userNum], before: { staff_name: member.staff_name }, after: { staff_name: name } })
    return { message: `Players know ${userNum === staff.userNum ? 'you' : member.user_id} as ${name}.` }
  }),

  mount(calls.inviteStaff, async ({ user_id: userId, role }, { deps, staff, record, requireApproval }) => {
    const { db: tx, now } = deps
    if (role === OWNER && !staff.roles.includes(OWNER)) throw refuse(calls.inviteStaff, 'onlyOwners')
    const { account, permissions } = await lockInvitation(tx, { userId, role })
    if (account.user_num === staff.userNum) throw refuse(calls.inviteStaff, 'ownRoles')
    const summary = `Give ${account.user_id} the role ${role}`
    // The approval is needed for the offer, because the player accepts it alone (DESK-7).
    if (filterSensitive(permissions).length > 0)
      await requireApproval({
        approverKind: 'owner',
        accounts: [account.user_num],
        summary,
        effect: {
          account: account.user_num,
          user_id: account.user_id,
          role,
          permissions: describePermissions(permissions),
        },
      })
    const offer = { userNum: account.user_num, role, offeredBy: staff.userNum, now: now() }
    const isNew = await offerRole(tx, offer)
    const [member] = await selectMembers(tx, account.user_num)
    if (member === undefined) throw new Error('The role was not offered.')
    const offeredRoles = member.offers.map((offerRow) => offerRow.role)
    record({
      target: ['staff', account.user_num],
      player: account.user_num,
      before: { offered: offeredRoles.filter((offeredRole) => !isNew || offeredRole !== role) },
      after: { offered: offeredRoles },
    })
    if (isNew) await mailOffer(deps, account, { role, by: staff.userId })
    if (!offeredRoles.includes(role)) return { message: `${account.user_id} has the role ${role} already.`, member }
    return { message: `${account.user_id} can accept the role ${role}.`, member }
  }),

  mount(calls.takeRole, async ({ user_num: userNum, role, reason }, context) => {
    const { deps, staff, record } = context
    const { db: tx, now } = deps
    if (userNum === staff.userNum) throw refuse(calls.takeRole, 'ownRoles')
    if (role === OWNER && !staff.roles.includes(OWNER)) throw refuse(calls.takeRole, 'onlyOwners')
    // Locked before the setting is read, because a concurrent call may change it.
    await lockOwners(tx)
    const { require_staff_factor: isFactorRequired } = await readSettingsNow(deps)
    const approversBefore = await selectActiveApprovers(tx)
    const { userId, email, remainingRoles, isOwner, wasOffer } = await revokeRole(tx, {
      userNum,
      role,
      isFactorRequired,
      now: now(),
    })
    if (wasOffer) {
      record({ target: ['staff', userNum], player: userNum, before: { offered: role }, after: {}, reason })
      return { message: `${userId} can no longer accept the role ${role}.` }
    }
    const subject = {
      summary: `Take the role ${role} from ${userId}`,
      effect: { account: userNum, user_id: userId, 'role taken': role, 'roles left': remainingRoles },
    }
    if (isOwner) await requireOwnerApproval(tx, context, { user_num: userNum, user_id: userId, isOwner }, subject)
    else {
      const lostApprovers = await findLostApprovers(tx, staff, { before: approversBefore, role })
      if (lostApprovers.length > 0)
        await context.requireApproval({ approverKind: 'owner', accounts: lostApprovers, ...subject })
    }
    await mailAboutMember(
      tx,
      { now: now(), site: await readMailSite(deps) },
      { user_num: userNum, user_id: userId, user_email: email },
      { what: `${userId} no longer has the role ${role}.`, by: staff.userId },
    )
    record({
      target: ['staff', userNum],
      player: userNum,
      before: { roles: [...remainingRoles, role].sort() },
      after: { roles: remainingRoles },
      reason,
    })
    const playerNote =
      remainingRoles.length === 0 ? ' Their account is a player’s account again and was logged out.' : ''
    return { message: `${userId} no longer has the role ${role}.${playerNote}` }
  }),

  mount(calls.suspendStaff, async ({ user_num: userNum, reason }, context) => {
    const userId = await suspendMember(context, { userNum, reason })
    context.record({
      target: ['staff', userNum],
      player: userNum,
      before: { suspended: false },
      after: { suspended: true },
      reason,
    })
    return { message: `${userId} was logged out and can no longer open the desk.` }
  }),

  mount(calls.restoreStaff, async ({ user_num: userNum, reason }, context) => {
    const userId = await restoreMember(context, { userNum, reason })
    context.record({
      target: ['staff', userNum],
      player: userNum,
      before: { suspended: true },
      after: { suspended: false },
      reason,
    })
    return { message: `${userId} can open the desk again.` }
  }),

  mount(calls.getRoles, async (_, { deps }) => ({ rows: await selectRoles(deps.db) })),

  mount(calls.saveRole, async (input, { deps: { db: tx, now }, staff, record, requireApproval }) => {
    if (staff.roles.includes(input.role)) throw refuse(calls.saveRole, 'ownRole')
    const approversBefore = await selectActiveApprovers(tx)
    const before = await writeRole(tx, input, now())
    // An unassigned role gives no permissions; assigning it later needs an approval (DESK-7).
    const members = await selectRoleHolders(tx, input.role)
    const permissionsBefore = before?.permissions ?? []
    const addedPermissions = input.permissions.filter((permission) => !permissionsBefore.includes(permission))
    const addedSensitive = filterSensitive(addedPermissions)
    const lostApprovers = await findLostApprovers(tx, staff, { before: approversBefore, role: input.role })
    const isGrantingSensitive = members.length > 0 && addedSensitive.length > 0
    if (isGrantingSensitive || lostApprovers.length > 0)
      await requireApproval({
        approverKind: 'owner',
        accounts: isGrantingSensitive
          ? members.filter((member) => !member.is_owner).map(({ user_num }) => user_num)
          : lostApprovers,
        summary: isGrantingSensitive
          ? `Allow the role ${input.name}: ${describePermissions(addedSensitive).join('; ')}`
          : `Take from the role ${input.name}: ${describePermissions(['approvals.decide']).join('; ')}`,
        effect: {
          role: input.role,
          name: input.name,
          added: describePermissions(addedPermissions),
          removed: describePermissions(
            permissionsBefore.filter((permission) => !input.permissions.includes(permission)),
          ),
          'people who have it': members.map(({ user_num: account, user_id }) => ({ account, user_id })),
        },
      })
    const [role] = await selectRoles(tx, input.role)
    if (role === undefined) throw new Error('The role was not saved.')
    record({
      target: ['role', role.role],
      before: before === undefined ? {} : { name: before.name, permissions: before.permissions },
      after: { name: role.name, permissions: role.permissions },
    })
    return { message: `The role ${role.name} is saved.`, role }
  }),

  mount(calls.deleteRole, async ({ role }, { deps: { db: tx }, record }) => {
    const { name, permissions } = await removeRole(tx, role)
    record({ target: ['role', role], before: { name, permissions } })
    return { message: `The role ${name} has been deleted.` }
  }),

  mount(calls.getAuditLog, (filters, { deps, staff }) => selectAuditLog(deps.browseDb, staff, filters)),

  mount(calls.getAuditActions, async (_, { deps }) => ({ actions: await selectAuditActions(deps.browseDb) })),

  mount(calls.getApprovals, ({ after, state }, { deps, staff }) =>
    selectApprovals(deps.db, staff, { after, state, now: deps.now() }),
  ),

  mount(calls.decideApproval, async (input, context) => {
    const state = await decideRequest(context, input)
    const { rows } = await selectApprovals(context.deps.db, context.staff, {
      approval: input.approval,
      now: context.deps.now(),
    })
    const [approval] = rows
    if (approval === undefined) throw refuse(calls.decideApproval, 'approvalNotFound')
    context.record({
      target: ['approval', input.approval],
      before: { state: 'waiting' },
      after: { state, content_hash: input.content_hash },
      reason: input.note,
    })
    const message = {
      rejected: 'Rejected. Nothing was done.',
      approved: `Approved. ${approval.requested_by} can do it now and sees what it shows.`,
      done: 'Approved and done.',
    }[state]
    return { message, approval }
  }),

  mount(calls.withdrawApproval, async ({ approval }, context) => {
    await withdrawRequest(context, approval)
    context.record({ target: ['approval', approval], after: { state: 'withdrawn' } })
    return { message: 'Withdrawn.' }
  }),

  mount(calls.runApproval, async ({ approval }, context) => {
    const answer = await runForRequester(context, approval)
    context.record({ target: ['approval', approval], before: { state: 'approved' }, after: { state: 'done' } })
    return { approval, answer }
  }),

  mount(calls.exportList, {
    prepare: ({ list, query }, { deps, session }) => readWholeList(deps, { list, query }, session),
    write: ({ list, query }, { deps, prepared: rows, record }) => {
      record({ target: ['list', list], after: { filters: query, rows: rows.length } })
      const name = `${list.split('/').pop()}-${deps.now().toISOString().slice(0, 10)}.csv`
      return new File([toCsv(rows)], name, { type: 'text/csv' })
    },
  }),

  mount(calls.getSavedViews, async ({ list }, { deps }) => ({
    rows: await selectViews(deps).where('v.list', '=', list).execute(),
  })),

  mount(calls.saveView, async ({ list, name, query }, { deps, staff, record }) => {
    const { view } = await deps.db
      .insertInto('saved_views')
      .values({ list, name, query, created_by: staff.userNum })
      .onConflict((conflict) => conflict.columns(['list', 'name']).doUpdateSet({ query, created_by: staff.userNum }))
      .returning('view')
      .executeTakeFirstOrThrow()
    record({ target: ['view', view], after: { list, name, query } })
    const savedView = await selectViews(deps).where('v.view', '=', view).executeTakeFirstOrThrow()
    return { message: `“${name}” is saved for everyone.`, view: savedView }
  }),

  mount(calls.deleteView, async ({ view }, { deps, record }) => {
    const deletedView = await deps.db
      .deleteFrom('saved_views')
      .where('view', '=', view)
      .returningAll()
      .executeTakeFirst()
    if (deletedView === undefined) throw refuse(calls.deleteView, 'viewNotFound')
    record({
      target: ['view', view],
      before: { list: deletedView.list, name: deletedView.name, query: deletedView.query },
    })
    return { message: `“${deletedView.name}” is deleted.` }
  }),
]

const describePermissions = (permissions: readonly Permission[]) =>
  permissions.map((permission) => PERMISSIONS[permission].text)

const selectViews = ({ db }: Deps) =>
  db
    .selectFrom('saved_views as v')
    .innerJoin('accounts as a', 'a.user_num', 'v.created_by')
    .select(['v.view', 'v.list', 'v.name', 'v.query', 'a.user_id as created_by'])
    .orderBy('v.name')

const isList = ({ access, output }: Endpoint) =>
  isStaffAccess(access) && output instanceof z.ZodObject && 'rows' in output.shape

type ListPage = { rows: Record<string, unknown>[]; next?: string | null }

/**
 * Reads all pages of a list, up to the limit of an export. @throws Refusal as the list's call, and 422 for an unknown list
 */
async function readWholeList(
  deps: Deps,
  { list, query }: { list: string; query: Record<string, string> },
  session: Session,
): Promise<ListPage['rows']> {
  const mounted = findMounted(`GET ${list}`)
  if (mounted === undefined || !isList(mounted.endpoint)) throw refuse(calls.exportList, 'listNotFound')
  const rows: ListPage['rows'] = []
  let after = ''
  while (rows.length < EXPORTED_ROWS_MAX) {
    const page = (await callMounted(deps, mounted, { ...query, after } as never, session)) as ListPage
    rows.push(...page.rows)
    if (!page.next) break
    after = page.next
  }
  return rows
}

const writeCell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** Formats the rows of a list as a CSV file. */
function toCsv(rows: ListPage['rows']): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return writeCsv(
    columns,
    rows.map((row) => columns.map((column) => writeCell(row[column]))),
  )
}
