import { sql } from 'kysely'
import { formatCount } from '#contract/numbers.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { createPayoutLockKey, hasOtherOwner, sumPayouts } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import type { JsonObject } from '#server/db/schema/json.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal } from '#server/errors.ts'
import type { ApprovalTools, DeskTools } from '#server/http/mount.ts'
import { readSettingsNow } from '#server/settings.ts'
import { selectOpenCharge } from './can-pay.ts'
import {
  computePayout,
  computeRaiseCharge,
  describeSource,
  isRaised,
  isReconnected,
  listRaisedSites,
  readSourceState,
  type SourceState,
} from './source-state.ts'

/** The names of sources in requests and on Today. */
export const SOURCE_NAMES: Record<RewardSource, string> = {
  daily: 'Daily rewards',
  vote: 'Rewards for votes',
  friend: 'Rewards for invited friends',
  starter: 'Starter items',
  playtime: 'Rewards for time played',
}

/** Locks sources in one order until the transaction ends. */
export async function lockSources(tx: Db, sources: readonly RewardSource[]): Promise<void> {
  if (sources.length === 0) return
  await tx
    .selectFrom('reward_sources')
    .where('source', 'in', [...sources])
    .select('source')
    .orderBy('source')
    .forUpdate()
    .execute()
}

type ChangeContext = { deps: Deps } & Pick<DeskTools, 'staff' | 'approvedBy'> & Pick<ApprovalTools, 'consumePayout'>

type SourceChange = {
  sources: readonly RewardSource[]
  /** The call's summary for the operator who approves it. Without it, the names of the sources. */
  summary?: string
  /** The call's effects other than changes of sources. */
  effect?: JsonObject
}

/**
 * Makes a change that can let sources of rewards pay more (REWARD-2). If it does, the operator is charged each day with the
 * amount that the source can pay in 24 hours, until another owner approves the source. Over the operator's limit the call
 * waits for that approval. Other changes charge nothing. Call this in the transaction of the call.
 *
 * @param write makes the change
 * @returns the result of `write`, and whether one person both connected a list and raised its reward, because there is no
 *   other owner
 * @throws ApprovalNeeded; Refusal 403 for a person who would both connect a list and raise its reward; 409 for an approval
 *   by an owner who raised the source
 */
export async function changeSources<T>(
  context: ChangeContext,
  { sources, summary, effect = {} }: SourceChange,
  write: () => Promise<T>,
): Promise<{ result: T; isByOnePerson: boolean }> {
  const { deps, staff, consumePayout } = context
  await lockSources(deps.db, sources)
  const states = []
  for (const source of sources) states.push({ before: await readSourceState(deps, source) })
  const result = await write()
  const changes = []
  for (const { before } of states) {
    const after = await readSourceState(deps, before.source)
    changes.push({ before, after, isRaised: isRaised(before, after) })
  }
  const raisedSources = changes.filter((change) => change.isRaised)
  const hasOtherApprover = await hasOtherOwner(deps.db, staff.userNum)
  const isByOnePerson = raisedSources.some((change) => hasSiteByOnePerson(staff.userNum, change))
  if (isByOnePerson && hasOtherApprover) throw createOnePersonRefusal(raisedSources, staff.userNum)
  const amount = raisedSources.reduce((sum, { before, after }) => sum + computeRaiseCharge(before, after), 0)
  const summaryText = summary ?? raisedSources.map(({ after }) => SOURCE_NAMES[after.source]).join(', ')
  await consumePayout({
    amount,
    kind: 'reward',
    accounts: [],
    summary: `${summaryText}, worth up to ${formatCount(amount)} Milleage a day`,
    effect: { ...effect, sources: raisedSources.map(({ after }) => describeSource(after)) },
    sources: raisedSources.map(({ after }) => after.source),
  })
  for (const change of changes) await storeCharge(context, change, hasOtherApprover)
  return { result, isByOnePerson }
}

type StateChange = { before: SourceState; after: SourceState; isRaised: boolean }

/**
 * Lists the vote lists for which a change would make this operator both connect the list and raise its reward (REWARD-11).
 */
const listSitesByOnePerson = (userNum: number, { before, after }: Pick<StateChange, 'before' | 'after'>) =>
  listRaisedSites(before, after).filter((site) => {
    const siteBefore = before.sites.find((siteState) => siteState.site === site.site)
    if (site.address_hash === null) return false
    return isReconnected(siteBefore, site) ? siteBefore?.rewarded_by === userNum : site.connected_by === userNum
  })

const hasSiteByOnePerson = (userNum: number, change: StateChange) => listSitesByOnePerson(userNum, change).length > 0

function createOnePersonRefusal(raisedSources: readonly StateChange[], userNum: number): Refusal {
  const isConnecting = raisedSources.some((change) =>
    listSitesByOnePerson(userNum, change).some(({ rewarded_by }) => rewarded_by === userNum),
  )
  return isConnecting
    ? new Refusal(403, 'rewarded-it', 'You raised the reward of this list. Another operator has to connect it.')
    : new Refusal(403, 'connected-it', 'You connected this list. Another operator has to raise its reward.')
}

/** Stores the operator who is charged for a source after a change. */
async function storeCharge(
  { deps, staff, approvedBy }: ChangeContext,
  change: StateChange,
  hasOtherApprover: boolean,
): Promise<void> {
  const { db: tx, now } = deps
  const { before, after } = change
  const payout = computePayout(after)
  if (!change.isRaised) return lowerCharge(tx, after.source, payout, now())
  const sites = listRaisedSites(before, after)
    .filter(
      (site) =>
        !isReconnected(
          before.sites.find((siteState) => siteState.site === site.site),
          site,
        ),
    )
    .map(({ site }) => site)
  if (sites.length > 0)
    await tx.updateTable('vote_sites').set({ rewarded_by: staff.userNum }).where('site', 'in', sites).execute()
  if (approvedBy !== null) return approve(deps, { source: after.source, payout, by: approvedBy })
  await tx
    .updateTable('reward_sources')
    .set({
      raised_by: sql`array(select distinct unnest(raised_by || ${staff.userNum}::bigint) order by 1)`,
      approved_by: null,
      approved_at: null,
    })
    .where('source', '=', after.source)
    .execute()
  await charge(tx, { source: after.source, payout, actor: hasOtherApprover ? staff.userNum : null, now: now() })
}

/** Charges a source to an operator; `actor` is null if no other owner could approve the source. */
async function charge(
  tx: Db,
  { source, payout, actor, now }: { source: RewardSource; payout: number; actor: number | null; now: Date },
): Promise<void> {
  const openCharge = await selectOpenCharge(tx, source)
  if (openCharge !== undefined && openCharge.actor === actor) {
    const amount = Math.max(openCharge.amount, payout)
    await tx.updateTable('reward_charges').set({ amount }).where('charge', '=', openCharge.charge).execute()
    return lowerCharge(tx, source, payout, now)
  }
  await endCharge(tx, source, now)
  if (actor !== null)
    await tx
      .insertInto('reward_charges')
      .values({ source, actor, amount: payout, from_at: now, until_at: null })
      .execute()
}

const endCharge = (tx: Db, source: RewardSource, now: Date) =>
  tx
    .updateTable('reward_charges')
    .set({ until_at: now })
    .where('source', '=', source)
    .where('until_at', 'is', null)
    .execute()

/** Lowers the charge of a source to the amount that it can pay. The larger charge counts for another 24 hours. */
async function lowerCharge(tx: Db, source: RewardSource, payout: number, now: Date): Promise<void> {
  const openCharge = await selectOpenCharge(tx, source)
  if (openCharge === undefined || openCharge.amount <= payout) return
  await endCharge(tx, source, now)
  const { actor, from_at } = openCharge
  await tx.insertInto('reward_charges').values({ source, actor, amount: payout, from_at, until_at: null }).execute()
}

/**
 * Approves the current state of a source for an owner. If this owner raised a part of the source and another owner exists,
 * that part waits for the other owner, and the source is charged to this owner until then. Otherwise the approval is
 * complete: the open charge ends, and only earlier charges above the present payout stay.
 *
 * @throws Refusal 409 for an owner who raised a part and whose limit has no room for the source
 */
export async function approve(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  { source, payout, by }: { source: RewardSource; payout: number; by: number },
): Promise<void> {
  const { db: tx, config } = deps
  const now = deps.now()
  const { raised_by } = await tx
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select('raised_by')
    .executeTakeFirstOrThrow()
  const isFullApproval = !raised_by.includes(by) || !(await hasOtherOwner(tx, by))
  await tx
    .updateTable('reward_sources')
    .set(isFullApproval ? { raised_by: [], approved_by: by, approved_at: now } : { raised_by: [by] })
    .where('source', '=', source)
    .execute()
  await tx
    .deleteFrom('reward_charges')
    .where('source', '=', source)
    .where((eb) => eb.or([eb('until_at', 'is', null), eb('amount', '<=', payout)]))
    .$if(!isFullApproval, (query) => query.where('actor', '<>', by))
    .execute()
  if (isFullApproval) return
  await sql`select pg_advisory_xact_lock(${createPayoutLockKey(by)})`.execute(tx)
  const chargedTotal = await sumPayouts(tx, by, { now, except: [source] })
  const { approval_limit: limit, approvals_on: isOn } = await readSettingsNow({ db: tx, config })
  if (isOn && chargedTotal + payout > limit) throw createOwnRaiseRefusal(source)
  await charge(tx, { source, payout, actor: by, now })
}

const createOwnRaiseRefusal = (source: RewardSource) =>
  new Refusal(
    409,
    'raised-it',
    `You raised a part of this source yourself (${SOURCE_NAMES[source]}), and your limit has no room for the amount that the source can pay. Another owner has to approve that part first.`,
  )
