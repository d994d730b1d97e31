import { z } from 'zod'
import * as f from 'zod/mini'
import {
  comparedTextField,
  GAME_PASSWORD_TEXTS,
  newPasswordField,
  PASSWORD_TEXTS,
  passwordForm,
  REGISTRATION_TEXTS,
  registrationForm,
} from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'

const accounts = declareCalls('accounts', 'player')

/** The texts for players who take over their account from the game with the old password. */
export const TAKE_OVER_TEXTS = {
  linkSent: 'Check your email: the link in it completes your account.',
  alreadyComplete: 'Your account is already complete.',
  userIdRequired: 'Please choose a new User ID.',
  gameLinked: 'Your game account is linked.',
  nothingToLink: 'There is no game account to link.',
  notImported: 'The operators have not imported this game account yet. Please write to support.',
  wrongPassword: 'This is not the old password of the game account.',
} as const

const { userId, userFirstName, userLastName, userEmail, secretQuestion, secretAnswer } = registrationForm.shape

export const takeOverForm = f.object({
  /** Required only if the game's ID breaks the rules. */
  userId: f.optional(userId),
  userFirstName,
  userLastName,
  userEmail,
  secretQuestion,
  secretAnswer,
})

export const linkGameForm = f.object({ GamePass: comparedTextField('Old game password') })

export const gamePasswordForm = f.object({
  UserPass: passwordForm.shape.UserPass,
  NewGamePass: newPasswordField(GAME_PASSWORD_TEXTS.label),
})

export const getTakeOver = accounts.get('/claim', {
  summary: 'The next step for a player with an account imported from the game',
  duringTakeOver: true,
  output: z.object({
    step: z.enum(['details', 'email']).nullable().meta({ description: 'null when the account is complete' }),
    game_user_id: z.string(),
    needs_user_id: z.boolean().meta({ description: 'Whether the ID of the game breaks the rules' }),
    email: z.string(),
  }),
})

export const takeOverAccount = accounts.post('/claim', {
  summary:
    'Give an imported account its email address, names, secret question and answer; the mailed link completes it',
  duringTakeOver: true,
  fields: takeOverForm,
  output: messageSchema,
  errors: {
    claimed: { status: 409, message: TAKE_OVER_TEXTS.alreadyComplete },
    userIdRequired: { status: 422, message: TAKE_OVER_TEXTS.userIdRequired, field: 'userId' },
    userIdTaken: { status: 422, message: REGISTRATION_TEXTS.userIdTaken, field: 'userId' },
    emailTaken: { status: 422, message: REGISTRATION_TEXTS.emailTaken, field: 'userEmail' },
  },
})

export const getGameAccount = accounts.get('/game-account', {
  summary: 'The player’s account in the game',
  output: z.object({
    state: z.enum(['none', 'waiting', 'linked', 'taken', 'gone']).meta({
      description:
        '`none` without an account in the game; `waiting` until the bridge creates it; `taken` if the game has this ID and requires the old password; `gone` if the game has deleted it',
    }),
    game_user_id: z.string(),
    can_link: z.boolean().meta({ description: 'Whether the operators have imported this ID' }),
    can_set_password: z
      .boolean()
      .meta({ description: 'Whether the game account has a separate password, as accounts of staff have' }),
  }),
})

export const linkGame = accounts.post('/game-link', {
  summary: 'Link this account to the game’s account of the same ID, with its old password',
  fields: linkGameForm,
  output: messageSchema,
  errors: {
    notTaken: { status: 409, message: TAKE_OVER_TEXTS.nothingToLink },
    notImported: { status: 409, message: TAKE_OVER_TEXTS.notImported },
    wrongPassword: { status: 422, message: TAKE_OVER_TEXTS.wrongPassword, field: 'GamePass' },
  },
})

export const setGamePassword = accounts.post('/gamepassword', {
  summary: 'Set the separate password of a staff member’s account in the game',
  fields: gamePasswordForm,
  output: messageSchema,
  errors: {
    onlyStaff: { status: 403, message: GAME_PASSWORD_TEXTS.onlyStaff },
    gameAccountNotFound: { status: 409, message: GAME_PASSWORD_TEXTS.gameAccountNotFound },
    wrongPassword: { status: 422, message: PASSWORD_TEXTS.incorrect, field: 'UserPass' },
    mustDiffer: { status: 422, message: GAME_PASSWORD_TEXTS.mustDiffer, field: 'NewGamePass' },
    passwordIsUserId: { status: 422, message: REGISTRATION_TEXTS.passwordIsUserId, field: 'NewGamePass' },
  },
})
