/** The fields of the forms about orders. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { reasonField } from './desk-money-fields.ts'

/** How many units a call about units takes. */
export const UNITS_AT_ONCE = 500
const UNITS = `Choose 1 to ${UNITS_AT_ONCE} units.`

export const unitsField = z.array(z.int(UNITS), UNITS).check(z.minLength(1, UNITS), z.maxLength(UNITS_AT_ONCE, UNITS))

export const refundForm = z.object({ units: unitsField, reason: reasonField })

export const redirectForm = z.object({
  units: unitsField,
  user_id: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the user ID of the other account.'),
      z.maxLength(40, 'A user ID is shorter.'),
    ),
  reason: reasonField,
})

export const retryForm = z.object({ units: unitsField })
