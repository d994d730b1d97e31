import { z } from 'zod'
import * as f from 'zod/mini'
import { findingSchema, GAME_DATABASES } from './bridge.ts'
import { CHARACTER_MEASURES } from './bridge-characters.ts'
import { PASSWORD_FORMS } from './bridge-sealing.ts'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { reasonField, wholeField } from './fields.ts'
import { onlineSchema } from './players-online.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('game', { read: 'game.read', write: 'game.write' })

/** The error of a form without a chosen password form. */
const PASSWORD_FORM_REQUIRED = 'Choose how the game stores passwords.'

export const bridgeCodeForm = f.object({ password_form: f.enum(PASSWORD_FORMS, PASSWORD_FORM_REQUIRED) })

export const checkForm = f.object({ bridge: f.int() })

export const revokeForm = f.object({ bridge: f.int(), reason: reasonField })

export const restartForm = f.object({ minutes_ago: wholeField(0, 1440) })

export const restartFields = describeFields(restartForm, {
  minutes_ago: {
    label: 'Minutes since the game server restarted',
    hint: 'Players who logged in after the restart are left alone.',
  },
})

export const closeUnknownForm = f.object({ reason: reasonField })

export const confirmRestoreForm = f.object({ offer_again: f.boolean(), reason: reasonField })

const bridgeRow = z
  .object({
    bridge: z.int(),
    name: z.string(),
    state: z.enum(['working', 'refused', 'away', 'waiting', 'revoked']).meta({
      description:
        '`working`: active. `refused`: the site refuses its requests, for the reason in `refusal`. `away`: active, but silent for a minute. `waiting`: paired, but not active. `revoked`: revoked permanently',
    }),
    paired_at: moment,
    seen_at: moment.nullable(),
    revoked_at: moment.nullable(),
    version: z.string(),
    system: z.string(),
    preset: z.string(),
    password_form: z
      .enum(PASSWORD_FORMS)
      .nullable()
      .meta({ description: 'null until its first start, if the pairing did not name one' }),
    clock_off_ms: z.int(),
    refusal: z.string().meta({ description: 'Why the site last refused it, until it is accepted again' }),
    refused_at: moment.nullable(),
    refusals: count,
    problem: z.string(),
    findings: z.array(findingSchema),
    checked_at: moment.nullable(),
  })
  .meta({ id: 'DeskBridge' })

/**
 * The numbers of the game's characters: visible, hidden by reason, linked with an account, and with an unknown class or
 * school or an odd name.
 */
export const syncCountsSchema = z.object({
  shown: count,
  staff: count,
  blocked: count,
  deleted: count,
  missing: count,
  linked: count.meta({ description: 'Characters of players who have an account here' }),
  odd_class: count,
  odd_school: count,
  odd_name: count,
})

export const getGame = desk.read('/admin/game', {
  summary: 'The state of the bridges to the game and of the deliveries',
  output: z.object({
    now: moment,
    bridges: z.array(bridgeRow),
    open_code: z.object({ ends_at: moment }).nullable(),
    deliveries: z.object({
      waiting: count,
      unlinked: count.meta({ description: 'The waiting units of players who have no account in the game' }),
      handed: count,
      failed: count,
      refund_requested: count,
      delivered: count,
      cancelled: count,
      gone: count,
      taken: count,
      twice: count,
      lost: count,
      more: z.boolean().meta({ description: 'Whether a count has reached its limit, so there can be more units' }),
      oldest_at: moment.nullable().meta({ description: 'The time at which the oldest deliverable unit was queued' }),
    }),
    restore: z
      .object({
        since: moment,
        looked: z.boolean().meta({ description: 'Whether the bridge has checked every unit' }),
        lost: count.meta({ description: 'Units of items that were delivered and are missing' }),
        lost_services: count.meta({ description: 'Services whose changes the restore has undone' }),
        back: count.meta({ description: 'Refunded units that are or were in the game again' }),
        again: count.meta({ description: 'Picked-up units that wait in item banks again' }),
        balances: z
          .object({ count, sum: count })
          .meta({ description: 'Balances that were taken over and are in the game again' }),
        confirmed: z.boolean(),
        what: z.array(
          z.object({
            place: z.enum(GAME_DATABASES),
            as_of: moment
              .nullable()
              .meta({ description: 'When the restored copy was last written; null if the bridge cannot determine it' }),
            moved: z
              .record(z.string(), z.object({ known: z.string(), found: z.string() }))
              .meta({ description: 'The facts that differ between the former database and the current one' }),
            since: moment,
            looked: z.boolean(),
            confirmed: z.boolean(),
          }),
        ),
      })
      .nullable(),
    unknown: z
      .object({
        count,
        sum: count,
        rows: z.array(
          z.object({
            unit: z.int(),
            game_user_num: z.int(),
            user_id: z.string().nullable(),
            product_num: z.int(),
            item_name: z.string().nullable(),
            price: count,
            claimed: z.boolean(),
          }),
        ),
      })
      .nullable()
      .meta({ description: 'Units that the game has and the site does not know, after a restore of the site' }),
    identity: z
      .record(z.string(), z.string())
      .meta({ description: 'The facts that identify the database of purchases' }),
    doubled: z
      .object({ units: count, r_coin: count, milleage: count, balances: count, balances_sum: count })
      .meta({ description: 'Units and balances that players may have twice since a restore, with their values' }),
    sync: z
      .object({
        values_at: moment.nullable().meta({ description: 'When the values of the last complete sync were read' }),
        running: z.boolean(),
        took_ms: count,
        sent_bytes: count,
        changed: count,
        lacks: z.array(z.enum(CHARACTER_MEASURES)).meta({ description: 'Measures that the game has no column for' }),
        counts: syncCountsSchema.nullable(),
        problem: z.string(),
      })
      .nullable()
      .meta({ description: 'The state of the sync of characters; null until a bridge has read them' }),
    online: onlineSchema.nullable(),
    logins: z.object({
      can_free: z.boolean().meta({ description: 'Whether the active bridge may free logins that a crash left behind' }),
      restart: z
        .object({ restarted_at: moment, freed: count.nullable() })
        .nullable()
        .meta({ description: 'The last restart that was reported; `freed` is null until the bridge answers' }),
    }),
  }),
})

/** The operating systems of the bridge's downloads, and the presets of their configurations. */
export const BRIDGE_SYSTEMS = ['windows', 'linux'] as const
export type BridgeSystem = (typeof BRIDGE_SYSTEMS)[number]
export const BRIDGE_PRESETS = ['ran-mssql', 'ran-mariadb', 'ran-postgres'] as const
export type BridgePreset = (typeof BRIDGE_PRESETS)[number]

export const downloadBridge = desk.read('/admin/game/bridge', {
  summary: 'The bridge for one system as a zip file, with a configuration that has the site’s address and a preset',
  input: { query: z.object({ system: z.enum(BRIDGE_SYSTEMS), preset: z.enum(BRIDGE_PRESETS) }) },
  output: z.file(),
})

export const makeBridgeCode = desk.write('/admin/game/code', {
  title: 'Create pairing code',
  summary:
    'Create a code, shown only once, that pairs one bridge within ten minutes for one form of passwords. Another owner has to approve it',
  sudo: true,
  approvable: true,
  idempotent: { shownOnce: 'id' },
  fields: bridgeCodeForm,
  output: z.object({ id: z.int(), code: z.string(), ends_at: moment, site: z.string() }),
})

export const requestCheck = desk.write('/admin/game/check', {
  title: 'Check game databases',
  summary: 'Request a check of the game’s databases from the active bridge, which also checks them every hour',
  fields: checkForm,
  errors: {
    notAtWork: { status: 409, message: 'This bridge is not active, so it can’t check anything now.' },
  },
})

export const reportRestart = desk.write('/admin/game/restarted', {
  title: 'Report game restart',
  summary: 'Report that the game server was restarted. The bridge then ends all logins from before the restart',
  fields: restartForm,
  errors: {
    cannotFree: {
      status: 409,
      message: 'The active bridge has no permission for this. The check on this page shows the permission to grant.',
    },
  },
})

export const revokeBridge = desk.write('/admin/game/revoke', {
  title: 'Revoke bridge',
  summary: 'Revoke a bridge permanently',
  sudo: true,
  fields: revokeForm,
  errors: {
    bridgeNotFound: { status: 404, message: 'There is no such bridge.' },
    revoked: { status: 409, message: 'This bridge is already revoked.' },
  },
})

export const closeUnknown = desk.write('/admin/game/unknown', {
  title: 'Close list of unknown units',
  summary: 'Remove the list of units that the game has and the site does not know, after an operator has reviewed it',
  fields: closeUnknownForm,
  errors: { unknownListNotFound: { status: 409, message: 'There is no such list.' } },
})

export const confirmRestore = desk.write('/admin/game/restore', {
  title: 'Confirm game restore',
  summary:
    'Confirm that databases of the game were restored. The bridge then continues its work, and lost units and services can be delivered again. Another owner has to approve it',
  sudo: true,
  approvable: true,
  fields: confirmRestoreForm,
  errors: {
    restoreNotFound: { status: 409, message: 'There is no restore to confirm.' },
    looking: {
      status: 409,
      message: 'The bridge is still checking what the restore lost. Please wait a moment.',
    },
  },
})
