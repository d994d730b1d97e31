import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import type { Db } from '#server/db/open.ts'
import { putGift, sendGiftLetter } from '#server/features/mailbox/gifts.ts'
import { markLetter, sendLetter } from '#server/features/mailbox/letters.ts'
import { readTexts, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

/** A letter to all players can contain Milleage within a budget; a letter to juan can contain an item. */
const letterHead = z.strictObject({
  to: z.enum(['everyone', 'juan']),
  kind: z.enum(['staff', 'ticket', 'prize']),
  subject: z.string(),
  link: z.string().optional(),
  age: timeSpan,
  /** The time since juan read the letter. */
  read: timeSpan.optional(),
  milleage: wholeNumber.optional(),
  budget: wholeNumber.default(0),
  item: wholeNumber.optional(),
  quantity: wholeNumber.default(1),
  reference: z.string().default(''),
  body: z.string(),
})

/** Inserts the letters: to all players and to juan, some with unclaimed gifts. */
export async function insertLetters(tx: Db, { now, juan, gm }: World): Promise<void> {
  for (const { to, kind, subject, link, age, read, milleage, budget, ...head } of readTexts(
    'letters/*.md',
    letterHead,
  )) {
    const at = subtractMs(now, age)
    const values = { subject, body: head.body, link, sentBy: kind === 'ticket' ? undefined : gm, now: at }
    if (head.item !== undefined) {
      const gift = { item: head.item, quantity: head.quantity }
      await sendGiftLetter(tx, { account: juan, kind, values, gift, reference: head.reference })
      continue
    }
    const letter = await sendLetter(tx, { kind, to: to === 'juan' ? juan : {}, ...values })
    if (read !== undefined)
      await markLetter(tx, { userNum: juan, letter, column: 'read_at', now: subtractMs(now, read) })
    if (milleage !== undefined) {
      const gift = { currency: 'Milleage' as const, amount: milleage }
      await putGift(tx, { letter, recipient: null, gift, value: milleage, budget, givenBy: gm, now: at })
    }
  }
}
