import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { RewardSource } from '#contract/rewards.ts'
import type { SettingName } from '#contract/settings.ts'
import { VOTE_LISTS, type VoteList } from '#contract/vote-lists.ts'
import type { Db } from '#server/db/open.ts'
import type { JsonObject } from '#server/db/schema/json.ts'
import type { Deps } from '#server/deps.ts'
import { findWorth, type Gift } from '#server/features/mailbox/gifts.ts'
import { readSettingsNow } from '#server/settings.ts'
import { selectOffers } from './give.ts'

type PricedOffer = { slot: number; gift: Gift; worth: number }

type ListSecrets = { address_hash: string | null; sealed: string | null }

/** The facts about a vote list on which the payment for votes depends. `form` describes how the list reports a vote. */
type VoteSiteState = ListSecrets & {
  site: number
  name: string
  isOpen: boolean
  visible: boolean
  pause_hours: number
  form: JsonObject
  connected_by: number | null
  rewarded_by: number | null
}

/** The facts on which the payout of a source of rewards depends. */
export type SourceState = {
  source: RewardSource
  budget: number
  offers: readonly PricedOffer[]
  sites: readonly VoteSiteState[]
  /** The limits of rewards. A larger number allows more rewards, so minimums are negative. */
  limits: Readonly<Record<string, number>>
  /** The number of accounts, and the number of invited accounts without a reward. */
  accounts: number
  invited: number
}

type StateDeps = Pick<Deps, 'db' | 'config' | 'now'>

/** Reads the facts on which the payout of a source depends. */
export async function readSourceState(deps: StateDeps, source: RewardSource): Promise<SourceState> {
  const { db, now } = deps
  const { budget } = await db
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select('budget')
    .executeTakeFirstOrThrow()
  const offers = []
  for (const { slot, gift } of await selectOffers(db, source))
    offers.push({ slot, gift, worth: await findWorth(db, gift, now()) })
  return {
    source,
    budget,
    offers,
    sites: source === 'vote' ? await selectSiteStates(db) : [],
    limits: await readAccountLimits(deps, source),
    ...(await countAccounts(db)),
  }
}

/** Returns whether a list has an address to call and, if it needs one, a secret. */
export const isConnected = ({ list, address_hash, sealed }: { list: VoteList } & ListSecrets): boolean =>
  address_hash !== null && (VOTE_LISTS[list].check !== 'secret' || sealed !== null)

async function selectSiteStates(db: Db): Promise<VoteSiteState[]> {
  const rows = await db.selectFrom('vote_sites').selectAll().orderBy('site').execute()
  return rows.map(({ list, account_field, voted_field, voted_value, secret_field, sender, version, link, ...row }) => ({
    ...row,
    isOpen: row.visible && isConnected({ list, ...row }),
    form: { list, account_field, voted_field, voted_value, secret_field, sender },
  }))
}

/** The settings that limit which accounts can have rewards. */
export const REWARD_SETTINGS: readonly SettingName[] = [
  'reward_level',
  'reward_accounts_device',
  'reward_accounts_address',
  'friend_level',
  'playtime_minutes',
  'playtime_times',
]

async function readAccountLimits(deps: StateDeps, source: RewardSource) {
  const settings = await readSettingsNow(deps)
  return {
    'accounts on a device': settings.reward_accounts_device,
    'accounts behind an address': settings.reward_accounts_address,
    ...(source !== 'starter' && { 'above level': -settings.reward_level }),
    ...(source === 'playtime' && {
      'rewards on a day': settings.playtime_times,
      'minutes of play': -settings.playtime_minutes,
    }),
    ...(source === 'friend' && { 'level of a friend': -settings.friend_level }),
  }
}

async function countAccounts(db: Db) {
  const { accounts } = await db
    .selectFrom('accounts')
    .where('erased_at', 'is', null)
    .where('user_type', '<', ADMIN_USER_TYPE)
    .select(sql<number>`count(*)::int`.as('accounts'))
    .executeTakeFirstOrThrow()
  const { invited } = await db
    .selectFrom('invitations')
    .where('rewarded_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('invited'))
    .executeTakeFirstOrThrow()
  return { accounts, invited }
}

const getSlotWorth = ({ offers }: SourceState, slot: number) => offers.find((offer) => offer.slot === slot)?.worth ?? 0

/**
 * Returns the Milleage that a source can pay in 24 hours: its budget, or less if its rewards, the pauses of the lists and the
 * number of accounts allow less.
 */
export function computePayout(state: SourceState): number {
  return Math.min(state.budget, computeRate(state))
}

function computeRate(state: SourceState): number {
  const { source, offers, sites, accounts, invited, limits } = state
  const largestWorth = Math.max(0, ...offers.map(({ worth }) => worth))
  switch (source) {
    case 'daily':
      return accounts * largestWorth
    case 'playtime':
      return accounts * (limits['rewards on a day'] ?? 0) * largestWorth
    case 'friend':
      return 2 * invited * largestWorth
    case 'starter':
      // The number of new accounts is not limited.
      return offers.length === 0 ? 0 : Number.POSITIVE_INFINITY
    case 'vote':
      return sites
        .filter(({ isOpen }) => isOpen)
        .reduce(
          (sum, { site, pause_hours }) => sum + accounts * Math.ceil(24 / pause_hours) * getSlotWorth(state, site),
          0,
        )
  }
}

/** Returns whether a reward is new, worth more, or another item, whose worth in the game is unknown. */
function isOfferRaised(before: SourceState, { slot, gift, worth }: PricedOffer): boolean {
  const offerBefore = before.offers.find((offer) => offer.slot === slot)
  if (offerBefore === undefined || worth > offerBefore.worth) return true
  return 'item' in gift && !('item' in offerBefore.gift && offerBefore.gift.item === gift.item)
}

/** Returns the lists whose votes can pay more than before, by reward, pause, form of the report or secrets. */
export const listRaisedSites = (before: SourceState, after: SourceState): VoteSiteState[] =>
  after.sites.filter((site) => {
    const offer = after.offers.find(({ slot }) => slot === site.site)
    if (offer === undefined || !site.visible) return false
    const siteBefore = before.sites.find((siteState) => siteState.site === site.site)
    return (
      siteBefore === undefined ||
      !siteBefore.visible ||
      isOfferRaised(before, offer) ||
      site.pause_hours < siteBefore.pause_hours ||
      JSON.stringify(site.form) !== JSON.stringify(siteBefore.form) ||
      (site.address_hash !== null && isReconnected(siteBefore, site))
    )
  })

/** Returns whether the address or the secret of a list has changed. */
export const isReconnected = (siteBefore: VoteSiteState | undefined, siteAfter: VoteSiteState): boolean =>
  siteAfter.address_hash !== (siteBefore?.address_hash ?? null) || siteAfter.sealed !== (siteBefore?.sealed ?? null)

/** Returns whether a change lets a source pay more, or pay other accounts. */
export function isRaised(before: SourceState, after: SourceState): boolean {
  if (after.budget > before.budget) return true
  if (after.offers.length === 0) return false
  if (Object.entries(after.limits).some(([name, value]) => value > (before.limits[name] ?? 0))) return true
  return after.source === 'vote'
    ? listRaisedSites(before, after).length > 0
    : after.offers.some((offer) => isOfferRaised(before, offer))
}

/**
 * Returns the amount to charge for a raise: the payout of the source, but at least the worth of each raised reward, or the
 * whole raised budget of a source without rewards.
 */
export function computeRaiseCharge(before: SourceState, after: SourceState): number {
  const raisedWorths = after.offers.filter((offer) => isOfferRaised(before, offer)).map(({ worth }) => worth)
  const isBudgetUnlimited = after.offers.length === 0 && after.budget > before.budget
  return Math.max(computePayout(after), isBudgetUnlimited ? after.budget : 0, ...raisedWorths)
}

/** Describes a source for the operator who approves it, without secrets and without values that change on their own. */
export const describeSource = ({ source, budget, offers, sites, limits }: SourceState): JsonObject => ({
  source,
  'budget for a day': budget,
  rewards: offers.map(({ slot, gift, worth }) => ({
    ...(source === 'vote' ? { list: sites.find(({ site }) => site === slot)?.name ?? '' } : { slot }),
    ...gift,
    worth,
  })),
  ...(source === 'vote' && {
    lists: sites.map(({ name, visible, pause_hours, form, address_hash, connected_by }) => ({
      name,
      visible,
      'hours until the next vote': pause_hours,
      ...form,
      connected: address_hash !== null,
      'connected by': connected_by,
    })),
  }),
  ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, Math.abs(value)])),
})

/** Returns a hash of the state that an approval of a source covers, including secrets. */
export const hashSource = (state: SourceState): string =>
  createHash('sha256')
    .update(
      JSON.stringify([describeSource(state), state.sites.map(({ address_hash, sealed }) => [address_hash, sealed])]),
    )
    .digest('hex')
