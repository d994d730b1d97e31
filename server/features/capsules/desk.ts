import { sql } from 'kysely'
import * as calls from '#contract/desk-capsules.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { selectCapsules } from './queries.ts'

const MILLEAGE_SECTION = 1

/** The desk's calls about capsules. */
export const capsuleDeskCalls: Mounted[] = [
  mount(calls.getDeskCapsules, async (_, { deps: { db } }) => {
    const draws = await db
      .selectFrom('capsule_draws')
      .select(['capsule', sql<number>`count(*)::int`.as('draws')])
      .groupBy('capsule')
      .execute()
    const counts = new Map(draws.map((row) => [row.capsule, row.draws]))
    return {
      rows: (await selectCapsules(db)).map(({ prizes, section, ...capsule }) => ({
        ...capsule,
        currency: section === R_COIN_SECTION ? ('r_coin' as const) : ('milleage' as const),
        draws: counts.get(capsule.capsule) ?? 0,
        chances: prizes,
      })),
    }
  }),

  mount(calls.saveCapsule, async ({ capsule: wanted, version: seen, chances, currency, ...values }, asked) => {
    const { db: tx } = asked.deps
    const section = currency === 'r_coin' ? R_COIN_SECTION : MILLEAGE_SECTION
    const known = await tx
      .selectFrom('shop_items')
      .where(
        'product_num',
        'in',
        chances.map(({ product_num }) => product_num),
      )
      .select('product_num')
      .execute()
    if (known.length !== chances.length) throw refuse(calls.saveCapsule, 'noItem')
    const before =
      wanted === null
        ? null
        : await tx.selectFrom('capsules').where('capsule', '=', wanted).selectAll().forUpdate().executeTakeFirst()
    if (before === undefined) throw refuse(calls.saveCapsule, 'noCapsule')
    if (before !== null && before.version !== seen) throw refuse(calls.saveCapsule, 'changedMeanwhile')
    const version = (before?.version ?? 0) + 1
    const row = { ...values, section, version }
    const { capsule } =
      before === null
        ? await tx.insertInto('capsules').values(row).returning('capsule').executeTakeFirstOrThrow()
        : await tx
            .updateTable('capsules')
            .set(row)
            .where('capsule', '=', before.capsule)
            .returning('capsule')
            .executeTakeFirstOrThrow()
    await tx
      .insertInto('capsule_chances')
      .values(chances.map((chance) => ({ ...chance, capsule, version })))
      .execute()
    asked.record({
      target: ['capsule', capsule],
      ...(before !== null && {
        before: { name: before.name, price: before.price, visible: before.visible, version: before.version },
      }),
      after: { ...values, currency, version, chances },
    })
    return { message: before === null ? 'The capsule is made.' : 'Saved.', capsule, version }
  }),
]
