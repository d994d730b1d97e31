/** The form of a capsule. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { CHANCES_SUM } from './capsule-messages.ts'
import { formatCount } from './numbers.ts'

const number = (rule: string, { min, max }: { min: number; max: number }) =>
  z.pipe(
    z.union([z.string(), z.number()], rule),
    z.pipe(
      z.transform((given: string | number) => (given === '' ? Number.NaN : Number(given))),
      z.number(rule).check(z.int(rule), z.minimum(min, rule), z.maximum(max, rule)),
    ),
  )

const chanceRow = z.object({
  product_num: number('Enter the number of an item.', { min: 1, max: 2_000_000_000 }),
  chance: number(`A chance is a whole number from 1 to ${formatCount(CHANCES_SUM)}.`, {
    min: 1,
    max: CHANCES_SUM,
  }),
})

export const capsuleForm = z.object({
  name: z
    .string('Give the capsule a name.')
    .check(z.trim(), z.minLength(1, 'Give the capsule a name.'), z.maxLength(60, 'Use at most 60 characters.')),
  description: z._default(z.string().check(z.trim(), z.maxLength(500, 'Use at most 500 characters.')), ''),
  currency: z.enum(['r_coin', 'milleage'], 'Choose what it is paid with.'),
  price: number('Enter a whole price.', { min: 1, max: 999_999_999 }),
  visible: z.boolean(),
  chances: z.array(chanceRow).check(
    z.minLength(1, 'Put at least one item into the capsule.'),
    z.maxLength(100, 'A capsule has at most 100 items.'),
    z.refine(
      (rows) => new Set(rows.map((row) => row.product_num)).size === rows.length,
      'An item is in the list twice.',
    ),
    z.refine(
      (rows) => rows.reduce((sum, row) => sum + row.chance, 0) === CHANCES_SUM,
      `The chances have to be ${formatCount(CHANCES_SUM)} together.`,
    ),
  ),
})
