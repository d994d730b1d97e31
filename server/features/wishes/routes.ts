import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { toShopItem } from '#contract/shop.ts'
import * as calls from '#contract/wishes.ts'
import { WISH_LIST_TEXTS, WISHES_MAX } from '#contract/wishes.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { ITEM_COLUMNS } from '#server/features/shop/queries.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'

/** Selects the items of a wish list that the shop shows, newest wish first. */
async function selectWishes(db: Db, userNum: number, now: Date) {
  const rows = await db
    .selectFrom('wishes as w')
    .innerJoin('shop_items as i', 'i.product_num', 'w.product_num')
    .where('w.user_num', '=', userNum)
    .where('i.visible', '=', true)
    .select(ITEM_COLUMNS)
    .orderBy('w.wished_at', 'desc')
    .orderBy('w.product_num')
    .execute()
  return rows.map((row) => toShopItem(row, now))
}

/** The calls of wish lists. */
export const wishCalls: MountedCall[] = [
  mount(calls.getWishList, async (_, { deps: { db, now }, session: { userNum } }) => {
    const wishList = await db
      .selectFrom('wish_lists')
      .where('user_num', '=', userNum)
      .select('token')
      .executeTakeFirst()
    return { items: await selectWishes(db, userNum, now()), token: wishList?.token ?? null }
  }),

  mount(calls.addWish, async ({ productnum }, { deps: { db, now }, session: { userNum } }) => {
    const outcome = await db.transaction().execute(async (tx) => {
      // Locks the account, because concurrent calls must not exceed the limit.
      await sql`select from accounts where user_num = ${userNum} for no key update`.execute(tx)
      const item = await tx
        .selectFrom('shop_items')
        .where('product_num', '=', productnum)
        .where('visible', '=', true)
        .select('product_num')
        .executeTakeFirst()
      if (item === undefined) return 'itemNotFound' as const
      const otherWishes = await tx
        .selectFrom('wishes')
        .where('user_num', '=', userNum)
        .where('product_num', '<>', productnum)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow()
      if (otherWishes.count >= WISHES_MAX) return 'full' as const
      await tx
        .insertInto('wishes')
        .values({ user_num: userNum, product_num: productnum, wished_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return 'added' as const
    })
    if (outcome !== 'added') throw refuse(calls.addWish, outcome)
    return { message: WISH_LIST_TEXTS.added }
  }),

  mount(calls.removeWish, async ({ productnum }, { deps: { db }, session: { userNum } }) => {
    await db.deleteFrom('wishes').where('user_num', '=', userNum).where('product_num', '=', productnum).execute()
    return { message: WISH_LIST_TEXTS.removed }
  }),

  mount(calls.shareWishList, async (_, { deps: { db }, session: { userNum: user_num } }) => {
    const token = randomBytes(18).toString('base64url')
    await db
      .insertInto('wish_lists')
      .values({ user_num, token })
      .onConflict((conflict) => conflict.column('user_num').doUpdateSet({ token }))
      .execute()
    return { message: WISH_LIST_TEXTS.shared, token }
  }),

  mount(calls.hideWishList, async (_, { deps: { db }, session: { userNum } }) => {
    await db.deleteFrom('wish_lists').where('user_num', '=', userNum).execute()
    return { message: WISH_LIST_TEXTS.hidden }
  }),

  mount(calls.getSharedWishList, async ({ token }, { deps: { db, now } }) => {
    const wishList = await db
      .selectFrom('wish_lists as w')
      .innerJoin('accounts as a', 'a.user_num', 'w.user_num')
      .where('w.token', '=', token)
      .where('a.erased_at', 'is', null)
      .where('a.erasure_due_at', 'is', null)
      .select(['a.user_num', 'a.user_id'])
      .executeTakeFirst()
    if (wishList === undefined) throw refuse(calls.getSharedWishList, 'listNotFound')
    return { user_id: wishList.user_id, items: await selectWishes(db, wishList.user_num, now()) }
  }),
]
