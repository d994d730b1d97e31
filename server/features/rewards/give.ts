import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { formatGift } from '#contract/gifts.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { REWARD_ACCOUNT_DAYS, type RewardSource, type rewardRefusals } from '#contract/rewards.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { findWorth, type Gift } from '#server/features/mailbox/gifts.ts'
import { bookFreeItem, bookMoney } from '#server/features/wallet/book.ts'
import { readSettingsNow, selectCurrencyNames } from '#server/settings.ts'
import { canPay } from './can-pay.ts'

/** The reason why an account gets no reward now. */
export type RewardBlockReason = keyof typeof rewardRefusals

/** Rolls a transaction back because another of its rewards, such as the friend's, cannot be given. */
export class RewardRolledBack extends Error {
  readonly reason: RewardBlockReason
  constructor(reason: RewardBlockReason) {
    super(reason)
    this.reason = reason
  }
}

type Offer = {
  slot: number
  gift: Gift
  text: string
  /** The item's pictures, as the shop has them. */
  pictures: { icon: string | null; image_url: string | null }
}

/** Returns the offer of the first of the `slots` for which the desk has set one; undefined if there is none. */
export async function readOffer(db: Db, source: RewardSource, slots: readonly number[]) {
  const offers = await selectOffers(db, source)
  return slots.flatMap((slot) => offers.find((offer) => offer.slot === slot) ?? [])[0]
}

/** Selects a source's offers, with their texts. */
export async function selectOffers(db: Db, source: RewardSource) {
  const rows = await db
    .selectFrom('reward_offers as o')
    .leftJoin('shop_items as i', 'i.product_num', 'o.product_num')
    .where('o.source', '=', source)
    .select(['o.slot', 'o.milleage', 'o.product_num', 'o.quantity', 'i.item_name', 'i.icon', 'i.image_url'])
    .orderBy('o.slot')
    .execute()
  const currencies = await selectCurrencyNames(db)
  return rows.map(
    ({ slot, milleage, product_num, quantity, item_name, icon, image_url }): Offer => ({
      slot,
      gift:
        product_num === null
          ? { currency: 'Milleage', amount: milleage ?? 0 }
          : { item: product_num, quantity: quantity ?? 1 },
      text: formatGift({ currency: 'milleage', amount: milleage, item_name, quantity }, currencies),
      pictures: { icon, image_url },
    }),
  )
}

/**
 * Returns the reason why an account cannot get rewards of a source now (REWARD-3); null if it can. Blocked accounts and
 * staff get no rewards. Except for starter items, an account also needs a minimum age and a character above the level of the
 * setting.
 */
export async function findRewardBlockReason(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  source: RewardSource,
  userNum: number,
) {
  const { reward_level } = await readSettingsNow({ db, config })
  const account = await db
    .selectFrom('accounts as a')
    .where('a.user_num', '=', userNum)
    .select((eb) => [
      'a.created_at',
      eb
        .or([eb('a.user_type', '>=', ADMIN_USER_TYPE), eb('a.erased_at', 'is not', null), isBlocked('a', now())])
        .as('is_left_out'),
      eb
        .exists(
          eb
            .selectFrom('characters as c')
            .whereRef('c.user_num', '=', 'a.user_num')
            .where('c.kept_out', '=', '')
            .where('c.cha_level', '>', reward_level)
            .select('c.cha_num'),
        )
        .as('has_level'),
    ])
    .executeTakeFirst()
  if (account === undefined || account.is_left_out) return 'notForYou'
  if (source === 'starter') return null
  if (account.created_at.getTime() > now().getTime() - REWARD_ACCOUNT_DAYS * DAY_MS) return 'tooYoung'
  return account.has_level ? null : 'tooLow'
}

type Reward = {
  source: RewardSource
  /** The slots of its offers, in order of preference. */
  slots: readonly number[]
  userNum: number
  /** Identifies the occasion. An account gets at most one reward of a source for each key. */
  key: string
}

/**
 * Gives a reward in the caller's transaction (REWARD-1): Milleage through the ledger, an item as a purchase at no price.
 * Locks the account, then the source's sum of the day, then its charge, because concurrent rewards must not exceed the
 * budget, the limit of the operator who raised it, or the number of accounts on one device and behind one address.
 *
 * @returns the reward and its text, or the reason why there is none
 */
export async function giveReward(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  { source, slots, userNum, key }: Reward,
): Promise<{ reward: number; text: string } | { reason: RewardBlockReason }> {
  const { db: tx } = deps
  const now = deps.now()
  const day = toManilaDay(now)
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'purchase_count'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('reward_days')
    .values({ source, day })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { spent } = await tx
    .selectFrom('reward_days')
    .where('source', '=', source)
    .where('day', '=', day)
    .select('spent')
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (await wasGiven(tx, { source, userNum, key })) return { reason: 'before' }
  const reason = await findRewardBlockReason(deps, source, userNum)
  if (reason !== null) return { reason }
  const offer = await readOffer(tx, source, slots)
  if (offer === undefined) return { reason: 'nothing' }
  const value = await findWorth(tx, offer.gift, now)
  const { budget } = await tx
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select('budget')
    .forShare()
    .executeTakeFirstOrThrow()
  if (spent + value > budget || !(await canPay(deps, source, value))) return { reason: 'usedUp' }
  if (await isDeviceUsedUp(deps, { source, userNum, day })) return { reason: 'sharedPlace' }
  const { rows } = await sql<{ reward: number }>`
    select nextval(pg_get_serial_sequence('rewards', 'reward')) as reward`.execute(tx)
  const reward = Number(rows[0]?.reward)
  const booking = await bookReward(tx, account, { gift: offer.gift, reward, now })
  await tx
    .insertInto('rewards')
    .values({ reward, source, user_num: userNum, key, value, day, given_at: now, ...booking })
    .execute()
  return { reward, text: offer.text }
}

/** Returns whether an account has already got a reward. */
export async function wasGiven(db: Db, { source, userNum, key }: Omit<Reward, 'slots'>): Promise<boolean> {
  const row = await db
    .selectFrom('rewards')
    .where('source', '=', source)
    .where('user_num', '=', userNum)
    .where('key', '=', key)
    .select('reward')
    .executeTakeFirst()
  return row !== undefined
}

async function bookReward(
  tx: Db,
  account: { user_num: number; purchase_count: number },
  { gift, reward, now }: { gift: Gift; reward: number; now: Date },
) {
  if ('item' in gift) return { ledger_entry: null, ordinal: await bookFreeItem(tx, account, { ...gift, reward }, now) }
  const { entry } = await bookMoney(tx, account.user_num, {
    currency: 'milleage',
    delta: gift.amount,
    reason: 'reward',
    reference: `reward ${reward}`,
    now,
  })
  return { ledger_entry: entry, ordinal: null }
}

/**
 * Returns whether the maximum number of other accounts on the account's newest device or address got a reward of this source
 * on this day (REWARD-3).
 */
async function isDeviceUsedUp(
  { db: tx, config }: Pick<Deps, 'db' | 'config'>,
  { source, userNum, day }: { source: RewardSource; userNum: number; day: string },
): Promise<boolean> {
  const { reward_accounts_device, reward_accounts_address } = await readSettingsNow({ db: tx, config })
  const { rows } = await sql<{ kind: string; others: number }>`
    with own as (
      select distinct on (kind) split_part(place, ' ', 1) as kind, place from known_places
      where user_num = ${userNum} order by kind, seen_at desc, place)
    select own.kind, count(distinct k.user_num)::int as others
    from own join known_places k on k.place = own.place and k.user_num <> ${userNum}
    join rewards r on r.source = ${source} and r.user_num = k.user_num and r.day = ${day}::date
    group by own.kind`.execute(tx)
  const limits = { device: reward_accounts_device, address: reward_accounts_address }
  return rows.some(({ kind, others }) => others >= (kind === 'device' ? limits.device : limits.address))
}
