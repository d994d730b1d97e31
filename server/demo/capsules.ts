import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'

/** Capsules with the places of their items in the shop's order; chances are per 1,000,000. */
const CAPSULES = [
  {
    name: 'Rooftop Surprise',
    description:
      'The big machine by the water tank. Costumes from all three schools, and one ride that nobody admits to owning.',
    section: 2,
    price: 180,
    chances: [420_000, 260_000, 180_000, 100_000, 38_500, 1_500],
  },
  {
    name: 'Sari-sari Mix',
    description: 'Snacks, charms and odds and ends from the store across the street. Paid with Milleage.',
    section: 1,
    price: 45,
    chances: [500_000, 300_000, 150_000, 50_000],
  },
]

/** Fills the capsule shop, and the wish list of juan, whom friends can send something. */
export async function insertCapsules(tx: Db, now: Date, { juan }: { juan: number }): Promise<void> {
  for (const [position, { chances, ...capsule }] of CAPSULES.entries()) {
    const items = await tx
      .selectFrom('shop_items')
      .where('section', '=', capsule.section)
      .where('visible', '=', true)
      .select('product_num')
      .orderBy('price')
      .orderBy('product_num')
      .execute()
    const number = await tx
      .insertInto('capsules')
      .values({ ...capsule, position, visible: true })
      .returning('capsule')
      .executeTakeFirstOrThrow()
    const apart = Math.floor(items.length / chances.length)
    await tx
      .insertInto('capsule_chances')
      .values(
        chances.map((chance, nth) => ({
          ...number,
          version: 1,
          product_num: items[nth * apart + (apart - 1)]?.product_num ?? 0,
          chance,
        })),
      )
      .execute()
  }
  await tx
    .insertInto('wishes')
    .values(
      [4, 12, 27, 41].map((product_num, days) => ({
        user_num: juan,
        product_num,
        wished_at: new Date(now.getTime() - (days + 1) * DAY_MS),
      })),
    )
    .execute()
  await tx.insertInto('wish_lists').values({ user_num: juan, token: 'demo-juan-wishes-2aKx7Qd' }).execute()
}
