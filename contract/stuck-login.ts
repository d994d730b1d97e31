import { z } from 'zod'
import { LOGIN_RESET_OUTCOMES } from './bridge-accounts.ts'
import { MINUTE_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { moment } from './scalars.ts'

const accounts = declareCalls('accounts', 'player')

/** The minimum time between two requests of a player. */
export const STUCK_LOGIN_PAUSE_MS = 15 * MINUTE_MS
/** After this time without an answer the bridge counts as unavailable, and the request expires. */
export const STUCK_LOGIN_WAIT_MS = MINUTE_MS
/** The minimum time for which every character of the account must have been offline. */
export const OFFLINE_BEFORE_RESET_MS = 10 * MINUTE_MS

export const STUCK_LOGIN_TEXTS = {
  requested: 'We are asking the game. This takes a few seconds.',
  tooSoon: 'You can do this once in 15 minutes. Please wait a little.',
  notOffered: 'This isn’t possible right now. Please write to support.',
} as const

export const getStuckLogin = accounts.get('/stuck-login', {
  summary:
    'Whether the player can free a login that the game refuses after a crash, and the result of their last request',
  output: z.object({
    offered: z.boolean(),
    next_at: moment.nullable().meta({ description: 'When the player can request it again; null if they can now' }),
    state: z
      .enum([...LOGIN_RESET_OUTCOMES, 'waiting', 'unavailable'])
      .nullable()
      .meta({ description: 'The result of a request in the last 15 minutes; null without a request' }),
  }),
})

export const freeStuckLogin = accounts.post('/stuck-login', {
  summary: 'Free a login that the game refuses because the account is already logged in; once every 15 minutes',
  output: messageSchema,
  errors: {
    notOffered: { status: 409, message: STUCK_LOGIN_TEXTS.notOffered },
    tooSoon: { status: 409, message: STUCK_LOGIN_TEXTS.tooSoon },
  },
})
