import { z } from 'zod'
import * as f from 'zod/mini'
import { emailSchema, REGISTRATION_TEXTS } from './accounts.ts'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { conflict, messageSchema } from './errors.ts'
import { linesField, reasonField } from './fields.ts'
import { moment } from './scalars.ts'
import { accountNumberField } from './staff.ts'
import { TICKET_CATEGORIES, TICKET_STATES } from './tickets.ts'

const desk = declareDeskCalls('players', { read: 'players.read', write: 'players.recover' })

/** Returns the rule of a text of several lines that only staff read. */
const staffTextField = (requiredText?: string) =>
  linesField(2000, requiredText, { characters: 'Control characters are not allowed.' })

/**
 * The block that the operator saw; null for none. If another operator changed it in the meantime, the call is refused.
 */
const currentBlockField = f.nullable(f.int('Load the page again.'))

export const blockForm = f.object({
  user_num: accountNumberField,
  block: currentBlockField,
  reason: reasonField,
  ends_at: f.nullable(f.iso.datetime({ offset: true, error: 'Enter a day and a time, or choose no end.' })),
  note: f._default(staffTextField(), ''),
})

export const blockFields = describeFields(blockForm, {
  reason: {
    label: 'Reason',
    hint: 'the player sees this at login',
    placeholder: 'You sold R-Coin for money in the plaza.',
  },
  note: { label: 'Note (staff only)', kind: 'long', rows: 3 },
})

export const unblockForm = f.object({ user_num: accountNumberField, block: currentBlockField, reason: reasonField })

/** The input of actions on an account without further choices. */
export const accountForm = f.object({ user_num: accountNumberField, reason: reasonField })

export const changeEmailForm = f.object({
  user_num: accountNumberField,
  from: f.string('Load the page again.').check(f.maxLength(60, 'Load the page again.')),
  email: emailSchema,
  reason: reasonField,
})

export const changeEmailFields = describeFields(changeEmailForm, {
  email: { label: 'New email', kind: 'email' },
  reason: { label: 'Reason', hint: 'for the audit log' },
})

export const confirmEmailForm = f.object({
  user_num: accountNumberField,
  email: f.string('Load the page again.').check(f.maxLength(60, 'Load the page again.')),
  reason: reasonField,
})

export const playerNoteForm = f.object({
  user_num: accountNumberField,
  body: staffTextField('Write a note.'),
})

export const noteFields = describeFields(playerNoteForm, { body: { label: 'New note', kind: 'long', rows: 2 } })

export const eraseForm = f.object({
  user_num: accountNumberField,
  user_id: f
    .string('Type the user ID.')
    .check(f.trim(), f.minLength(1, 'Type the user ID.'), f.maxLength(40, 'This is not the user ID.')),
  rename_characters: f.boolean('Choose whether character names identify the person.'),
  reason: reasonField,
})

export const eraseFields = describeFields(eraseForm, {
  user_id: { label: 'Type the user ID', kind: 'id' },
  reason: 'Reason',
  rename_characters: 'Character names identify the person: replace them in closed months too',
})

/** An account's number in an address. */
const userNumberParam = z
  .string()
  .regex(/^\d{1,15}$/, 'Enter an account number.')
  .transform(Number)

const playerNotFound = { status: 404, message: 'There is no such account.' } as const
const accountErasedError = { status: 409, message: 'The personal data of this account was erased.' } as const
const staffOnly = {
  status: 403,
  message: 'This account belongs to the staff. Only an operator who manages the staff can do this.',
} as const
const erasureRequestedError = { status: 409, message: 'This account already waits to be erased.' } as const
const ownAccountError = { status: 403, message: 'Another operator has to do this for your account.' } as const
/** The errors of changes to an account. Blocks, recoveries and exports of staff accounts need another owner's approval. */
const changeErrors = { playerNotFound, erased: accountErasedError, staffOnly, own: ownAccountError } as const

const playerRow = z
  .object({
    user_num: z.number(),
    user_id: z.string(),
    name: z.string(),
    email: z.string().meta({ description: 'The first two characters, stars, and the domain' }),
    r_coin: z.number(),
    milleage: z.number(),
    state: z.enum(['active', 'blocked', 'erasing', 'erased']),
    is_staff: z.boolean(),
    created_at: moment,
    found_by: z
      .string()
      .meta({ description: 'The field in which the query was found, or the time of the latest login; else empty' }),
  })
  .meta({ id: 'DeskPlayer' })

/** The filters of the list of players. */
const PLAYER_STATES = ['blocked', 'erasing', 'staff', 'logged-in', 'most-r-coin', 'most-milleage'] as const

/**
 * Lists players. A search finds at most 50 players; without a search, the list has all players by date of registration.
 * `logged-in` sorts by the latest login. `most-r-coin` and `most-milleage` have the 200 largest balances at the last
 * count of the figures.
 */
export const getPlayers = desk.list('/admin/players', {
  title: 'Search players by address',
  summary:
    'Players, by user ID, number, name, whole email, character, IP address or ticket number; a search by an email or an IP address is written to the audit log',
  audited: 'sometimes',
  sorts: ['-created_at', 'created_at', '-user_num', 'user_num'],
  filters: { q: textFilter, state: choiceFilter(PLAYER_STATES) },
  row: playerRow,
})

const playerSchema = z
  .object({
    user_num: z.number(),
    user_id: z.string(),
    email: z.string(),
    email_verified_at: moment.nullable(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string(),
    gender: z.string(),
    country: z.string(),
    user_type: z.number(),
    roles: z.array(z.string()),
    r_coin: z.number(),
    milleage: z.number(),
    purchases: z.number(),
    topups: z.number(),
    created_at: moment,
    state: z.enum(['active', 'blocked', 'erasing', 'erased']),
    erasure: z
      .object({
        requested_at: moment,
        requested_by: z.string().nullable().meta({ description: 'The operator; null if the player requested it' }),
        due_at: moment,
        rename_characters: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The request to erase the account, which can be cancelled until it is due' }),
    frozen_until: moment
      .nullable()
      .meta({ description: 'The account cannot spend until this time, because staff helped with it' }),
    blocks: z.array(
      z.object({
        block: z.number(),
        reason: z.string(),
        note: z.string(),
        starts_at: moment,
        ends_at: moment.nullable(),
        blocked_by: z.string().nullable(),
        lifted_at: moment.nullable(),
        lifted_by: z.string().nullable(),
        is_on: z.boolean(),
      }),
    ),
    characters: z.array(
      z.object({
        cha_num: z.number(),
        cha_name: z.string(),
        cha_level: z.number(),
        cha_class: z.string(),
        cha_school: z.number(),
      }),
    ),
    sessions: z.array(
      z.object({
        session_id: z.number(),
        address: z.string(),
        device: z.string(),
        created_at: moment,
        last_seen_at: moment,
      }),
    ),
    notes: z.array(
      z.object({ note: z.number(), body: z.string(), written_by: z.string().nullable(), written_at: moment }),
    ),
    tickets: z.array(
      z.object({
        number: z.string(),
        subject: z.string(),
        category: z.enum(TICKET_CATEGORIES),
        state: z.enum(TICKET_STATES),
        priority: z.number(),
        updated_at: moment,
      }),
    ),
    newest_purchases: z.array(
      z.object({
        ordinal: z.number(),
        item_name: z.string(),
        section: z.number(),
        price: z.number(),
        quantity: z.number(),
        created_at: moment,
      }),
    ),
    factors: z.array(
      z.object({
        factor: z.number(),
        kind: z.string(),
        name: z.string(),
        created_at: moment,
        last_used_at: moment.nullable(),
      }),
    ),
  })
  .meta({ id: 'DeskPlayerPage' })

/** Each call is written to the audit log. */
export const getPlayer = desk.read('/admin/players/page', {
  title: 'View player',
  summary: 'A player’s page: the account, blocks, characters, sessions, notes, tickets, purchases and second factors',
  audited: true,
  input: { query: z.object({ user_num: userNumberParam }) },
  output: z.object({ player: playerSchema }),
  errors: { playerNotFound },
})

export const getPlayerTimeline = desk.list('/admin/players/timeline', {
  summary: 'The events of a player, newest first',
  sorts: ['-at'],
  filters: {
    user_num: userNumberParam,
    kind: choiceFilter(['account', 'purchase', 'voucher', 'ticket', 'staff']),
  },
  row: z.object({
    id: z.string(),
    at: moment,
    kind: z.enum(['account', 'purchase', 'voucher', 'ticket', 'staff']),
    what: z
      .string()
      .meta({ description: 'The kind of event, the item, the code, the subject, or the action of an operator' }),
    note: z.string(),
    address: z.string(),
    device: z.string(),
    actor: z.string().meta({ description: 'The operator or the command; empty for the player' }),
    actor_num: z.number().nullable(),
    link: z.string().meta({ description: 'The number of the record that the event is about' }),
  }),
})

export const getSharers = desk.read('/admin/players/sharers', {
  summary: 'Other accounts that used the addresses or devices of a player in the last 90 days',
  input: { query: z.object({ user_num: userNumberParam }) },
  output: z.object({
    rows: z.array(
      z.object({
        place: z.enum(['address', 'device']),
        name: z.string().meta({ description: 'The address (IPv6 by its /64), or a short name of the device' }),
        user_num: z.number(),
        user_id: z.string(),
        is_blocked: z.boolean(),
        seen_at: moment,
        own_seen_at: moment,
      }),
    ),
  }),
})

export const blockPlayer = desk.write('/admin/players/block', {
  title: 'Block player',
  summary: 'Block a player with a reason that they see, until a time or until the block is lifted',
  access: 'players.block',
  approvable: true,
  fields: blockForm,
  errors: {
    ...changeErrors,
    conflict,
    appealed: { status: 409, message: 'The player appeals against this block. Decide on the appeal first.' },
    endsInThePast: { status: 422, message: 'The end has to be in the future.', field: 'ends_at' },
  },
})

export const unblockPlayer = desk.write('/admin/players/unblock', {
  title: 'Unblock player',
  summary: 'Lift a block',
  access: 'players.block',
  approvable: true,
  fields: unblockForm,
  errors: { ...changeErrors, conflict, notBlocked: { status: 409, message: 'This account is not blocked.' } },
})

export const logOutPlayer = desk.write('/admin/players/logout', {
  title: 'Log player out',
  summary:
    'Log a player out on every device. Another member of staff can be logged out only once in 24 hours, and every owner is notified',
  access: 'players.block',
  fields: accountForm,
  errors: {
    playerNotFound,
    erased: accountErasedError,
    staffOnly,
    tooSoon: {
      status: 409,
      message: 'This colleague was logged out less than 24 hours ago. Try again after that time.',
    },
  },
})

export const sendPlayerReset = desk.write('/admin/players/reset', {
  title: 'Send password reset',
  summary: 'Mail a player a link to set a new password',
  approvable: true,
  fields: accountForm,
  errors: {
    ...changeErrors,
    helpedAlready: {
      status: 409,
      message: 'Support helped with this account less than 24 hours ago. You can send another link after that time.',
    },
  },
})

export const changePlayerEmail = desk.write('/admin/players/change-email', {
  title: 'Change player’s email',
  summary:
    'Give an account another email address; the former address is notified and can undo the change for seven days',
  sudo: true,
  approvable: true,
  fields: changeEmailForm,
  errors: {
    ...changeErrors,
    conflict,
    same: { status: 422, message: 'The account already has this address.', field: 'email' },
    emailTaken: { status: 422, message: REGISTRATION_TEXTS.emailTaken, field: 'email' },
  },
})

export const confirmPlayerEmail = desk.write('/admin/players/confirm-email', {
  title: 'Confirm player’s email',
  summary: 'Mark the email address of an account as verified',
  approvable: true,
  fields: confirmEmailForm,
  errors: { ...changeErrors, conflict },
})

export const removePlayerFactors = desk.write('/admin/players/remove-factors', {
  title: 'Remove second factor',
  summary: 'Remove every second factor of an account; for staff, another owner has to approve it',
  sudo: true,
  approvable: true,
  fields: accountForm,
  errors: { ...changeErrors, factorMissing: { status: 409, message: 'This account has no second factor.' } },
})

export const writePlayerNote = desk.write('/admin/players/note', {
  title: 'Add player note',
  summary: 'Write an internal note about a player',
  access: 'players.note',
  fields: playerNoteForm,
  errors: { playerNotFound, erased: accountErasedError },
})

export const deletePlayerNote = desk.write('/admin/players/delete-note', {
  title: 'Delete player note',
  summary: 'Delete an internal note about a player',
  access: 'players.note',
  input: { body: z.object({ note: z.number() }) },
  errors: { noteNotFound: { status: 404, message: 'This note was already deleted.' } },
})

export const requestPlayerExport = desk.write('/admin/players/request-export', {
  title: 'Request player data export',
  summary:
    'Request another owner’s approval for the export of a colleague’s personal data; the approval is valid for 24 hours',
  access: 'players.personal',
  sudo: true,
  approvable: true,
  fields: accountForm,
  errors: changeErrors,
})

export const exportPlayer = desk.read('/admin/players/export', {
  title: 'Export player data',
  summary: 'All personal data of an account as a JSON file, for the person it is about',
  access: 'players.personal',
  sudo: true,
  audited: true,
  input: { query: z.object({ user_num: userNumberParam }) },
  output: z.file(),
  errors: {
    playerNotFound,
    erased: accountErasedError,
    notAgreed: {
      status: 403,
      message: 'This account belongs to the staff. Another owner has to approve the export first.',
    },
  },
})

export const erasePlayer = desk.write('/admin/players/erase', {
  title: 'Erase player',
  summary:
    'Lock an account and erase its personal data seven days later, unless the erasure is cancelled. From the fourth player in 24 hours, another owner has to approve it',
  access: 'players.personal',
  sudo: true,
  approvable: true,
  irreversible: { withoutApproval: 3 },
  fields: eraseForm,
  output: messageSchema.extend({ erasure_due_at: moment }),
  errors: {
    ...changeErrors,
    erasing: erasureRequestedError,
    otherUserId: { status: 422, message: 'This is not the user ID of the account.', field: 'user_id' },
    stillStaff: { status: 409, message: 'Remove the roles of this account first.' },
  },
})

export const withdrawPlayerErasure = desk.write('/admin/players/keep', {
  title: 'Withdraw erasure request',
  summary: 'Withdraw the request to erase an account',
  access: 'players.personal',
  fields: accountForm,
  errors: { ...changeErrors, notErasing: { status: 409, message: 'This account is not waiting to be erased.' } },
})
