/** The form of a gift to another player. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { GIFT } from './gift-messages.ts'
import { USER_ID_MAX } from './limits.ts'

export const GIFT_NOTE_MAX = 200

export const giftForm = z.object({
  user_id: z
    .string(GIFT.userIdRequired)
    .check(z.trim(), z.minLength(1, GIFT.userIdRequired), z.maxLength(USER_ID_MAX, GIFT.noRecipient)),
  note: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(GIFT_NOTE_MAX, `Use at most ${GIFT_NOTE_MAX} characters.`),
        z.regex(/^[\P{Cc}\n]*$/u, 'Some characters in this text cannot be used.'),
      ),
    '',
  ),
})
