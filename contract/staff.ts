import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, dayFilter, declareDeskCalls, textFilter } from './desk.ts'
import { conflict } from './errors.ts'
import { lineField, linesField, reasonField } from './fields.ts'
import { SUPPORT_NAME_MAX } from './limits.ts'
import { ALL_PERMISSIONS } from './permissions.ts'
import { count, moment, nullableMoment } from './scalars.ts'
import { currencyNamesSchema } from './site.ts'

const staffCalls = declareDeskCalls('staff', {
  read: 'staff.read',
  write: 'staff.write',
  notPersonal: ['roles', 'offered', 'permissions'],
})
const auditCalls = declareDeskCalls('audit log', { read: 'audit.read' })
const approvalCalls = declareDeskCalls('approvals', { read: 'staff', notPersonal: ['state', 'content_hash'] })
const listCalls = declareDeskCalls('lists', { read: 'staff' })

const roleNameField = f
  .string('Choose a role.')
  .check(f.regex(/^[a-z0-9][a-z0-9-]{1,29}$/, 'Use 2 to 30 lowercase letters, digits and hyphens.'))

export const accountNumberField = f.number('Choose an account.').check(f.int(), f.positive())

export const inviteForm = f.object({ user_id: lineField(20, 'Enter a user ID.'), role: roleNameField })

export const inviteFields = describeFields(inviteForm, {
  user_id: { label: 'User ID', kind: 'id' },
  role: { label: 'Role', kind: 'choice', none: 'Choose a role' },
})

export const memberForm = f.object({ user_num: accountNumberField, reason: reasonField })

export const memberRoleForm = f.object({ user_num: accountNumberField, role: roleNameField, reason: reasonField })

export const staffNameForm = f.object({
  user_num: accountNumberField,
  name: lineField(SUPPORT_NAME_MAX, 'Enter a name.'),
})

export const staffNameFields = describeFields(staffNameForm, {
  name: { label: 'Name for players', hint: 'on answers to tickets, in the forum, and on news you write' },
})

export const roleForm = f.object({
  role: roleNameField,
  name: lineField(40, 'Give the role a name.'),
  permissions: f
    .array(f.enum(ALL_PERMISSIONS, 'There is no such permission.'), 'Choose what the role allows.')
    .check(f.minLength(1, 'Choose what the role allows.')),
  version: f.nullable(f.number('Load the role again.').check(f.int())),
})

export const roleFields = describeFields(roleForm, {
  name: 'Name',
  role: { label: 'Short name', hint: 'cannot be changed later', kind: 'id' },
  permissions: 'What it allows',
})

export const approvalDecisionForm = f.object({
  approval: f.number('Choose a request.').check(f.int()),
  decision: f.enum(['approve', 'reject'], 'Approve or reject.'),
  content_hash: f.string('Load the request again.').check(f.regex(/^[0-9a-f]{64}$/, 'Load the request again.')),
  note: f._default(linesField(300), ''),
})

export const savedViewForm = f.object({
  list: lineField(100, 'Choose a list.'),
  name: lineField(60, 'Give the view a name.'),
  query: f.string('Choose some filters.').check(f.maxLength(2000, 'These filters are too long.')),
})

export const savedViewFields = describeFields(savedViewForm, { name: 'Save these filters as' })

const memberNotFound = { status: 404, message: 'There is no such staff member.' } as const
/** The refusal of a change after which no owner could use the desk. */
export const lastOwner = {
  status: 409,
  message: 'This is the last owner who can open the desk. Make sure first that another owner can open it.',
} as const
/** The refusal of an operator's change to their own roles (DESK-8). */
const ownRoles = { status: 403, message: 'You can’t change your own roles. Ask a colleague.' } as const
const onlyOwners = { status: 403, message: 'Only owners can give and remove the role Owner.' } as const
const roleNotFound = { status: 422, message: 'There is no such role.', field: 'role' } as const

export const getDeskUser = staffCalls.read('/admin/me', {
  summary: 'The caller’s identity and permissions at the desk',
  access: 'staff',
  output: z.object({
    user_num: z.number(),
    user_id: z.string(),
    name: z.string(),
    staff_name: z.string().meta({ description: 'The name that players see' }),
    roles: z.array(z.string()),
    offers: z.array(z.string()).meta({ description: 'Roles that you were offered and have not accepted yet' }),
    permissions: z.array(z.enum(ALL_PERMISSIONS)),
    confirmed_until: nullableMoment,
    has_factor: z.boolean(),
    app_name: z.string(),
    currencies: currencyNamesSchema,
    logo: z.string().nullable().meta({ description: 'The square logo of the theme; null if it has none' }),
    waiting: z.record(z.string(), count).meta({
      description: 'How many tasks wait for you on each screen, by its path; the count of each kind ends at 99',
    }),
  }),
})

const memberSchema = z
  .object({
    user_num: z.number(),
    user_id: z.string(),
    name: z.string(),
    staff_name: z
      .string()
      .meta({ description: 'The name that players see; empty for the site’s default name of staff' }),
    roles: z.array(
      z.object({ role: z.string(), name: z.string(), granted_at: moment, granted_by: z.string().nullable() }),
    ),
    offers: z.array(
      z.object({ role: z.string(), name: z.string(), offered_at: moment, offered_by: z.string().nullable() }),
    ),
    has_factor: z.boolean(),
    last_seen_at: nullableMoment,
    blocked: z.boolean(),
    suspended_at: nullableMoment,
    suspended_by: z.string().nullable(),
  })
  .meta({ id: 'StaffMember' })

export const getStaff = staffCalls.read('/admin/staff', {
  summary: 'The staff with their roles and open role offers',
  output: z.object({ rows: z.array(memberSchema) }),
})

const memberOutput = z.object({ message: z.string(), member: memberSchema })

export const inviteStaff = staffCalls.write('/admin/staff/invite', {
  title: 'Give role',
  summary:
    'Offer an account a role at the desk, to accept with its password. Another owner, if there is one, has to approve a role with a sensitive permission',
  sudo: true,
  approvable: true,
  fields: inviteForm,
  output: memberOutput,
  errors: {
    accountNotFound: { status: 422, message: 'There is no account with this user ID.', field: 'user_id' },
    blocked: { status: 422, message: 'This account is blocked.', field: 'user_id' },
    roleNotFound,
    ownRoles,
    onlyOwners,
  },
})

export const takeRole = staffCalls.write('/admin/staff/take', {
  title: 'Remove role',
  summary:
    'Remove a role or its offer. Members without a role become players again and are logged out. Only owners can remove the role Owner. The removal of any role of an owner, or of the permission to approve, needs the approval of an owner who is neither you nor that operator',
  sudo: true,
  approvable: true,
  fields: memberRoleForm,
  errors: { memberNotFound, ownRoles, onlyOwners, lastOwner },
})

const ownersOnly = { status: 403, message: 'Only an owner can do this.' } as const

export const suspendStaff = staffCalls.write('/admin/staff/suspend', {
  title: 'Suspend operator',
  summary:
    'Suspend a colleague’s access to the desk until an owner restores it, and log them out; only for owners, and every owner is notified',
  sudo: true,
  fields: memberForm,
  errors: {
    ownersOnly,
    memberNotFound,
    own: { status: 403, message: 'You cannot suspend yourself.' },
    suspended: { status: 409, message: 'Their access is already suspended.' },
    tooSoon: {
      status: 409,
      message: 'They were suspended less than 24 hours ago. Wait, or use the command line on the server.',
    },
    lastOwner,
  },
})

export const restoreStaff = staffCalls.write('/admin/staff/restore', {
  title: 'Restore operator',
  summary: 'Let a suspended colleague open the desk again; only for owners, and every owner is notified',
  sudo: true,
  fields: memberForm,
  errors: { ownersOnly, notSuspended: { status: 409, message: 'Their access is not suspended.' } },
})

const roleSchema = z
  .object({
    role: z.string(),
    name: z.string(),
    permissions: z.array(z.enum(ALL_PERMISSIONS)),
    built_in: z.boolean(),
    members: z.number(),
    version: z.number(),
  })
  .meta({ id: 'StaffRole' })

export const getRoles = staffCalls.read('/admin/roles', {
  summary: 'The roles with their permissions',
  output: z.object({ rows: z.array(roleSchema) }),
})

export const saveRole = staffCalls.write('/admin/roles/save', {
  title: 'Save role',
  summary:
    'Create or change a custom role. Another owner, if there is one, has to approve it if members gain a sensitive permission or lose the permission to approve',
  sudo: true,
  approvable: true,
  fields: roleForm,
  output: z.object({ message: z.string(), role: roleSchema }),
  errors: {
    builtIn: { status: 422, message: 'This role comes with the site and cannot be changed.', field: 'role' },
    taken: { status: 422, message: 'There is already a role with this short name.', field: 'role' },
    ownRole: { status: 403, message: 'You have this role yourself. Ask a colleague to change it.' },
    conflict,
  },
})

export const deleteRole = staffCalls.write('/admin/roles/delete', {
  title: 'Delete role',
  summary: 'Delete a custom role that no account has or was offered',
  sudo: true,
  idempotent: false,
  input: { body: z.object({ role: z.string() }) },
  errors: {
    roleNotFound: { status: 404, message: 'There is no such role.' },
    builtIn: { status: 422, message: 'This role comes with the site and cannot be deleted.' },
    inUse: { status: 409, message: 'An account still has this role or an offer of it. Remove that first.' },
  },
})

const auditRow = z.object({
  entry: z.number(),
  at: moment,
  actor_kind: z.enum(['person', 'command', 'job']),
  actor_num: z.number().nullable(),
  actor: z.string(),
  permission: z.string(),
  action: z.string().meta({ description: 'The path of a call, or the name of a command or job' }),
  what: z.string().meta({ description: 'What the action does, as text' }),
  target_kind: z.string(),
  target_id: z.string(),
  player: z.number().nullable(),
  player_id: z.string().nullable(),
  shown: z.boolean().meta({
    description: 'Whether the caller has the permission of the call, and therefore sees the reason and the changes',
  }),
  reason: z.string(),
  address: z.string(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
})

export const getAuditLog = auditCalls.list('/admin/audit', {
  summary: 'The actions of staff, commands and jobs, newest first',
  sorts: ['-entry'],
  filters: {
    actor: textFilter.meta({ description: 'A user ID, or the name of a command or job' }),
    target_kind: textFilter,
    target_id: textFilter,
    player: textFilter.meta({ description: 'A user ID' }),
    action: textFilter.meta({ description: 'The beginning of the call’s path or of the command' }),
    views: choiceFilter(['shown', 'hidden']).meta({
      description: 'hidden leaves out entries that only record that an operator opened a page',
    }),
    from: dayFilter,
    until: dayFilter,
  },
  row: auditRow,
})

export const getAuditActions = auditCalls.read('/admin/audit/actions', {
  summary: 'The actions in the audit log: paths of calls, and names of commands and jobs',
  output: z.object({ actions: z.array(z.object({ action: z.string(), what: z.string() })) }),
})

const approvalRow = z
  .object({
    approval: z.number(),
    call: z.string(),
    what: z.string().meta({ description: 'What the call does, as text' }),
    shown: z.boolean().meta({
      description:
        'Whether you see the content, because you requested it, may decide on it, or may make the call. Otherwise its fields are empty',
    }),
    kind: z.string(),
    amount: z.number().nullable(),
    summary: z.string(),
    input: z.record(z.string(), z.unknown()),
    effect: z.record(z.string(), z.unknown()).meta({ description: 'Its effect, as plain text' }),
    content_hash: z.string(),
    only_owner: z.boolean(),
    requested_by: z.string(),
    requested_by_num: z.number(),
    requested_at: moment,
    expires_at: moment,
    state: z.enum(['waiting', 'approved', 'done', 'rejected', 'withdrawn', 'expired']),
    decided_by: z.string().nullable(),
    decided_at: nullableMoment,
    note: z.string(),
    why_not: z.string().nullable().meta({ description: 'Why you cannot decide on it; null if you can' }),
  })
  .meta({ id: 'Approval' })

export const getApprovals = approvalCalls.list('/admin/approvals', {
  summary: 'The approval requests, waiting and decided',
  sorts: ['-approval'],
  filters: { state: choiceFilter(['waiting', 'approved', 'done', 'rejected', 'withdrawn']) },
  row: approvalRow,
})

const approvalNotFound = { status: 404, message: 'There is no such request.' } as const
const notWaiting = { status: 409, message: 'This request is no longer waiting.' } as const

export const decideApproval = approvalCalls.write('/admin/approvals/decide', {
  title: 'Decide approval',
  summary:
    'Approve or reject another operator’s request. An approved request is carried out right away, after all rules are checked again; if its response is shown only once, its requester carries it out',
  access: 'approvals.decide',
  sudo: true,
  fields: approvalDecisionForm,
  output: z.object({ message: z.string(), approval: approvalRow }),
  errors: {
    approvalNotFound,
    notWaiting,
    otherContent: { status: 409, message: 'The request has changed since you loaded it. Load it again.' },
    gone: {
      status: 409,
      message: 'The requester no longer has the permission for this, or this version of the site has no such call.',
    },
  },
})

export const withdrawApproval = approvalCalls.write('/admin/approvals/withdraw', {
  title: 'Withdraw approval request',
  summary: 'Withdraw a request of your own',
  idempotent: false,
  input: { body: z.object({ approval: z.number() }) },
  errors: { approvalNotFound, notWaiting },
})

/** Runs an approved call that shows a secret. Only the requester can do so and sees the response. */
export const runApproval = approvalCalls.write('/admin/approvals/run', {
  title: 'Run approved request',
  summary: 'Carry out your approved request whose response is shown only once',
  sudo: true,
  idempotent: { shownOnce: 'approval' },
  input: { body: z.object({ approval: z.number() }) },
  output: z.object({ approval: z.number(), answer: z.unknown() }),
  errors: {
    approvalNotFound,
    notApproved: { status: 409, message: 'This request is not approved, or has already been carried out.' },
  },
})

/** The CSV file has the matching rows of all pages. */
export const exportList = listCalls.read('/admin/export', {
  title: 'Export list',
  summary: 'A list as a CSV file of at most 100,000 rows; needs the permission of the list',
  method: 'POST',
  input: {
    body: z.object({
      list: z.string().max(100).meta({ description: 'The path of the list, such as /admin/audit' }),
      query: z.record(z.string(), z.string().max(500)).default({}),
    }),
  },
  output: z.file(),
  errors: { listNotFound: { status: 422, message: 'There is no such list.', field: 'list' } },
})

const viewSchema = z.object({
  view: z.number(),
  list: z.string(),
  name: z.string(),
  query: z.string(),
  created_by: z.string(),
})

export const getSavedViews = listCalls.read('/admin/views', {
  summary: 'The saved filters of a list, shared by all staff',
  input: { query: z.object({ list: z.string().max(100) }) },
  output: z.object({ rows: z.array(viewSchema) }),
})

export const saveView = listCalls.write('/admin/views/save', {
  title: 'Save filters',
  summary: 'Save the filters of a list under a name; filters with the same name are replaced',
  idempotent: false,
  fields: savedViewForm,
  output: z.object({ message: z.string(), view: viewSchema }),
})

export const deleteView = listCalls.write('/admin/views/delete', {
  title: 'Delete saved filters',
  summary: 'Delete saved filters',
  idempotent: false,
  input: { body: z.object({ view: z.number() }) },
  errors: { viewNotFound: { status: 404, message: 'These saved filters were already deleted.' } },
})

/** Sets an operator's public name. Operators can set their own; `staff.write` can also set others'. */
export const setStaffName = staffCalls.write('/admin/staff/name', {
  title: 'Change staff name',
  summary: 'Set the name that players see for you, or for another member of staff',
  access: 'staff',
  idempotent: false,
  fields: staffNameForm,
  errors: {
    memberNotFound,
    notYours: { status: 403, message: 'You can only change your own name.' },
    taken: { status: 422, message: 'Someone else on the staff has this name.', field: 'name' },
  },
})
