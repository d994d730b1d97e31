/** The forms about rankings. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { wholeField } from './desk-money-fields.ts'
import { reasonField } from './desk-staff-fields.ts'

const character = z.number('Choose a character.').check(z.int(), z.positive())
const figure = wholeField(0, 9e15)

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
  cha_level: wholeField(1, 100_000),
  kills: figure,
  deaths: figure,
  mmr: figure,
  resu: figure,
  money: figure,
})
