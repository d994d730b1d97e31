import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { readItemsCsv } from '#server/features/shop/items-csv.ts'
import { getItemValues } from '#server/features/shop/write-items.ts'
import { insertCampaign } from '#server/features/vouchers/codes.ts'
import { readTable, readText, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

/** The times from now until a sale begins and ends. */
const saleRow = z.strictObject({ item_name: z.string(), sale_price: wholeNumber, starts: timeSpan, ends: timeSpan })

/**
 * Capsule machines. A machine takes as many items as it has chances, evenly spaced in the price list of a section of the
 * shop, the cheapest first. The chances are per 1,000,000.
 */
const capsuleRow = z.strictObject({
  name: z.string(),
  description: z.string(),
  section: wholeNumber,
  price: wholeNumber,
  chances: z.string().transform((text) => text.split(' ').map(Number)),
})

/** juan's wishes, the newest first. */
const WISHES = [4, 12, 27, 41]

/**
 * Inserts the shop's categories and items, from a file that the desk can also import.
 *
 * @throws when the file has problems
 */
export async function insertShop(tx: Db, { now }: World): Promise<void> {
  const categories = readTable('tables/item-categories.csv', z.strictObject({ name: z.string() }))
  const categoryRows = categories.map(({ name }, position) => ({ category_name: name, position }))
  await tx.insertInto('shop_categories').values(categoryRows).execute()
  const { added, problems } = await readItemsCsv(tx, Buffer.from(readText('tables/items.csv')), now)
  const [problem] = problems
  if (problem !== undefined)
    throw new Error(`demo/tables/items.csv, line ${problem.line}, ${problem.field}: ${problem.message}`)
  const sales = new Map(readTable('tables/sales.csv', saleRow).map((sale) => [sale.item_name, sale]))
  const items = added.map(({ change }, position) => {
    const sale = sales.get(change.item_name)
    return {
      ...getItemValues(change),
      position,
      sale_price: sale?.sale_price ?? null,
      sale_starts_at: sale === undefined ? null : subtractMs(now, -sale.starts),
      sale_ends_at: sale === undefined ? null : subtractMs(now, -sale.ends),
      on_sale: sale !== undefined && sale.starts < 0,
      sold_from: null,
      sold_until: null,
    }
  })
  await tx.insertInto('shop_items').values(items).execute()
}

/** Inserts the five demo vouchers of 1,000 R-Coin and the referral code TAMBAYAN. */
export async function insertVouchers(tx: Db, { now }: World): Promise<void> {
  const codes = [...'ABCDE'].map((letter) => `DEMO-1000-AAA${letter}`)
  const campaignFields = {
    name: 'Demo vouchers',
    rCoin: 1000,
    milleage: 0,
    expiresAt: null,
    perAccount: null,
    inTotal: null,
    streamer: null,
  }
  await insertCampaign(tx, campaignFields, codes, { now, madeBy: null })
  await tx.insertInto('referral_codes').values({ code: 'TAMBAYAN', streamer: 'Tambayan', created_at: now }).execute()
}

/** Inserts the capsule machines, and the wish list of juan, from which friends can give a present. */
export async function insertCapsules(tx: Db, { now, juan }: World): Promise<void> {
  for (const [position, { chances, ...machine }] of readTable('tables/capsules.csv', capsuleRow).entries()) {
    const items = await tx
      .selectFrom('shop_items')
      .where('section', '=', machine.section)
      .where('visible', '=', true)
      .select('product_num')
      .orderBy('price')
      .orderBy('product_num')
      .execute()
    const { capsule } = await tx
      .insertInto('capsules')
      .values({ ...machine, position, visible: true })
      .returning('capsule')
      .executeTakeFirstOrThrow()
    const itemStep = Math.floor(items.length / chances.length)
    const rows = chances.map((chanceValue, nth) => ({
      capsule,
      version: 1,
      product_num: items[nth * itemStep + (itemStep - 1)]?.product_num ?? 0,
      chance: chanceValue,
    }))
    await tx.insertInto('capsule_chances').values(rows).execute()
  }
  const wishes = WISHES.map((product_num, days) => ({
    user_num: juan,
    product_num,
    wished_at: subtractMs(now, (days + 1) * DAY_MS),
  }))
  await tx.insertInto('wishes').values(wishes).execute()
  await tx.insertInto('wish_lists').values({ user_num: juan, token: 'demo-juan-wishes-2aKx7Qd' }).execute()
}
