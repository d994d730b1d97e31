import { sql } from 'kysely'
import * as calls from '#contract/desk-rewards.ts'
import { DAY_MS } from '#contract/durations.ts'
import { formatCount } from '#contract/numbers.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { sealSecret } from '#server/site-key.ts'
import { fieldsOf, lockSource, putOffer, readSource, weigh } from './desk.ts'
import { selectOffers } from './give.ts'
import { secretContext } from './vote-callbacks.ts'

/** How far back the desk counts a site's votes. */
const COUNTED_MS = 30 * DAY_MS

/** The calls of the desk about votes. */
export const voteDeskCalls: Mounted[] = [
  mount(calls.getDeskVotes, async (_, { deps: { db, now } }) => {
    const since = new Date(now().getTime() - COUNTED_MS)
    const offers = await selectOffers(db, 'vote')
    const rows = await db
      .selectFrom('vote_sites as s')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('votes as v')
          .whereRef('v.site', '=', 's.site')
          .where('v.voted_at', '>=', since)
          .select(sql<number>`count(*)::int`.as('votes'))
          .as('votes'),
      )
      .orderBy('site')
      .execute()
    return {
      ...(await readSource(db, 'vote', now())),
      sites: rows.map(({ address_hash, sealed, ...row }) => {
        const offer = offers.find(({ slot }) => slot === row.site)
        const needsSecret = VOTE_LISTS[row.list].check === 'secret'
        return {
          ...row,
          ...(offer === undefined ? { gift: null, amount: null, item: null } : fieldsOf(offer.gift)),
          connected: address_hash !== null && (!needsSecret || sealed !== null),
          votes: Number(row.votes),
        }
      }),
    }
  }),

  mount(calls.saveVoteBudget, async ({ version, budget }, { deps: { db: tx }, spend, record }) => {
    const source = await lockSource(tx, 'vote')
    if (source.version !== version) throw refuse(calls.saveVoteBudget, 'changedMeanwhile')
    await spend({
      amount: budget > source.budget ? budget : 0,
      kind: 'reward',
      accounts: [],
      summary: `Rewards for votes worth up to ${formatCount(budget)} Milleage a day`,
      effect: { 'budget for a day': budget },
    })
    const next = version + 1
    await tx.updateTable('reward_sources').set({ budget, version: next }).where('source', '=', 'vote').execute()
    record({ target: ['rewards', 'vote'], before: { budget: source.budget }, after: { budget } })
    return { message: 'The budget is saved.', version: next }
  }),

  mount(calls.saveVoteSite, async (input, { deps: { db: tx, now }, spend, record }) => {
    const { site: known, version, gift, amount, item, ...values } = input
    const row =
      known === null
        ? undefined
        : await tx.selectFrom('vote_sites').where('site', '=', known).selectAll().forUpdate().executeTakeFirst()
    if (known !== null && row === undefined) throw refuse(calls.saveVoteSite, 'noSite')
    if (row !== undefined && row.version !== version) throw refuse(calls.saveVoteSite, 'changedMeanwhile')
    const offer = gift === null ? null : { gift, amount, item }
    const slots = offer === null ? [] : [{ slot: known ?? 0, offer }]
    const { raised, rewards } = await weigh(tx, 'vote', slots, now(), refuse(calls.saveVoteSite, 'noItem'))
    await spend({
      amount: raised,
      kind: 'reward',
      accounts: [],
      summary: `A reward for each vote on ${values.name}`,
      effect: { ...values, rewards: rewards.map(({ slot, ...reward }) => reward) },
    })
    const before = row && (await selectOffers(tx, 'vote')).find(({ slot }) => slot === row.site)
    const site = row?.site ?? (await insertSite(values))
    // Another list is called and checked in another way: it must be connected anew.
    const isOther = row !== undefined && row.list !== values.list
    if (row !== undefined)
      await tx
        .updateTable('vote_sites')
        .set({ ...values, version: version + 1, ...(isOther && { address_hash: null, sealed: null }) })
        .where('site', '=', site)
        .execute()
    await putOffer(tx, 'vote', site, offer)
    const facts = ({ address_hash, sealed, version, site, ...own }: NonNullable<typeof row>) => own
    record({
      target: ['vote site', site],
      ...(row && { before: { ...facts(row), reward: before?.gift ?? null } }),
      after: { ...values, reward: offer },
    })
    return { message: `${values.name} is saved.`, site, version: row === undefined ? 1 : version + 1 }

    async function insertSite(fields: typeof values): Promise<number> {
      const made = await tx.insertInto('vote_sites').values(fields).returning('site').executeTakeFirstOrThrow()
      return made.site
    }
  }),

  mount(calls.connectVoteSite, async ({ site, secret: given }, { deps, record }) => {
    const { db: tx, siteKey, publicUrl } = deps
    const row = await tx
      .selectFrom('vote_sites')
      .where('site', '=', site)
      .select(['name', 'list'])
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw refuse(calls.connectVoteSite, 'noSite')
    const word = createLinkToken()
    const secret = VOTE_LISTS[row.list].check !== 'secret' ? null : given === '' ? createLinkToken() : given
    await tx
      .updateTable('vote_sites')
      .set({
        address_hash: hashToken(word),
        sealed: secret === null ? null : sealSecret(siteKey, secret, secretContext(site)),
      })
      .where('site', '=', site)
      .execute()
    record({ target: ['vote site', site], after: { address: true, secret: secret !== null } })
    return { message: `${row.name} has a new address to call.`, site, address: `${publicUrl}/votes/${word}`, secret }
  }),
]
