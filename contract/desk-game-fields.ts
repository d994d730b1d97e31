/** The fields of the forms about bridges. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { reasonField } from './desk-money-fields.ts'

export const checkForm = z.object({ bridge: z.int() })

export const revokeForm = z.object({ bridge: z.int(), reason: reasonField })

export const confirmRestoreForm = z.object({ offer_again: z.boolean(), reason: reasonField })
