import { z } from 'zod'
import { findingSchema } from './bridge.ts'
import { CHARACTER_MEASURES } from './bridge-characters.ts'
import { checkForm, confirmRestoreForm, revokeForm } from './desk-game-fields.ts'
import { endpoint } from './endpoint.ts'
import { onlineSchema } from './players-online.ts'

const area = 'desk: game'
const moment = z.iso.datetime()
const count = z.int()

const bridgeRow = z
  .object({
    bridge: z.int(),
    name: z.string(),
    state: z.enum(['working', 'away', 'waiting', 'revoked']).meta({
      description: 'Active; active but silent for a minute; paired but not active; revoked',
    }),
    paired_at: moment,
    seen_at: moment.nullable(),
    revoked_at: moment.nullable(),
    version: z.string(),
    system: z.string(),
    preset: z.string(),
    clock_off_ms: z.int(),
    problem: z.string(),
    findings: z.array(findingSchema),
    checked_at: moment.nullable(),
  })
  .meta({ id: 'DeskBridge' })

/** How many characters of the game there are, how many are left out and why, and how many have something unknown. */
export const syncCountsSchema = z.object({
  shown: count,
  staff: count,
  blocked: count,
  deleted: count,
  missing: count,
  linked: count.meta({ description: 'Of players who have an account here' }),
  odd_class: count,
  odd_school: count,
  odd_name: count,
})

export const getGame = endpoint({
  method: 'GET',
  path: '/admin/game',
  summary: 'How the bridges to the game are doing, and how far deliveries have come',
  area,
  access: 'game.read',
  output: z.object({
    now: moment,
    bridges: z.array(bridgeRow),
    open_code: z.object({ ends_at: moment }).nullable(),
    deliveries: z.object({
      waiting: count,
      unlinked: count.meta({ description: 'Of those that wait: for players without an account in the game' }),
      handed: count,
      failed: count,
      refund_requested: count,
      delivered: count,
      cancelled: count,
      gone: count,
      taken: count,
      lost: count,
      more: z.boolean().meta({ description: 'Whether there are more than were counted' }),
      oldest_at: moment.nullable().meta({ description: 'Since when the first unit that could be delivered waits' }),
    }),
    restore: z
      .object({
        since: moment,
        looked: z.boolean().meta({ description: 'Whether the bridge has looked for every unit' }),
        lost: count,
        back: count,
        confirmed: z.boolean(),
      })
      .nullable(),
    sync: z
      .object({
        values_at: moment.nullable().meta({ description: 'When the values were read that came whole last' }),
        running: z.boolean(),
        took_ms: count,
        sent_bytes: count,
        changed: count,
        lacks: z.array(z.enum(CHARACTER_MEASURES)).meta({ description: 'Measures that the game has no column for' }),
        counts: syncCountsSchema.nullable(),
        problem: z.string(),
      })
      .nullable()
      .meta({ description: 'How the characters of the game come; null before a bridge reads them' }),
    online: onlineSchema.nullable(),
  }),
})

export const makeBridgeCode = endpoint({
  method: 'POST',
  path: '/admin/game/code',
  summary: 'Make a code that pairs one bridge within ten minutes; it is shown once',
  area,
  access: 'game.write',
  sudo: true,
  idempotent: { shownOnce: 'id' },
  output: z.object({ id: z.int(), code: z.string(), ends_at: moment, site: z.string() }),
})

export const askForCheck = endpoint({
  method: 'POST',
  path: '/admin/game/check',
  summary: 'Ask the active bridge to check the game’s databases again; it does so on its own every hour',
  area,
  access: 'game.write',
  idempotent: true,
  input: { body: z.object(checkForm.shape) },
  fields: checkForm,
  output: z.object({ message: z.string() }),
  errors: {
    notAtWork: { status: 409, message: 'This bridge is not active, so it can’t check anything now.' },
  },
})

export const revokeBridge = endpoint({
  method: 'POST',
  path: '/admin/game/revoke',
  summary: 'Revoke a bridge for good',
  area,
  access: 'game.write',
  sudo: true,
  idempotent: true,
  input: { body: z.object(revokeForm.shape) },
  fields: revokeForm,
  output: z.object({ message: z.string() }),
  errors: {
    noBridge: { status: 404, message: 'There is no such bridge.' },
    revoked: { status: 409, message: 'This bridge is already revoked.' },
  },
})

export const confirmRestore = endpoint({
  method: 'POST',
  path: '/admin/game/restore',
  summary: 'Confirm that the game’s database was restored; deliveries go on, lost units may be offered again',
  area,
  access: 'game.write',
  sudo: true,
  idempotent: true,
  input: { body: z.object(confirmRestoreForm.shape) },
  fields: confirmRestoreForm,
  output: z.object({ message: z.string() }),
  errors: {
    noRestore: { status: 409, message: 'There is no restore to confirm.' },
    looking: {
      status: 409,
      message: 'The bridge is still checking what the restore lost. Please wait a moment.',
    },
  },
})
