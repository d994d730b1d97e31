import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import { VOTES_RETENTION_MS } from '#contract/limits.ts'
import { getMonth } from '#contract/manila.ts'
import * as calls from '#contract/rewards.ts'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { ACCOUNT_PLACEHOLDER, VOTE_LIST_NAMES, VOTE_LISTS } from '#contract/vote-lists.ts'
import { isBlocked } from '#server/db/blocked.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readSettings } from '#server/settings.ts'
import { findAccountToken } from './account-tokens.ts'
import { findRewardBlockReason, giveReward, selectOffers } from './give.ts'

/** The number of the month's best voters that are shown. */
const BEST_VOTERS_SHOWN = 10

/** Selects the time of an account's last vote on each vote site. */
const selectLastVotes = (db: Db, userNum: number) =>
  db
    .selectFrom('votes')
    .where('user_num', '=', userNum)
    .groupBy('site')
    .select((eb) => ['site', eb.fn.max('voted_at').as('voted_at')])
    .execute()

/**
 * Counts a vote and gives its reward in one transaction (REWARD-6). An account's votes on a vote site count at most once per
 * waiting time, even if the vote site reports them repeatedly or at the same time. A vote without a reward counts too.
 *
 * @returns whether it was counted
 */
export function countVote(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  { site, pause_hours, userNum }: { site: number; pause_hours: number; userNum: number },
): Promise<boolean> {
  const now = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').where('user_num', '=', userNum).select('user_num').forNoKeyUpdate().execute()
    const since = new Date(now.getTime() - pause_hours * HOUR_MS)
    const lastVote = await tx
      .selectFrom('votes')
      .where('user_num', '=', userNum)
      .where('site', '=', site)
      .where('voted_at', '>', since)
      .select('vote')
      .executeTakeFirst()
    if (lastVote !== undefined) return false
    const { vote } = await tx
      .insertInto('votes')
      .values({ site, user_num: userNum, voted_at: now, reward: null })
      .returning('vote')
      .executeTakeFirstOrThrow()
    // The slot of a vote site's offer is the vote site's ID.
    const outcome = await giveReward(
      { ...deps, db: tx },
      { source: 'vote', slots: [site], userNum, key: `vote ${vote}` },
    )
    if ('reward' in outcome)
      await tx.updateTable('votes').set({ reward: outcome.reward }).where('vote', '=', vote).execute()
    return true
  })
}

/** Selects the players with the most votes since a time, each with their visible character of the highest level. */
async function selectBestVoters(db: Db, since: Date, now: Date) {
  const rows = await db
    .selectFrom('votes as v')
    .innerJoin('accounts as a', 'a.user_num', 'v.user_num')
    .where('v.voted_at', '>=', since)
    .where((eb) => eb.not(isBlocked('a', now)))
    .groupBy('v.user_num')
    .select([
      sql<number>`count(*)::int`.as('votes'),
      sql<string | null>`(
        select c.cha_name from characters c where c.user_num = v.user_num and c.kept_out = ''
          and not exists (select from hidden_characters h where h.cha_num = c.cha_num)
        order by c.cha_level desc, c.cha_num limit 1)`.as('name'),
    ])
    .orderBy('votes', 'desc')
    .orderBy('v.user_num')
    .limit(BEST_VOTERS_SHOWN)
    .execute()
  return rows.map(({ votes, name }) => ({ votes, name: name ?? 'A player' }))
}

const LISTS_WITH_SECRET = VOTE_LIST_NAMES.filter((list) => VOTE_LISTS[list].check === 'secret')

/** Selects the visible vote sites that can report votes, because only reported votes bring a reward. */
const selectReportingSites = (db: Db) =>
  db
    .selectFrom('vote_sites')
    .where('visible', '=', true)
    .where('address_hash', 'is not', null)
    .where((eb) => eb.or([eb('list', 'not in', LISTS_WITH_SECRET), eb('sealed', 'is not', null)]))
    .select(['site', 'name', 'link', 'pause_hours'])
    .orderBy('site')
    .execute()

/** The calls of the page of votes (REWARD-5). */
export const voteCalls: MountedCall[] = [
  mount(calls.getVotes, async (_, { deps }) => {
    const { id, startsAt } = getMonth(deps.now())
    const offers = await selectOffers(deps.db, 'vote')
    return {
      month: id,
      above_level: (await readSettings(deps)).reward_level,
      sites: (await selectReportingSites(deps.db)).map((row) => ({
        ...row,
        reward: offers.find(({ slot }) => slot === row.site)?.text ?? null,
      })),
      best: await selectBestVoters(deps.browseDb, startsAt, deps.now()),
    }
  }),

  mount(calls.getOwnVotes, async (_, { deps, session: { userNum } }) => {
    const { db, now } = deps
    const token = await findAccountToken(db, userNum)
    const lastVotes = new Map(
      (await selectLastVotes(db, userNum)).map(({ site, voted_at }) => [site, voted_at.getTime()]),
    )
    const { votes } = await db
      .selectFrom('votes')
      .where('user_num', '=', userNum)
      .where('voted_at', '>=', getMonth(now()).startsAt)
      .select(sql<number>`count(*)::int`.as('votes'))
      .executeTakeFirstOrThrow()
    const blockReason = await findRewardBlockReason(deps, 'vote', userNum)
    return {
      votes,
      why_not: blockReason === null ? null : REWARD_TEXTS[blockReason],
      sites: (await selectReportingSites(db)).map(({ site, link, pause_hours }) => {
        const nextAt = (lastVotes.get(site) ?? 0) + pause_hours * HOUR_MS
        return {
          site,
          link: link.replaceAll(ACCOUNT_PLACEHOLDER, token),
          next_at: nextAt > now().getTime() ? new Date(nextAt) : null,
        }
      }),
    }
  }),
]

/** Deletes votes that are too old for the list of best voters (REWARD-7). */
export async function sweepVotes(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - VOTES_RETENTION_MS)
  await deleteOld(db, { table: 'votes', column: 'voted_at', before }, signal)
}
