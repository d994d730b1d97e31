/** The forms about staff. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { ALL_PERMISSIONS } from './permissions.ts'

const line = (max: number, missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(max, `Use at most ${max} characters.`),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    )

/** The reason a person gives for what they do to somebody; the audit log keeps it. */
export const reasonField = line(300, 'Please give a reason.')

const roleName = z
  .string('Choose a role.')
  .check(z.regex(/^[a-z0-9][a-z0-9-]{1,29}$/, 'Use 2 to 30 lowercase letters, digits and hyphens.'))

const accountNumber = z.number('Say whose account it is.').check(z.int(), z.positive())

export const inviteForm = z.object({ user_id: line(20, 'Enter a user ID.'), role: roleName })

export const memberRoleForm = z.object({ user_num: accountNumber, role: roleName, reason: reasonField })

export const roleForm = z.object({
  role: roleName,
  name: line(40, 'Give the role a name.'),
  permissions: z
    .array(z.enum(ALL_PERMISSIONS, 'There is no such permission.'), 'Choose what the role allows.')
    .check(z.minLength(1, 'Choose what the role allows.')),
  version: z.nullable(z.number('Load the role again.').check(z.int())),
})

export const approvalDecisionForm = z.object({
  approval: z.number('Choose a request.').check(z.int()),
  decision: z.enum(['approve', 'reject'], 'Approve or reject.'),
  content_hash: z.string('Load the request again.').check(z.regex(/^[0-9a-f]{64}$/, 'Load the request again.')),
  note: z._default(z.string().check(z.trim(), z.maxLength(300, 'Use at most 300 characters.')), ''),
})

export const savedViewForm = z.object({
  list: line(100, 'Say which list this is for.'),
  name: line(60, 'Give the view a name.'),
  query: z.string('Choose some filters.').check(z.maxLength(2000, 'These filters are too long.')),
})
