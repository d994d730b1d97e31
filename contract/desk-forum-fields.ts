/** The forms of the forum's moderators. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { wholeField } from './desk-money-fields.ts'

const unit = z.number('Load the page again.').check(z.int(), z.positive())

/** The reason travels to a player, so it is not empty. */
const reason = z
  .string('Please give a reason.')
  .check(
    z.trim(),
    z.minLength(1, 'Please give a reason.'),
    z.maxLength(300, 'Use at most 300 characters.'),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Use one line of text.'),
  )

/** How long a silence can last, in hours; who moderates only some boards silences for a week at most. */
export const SILENCE_HOURS_MAX = 8760
export const BOARD_SILENCE_HOURS_MAX = 168

export const caseNoteForm = z.object({
  post: unit,
  body: z
    .string('Write something first.')
    .check(z.trim(), z.minLength(1, 'Write something first.'), z.maxLength(2000, 'Use at most 2,000 characters.')),
})

export const silenceForm = z.object({
  post: unit,
  hours: wholeField(1, SILENCE_HOURS_MAX),
  reason,
})

const line = (max: number, missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(max, `Use at most ${max} characters.`),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    )

export const boardForm = z.object({
  category: unit,
  version: unit,
  name: line(40, 'A board needs a name.'),
  description: z
    .string('Use one line of text.')
    .check(
      z.trim(),
      z.maxLength(200, 'Use at most 200 characters.'),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    ),
  level_needed: wholeField(1, 999),
  read_only: z.boolean('Choose whether only staff can post here.'),
  hold_first: wholeField(0, 100),
  hold_links: z.boolean('Choose whether links are held.'),
  hold_words: z.boolean('Choose whether watched words are held.'),
})

/** What a watched word does. */
export const WORD_ACTIONS = {
  hold: 'Hold posts of new players',
  refuse: 'Refuse the post',
} as const

export const watchedWordForm = z.object({
  word: z
    .string('Enter a word.')
    .check(
      z.trim(),
      z.minLength(2, 'A word has at least 2 letters.'),
      z.maxLength(60, 'Use at most 60 characters.'),
      z.regex(/[\p{L}\p{N}]/u, 'A word has letters or digits.'),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    ),
  action: z.enum(['hold', 'refuse'], 'Choose what happens.'),
})

export const boardModeratorForm = z.object({
  user_num: unit,
  /** None means all of them. */
  boards: z.array(unit).check(z.maxLength(50, 'That is too many boards.')),
})
