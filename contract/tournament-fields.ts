/** The form that registers for a tournament. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'

const CLUB_RULE = 'Use 2 to 30 characters.'

/** The name of a club, one line; empty for a tournament of players. */
export const clubField = z
  .string('Enter the name of your club.')
  .check(z.trim(), z.regex(/^([^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]{2,30})?$/u, CLUB_RULE))

/** A number, also as the text that a select has. */
const chosen = z.pipe(
  z.pipe(
    z.union([z.number('Choose one of your characters.'), z.string('Choose one of your characters.')]),
    z.transform((value: string | number) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ),
  ),
  z.int('Choose one of your characters.').check(z.positive('Choose one of your characters.')),
)

export const registrationForm = z.object({
  tournament: z.int('Choose a tournament.'),
  character: chosen,
  club: z._default(clubField, ''),
})
