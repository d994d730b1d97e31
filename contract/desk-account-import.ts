import { z } from 'zod'
import * as f from 'zod/mini'
import { declareDeskCalls } from './desk.ts'
import { reasonField, wholeField } from './fields.ts'
import { IMPORT_OPEN_HOURS_MAX } from './limits.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('game', { read: 'game.read', write: 'game.write' })

export const openImportForm = f.object({ hours: wholeField(1, IMPORT_OPEN_HOURS_MAX), reason: reasonField })
export const closeImportForm = f.object({ reason: reasonField })
export const approveBalancesForm = f.object({ count: f.int(), sum: f.int(), reason: reasonField })
export const settleRenamedForm = f.object({
  user_num: f.int(),
  found_user_id: f.string(),
  is_same: f.boolean(),
  reason: reasonField,
})

export const retryAccountForm = f.object({ user_num: f.int() })

const balanceRow = z.object({ game_user_num: z.int(), user_id: z.string(), amount: z.int(), why: z.string() })

export const getAccountImport = desk.read('/admin/game/account-import', {
  summary: 'How many of the game’s accounts are imported, which accounts are unmatched, and the balances to take over',
  output: z.object({
    open_until: moment.nullable().meta({ description: 'null while the import is closed' }),
    opened_by: z.string(),
    has_bridge: z.boolean(),
    imported: count,
    arrived: count.meta({ description: 'Players who have logged in with their old password' }),
    last_at: moment.nullable(),
    staff: z
      .array(z.object({ game_user_num: z.int(), user_id: z.string(), user_type: z.int() }))
      .meta({ description: 'Staff of the game, imported as players; at most 100' }),
    accounts: z.object({ creating: count, linked: count, taken: count, gone: count, problems: count }),
    odd: z
      .array(
        z.object({
          user_num: z.int(),
          user_id: z.string(),
          state: z.enum(['creating', 'linked', 'taken', 'gone']),
          why: z.string(),
          detail: z.string(),
          game_user_id: z.string().meta({ description: 'The ID in the game when the account was linked' }),
          found_user_id: z
            .string()
            .meta({ description: 'The account’s current ID, if an operator has to decide; else empty' }),
          retries: z.boolean().meta({ description: 'Whether the bridge retries the account automatically' }),
          moved_in: z.boolean().meta({ description: 'Whether the game’s account with this ID was imported' }),
          at: moment,
        }),
      )
      .meta({ description: 'Accounts that are unmatched or refused by the game, newest first; at most 200' }),
    balances: z.object({
      seen: z.object({ count, sum: z.int() }),
      highest: z.array(balanceRow),
      odd: z
        .array(balanceRow)
        .meta({ description: 'Impossible balances, balances of staff, and balances that stayed in the game' }),
      approved: count,
      taken: z.object({ count, sum: z.int() }),
      booked: z.object({ count, sum: z.int() }),
    }),
  }),
})

export const openImport = desk.write('/admin/game/account-import/open', {
  title: 'Start account import',
  summary: 'Let a bridge import accounts from the game, for at most 24 hours',
  sudo: true,
  fields: openImportForm,
  errors: { notOwner: { status: 403, message: 'Only an owner can open the import.' } },
})

export const closeImport = desk.write('/admin/game/account-import/close', {
  title: 'End account import',
  summary: 'End the import',
  fields: closeImportForm,
  errors: { closed: { status: 409, message: 'The import is already closed.' } },
})

export const approveBalances = desk.write('/admin/game/account-import/balances', {
  title: 'Approve imported balances',
  summary: 'Take over the balances that were seen in the game; a second operator has to approve it',
  sudo: true,
  approvable: true,
  fields: approveBalancesForm,
  errors: {
    changed: { status: 409, message: 'The balances have changed since you saw them. Load the page again.' },
    none: { status: 409, message: 'There are no balances to take over.' },
  },
})

export const settleRenamed = desk.write('/admin/game/account-import/renamed', {
  title: 'Decide about renamed game account',
  summary: 'Decide whether a game account whose ID has changed is still the player’s; otherwise its link ends',
  sudo: true,
  fields: settleRenamedForm,
  errors: { changed: { status: 409, message: 'This has changed since you saw it. Load the page again.' } },
})

export const retryAccount = desk.write('/admin/game/account-import/retry', {
  title: 'Retry game account',
  summary: 'Let the bridge retry an account at once after the game refused it',
  fields: retryAccountForm,
  errors: { notWaiting: { status: 409, message: 'The bridge isn’t waiting to try this account again.' } },
})
