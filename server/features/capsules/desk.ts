import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import * as calls from '#contract/capsules.ts'
import { CHANCES_SUM } from '#contract/capsules.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { type DeskItem, selectItemsByNumber } from '#server/features/shop/desk-queries.ts'
import { type ApprovalTools, type MountedCall, mount } from '#server/http/mount.ts'
import { selectCapsules } from './queries.ts'

const MILLEAGE_SECTION = 1

type Chance = { product_num: number; chance: number }
type CapsuleTerms = { section: number; price: number; visible: boolean; chances: readonly Chance[] }

const describeTerms = ({ section, price, visible, chances }: CapsuleTerms) => ({
  currency: section === R_COIN_SECTION ? 'R-Coin' : 'Milleage',
  price,
  visible,
  chances: chances
    .map(({ product_num, chance }) => ({ item: product_num, chance }))
    .toSorted((a, b) => a.item - b.item),
})

/** Adds the chances of a capsule's current version. */
async function selectTerms(tx: Db, capsule: Omit<CapsuleTerms, 'chances'> & { capsule: number; version: number }) {
  const chances = await tx
    .selectFrom('capsule_chances')
    .where('capsule', '=', capsule.capsule)
    .where('version', '=', capsule.version)
    .select(['product_num', 'chance'])
    .execute()
  return { ...capsule, chances }
}

/**
 * Returns the highest of three averages of the worth of a capsule's prizes: of a first draw, by the chances; of all prizes,
 * because players draw no prize twice before they have drawn all; and of the prizes that a change adds, because players who
 * have drawn all others draw these next.
 */
function computeAverageWorth(
  items: readonly DeskItem[],
  chances: readonly Chance[],
  addedPrizes: readonly Chance[] = [],
): number {
  const worths = new Map(items.map((item) => [item.product_num, Math.max(item.price, item.usual_price ?? 0)]))
  const getWorth = ({ product_num }: Chance) => worths.get(product_num) ?? 0
  const computeMeanWorth = (prizes: readonly Chance[]) =>
    prizes.reduce((sum, prize) => sum + getWorth(prize), 0) / Math.max(1, prizes.length)
  const firstDraw = chances.reduce((sum, prize) => sum + getWorth(prize) * prize.chance, 0) / CHANCES_SUM
  return Math.max(firstDraw, computeMeanWorth(chances), computeMeanWorth(addedPrizes))
}

type CapsuleChange = { name: string; items: readonly DeskItem[]; oldTerms: CapsuleTerms | null; newTerms: CapsuleTerms }

/** Requires another operator's approval of a capsule whose prizes are worth more on average than a draw costs. */
async function requestCapsuleApproval(
  { requireApproval }: ApprovalTools,
  { name, items, oldTerms, newTerms }: CapsuleChange,
): Promise<void> {
  if (oldTerms !== null && isDeepStrictEqual(describeTerms(oldTerms), describeTerms(newTerms))) return
  const oldItems = oldTerms?.chances.map(({ product_num }) => product_num) ?? []
  const addedPrizes = newTerms.chances.filter(({ product_num }) => !oldItems.includes(product_num))
  const average = computeAverageWorth(items, newTerms.chances, addedPrizes)
  if (average <= newTerms.price) return
  const { currency, price } = describeTerms(newTerms)
  await requireApproval({
    approverKind: 'operator',
    accounts: [],
    summary: `Sell draws from “${name}” for ${formatCount(price)} ${currency}; the prizes are worth ${formatCount(Math.round(average))} on average`,
    effect: { name, before: oldTerms === null ? null : describeTerms(oldTerms), after: describeTerms(newTerms) },
  })
}

/** The desk's calls about capsules. */
export const capsuleDeskCalls: MountedCall[] = [
  mount(calls.getDeskCapsules, async (_, { deps: { db, now } }) => {
    const draws = await db
      .selectFrom('capsule_draws')
      .select(['capsule', sql<number>`count(*)::int`.as('draws')])
      .groupBy('capsule')
      .execute()
    const counts = new Map(draws.map((row) => [row.capsule, row.draws]))
    const capsules = await selectCapsules(db)
    const itemNums = capsules.flatMap(({ prizes }) => prizes.map(({ product_num }) => product_num))
    const items = await selectItemsByNumber(db, now(), { items: [...new Set(itemNums)] })
    return {
      rows: capsules.map(({ prizes, section, ...capsule }) => ({
        ...capsule,
        average: Math.round(computeAverageWorth(items, prizes)),
        currency: section === R_COIN_SECTION ? ('r_coin' as const) : ('milleage' as const),
        draws: counts.get(capsule.capsule) ?? 0,
        chances: prizes,
      })),
    }
  }),

  mount(
    calls.saveCapsule,
    async ({ capsule: existingCapsule, version: expectedVersion, chances, currency, ...values }, context) => {
      const { db: tx } = context.deps
      const section = currency === 'r_coin' ? R_COIN_SECTION : MILLEAGE_SECTION
      const itemNums = chances.map(({ product_num }) => product_num)
      const items = await selectItemsByNumber(tx, context.deps.now(), { items: itemNums })
      if (items.length !== chances.length) throw refuse(calls.saveCapsule, 'itemNotFound')
      const currentCapsule =
        existingCapsule === null
          ? null
          : await tx
              .selectFrom('capsules')
              .where('capsule', '=', existingCapsule)
              .selectAll()
              .forUpdate()
              .executeTakeFirst()
      if (currentCapsule === undefined) throw refuse(calls.saveCapsule, 'capsuleNotFound')
      if (currentCapsule !== null && currentCapsule.version !== expectedVersion)
        throw refuse(calls.saveCapsule, 'conflict')
      const version = (currentCapsule?.version ?? 0) + 1
      const oldTerms = currentCapsule === null ? null : await selectTerms(tx, currentCapsule)
      await requestCapsuleApproval(context, {
        name: values.name,
        items,
        oldTerms,
        newTerms: { section, ...values, chances },
      })
      const row = { ...values, section, version }
      const { capsule } =
        currentCapsule === null
          ? await tx.insertInto('capsules').values(row).returning('capsule').executeTakeFirstOrThrow()
          : await tx
              .updateTable('capsules')
              .set(row)
              .where('capsule', '=', currentCapsule.capsule)
              .returning('capsule')
              .executeTakeFirstOrThrow()
      await tx
        .insertInto('capsule_chances')
        .values(chances.map((chance) => ({ ...chance, capsule, version })))
        .execute()
      context.record({
        target: ['capsule', capsule],
        ...(currentCapsule !== null && {
          before: {
            name: currentCapsule.name,
            price: currentCapsule.price,
            visible: currentCapsule.visible,
            version: currentCapsule.version,
          },
        }),
        after: { ...values, currency, version, chances },
      })
      return { message: currentCapsule === null ? 'The capsule is made.' : 'Saved.', capsule, version }
    },
  ),
]
