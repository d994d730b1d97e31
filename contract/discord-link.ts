import { z } from 'zod'
import * as f from 'zod/mini'
import { MINUTE_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { nullableMoment } from './scalars.ts'

const accounts = declareCalls('accounts', 'player')

/** The time within which a player has to agree at Discord. */
export const DISCORD_LINK_TIME_LIMIT_MS = 10 * MINUTE_MS

/**
 * The facts about a player that the site sends to Discord (DISCORD-8). Operators can make a role at Discord depend on them.
 * `type` is Discord's number of a comparison.
 */
export const DISCORD_FACTS = [
  { key: 'level', name: 'Level', description: 'Best level of a character, at least', type: 2 },
  { key: 'leader', name: 'Club leader', description: 'Leads a club', type: 7 },
  { key: 'place', name: 'Rank this month', description: 'Best rank on a board of this month, at most', type: 1 },
  {
    key: 'division',
    name: 'Season division',
    description: 'Best division of the season (1 is the best), at most',
    type: 1,
  },
  { key: 'since', name: 'Account age', description: 'Days since the account was opened, at least', type: 6 },
] as const

const CONNECT_AGAIN_RULE = 'Please connect again.'
const codeField = f.string(CONNECT_AGAIN_RULE).check(f.regex(/^[\w.-]{1,500}$/, CONNECT_AGAIN_RULE))
export const linkDiscordForm = f.object({ code: codeField, state: codeField })

const notOffered = { status: 409, message: 'Connecting with Discord isn’t possible right now.' } as const

export const getDiscordLink = accounts.get('/discord', {
  summary: 'Whether the player can connect a Discord account, and which one is connected',
  output: z.object({
    offered: z.boolean(),
    name: z.string().nullable().meta({ description: 'The name at Discord; null without a connected account' }),
    sent_at: nullableMoment.meta({ description: 'When the facts were sent last' }),
  }),
})

export const startDiscordLink = accounts.post('/discord/start', {
  summary: 'The address at Discord where the player agrees; valid for ten minutes, in this session',
  limit: 'discordLinks',
  output: z.object({ url: z.string() }),
  errors: { notOffered },
})

export const linkDiscord = accounts.post('/discord/link', {
  summary: 'Connect a Discord account after its owner has agreed there',
  limit: 'discordLinks',
  fields: linkDiscordForm,
  output: messageSchema,
  errors: {
    notOffered,
    expired: { status: 422, message: 'This took too long, or was started in another browser. Please connect again.' },
    refused: { status: 409, message: 'Discord did not confirm the connection. Please connect again.' },
    taken: { status: 409, message: 'This Discord account is connected with another account of this site.' },
    alreadyLinked: { status: 409, message: 'Your account is connected already. Disconnect it first.' },
  },
})

export const unlinkDiscord = accounts.post('/discord/unlink', {
  summary: 'Disconnect the Discord account and delete its facts there',
  output: messageSchema,
})
