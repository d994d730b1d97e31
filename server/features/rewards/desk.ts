import { sql } from 'kysely'
import type { OfferFields } from '#contract/desk-rewards.ts'
import * as calls from '#contract/desk-rewards.ts'
import { manilaDay, monthOf } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import type { RewardSource } from '#contract/rewards.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, refuse } from '#server/errors.ts'
import { type Gift, worthOf } from '#server/features/mailbox/gifts.ts'
import { type ConsentTools, type DeskTools, type Mounted, mount } from '#server/http/mount.ts'
import { selectOffers } from './give.ts'
import { countNewcomers, inWords } from './starter.ts'

/** The budget of a source, with what was given of it today. */
export async function readSource(db: Db, source: RewardSource, now: Date) {
  const row = await db
    .selectFrom('reward_sources as s')
    .leftJoin('reward_days as d', (join) => join.onRef('d.source', '=', 's.source').on('d.day', '=', manilaDay(now)))
    .where('s.source', '=', source)
    .select(['s.version', 's.budget', 'd.spent'])
    .executeTakeFirstOrThrow()
  return { ...row, spent: row.spent ?? 0 }
}

export const lockSource = (tx: Db, source: RewardSource) =>
  tx
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select(['version', 'budget'])
    .forUpdate()
    .executeTakeFirstOrThrow()

type Slot = { slot: number; offer: OfferFields }

/** What the desk's form has of an offer. */
export const fieldsOf = (gift: Gift): OfferFields =>
  'item' in gift
    ? { gift: 'item', amount: gift.quantity, item: gift.item }
    : { gift: 'milleage', amount: gift.amount, item: null }

const giftOf = ({ gift, amount, item }: OfferFields): Gift =>
  gift === 'item' && item !== null ? { item, quantity: amount ?? 1 } : { currency: 'Milleage', amount: amount ?? 0 }

/** What a set reward is worth, and what of it counts against the limit: the whole of each that is new or worth more. */
export async function weigh(tx: Db, source: RewardSource, slots: readonly Slot[], now: Date, noItem: Refusal) {
  const before = await selectOffers(tx, source)
  let raised = 0
  const rewards = []
  for (const { slot, offer } of slots) {
    const gift = giftOf(offer)
    if ('item' in gift && !(await isItem(tx, gift.item))) throw noItem
    const worth = await worthOf(tx, gift, now)
    const was = before.find((one) => one.slot === slot)
    if (worth > (was === undefined ? 0 : await worthOf(tx, was.gift, now))) raised += worth
    rewards.push({ slot, ...gift, worth })
  }
  return { raised, rewards, before: before.map(({ slot, gift }) => ({ slot, ...gift })) }
}

async function isItem(tx: Db, item: number): Promise<boolean> {
  const row = await tx.selectFrom('shop_items').where('product_num', '=', item).select('product_num').executeTakeFirst()
  return row !== undefined
}

/** Sets what a slot of a source gives; without an offer nothing. */
export async function putOffer(tx: Db, source: RewardSource, slot: number, offer: OfferFields | null): Promise<void> {
  await tx.deleteFrom('reward_offers').where('source', '=', source).where('slot', '=', slot).execute()
  if (offer === null) return
  const gift = giftOf(offer)
  const values = 'item' in gift ? { product_num: gift.item, quantity: gift.quantity } : { milleage: gift.amount }
  await tx
    .insertInto('reward_offers')
    .values({ source, slot, milleage: null, product_num: null, quantity: null, ...values })
    .execute()
}

type SavingCall = typeof calls.saveDaily | typeof calls.saveFriend | typeof calls.saveStarter
type Saved = { version: number; budget: number; slots: readonly Slot[] }

/**
 * Sets the budget of a source and everything that it gives, and says what that is worth: the whole of a larger budget, and
 * one of each reward that is new or worth more, count against the operator's limit (REWARD-2).
 *
 * @returns its next version
 * @throws Refusal 409 when it is another version by now, 422 for an item that there is not; ApprovalNeeded
 */
async function saveSource(
  { deps, spend, record }: { deps: Deps } & Pick<DeskTools & ConsentTools, 'spend' | 'record'>,
  call: SavingCall,
  { source, what, version, budget, slots }: Saved & { source: RewardSource; what: string },
): Promise<number> {
  const { db: tx, now } = deps
  const known = await lockSource(tx, source)
  if (known.version !== version) throw refuse(call, 'changedMeanwhile')
  const { raised, rewards, before } = await weigh(tx, source, slots, now(), refuse(call, 'noItem'))
  await spend({
    amount: raised + (budget > known.budget ? budget : 0),
    kind: 'reward',
    accounts: [],
    summary: `${what} worth up to ${formatCount(budget)} Milleage a day`,
    effect: { 'budget for a day': budget, rewards },
  })
  await tx.deleteFrom('reward_offers').where('source', '=', source).execute()
  for (const { slot, offer } of slots) await putOffer(tx, source, slot, offer)
  const next = version + 1
  await tx.updateTable('reward_sources').set({ budget, version: next }).where('source', '=', source).execute()
  record({
    target: ['rewards', source],
    before: { budget: known.budget, rewards: before },
    after: { budget, rewards: rewards.map(({ worth, ...reward }) => reward) },
  })
  return next
}

/** The calls of the desk about rewards. */
export const rewardDeskCalls: Mounted[] = [
  mount(calls.getDeskDaily, async (_, { deps: { db, now } }) => {
    const offers = await selectOffers(db, 'daily')
    return {
      ...(await readSource(db, 'daily', now())),
      days: offers.map(({ slot, gift }) => ({ day: slot, ...fieldsOf(gift) })),
    }
  }),

  mount(calls.saveDaily, async ({ days, ...input }, context) => {
    const slots = days.map(({ day, ...offer }) => ({ slot: day, offer }))
    const version = await saveSource(context, calls.saveDaily, {
      ...input,
      source: 'daily',
      what: 'Daily rewards',
      slots,
    })
    return { message: 'The daily rewards are saved.', version }
  }),

  mount(calls.getDeskFriend, async (_, { deps: { db, now } }) => {
    const [offer] = await selectOffers(db, 'friend')
    const { startsAt } = monthOf(now())
    const { waiting, rewarded } = await db
      .selectFrom('invitations')
      .select([
        sql<number>`(count(*) filter (where rewarded_at is null))::int`.as('waiting'),
        sql<number>`(count(*) filter (where rewarded_at >= ${startsAt}))::int`.as('rewarded'),
      ])
      .executeTakeFirstOrThrow()
    const own = offer === undefined ? { gift: null, amount: null, item: null } : fieldsOf(offer.gift)
    return { ...(await readSource(db, 'friend', now())), ...own, waiting, rewarded }
  }),

  mount(calls.saveFriend, async ({ version, budget, gift, ...offer }, context) => {
    const slots = gift === null ? [] : [{ slot: 0, offer: { gift, ...offer } }]
    const what = 'Rewards for invited friends'
    const next = await saveSource(context, calls.saveFriend, { source: 'friend', what, version, budget, slots })
    return { message: 'What friends bring is saved.', version: next }
  }),

  mount(calls.getDeskStarter, async (_, { deps: { db, now } }) => {
    const offers = await selectOffers(db, 'starter')
    const worths = await Promise.all(offers.map(({ gift }) => worthOf(db, gift, now())))
    return {
      ...(await readSource(db, 'starter', now())),
      gives: offers.flatMap(({ gift }) => ('item' in gift ? [gift] : [])),
      words: inWords(offers),
      worth: worths.reduce((sum, worth) => sum + worth, 0),
      ...(await countNewcomers(db, now())),
    }
  }),

  mount(calls.saveStarter, async ({ gives, ...input }, context) => {
    const slots = gives.map(({ item, quantity }, nth) => ({
      slot: nth + 1,
      offer: { gift: 'item' as const, item, amount: quantity },
    }))
    const version = await saveSource(context, calls.saveStarter, {
      ...input,
      source: 'starter',
      what: 'Starter items',
      slots,
    })
    return { message: 'The starter items are saved.', version }
  }),
]
