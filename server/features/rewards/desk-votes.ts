import { type Selectable, sql } from 'kysely'
import * as calls from '#contract/desk-rewards.ts'
import { DAY_MS } from '#contract/durations.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import type { Schema } from '#server/db/schema.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { sealSecret } from '#server/site-key.ts'
import { changeSources } from './charges.ts'
import { assertItems, lockSourceRow, putOffer, readSource, toOfferFields } from './desk.ts'
import { selectOffers } from './give.ts'
import { isConnected } from './source-state.ts'
import { getSecretContext } from './vote-callbacks.ts'

/** The period in which the desk counts a site's votes. */
const VOTE_COUNT_PERIOD_MS = 30 * DAY_MS

/** The calls of the desk about votes. */
export const voteDeskCalls: MountedCall[] = [
  mount(calls.getDeskVotes, async (_, context) => {
    const { db, now } = context.deps
    const since = new Date(now().getTime() - VOTE_COUNT_PERIOD_MS)
    const offers = await selectOffers(db, 'vote')
    const rows = await db
      .selectFrom('vote_sites as s')
      .leftJoin('accounts as c', 'c.user_num', 's.connected_by')
      .leftJoin('accounts as r', 'r.user_num', 's.rewarded_by')
      .selectAll('s')
      .select(['c.user_id as connector', 'r.user_id as rewarder'])
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
      ...(await readSource(context, 'vote')),
      sites: rows.map(({ connector, rewarder, ...row }) => {
        const offer = offers.find(({ slot }) => slot === row.site)
        return {
          ...row,
          ...(offer === undefined ? { gift: null, amount: null, item: null } : toOfferFields(offer.gift)),
          connected: isConnected(row),
          connected_by: connector,
          rewarded_by: rewarder,
          votes: Number(row.votes),
        }
      }),
    }
  }),

  mount(calls.saveVoteBudget, async ({ version, budget }, context) => {
    const { deps, record } = context
    const source = await lockSourceRow(deps.db, 'vote')
    if (source.version !== version) throw refuse(calls.saveVoteBudget, 'conflict')
    const nextVersion = version + 1
    await changeSources(context, { sources: ['vote'] }, () =>
      deps.db
        .updateTable('reward_sources')
        .set({ budget, version: nextVersion })
        .where('source', '=', 'vote')
        .execute(),
    )
    record({ target: ['rewards', 'vote'], before: { budget: source.budget }, after: { budget } })
    return { message: 'The budget is saved.', version: nextVersion }
  }),

  mount(calls.saveVoteSite, async (input, context) => {
    const { deps, record } = context
    const { db: tx } = deps
    const { site: existingSite, version, gift, amount, item, ...values } = input
    await lockSourceRow(tx, 'vote')
    const row =
      existingSite === null
        ? undefined
        : await tx.selectFrom('vote_sites').where('site', '=', existingSite).selectAll().forUpdate().executeTakeFirst()
    if (existingSite !== null && row === undefined) throw refuse(calls.saveVoteSite, 'siteNotFound')
    if (row !== undefined && row.version !== version) throw refuse(calls.saveVoteSite, 'conflict')
    const offer = gift === null ? null : { gift, amount, item }
    await assertItems(tx, offer === null ? [] : [offer], refuse(calls.saveVoteSite, 'itemNotFound'))
    const offerBefore = row && (await selectOffers(tx, 'vote')).find(({ slot }) => slot === row.site)
    const summary = `A reward for each vote on ${values.name}`
    const { result: site, isByOnePerson } = await changeSources(
      context,
      { sources: ['vote'], summary, effect: { list: values.name } },
      async () => {
        const site = row === undefined ? await insertSite(values) : await updateSite(row)
        await putOffer(tx, 'vote', site, offer)
        return site
      },
    )
    const toAuditValues = ({
      address_hash,
      sealed,
      version,
      site,
      connected_by,
      rewarded_by,
      ...auditValues
    }: VoteSite) => auditValues
    record({
      target: ['vote site', site],
      ...(row && { before: { ...toAuditValues(row), reward: offerBefore?.gift ?? null } }),
      after: { ...values, reward: offer, ...(isByOnePerson && ONE_PERSON_NOTE) },
    })
    return { message: `${values.name} is saved.`, site, version: row === undefined ? 1 : version + 1 }

    async function insertSite(fields: typeof values): Promise<number> {
      const siteRow = await tx
        .insertInto('vote_sites')
        .values({ ...fields, connected_by: null, rewarded_by: null })
        .returning('site')
        .executeTakeFirstOrThrow()
      return siteRow.site
    }

    /** Updates a site. A change to another list ends the connection, because each list reports votes in its own way. */
    async function updateSite({ site, list }: VoteSite): Promise<number> {
      await tx
        .updateTable('vote_sites')
        .set({
          ...values,
          version: version + 1,
          ...(list !== values.list && { address_hash: null, sealed: null, connected_by: null }),
          ...(offer === null && { rewarded_by: null }),
        })
        .where('site', '=', site)
        .execute()
      return site
    }
  }),

  mount(calls.connectVoteSite, async ({ site, secret: enteredSecret }, context) => {
    const { deps, staff, record } = context
    const { db: tx, siteKey, publicUrl } = deps
    await lockSourceRow(tx, 'vote')
    const row = await tx
      .selectFrom('vote_sites')
      .where('site', '=', site)
      .select(['name', 'list'])
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw refuse(calls.connectVoteSite, 'siteNotFound')
    const token = createLinkToken()
    const needsSecret = VOTE_LISTS[row.list].check === 'secret'
    const secret = needsSecret ? enteredSecret || createLinkToken() : null
    const { isByOnePerson } = await changeSources(
      context,
      { sources: ['vote'], summary: `Connect ${row.name} to its rewards for votes`, effect: { connect: site } },
      () =>
        tx
          .updateTable('vote_sites')
          .set({
            address_hash: hashToken(token),
            sealed: secret === null ? null : sealSecret(siteKey, secret, getSecretContext(site)),
            connected_by: staff.userNum,
          })
          .where('site', '=', site)
          .execute(),
    )
    record({
      target: ['vote site', site],
      after: { address: true, secret: secret !== null, ...(isByOnePerson && ONE_PERSON_NOTE) },
    })
    const message = `The new address for ${row.name} is ready. Enter it at the vote list.`
    // A secret that the operator entered is never shown.
    return { message, site, address: `${publicUrl}/votes/${token}`, secret: enteredSecret === '' ? secret : null }
  }),
]

type VoteSite = Selectable<Schema['vote_sites']>

/** The audit log's note when the only owner both connects a list and raises its reward. */
const ONE_PERSON_NOTE = { 'connected and rewarded by': 'the same operator, because there is no other owner' }
