import { z } from 'zod'
import { CLAIM, REGISTER } from './account-messages.ts'
import { claimForm, linkGameForm } from './claim-fields.ts'
import { endpoint } from './endpoint.ts'
import { saidSchema } from './errors.ts'

const area = 'accounts'

export const getClaim = endpoint({
  method: 'GET',
  path: '/claim',
  summary: 'What a player who moved in from the game still has to do',
  area,
  access: 'player',
  duringClaim: true,
  output: z.object({
    step: z.enum(['details', 'email']).nullable().meta({ description: 'null when nothing is left to do' }),
    game_user_id: z.string(),
    needs_user_id: z.boolean().meta({ description: 'Whether the ID of the game breaks the rules' }),
    email: z.string(),
  }),
})

export const claimAccount = endpoint({
  method: 'POST',
  path: '/claim',
  summary:
    'Give a moved-in account its e-mail address, names, secret question and answer; the mailed link ends the claim',
  area,
  access: 'player',
  duringClaim: true,
  input: { body: z.object(claimForm.shape) },
  fields: claimForm,
  output: saidSchema,
  errors: {
    claimed: { status: 409, message: CLAIM.claimed },
    userIdRequired: { status: 422, message: CLAIM.userIdRequired, field: 'userId' },
    userIdTaken: { status: 422, message: REGISTER.userIdTaken, field: 'userId' },
    emailTaken: { status: 422, message: REGISTER.emailTaken, field: 'userEmail' },
  },
})

export const getGameAccount = endpoint({
  method: 'GET',
  path: '/game-account',
  summary: 'The player’s account in the game',
  area,
  access: 'player',
  output: z.object({
    state: z.enum(['none', 'waiting', 'linked', 'taken', 'gone']).meta({
      description: '`none` without a bridge; `taken` when the game knows this ID and its old password is asked for',
    }),
    game_user_id: z.string(),
    can_link: z.boolean().meta({ description: 'Whether the operators have moved this ID in' }),
  }),
})

export const linkGame = endpoint({
  method: 'POST',
  path: '/game-link',
  summary: 'Link this account to the game’s account of the same ID, with its old password',
  area,
  access: 'player',
  input: { body: z.object(linkGameForm.shape) },
  fields: linkGameForm,
  output: saidSchema,
  errors: {
    notTaken: { status: 409, message: CLAIM.notTaken },
    notMovedIn: { status: 409, message: CLAIM.notMovedIn },
    wrongPassword: { status: 422, message: CLAIM.wrongPassword, field: 'GamePass' },
  },
})
