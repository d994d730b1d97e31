/** The fields of the forms about moving players in. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { reasonField, wholeField } from './desk-money-fields.ts'
import { IMPORT_OPEN_HOURS_MAX } from './limits.ts'

export const openImportForm = z.object({ hours: wholeField(1, IMPORT_OPEN_HOURS_MAX), reason: reasonField })
export const closeImportForm = z.object({ reason: reasonField })
export const approveBalancesForm = z.object({ count: z.int(), sum: z.int(), reason: reasonField })
export const settleRenamedForm = z.object({
  user_num: z.int(),
  found_user_id: z.string(),
  is_same: z.boolean(),
  reason: reasonField,
})
