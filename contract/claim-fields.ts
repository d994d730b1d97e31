/** The fields of the forms of players who come from the game. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { registrationForm, typed } from './account-fields.ts'

const { userId, userFirstName, userLastName, userEmail, secretQuestion, secretAnswer } = registrationForm.shape

export const claimForm = z.object({
  /** Asked for only where the game's ID breaks the rules. */
  userId: z.optional(userId),
  userFirstName,
  userLastName,
  userEmail,
  secretQuestion,
  secretAnswer,
})

export const linkGameForm = z.object({ GamePass: typed('Old game password') })
