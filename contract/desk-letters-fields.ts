/** The form of a letter. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'

const LEVEL_MAX = 9999

/** Whom a letter can go to. */
export const LETTER_TO = ['player', 'everyone', 'levels', 'school', 'buyers'] as const

const text = (max: number, missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(max, `Use at most ${max} characters.`),
      z.regex(/^[\P{Cc}\n]*$/u, 'Some characters in this text cannot be used.'),
    )

/** A whole number that may be left out; forms send text. */
const number = (rule: string, max: number) =>
  z.pipe(
    z._default(z.union([z.string(), z.number(), z.null()]), ''),
    z.pipe(
      z.transform((given: string | number | null) => (given === '' || given === null ? null : Number(given))),
      z.nullable(z.number(rule).check(z.int(rule), z.minimum(0, rule), z.maximum(max, rule))),
    ),
  )

export const audienceFields = {
  to: z.enum(LETTER_TO, 'Choose who gets the letter.'),
  user_id: z._default(z.string().check(z.trim(), z.maxLength(20, 'A user ID has at most 20 characters.')), ''),
  level_from: number('Enter a level.', LEVEL_MAX),
  level_to: number('Enter a level.', LEVEL_MAX),
  school: number('Choose a school.', 99),
  bought: number('Choose an item by its number.', 2_000_000_000),
}

/** What a letter can bring. */
export const GIFTS = ['', 'r_coin', 'milleage', 'item'] as const

const GIFT_MAX = 999_999_999

export const giftFields = {
  gift: z._default(z.enum(GIFTS, 'Choose what the letter brings.'), ''),
  gift_amount: number('Enter a whole amount.', GIFT_MAX),
  gift_item: number('Choose an item by its number.', 2_000_000_000),
  gift_quantity: number('Enter how many, from 1 to 99.', 99),
}

type GivenGift = {
  gift: (typeof GIFTS)[number]
  gift_amount: number | null
  gift_item: number | null
  gift_quantity: number | null
}

const isMoney = ({ gift }: GivenGift) => gift === 'r_coin' || gift === 'milleage'

/** What the choice of `gift` needs, field by field. */
export const giftChecks = [
  z.refine<GivenGift>((given) => !isMoney(given) || (given.gift_amount ?? 0) > 0, {
    path: ['gift_amount'],
    message: 'Enter how much each player gets.',
  }),
  z.refine<GivenGift>((given) => given.gift !== 'item' || given.gift_item !== null, {
    path: ['gift_item'],
    message: 'Enter the number of the item.',
  }),
  z.refine<GivenGift>((given) => given.gift !== 'item' || (given.gift_quantity ?? 0) > 0, {
    path: ['gift_quantity'],
    message: 'Enter how many, from 1 to 99.',
  }),
] as const

type Given = {
  to: (typeof LETTER_TO)[number]
  user_id: string
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
}

/** What the choice of `to` needs, field by field. */
export const audienceChecks = [
  z.refine<Given>((given) => given.to !== 'player' || given.user_id !== '', {
    path: ['user_id'],
    message: 'Enter the user ID of the player.',
  }),
  z.refine<Given>((given) => given.to !== 'levels' || given.level_from !== null, {
    path: ['level_from'],
    message: 'Enter the lowest level.',
  }),
  z.refine<Given>(
    (given) => given.to !== 'levels' || (given.level_to !== null && given.level_to >= (given.level_from ?? 0)),
    { path: ['level_to'], message: 'Enter the highest level, not below the lowest.' },
  ),
  z.refine<Given>((given) => given.to !== 'school' || given.school !== null, {
    path: ['school'],
    message: 'Choose a school.',
  }),
  z.refine<Given>((given) => given.to !== 'buyers' || given.bought !== null, {
    path: ['bought'],
    message: 'Enter the number of the item.',
  }),
] as const

export const letterForm = z
  .object({
    ...audienceFields,
    ...giftFields,
    // What all claims together may be worth: the total that the writer saw.
    gift_budget: number('Count the recipients first.', Number.MAX_SAFE_INTEGER),
    subject: text(120, 'Give the letter a subject.').check(z.regex(/^[^\n]*$/, 'The subject is one line.')),
    body: text(4000, 'Write the letter.'),
    link: z._default(
      z
        .string()
        .check(
          z.trim(),
          z.regex(/^(\/([^/\\\p{Cc}][^\p{Cc}]*)?)?$/u, 'Enter a page of this site, such as /news, or nothing.'),
        ),
      '',
    ),
  })
  .check(...audienceChecks, ...giftChecks)
