import { z } from 'zod'
import { choiceFilter, dayFilter, deskList, deskQuery, textFilter } from './desk-list.ts'
import { approvalDecisionForm, inviteForm, memberRoleForm, roleForm, savedViewForm } from './desk-staff-fields.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'
import { ALL_PERMISSIONS } from './permissions.ts'

const moment = z.iso.datetime().nullable()
const said = z.object({ message: z.string() })
const noMember = { status: 404, message: 'There is no such staff member.' } as const
const noRole = { status: 422, message: 'There is no such role.', field: 'role' } as const
const unit = z.number()

/** Who the caller is at the desk, and what they may do. */
export const getDeskUser = endpoint({
  method: 'GET',
  path: '/admin/me',
  summary: 'Who you are at the desk, and what you may do',
  area: 'desk: staff',
  access: 'staff',
  output: z.object({
    user_num: unit,
    user_id: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    permissions: z.array(z.enum(ALL_PERMISSIONS)),
    confirmed_until: moment,
    has_factor: z.boolean(),
    app_name: z.string(),
    approvals_waiting: unit,
    forum_waiting: unit.meta({ description: 'Reported and held posts of your boards; 100 means that many or more' }),
  }),
})

const memberSchema = z
  .object({
    user_num: unit,
    user_id: z.string(),
    name: z.string(),
    roles: z.array(
      z.object({ role: z.string(), name: z.string(), granted_at: z.iso.datetime(), granted_by: z.string().nullable() }),
    ),
    has_factor: z.boolean(),
    last_seen_at: moment,
    blocked: z.boolean(),
  })
  .meta({ id: 'StaffMember' })

export const getStaff = endpoint({
  method: 'GET',
  path: '/admin/staff',
  summary: 'Who works at the desk',
  area: 'desk: staff',
  access: 'staff.read',
  output: z.object({ rows: z.array(memberSchema) }),
})

const memberOutput = z.object({ message: z.string(), member: memberSchema })

export const inviteStaff = endpoint({
  method: 'POST',
  path: '/admin/staff/invite',
  summary: 'Give an account a role at the desk; owner and shop need another owner',
  area: 'desk: staff',
  access: 'staff.write',
  sudo: true,
  idempotent: true,
  input: { body: z.object(inviteForm.shape) },
  fields: inviteForm,
  output: memberOutput,
  errors: {
    noAccount: { status: 422, message: 'There is no account with this user ID.', field: 'user_id' },
    blocked: { status: 422, message: 'This account is blocked.', field: 'user_id' },
    noRole,
  },
})

export const takeRole = endpoint({
  method: 'POST',
  path: '/admin/staff/take',
  summary: 'Remove a role from a member of the staff; without roles they become a player again and are logged out',
  area: 'desk: staff',
  access: 'staff.write',
  sudo: true,
  idempotent: true,
  input: { body: z.object(memberRoleForm.shape) },
  fields: memberRoleForm,
  output: said,
  errors: {
    noMember,
    lastOwner: { status: 409, message: 'This is the last owner. Give someone else the role first.' },
  },
})

const roleSchema = z
  .object({
    role: z.string(),
    name: z.string(),
    permissions: z.array(z.enum(ALL_PERMISSIONS)),
    built_in: z.boolean(),
    members: unit,
    version: unit,
  })
  .meta({ id: 'StaffRole' })

export const getRoles = endpoint({
  method: 'GET',
  path: '/admin/roles',
  summary: 'The roles with what they allow',
  area: 'desk: staff',
  access: 'staff.read',
  output: z.object({ rows: z.array(roleSchema) }),
})

export const saveRole = endpoint({
  method: 'POST',
  path: '/admin/roles/save',
  summary:
    'Make a role, or change one of your own making; needs another owner when it allows what only guarded roles do',
  area: 'desk: staff',
  access: 'staff.write',
  sudo: true,
  idempotent: true,
  input: { body: z.object(roleForm.shape) },
  fields: roleForm,
  output: z.object({ message: z.string(), role: roleSchema }),
  errors: {
    builtIn: { status: 422, message: 'This role comes with the site and cannot be changed.', field: 'role' },
    taken: { status: 422, message: 'There is already a role with this short name.', field: 'role' },
    changedMeanwhile,
  },
})

export const deleteRole = endpoint({
  method: 'POST',
  path: '/admin/roles/delete',
  summary: 'Delete a role of your own making that nobody has',
  area: 'desk: staff',
  access: 'staff.write',
  sudo: true,
  input: { body: z.object({ role: z.string() }) },
  output: said,
  errors: {
    noRole: { status: 404, message: 'There is no such role.' },
    builtIn: { status: 422, message: 'This role comes with the site and cannot be deleted.' },
    inUse: { status: 409, message: 'Someone still has this role. Remove it from them first.' },
  },
})

const auditRow = z.object({
  entry: unit,
  at: z.iso.datetime(),
  actor_kind: z.enum(['person', 'command', 'job']),
  actor_num: unit.nullable(),
  actor: z.string(),
  permission: z.string(),
  action: z.string(),
  target_kind: z.string(),
  target_id: z.string(),
  player: unit.nullable(),
  player_id: z.string().nullable(),
  reason: z.string(),
  address: z.string(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
})

export const getAuditLog = endpoint({
  method: 'GET',
  path: '/admin/audit',
  summary: 'What staff, commands and jobs did, newest first',
  area: 'desk: audit log',
  access: 'audit.read',
  input: {
    query: deskQuery(['-entry'], {
      actor: textFilter.meta({ description: 'A user ID, or the name of a command or job' }),
      target_kind: textFilter,
      target_id: textFilter,
      player: textFilter.meta({ description: 'A user ID' }),
      action: textFilter.meta({ description: 'The beginning of the call’s path or of the command' }),
      from: dayFilter,
      until: dayFilter,
    }),
  },
  output: deskList(auditRow),
})

const approvalRow = z
  .object({
    approval: unit,
    call: z.string(),
    kind: z.string(),
    amount: unit.nullable(),
    summary: z.string(),
    input: z.record(z.string(), z.unknown()),
    content_hash: z.string(),
    only_owner: z.boolean(),
    requested_by: z.string(),
    requested_by_num: unit,
    requested_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    state: z.enum(['waiting', 'approved', 'done', 'rejected', 'withdrawn', 'expired']),
    decided_by: z.string().nullable(),
    decided_at: moment,
    note: z.string(),
    why_not: z.string().nullable().meta({ description: 'Why you cannot decide on it; null if you can' }),
  })
  .meta({ id: 'Approval' })

export const getApprovals = endpoint({
  method: 'GET',
  path: '/admin/approvals',
  summary: 'What waits for another operator, and what was decided',
  area: 'desk: approvals',
  access: 'staff',
  input: {
    query: deskQuery(['-approval'], { state: choiceFilter(['waiting', 'approved', 'done', 'rejected', 'withdrawn']) }),
  },
  output: deskList(approvalRow),
})

const noApproval = { status: 404, message: 'There is no such request.' } as const
const notWaiting = { status: 409, message: 'This request is no longer waiting.' } as const

export const decideApproval = endpoint({
  method: 'POST',
  path: '/admin/approvals/decide',
  summary:
    'Approve or reject another operator’s request; an approved one is carried out right away, after all rules are checked again',
  area: 'desk: approvals',
  access: 'approvals.decide',
  sudo: true,
  idempotent: true,
  input: { body: z.object(approvalDecisionForm.shape) },
  fields: approvalDecisionForm,
  output: z.object({ message: z.string(), approval: approvalRow }),
  errors: {
    noApproval,
    notWaiting,
    otherContent: { status: 409, message: 'The request has changed since you loaded it. Load it again.' },
    gone: { status: 409, message: 'The person who asked for this is no longer allowed to do it.' },
  },
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/admin/approvals/withdraw',
  summary: 'Withdraw a request of your own',
  area: 'desk: approvals',
  access: 'staff',
  input: { body: z.object({ approval: unit }) },
  output: said,
  errors: { noApproval, notWaiting },
})

/** For calls that show a secret: who asked does what was approved, and sees it. */
export const runApproval = endpoint({
  method: 'POST',
  path: '/admin/approvals/run',
  summary: 'Carry out your approved request when its answer is shown only once',
  area: 'desk: approvals',
  access: 'staff',
  sudo: true,
  idempotent: { shownOnce: 'approval' },
  input: { body: z.object({ approval: unit }) },
  output: z.object({ approval: unit, answer: z.unknown() }),
  errors: {
    noApproval,
    notApproved: { status: 409, message: 'This request is not approved, or has already been carried out.' },
  },
})

/** The CSV of a list: of everything that its filters find. */
export const exportList = endpoint({
  method: 'POST',
  path: '/admin/export',
  summary: 'A list as a CSV file, at most 100,000 rows; takes the permission that the list takes',
  area: 'desk: lists',
  access: 'staff',
  input: {
    body: z.object({
      list: z.string().max(100).meta({ description: 'The path of the list, such as /admin/audit' }),
      query: z.record(z.string(), z.string().max(500)).default({}),
    }),
  },
  output: z.file(),
  errors: { noList: { status: 422, message: 'There is no such list.', field: 'list' } },
})

const viewSchema = z.object({
  view: unit,
  list: z.string(),
  name: z.string(),
  query: z.string(),
  created_by: z.string(),
})

export const getSavedViews = endpoint({
  method: 'GET',
  path: '/admin/views',
  summary: 'The saved filters of a list, shared by all staff',
  area: 'desk: lists',
  access: 'staff',
  input: { query: z.object({ list: z.string().max(100) }) },
  output: z.object({ rows: z.array(viewSchema) }),
})

export const saveView = endpoint({
  method: 'POST',
  path: '/admin/views/save',
  summary: 'Save the filters of a list under a name; the same name again replaces them',
  area: 'desk: lists',
  access: 'staff',
  input: { body: z.object(savedViewForm.shape) },
  fields: savedViewForm,
  output: z.object({ message: z.string(), view: viewSchema }),
})

export const deleteView = endpoint({
  method: 'POST',
  path: '/admin/views/delete',
  summary: 'Delete saved filters',
  area: 'desk: lists',
  access: 'staff',
  input: { body: z.object({ view: unit }) },
  output: said,
  errors: { noView: { status: 404, message: 'These saved filters are already gone.' } },
})
