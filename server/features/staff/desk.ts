import { sql } from 'kysely'
import Papa from 'papaparse'
import * as calls from '#contract/desk-staff.ts'
import { isForStaff } from '#contract/endpoint.ts'
import { CONFIRMED_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { openCases } from '#server/features/forum/moderation.ts'
import { callMounted, findMounted, type Mounted, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import type { Staff } from '#server/http/staff.ts'
import { grantRole, isGuarded, lockInvitation, removeRole, takeRoleFrom, writeRole } from './members.ts'
import { selectAuditLog, selectMembers, selectRoles } from './queries.ts'
import { decide, runForRequester, selectApprovals, withdraw } from './requests.ts'

const EXPORTED_ROWS_MAX = 100_000

/** More are not counted: the menu says 99+. */
const COUNTED_MAX = 100

/** Reported and held posts that wait for somebody, counted up to 100. */
async function countCases(db: Db, staff: Staff): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${openCases(staff, ['report', 'held'])} limit ${COUNTED_MAX}) waiting`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** The calls about staff, the audit log, approvals, exports and saved views. */
export const staffDeskCalls: Mounted[] = [
  mount(calls.getDeskUser, async (_, { deps, staff }) => {
    const { db, now, config } = deps
    const account = await db
      .selectFrom('accounts')
      .where('user_num', '=', staff.userNum)
      .select((a) => [
        sql<string>`btrim(first_name || ' ' || last_name)`.as('name'),
        a
          .selectFrom('approvals')
          .where('state', '=', 'waiting')
          .where('requested_by', '<>', staff.userNum)
          .where('expires_at', '>', now())
          .select((p) => p.fn.countAll<number>().as('count'))
          .as('waiting'),
      ])
      .executeTakeFirstOrThrow()
    const { confirmedAt } = staff
    return {
      user_num: staff.userNum,
      user_id: staff.userId,
      name: account.name,
      roles: staff.roles,
      permissions: [...staff.permissions],
      confirmed_until: confirmedAt && new Date(confirmedAt.getTime() + CONFIRMED_MS).toISOString(),
      has_factor: staff.hasFactor,
      app_name: config.appName,
      approvals_waiting: Number(account.waiting ?? 0),
      forum_waiting: staff.permissions.has('forum.moderate') ? await countCases(db, staff) : 0,
    }
  }),

  mount(calls.getStaff, async (_, { deps }) => ({ rows: await selectMembers(deps.db) })),

  mount(calls.inviteStaff, async ({ user_id: userId, role }, { deps, staff, record, requireApproval }) => {
    const { db: tx, now } = deps
    const { account, permissions } = await lockInvitation(tx, { userId, role })
    const summary = `Give ${account.user_id} the role ${role}`
    const isOnlyOperator =
      isGuarded(role, permissions) &&
      (await requireApproval({ by: 'owner', accounts: [account.user_num], summary })).isOnlyOperator
    const [before] = await selectMembers(tx, account.user_num)
    await grantRole(tx, { userNum: account.user_num, role, grantedBy: staff.userNum, now: now() })
    const [member] = await selectMembers(tx, account.user_num)
    if (member === undefined) throw new Error('The role was not given.')
    record({
      target: ['staff', account.user_num],
      player: account.user_num,
      before: { roles: before?.roles.map((one) => one.role) ?? [], user_type: account.user_type },
      after: {
        roles: member.roles.map((one) => one.role),
        user_type: Math.max(account.user_type, 11),
        ...(isOnlyOperator && { approval: 'not asked for: there is no other operator' }),
      },
    })
    return { message: `${account.user_id} now has the role ${role}.`, member }
  }),

  mount(calls.takeRole, async ({ user_num: userNum, role, reason }, { deps: { db: tx }, record }) => {
    const { userId, left } = await takeRoleFrom(tx, userNum, role)
    record({
      target: ['staff', userNum],
      player: userNum,
      before: { roles: [...left, role].sort() },
      after: { roles: left },
      reason,
    })
    const rest = left.length === 0 ? ' They are a player again and were logged out.' : ''
    return { message: `${userId} no longer has the role ${role}.${rest}` }
  }),

  mount(calls.getRoles, async (_, { deps }) => ({ rows: await selectRoles(deps.db) })),

  mount(calls.saveRole, async (input, { deps: { db: tx }, record, requireApproval }) => {
    const before = await writeRole(tx, input)
    if (isGuarded(input.role, input.permissions)) {
      const summary = `Let the role ${input.name} do: ${input.permissions.join(', ')}`
      await requireApproval({ by: 'owner', accounts: [], summary })
    }
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

  mount(calls.getAuditLog, (filters, { deps }) => selectAuditLog(deps.browseDb, filters)),

  mount(calls.getApprovals, ({ after, state }, { deps, staff }) =>
    selectApprovals(deps.db, staff, { after, state, now: deps.now() }),
  ),

  mount(calls.decideApproval, async (input, asked) => {
    const state = await decide(asked, input)
    const { rows } = await selectApprovals(asked.deps.db, asked.staff, {
      approval: input.approval,
      now: asked.deps.now(),
    })
    const [approval] = rows
    if (approval === undefined) throw refuse(calls.decideApproval, 'noApproval')
    asked.record({
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

  mount(calls.withdrawApproval, async ({ approval }, asked) => {
    await withdraw(asked, approval)
    asked.record({ target: ['approval', approval], after: { state: 'withdrawn' } })
    return { message: 'Withdrawn.' }
  }),

  mount(calls.runApproval, async ({ approval }, asked) => {
    const answer = await runForRequester(asked, approval)
    asked.record({ target: ['approval', approval], before: { state: 'approved' }, after: { state: 'done' } })
    return { approval, answer }
  }),

  mount(calls.exportList, {
    prepare: ({ list, query }, { deps, session }) => readWholeList(deps, { list, query }, session),
    write: ({ list, query }, { deps, prepared: rows, record }) => {
      record({ target: ['list', list], after: { filters: query, rows: rows.length } })
      const name = `${list.split('/').pop()}-${deps.now().toISOString().slice(0, 10)}.csv`
      return new File([writeCsv(rows)], name, { type: 'text/csv' })
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
    const saved = await selectViews(deps).where('v.view', '=', view).executeTakeFirstOrThrow()
    return { message: `“${name}” is saved for everyone.`, view: saved }
  }),

  mount(calls.deleteView, async ({ view }, { deps, record }) => {
    const gone = await deps.db.deleteFrom('saved_views').where('view', '=', view).returningAll().executeTakeFirst()
    if (gone === undefined) throw refuse(calls.deleteView, 'noView')
    record({ target: ['view', view], before: { list: gone.list, name: gone.name, query: gone.query } })
    return { message: `“${gone.name}” is deleted.` }
  }),
]

const selectViews = ({ db }: Deps) =>
  db
    .selectFrom('saved_views as v')
    .innerJoin('accounts as a', 'a.user_num', 'v.created_by')
    .select(['v.view', 'v.list', 'v.name', 'v.query', 'a.user_id as created_by'])
    .orderBy('v.name')

type Page = { rows: Record<string, unknown>[]; next?: string | null }

/** Every page of a list, up to the most that an export takes. @throws Refusal as the list does, 422 where there is none */
async function readWholeList(
  deps: Deps,
  { list, query }: { list: string; query: Record<string, string> },
  session: Session,
): Promise<Page['rows']> {
  const mounted = findMounted(`GET ${list}`)
  if (mounted === undefined || !isForStaff(mounted.endpoint.access)) throw refuse(calls.exportList, 'noList')
  const rows: Page['rows'] = []
  let after = ''
  while (rows.length < EXPORTED_ROWS_MAX) {
    const page = (await callMounted(deps, mounted, { ...query, after } as never, session)) as Page
    rows.push(...page.rows)
    if (!page.next) break
    after = page.next
  }
  return rows
}

const writeCell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** A CSV file as spreadsheets expect it; text that they would run as a formula is escaped. */
function writeCsv(rows: Page['rows']): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => writeCell(row[column])))
  return `\uFEFF${Papa.unparse({ fields: columns, data: cells }, { escapeFormulae: true })}`
}
