import { sql } from 'kysely'
import type { OfferFields } from '#contract/desk-rewards.ts'
import * as calls from '#contract/desk-rewards.ts'
import { getMonth, toManilaDay } from '#contract/manila.ts'
import type { RewardSource } from '#contract/rewards.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, refuse } from '#server/errors.ts'
import { findWorth, type Gift } from '#server/features/mailbox/gifts.ts'
import { type ApprovalTools, type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { approveSourceCall, readSourceApproval } from './approve-source.ts'
import { changeSources } from './charges.ts'
import { selectOffers } from './give.ts'
import { readPlaytime } from './playtime.ts'
import { countNewcomers, formatOffers } from './starter.ts'

/** Returns the budget of a source, the amount spent today, and the approval of its current state. */
export async function readSource({ deps, staff }: { deps: Deps; staff: Staff }, source: RewardSource) {
  const { db, now } = deps
  const row = await db
    .selectFrom('reward_sources as s')
    .leftJoin('reward_days as d', (join) =>
      join.onRef('d.source', '=', 's.source').on('d.day', '=', toManilaDay(now())),
    )
    .where('s.source', '=', source)
    .select(['s.version', 's.budget', 'd.spent'])
    .executeTakeFirstOrThrow()
  return { ...row, spent: row.spent ?? 0, approval: await readSourceApproval(deps, staff, source) }
}

export const lockSourceRow = (tx: Db, source: RewardSource) =>
  tx
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select(['version', 'budget'])
    .forUpdate()
    .executeTakeFirstOrThrow()

type Slot = { slot: number; offer: OfferFields }

/** Converts an offer to the fields of the desk's form. */
export const toOfferFields = (gift: Gift): OfferFields =>
  'item' in gift
    ? { gift: 'item', amount: gift.quantity, item: gift.item }
    : { gift: 'milleage', amount: gift.amount, item: null }

const toGift = ({ gift, amount, item }: OfferFields): Gift =>
  gift === 'item' && item !== null ? { item, quantity: amount ?? 1 } : { currency: 'Milleage', amount: amount ?? 0 }

/** @throws Refusal for an offer of an item that does not exist */
export async function assertItems(tx: Db, offers: readonly OfferFields[], itemNotFound: Refusal): Promise<void> {
  for (const { gift, item } of offers)
    if (gift === 'item' && item !== null && !(await itemExists(tx, item))) throw itemNotFound
}

async function itemExists(tx: Db, item: number): Promise<boolean> {
  const row = await tx.selectFrom('shop_items').where('product_num', '=', item).select('product_num').executeTakeFirst()
  return row !== undefined
}

/** Sets the offer of a slot of a source; null removes it. */
export async function putOffer(tx: Db, source: RewardSource, slot: number, offer: OfferFields | null): Promise<void> {
  await tx.deleteFrom('reward_offers').where('source', '=', source).where('slot', '=', slot).execute()
  if (offer === null) return
  const gift = toGift(offer)
  const values = 'item' in gift ? { product_num: gift.item, quantity: gift.quantity } : { milleage: gift.amount }
  await tx
    .insertInto('reward_offers')
    .values({ source, slot, milleage: null, product_num: null, quantity: null, ...values })
    .execute()
}

type SaveItemCall = typeof calls.saveDaily | typeof calls.saveFriend | typeof calls.saveStarter
type SaveCall = SaveItemCall | typeof calls.savePlaytime
type SourceInput = { version: number; budget: number; slots: readonly Slot[] }

/**
 * Sets the budget of a source and all its offers (REWARD-2).
 *
 * @returns the new version of the source
 * @throws Refusal 409 for another version, 422 for an item that does not exist; ApprovalNeeded
 */
async function saveSource(
  context: ChangeContext,
  call: SaveCall,
  { source, version, budget, slots }: SourceInput & { source: RewardSource },
): Promise<number> {
  const { deps, record } = context
  const { db: tx } = deps
  const sourceRow = await lockSourceRow(tx, source)
  if (sourceRow.version !== version) throw refuse(call, 'conflict')
  const readRewards = async () => (await selectOffers(tx, source)).map(({ slot, gift }) => ({ slot, ...gift }))
  const before = await readRewards()
  const offers = slots.map(({ offer }) => offer)
  if (source !== 'playtime') await assertItems(tx, offers, refuse(call as SaveItemCall, 'itemNotFound'))
  const nextVersion = version + 1
  await changeSources(context, { sources: [source] }, async () => {
    await tx.deleteFrom('reward_offers').where('source', '=', source).execute()
    for (const { slot, offer } of slots) await putOffer(tx, source, slot, offer)
    await tx.updateTable('reward_sources').set({ budget, version: nextVersion }).where('source', '=', source).execute()
  })
  record({
    target: ['rewards', source],
    before: { budget: sourceRow.budget, rewards: before },
    after: { budget, rewards: await readRewards() },
  })
  return nextVersion
}

type ChangeContext = { deps: Deps } & Pick<
  DeskTools & ApprovalTools,
  'consumePayout' | 'record' | 'staff' | 'approvedBy'
>

/** The calls of the desk about rewards. */
export const rewardDeskCalls: MountedCall[] = [
  approveSourceCall,

  mount(calls.getDeskDaily, async (_, context) => {
    const offers = await selectOffers(context.deps.db, 'daily')
    return {
      ...(await readSource(context, 'daily')),
      days: offers.map(({ slot, gift }) => ({ day: slot, ...toOfferFields(gift) })),
    }
  }),

  mount(calls.saveDaily, async ({ days, ...input }, context) => {
    const slots = days.map(({ day, ...offer }) => ({ slot: day, offer }))
    const version = await saveSource(context, calls.saveDaily, { ...input, source: 'daily', slots })
    return { message: 'The daily rewards are saved.', version }
  }),

  mount(calls.getDeskFriend, async (_, context) => {
    const { db, now } = context.deps
    const [offer] = await selectOffers(db, 'friend')
    const { startsAt } = getMonth(now())
    const { waiting, rewarded } = await db
      .selectFrom('invitations')
      .select([
        sql<number>`(count(*) filter (where rewarded_at is null))::int`.as('waiting'),
        sql<number>`(count(*) filter (where rewarded_at >= ${startsAt}))::int`.as('rewarded'),
      ])
      .executeTakeFirstOrThrow()
    const offerFields = offer === undefined ? { gift: null, amount: null, item: null } : toOfferFields(offer.gift)
    return { ...(await readSource(context, 'friend')), ...offerFields, waiting, rewarded }
  }),

  mount(calls.saveFriend, async ({ version, budget, gift, ...offer }, context) => {
    const slots = gift === null ? [] : [{ slot: 0, offer: { gift, ...offer } }]
    const nextVersion = await saveSource(context, calls.saveFriend, { source: 'friend', version, budget, slots })
    return { message: 'The rewards for invited friends are saved.', version: nextVersion }
  }),

  mount(calls.getDeskStarter, async (_, context) => {
    const { db, now } = context.deps
    const offers = await selectOffers(db, 'starter')
    const itemWorths = await Promise.all(offers.map(({ gift }) => findWorth(db, gift, now())))
    return {
      ...(await readSource(context, 'starter')),
      gives: offers.flatMap(({ gift }) => ('item' in gift ? [gift] : [])),
      words: formatOffers(offers),
      worth: itemWorths.reduce((sum, worth) => sum + worth, 0),
      ...(await countNewcomers(db, now())),
    }
  }),

  mount(calls.saveStarter, async ({ gives, ...input }, context) => {
    const slots = gives.map(({ item, quantity }, index) => ({
      slot: index + 1,
      offer: { gift: 'item' as const, item, amount: quantity },
    }))
    const version = await saveSource(context, calls.saveStarter, { ...input, source: 'starter', slots })
    return { message: 'The starter items are saved.', version }
  }),

  mount(calls.getDeskPlaytime, async (_, context) => {
    const { deps } = context
    const [offer] = await selectOffers(deps.db, 'playtime')
    const milleage = offer !== undefined && 'amount' in offer.gift ? offer.gift.amount : null
    return { ...(await readSource(context, 'playtime')), ...(await readPlaytime(deps)), milleage }
  }),

  mount(calls.savePlaytime, async ({ milleage: amount, ...input }, context) => {
    const slots = amount === null ? [] : [{ slot: 0, offer: { gift: 'milleage' as const, amount, item: null } }]
    const version = await saveSource(context, calls.savePlaytime, { ...input, source: 'playtime', slots })
    return { message: 'The rewards for time played are saved.', version }
  }),
]
