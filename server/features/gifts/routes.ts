import * as calls from '#contract/gifts.ts'
import { GIFT_TEXTS } from '#contract/gifts.ts'
import { Refusal } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { previewGift, sendGift } from './buy.ts'

/** The calls of gifts between players. */
export const giftCalls: MountedCall[] = [
  mount(calls.buyGift, async (input, { deps, session: { userNum } }) => {
    const outcome = await sendGift(deps, userNum, input)
    if (!(outcome instanceof Refusal)) deps.metrics.countPurchase()
    return outcome
  }),

  mount(calls.checkGift, async (input, { deps, session: { userNum } }) => {
    const outcome = await deps.db.transaction().execute((tx) => previewGift({ ...deps, db: tx }, userNum, input))
    // Thrown after the transaction, which has counted the failure.
    if (outcome instanceof Refusal) throw outcome
    return outcome
  }),

  mount(calls.getGiftChoice, async (_, { deps: { db }, session: { userNum } }) => {
    const { accepts_gifts: accepts } = await db
      .selectFrom('accounts')
      .where('user_num', '=', userNum)
      .select('accepts_gifts')
      .executeTakeFirstOrThrow()
    return { accepts }
  }),

  mount(calls.setGiftChoice, async ({ accepts }, { deps: { db }, session: { userNum } }) => {
    await db.updateTable('accounts').set({ accepts_gifts: accepts }).where('user_num', '=', userNum).execute()
    return { message: accepts ? GIFT_TEXTS.accepts : GIFT_TEXTS.refuses }
  }),
]
