/** The forms about rankings. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { reasonField } from './desk-staff-fields.ts'

const character = z.number('Choose a character.').check(z.int(), z.positive())
const whole = 'Enter a whole number.'
const figure = z
  .number(whole)
  .check(z.int(whole), z.minimum(0, 'Enter 0 or more.'), z.maximum(9e15, 'The number is too large.'))

export const hideForm = z.object({ cha_num: character, reason: reasonField })

/** A character's entry in a closed month; `version` is the one that the change was made from. */
const entry = {
  period: z.string('Choose a month.').check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Choose a month.')),
  cha_num: character,
  version: z.number('Load the month again.').check(z.int()),
  reason: reasonField,
}

export const archiveForm = z.object(entry)

export const correctionForm = z.object({
  ...entry,
  cha_name: z
    .string('Enter a name.')
    .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'Use at most 60 characters.')),
  cha_level: z
    .number(whole)
    .check(z.int(whole), z.minimum(1, 'Enter 1 or more.'), z.maximum(100_000, 'The number is too large.')),
  kills: figure,
  deaths: figure,
  mmr: figure,
  resu: figure,
  money: figure,
})
