import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { CAPSULE_TEXTS, drawCapsule } from '#contract/capsules.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { isFrozen } from '#server/db/blocked.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { bookPurchase } from '#server/features/wallet/book.ts'
import { assertPurchasesOpen } from '#server/maintenance.ts'
import { countDrawsToday, readDrawLimit } from './limits.ts'
import { selectNextChances } from './queries.ts'

type DrawAnswer = z.input<(typeof drawCapsule)['output']>

/**
 * Draws once from a capsule: charges its price, picks a prize by chance among those that the account has not drawn in this
 * round, and queues the prize. A round ends when all prizes are drawn. Call this in the transaction of the call.
 *
 * Locks the account, then the capsule. Draws of one account therefore run one after another, and the chances cannot change
 * during a draw.
 *
 * @throws Refusal 404, 409, 422, 503 during maintenance or while purchases are closed
 */
export async function drawPrize(
  deps: Pick<Deps, 'db' | 'now'>,
  userNum: number,
  requestedCapsule: { capsule: number; version: number },
): Promise<DrawAnswer> {
  const { db: tx } = deps
  const now = deps.now()
  await assertPurchasesOpen(deps)
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'r_coin', 'milleage', 'purchase_count', 'wants_receipts', 'frozen_until'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (isFrozen(account, now)) throw refuse(drawCapsule, 'frozen')
  const limit = await readDrawLimit(tx, userNum, now)
  if (limit.draws !== null && (await countDrawsToday(tx, userNum, now)) >= limit.draws)
    throw refuse(drawCapsule, 'ownLimit')
  const capsule = await tx
    .selectFrom('capsules')
    .where('capsule', '=', requestedCapsule.capsule)
    .where('visible', '=', true)
    .selectAll()
    .forShare()
    .executeTakeFirst()
  if (capsule === undefined) throw refuse(drawCapsule, 'capsuleNotFound')
  if (capsule.version !== requestedCapsule.version) throw refuse(drawCapsule, 'changed')
  const currency = capsule.section === R_COIN_SECTION ? 'r_coin' : 'milleage'
  const { price } = capsule
  if (account[currency] < price) throw refuse(drawCapsule, currency === 'r_coin' ? 'shortRCoin' : 'shortMilleage')

  const { round, prizes, totalChance } = await selectNextChances(tx, userNum, capsule)
  const number = randomInt(totalChance)
  const product_num = findPrize(prizes, number)
  const item = await tx
    .selectFrom('shop_items')
    .where('product_num', '=', product_num)
    .select(['product_num', 'item_name', 'icon', 'image_url'])
    .executeTakeFirstOrThrow()

  const { section } = capsule
  const { ordinal, balances } = await bookPurchase(tx, account, { ...item, section, price }, now)
  await tx
    .insertInto('deliveries')
    .values({ user_num: userNum, ordinal, product_num, unit: 1, queued_at: now })
    .execute()
  await tx
    .insertInto('capsule_draws')
    .values({
      user_num: userNum,
      ordinal,
      capsule: capsule.capsule,
      version: capsule.version,
      product_num,
      round,
      number,
      out_of: totalChance,
      drawn_at: now,
    })
    .execute()
  const message = `${CAPSULE_TEXTS.resultPrefix} ${item.item_name}. It is on its way to your item bank.`
  return { message, userPoints: balances.r_coin, userPoints2: balances.milleage, drawn: item }
}

/** Returns the prize of a number. The chances are consecutive ranges of numbers, in the order of the prizes. */
function findPrize(prizes: readonly { product_num: number; chance: number }[], number: number): number {
  let end = 0
  for (const { product_num, chance } of prizes) {
    end += chance
    if (number < end) return product_num
  }
  throw new Error(`No prize has the number ${number}.`)
}
