import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { backdateRights, createOperator, createRole } from '#test/desk-helpers.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer, insertItem, readBalance, runConcurrently } from '#test/money-helpers.ts'
import { giveReward } from './give.ts'

const LIMIT = 100_000

type Site = Awaited<ReturnType<typeof createTestApp>>
type TestOperator = Awaited<ReturnType<typeof createOperator>>

/** Creates a site with an operator who sets rewards and gives money, and with `ownerCount` owners. */
async function createSite(ownerCount: number) {
  const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
  const role = await createRole(site, 'rewards.write', 'votes.connect', 'money.adjust', 'settings.write')
  const owners: TestOperator[] = []
  for (let index = 0; index < ownerCount; index++) owners.push(await createOperator(site, OWNER))
  const operator = await createOperator(site, role)
  await backdateRights(site.db)
  const friend = await createEligiblePlayer(site)
  return { site, operator, owners, friend, ...createRewardCalls(site) }
}

/** Creates a player who may have rewards. */
async function createEligiblePlayer(site: Site) {
  const player = await createBuyer(site)
  const created_at = new Date(site.clock.now().getTime() - 60 * DAY_MS)
  await updateRows(site.db, 'accounts', { user_num: player.userNum }, { created_at })
  await insertCharacter(site.db, { user_num: player.userNum, cha_name: `Suki${player.userNum}`, cha_level: 60 })
  return player
}

function createRewardCalls(site: Site) {
  /** Logs the operator in again for each call, because staff must have confirmed who they are within 15 minutes. */
  const post = async (operator: TestOperator, path: string, body: unknown) => {
    const { post } = await openPlayerSession(site, operator.user.UserNum)
    return post(`/api/admin${path}`, body)
  }
  const get = async (operator: TestOperator, path: string) =>
    (await (await openPlayerSession(site, operator.user.UserNum)).get(`/api/admin${path}`)).json()
  const saveDaily = async (operator: TestOperator, budget: number, amount: number | null = budget) => {
    const { version } = await get(operator, '/rewards/daily')
    const days = amount === null || amount === 0 ? [] : [{ day: 0, gift: 'milleage', amount, item: null }]
    return post(operator, '/rewards/daily/save', { version, budget, days })
  }
  const give = (operator: TestOperator, player: number, amount: number) =>
    post(operator, `/players/${player}/money`, {
      player,
      currency: 'milleage',
      direction: 'give',
      amount,
      reason: 'A present',
    })
  const approve = async (operator: TestOperator, source: RewardSource, path = `/rewards/${source}`) => {
    const { approval } = await get(operator, path)
    return post(operator, '/rewards/approve', { source, content_hash: approval.content_hash })
  }
  const decide = async (operator: TestOperator, approval: number) => {
    const { rows } = await get(operator, '/approvals')
    const { content_hash } = rows.find((row: { approval: number }) => row.approval === approval)
    return post(operator, '/approvals/decide', { approval, decision: 'approve', content_hash, note: '' })
  }
  const saveSetting = async (operator: TestOperator, name: string, value: unknown) => {
    const row = await site.db.selectFrom('settings').where('name', '=', name).select('version').executeTakeFirst()
    return post(operator, '/settings/save', { changes: [{ name, value, version: row?.version ?? 0 }] })
  }
  const saveSite = async (
    operator: TestOperator,
    change: Record<string, unknown> = {},
    siteId: number | null = null,
  ) => {
    const { name, check, ...fields } = VOTE_LISTS.generic
    const { sites } = await get(operator, '/rewards/votes')
    const existingSite = sites.find((candidate: { site: number }) => candidate.site === siteId)
    return post(operator, '/rewards/votes/save', {
      site: null,
      version: 0,
      name,
      list: 'generic',
      link: 'https://lists.example/vote?who={account}',
      pause_hours: 12,
      visible: true,
      ...fields,
      gift: 'milleage',
      amount: 25,
      item: null,
      ...existingSite,
      ...change,
    })
  }
  const saveVoteBudget = async (operator: TestOperator, budget: number) => {
    const { version } = await get(operator, '/rewards/votes')
    return post(operator, '/rewards/votes/budget', { version, budget })
  }
  const connect = (operator: TestOperator, siteId: number, secret = '') =>
    post(operator, '/rewards/votes/connect', { site: siteId, secret })
  const listRewardNeeds = async (operator: TestOperator): Promise<{ kind: string; detail: string }[]> =>
    (await get(operator, '/today')).needs.filter(({ kind }: { kind: string }) => kind === 'rewards')
  const pay = (player: { userNum: number }, source: RewardSource, key: string) =>
    site.db
      .transaction()
      .execute((tx) => giveReward({ ...site, db: tx }, { source, slots: [0], userNum: player.userNum, key }))
  return {
    post,
    get,
    saveDaily,
    give,
    approve,
    decide,
    saveSetting,
    saveSite,
    saveVoteBudget,
    connect,
    listRewardNeeds,
    pay,
  }
}

const assertDone = (answer: { status: number; text: string }) => assert.equal(answer.status, 200, answer.text)
/** Asserts that a call waits for approval. @returns the approval request */
const assertWaits = (answer: { status: number; text: string; json(): { approval: number } }) => {
  assert.equal(answer.status, 202, answer.text)
  return answer.json().approval
}

test('charges a source to its operator each day until another owner approves it', async () => {
  const { site, operator, owners, friend, saveDaily, give, approve, get } = await createSite(1)
  assertDone(await saveDaily(operator, 90_000))
  for (let day = 0; day < 9; day++) {
    assertWaits(await give(operator, friend.userNum, 10_001))
    assertDone(await give(operator, friend.userNum, 10_000))
    site.clock.advance(DAY_MS + HOUR_MS)
  }
  const [owner] = owners
  assert.ok(owner)
  const approvalBefore = (await get(owner, '/rewards/daily')).approval
  assert.deepEqual(
    [approvalBefore.pays, approvalBefore.raised_by, approvalBefore.charged_to],
    [90_000, [operator.form.userId], operator.form.userId],
  )
  assertDone(await approve(owner, 'daily'))
  const approvalAfter = (await get(owner, '/rewards/daily')).approval
  assert.deepEqual(
    [approvalAfter.raised_by, approvalAfter.charged_to, approvalAfter.approved_by],
    [[], null, owner.form.userId],
  )
  assertDone(await give(operator, friend.userNum, LIMIT))
})

test('counts all sources of an operator together, but no budgets without rewards', async () => {
  const { operator, owners, saveDaily, saveVoteBudget, get, post } = await createSite(1)
  assertDone(await saveDaily(operator, 60_000))
  assertWaits(await saveVoteBudget(operator, 40_001))
  assertDone(await saveVoteBudget(operator, 10_000))
  const friends = await get(operator, '/rewards/friends')
  const starter = await get(operator, '/rewards/starter')
  const responses = await Promise.all([
    post(operator, '/rewards/friends/save', {
      version: friends.version,
      budget: 30_000,
      gift: null,
      amount: null,
      item: null,
    }),
    post(operator, '/rewards/starter/save', { version: starter.version, budget: 30_000, gives: [] }),
  ])
  // Without rewards these budgets pay nothing, so they charge nothing.
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await get(owners[0] ?? operator, '/rewards/starter')).approval.pays, 0)
})

test('charges two concurrent raises only up to the limit', async () => {
  const { site, operator, get, post, saveDaily } = await createSite(1)
  const sword = await insertItem(site.db, { item_name: 'Bolo', price: 60_000 })
  const { version } = await get(operator, '/rewards/starter')
  const answers = await Promise.all([
    saveDaily(operator, 60_000),
    post(operator, '/rewards/starter/save', { version, budget: 60_000, gives: [{ item: sword, quantity: 1 }] }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 202])
})

test('lowers and closes a source without approval; the larger charge counts for another day', async () => {
  const { site, operator, owners, friend, saveDaily, give, get } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  assertDone(await saveDaily(operator, 90_000))
  assertDone(await saveDaily(owner, 50_000, 40_000))
  assert.equal((await get(owner, '/rewards/daily')).approval.charged_to, operator.form.userId)
  assertDone(await saveDaily(operator, 0, null))
  assertWaits(await give(operator, friend.userNum, 20_000))
  assertDone(await saveDaily(operator, 90_000))
  assertDone(await give(operator, friend.userNum, 10_000))
  assertDone(await saveDaily(operator, 0, null))
  site.clock.advance(DAY_MS + HOUR_MS)
  assertDone(await give(operator, friend.userNum, LIMIT))
})

test('charges the whole amount of a raised source that was approved, also after it was lowered', async () => {
  const { operator, owners, friend, saveDaily, give, approve, decide, get } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  const approval = assertWaits(await saveDaily(operator, 2_000_000))
  assertDone(await decide(owner, approval))
  assert.equal((await get(owner, '/rewards/daily')).approval.approved_by, owner.form.userId)
  assertDone(await saveDaily(operator, 2_000_000))
  assertDone(await give(operator, friend.userNum, 1))
  assertDone(await saveDaily(operator, 10, 10))
  assert.equal((await get(owner, '/rewards/daily')).approval.approved_by, owner.form.userId)
  assertWaits(await saveDaily(operator, 2_000_000))
  assertDone(await saveDaily(operator, 50_000))
  assertWaits(await give(operator, friend.userNum, 50_001))
  assertDone(await approve(owner, 'daily'))
  assertDone(await give(operator, friend.userNum, 50_001))
})

test('charges an operator who raises another operator’s source with the whole source', async () => {
  const { operator, owners, friend, saveDaily, give, approve } = await createSite(2)
  const [firstOwner, secondOwner] = owners
  assert.ok(firstOwner && secondOwner)
  assertDone(await saveDaily(firstOwner, 90_000))
  assertDone(await saveDaily(operator, 91_000))
  assertWaits(await give(operator, friend.userNum, 10_000))
  // An owner who raised a part approves the rest, and is charged until another owner approves the owner's part.
  assertDone(await approve(firstOwner, 'daily'))
  assertDone(await give(operator, friend.userNum, 10_000))
  assertWaits(await give(firstOwner, friend.userNum, 10_000))
  assertDone(await approve(secondOwner, 'daily'))
  assertDone(await give(firstOwner, friend.userNum, 10_000))
  assertDone(await give(operator, friend.userNum, 10_000))
})

test('an owner who raised a source cannot approve another operator’s request for it', async () => {
  const { operator, owners, saveDaily, approve, decide, get } = await createSite(2)
  const [firstOwner, secondOwner] = owners
  assert.ok(firstOwner && secondOwner)
  assertDone(await saveDaily(firstOwner, 90_000))
  const approval = assertWaits(await saveDaily(operator, 200_000))
  assertRefused(await decide(firstOwner, approval), 409)
  assertDone(await approve(secondOwner, 'daily'))
  assertDone(await decide(firstOwner, approval))
  assert.equal((await get(secondOwner, '/rewards/daily')).approval.approved_by, firstOwner.form.userId)
})

test('refuses an approval of a source that has changed since it was read', async () => {
  const { operator, owners, saveDaily, get, post } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  assertDone(await saveDaily(operator, 50_000))
  const { content_hash } = (await get(owner, '/rewards/daily')).approval
  assertDone(await saveDaily(operator, 60_000))
  assertRefused(await post(owner, '/rewards/approve', { source: 'daily', content_hash }), 409)
  assertRefused(await post(operator, '/rewards/approve', { source: 'daily', content_hash }), 403)
})

test('an unapproved source pays no more in 24 hours than its charge, also across midnight', async () => {
  const { site, operator, friend, saveDaily, give, pay } = await createSite(1)
  site.clock.set('2026-11-25T15:50:00Z')
  await updateRows(site.db, 'staff_rights', {}, { since: new Date(0) })
  assertDone(await saveDaily(operator, 60_000, 30_000))
  for (const key of ['one', 'two']) assert.ok('reward' in (await pay(friend, 'daily', key)))
  // A new budget starts at midnight in Manila, but the limit applies to 24 hours.
  site.clock.set('2026-11-25T16:10:00Z')
  assert.ok('reward' in (await pay(friend, 'daily', 'three')))
  assert.deepEqual(await pay(friend, 'daily', 'four'), { reason: 'usedUp' })
  assert.equal((await readBalance(site.db, friend.userNum)).milleage, 90_000)
  assertWaits(await give(operator, friend.userNum, 10_001))
  assertDone(await give(operator, friend.userNum, 10_000))
  site.clock.advance(25 * HOUR_MS)
  const results = await runConcurrently(4, (index) => pay(friend, 'daily', `race ${index}`))
  assert.equal(results.filter((result) => 'reward' in result).length, 2)
  await assertBooksAgree(site.db)
})

test('pays a source that grows with the accounts up to the limit of its operator', async () => {
  const { site, operator, friend, saveDaily, pay, get, give } = await createSite(1)
  assertDone(await saveDaily(operator, 1_000_000, 20_000))
  const { pays } = (await get(operator, '/rewards/daily')).approval
  assert.ok(pays <= LIMIT, String(pays))
  assertDone(await give(operator, friend.userNum, 20_000))
  const newPlayers = []
  for (let index = 0; index < 6; index++) newPlayers.push(await createEligiblePlayer(site))
  const results = []
  for (const player of newPlayers) results.push(await pay(player, 'daily', 'today'))
  assert.equal(results.filter((result) => 'reward' in result).length, 4)
  assertWaits(await give(operator, friend.userNum, 1))
})

test('counts a reward by its rate where that is less than the budget', async () => {
  const { operator, owners, saveSite, saveVoteBudget, connect, decide, get } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  assertDone(await decide(owner, assertWaits(await saveVoteBudget(operator, 2_000_000))))
  const { site: siteId } = (await saveSite(operator)).json()
  assertDone(await connect(owner, siteId))
  const payout = (await get(owner, '/rewards/votes')).approval.pays
  // At most ten accounts vote twice a day, for 25 Milleage each.
  assert.ok(payout > 0 && payout <= 10 * 2 * 25, String(payout))
  assertDone(await saveSite(operator, { amount: 30 }, siteId))
  assertWaits(await saveSite(operator, { amount: 99_000 }, siteId))
  assertWaits(await saveSite(operator, { amount: 49_000, pause_hours: 1 }, siteId))
})

test('every change that lets votes pay more is a raise', async () => {
  const { operator, owners, saveSite, saveVoteBudget, connect, approve, get } = await createSite(2)
  const [firstOwner, secondOwner] = owners
  assert.ok(firstOwner && secondOwner)
  assertDone(await saveVoteBudget(operator, 50_000))
  const { site: siteId } = (await saveSite(operator)).json()
  assertDone(await connect(firstOwner, siteId))
  const changes: [string, Record<string, unknown>][] = [
    ['pause', { pause_hours: 11 }],
    ['account field', { account_field: 'nick' }],
    ['voted field', { voted_field: 'ok', voted_value: '1' }],
    ['secret field', { secret_field: 'key' }],
    ['reward', { amount: 26 }],
  ]
  for (const [raisedField, change] of changes) {
    assertDone(await approve(secondOwner, 'vote', '/rewards/votes'))
    assertDone(await saveSite(operator, change, siteId))
    assert.equal((await get(secondOwner, '/rewards/votes')).approval.charged_to, operator.form.userId, raisedField)
  }
  for (const change of [{ pause_hours: 24 }, { amount: 5 }, { visible: false }]) {
    await approve(secondOwner, 'vote', '/rewards/votes')
    assertDone(await saveSite(operator, change, siteId))
    assert.equal(
      (await get(secondOwner, '/rewards/votes')).approval.approved_by,
      secondOwner.form.userId,
      JSON.stringify(change),
    )
  }
  assertDone(await saveSite(operator, { visible: true }, siteId))
  assert.equal((await get(secondOwner, '/rewards/votes')).approval.charged_to, operator.form.userId)
  assertDone(await approve(secondOwner, 'vote', '/rewards/votes'))
  assertDone(await connect(firstOwner, siteId))
  assert.equal((await get(secondOwner, '/rewards/votes')).approval.charged_to, firstOwner.form.userId)
})

test('charges every open source to the operator who lets more accounts have rewards', async () => {
  const { site, operator, owners, friend, saveDaily, give, approve, saveSetting } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  for (const [name, value] of [
    ['reward_accounts_address', 50],
    ['reward_accounts_device', 50],
    ['reward_level', 1],
  ] as const) {
    await saveDaily(owner, 60_000)
    await site.db.updateTable('reward_sources').set({ approved_by: null, raised_by: [] }).execute()
    assertDone(await approve(owner, 'daily'))
    assertDone(await give(operator, friend.userNum, 50_000))
    assertWaits(await saveSetting(operator, name, value))
    site.clock.advance(25 * HOUR_MS)
    assertDone(await saveSetting(operator, name, value))
    assertWaits(await give(operator, friend.userNum, 50_000))
    site.clock.advance(25 * HOUR_MS)
    await saveDaily(owner, 0, null)
    site.clock.advance(25 * HOUR_MS)
  }
  assertDone(await saveSetting(operator, 'reward_level', 90))
  assertDone(await give(operator, friend.userNum, LIMIT))
})

test('requires a recent confirmation to save settings', async () => {
  const { site, operator } = await createSite(1)
  const { post } = await openPlayerSession(site, operator.user.UserNum)
  site.clock.advance(16 * 60_000)
  const answer = await post('/api/admin/settings/save', {
    changes: [{ name: 'registration_open', value: false, version: 0 }],
  })
  assert.equal(answer.status, 403)
  assert.equal(answer.json().reason, 'sudo')
})

test('one operator cannot both connect a list and raise its reward if there is another owner', async () => {
  const { operator, owners, saveSite, saveVoteBudget, connect } = await createSite(2)
  const [firstOwner] = owners
  assert.ok(firstOwner)
  assertDone(await saveVoteBudget(operator, 50_000))
  const { site: siteId } = (await saveSite(operator)).json()
  assertRefused(await connect(operator, siteId), 403)
  assertDone(await connect(firstOwner, siteId))
  assertRefused(await saveSite(firstOwner, { amount: 26 }, siteId), 403)
  assertRefused(await saveSite(firstOwner, { pause_hours: 1 }, siteId), 403)
  assertDone(await saveSite(firstOwner, { amount: 24 }, siteId))
  assertDone(await saveSite(operator, { amount: 26 }, siteId))
  // The refusal stays the same for a hidden list.
  const { site: hiddenSite } = (await saveSite(operator, { visible: false })).json()
  assertDone(await connect(operator, hiddenSite))
  assertRefused(await saveSite(operator, { visible: true }, hiddenSite), 403)
})

test('requires a separate permission to connect a list, and never shows the list’s key', async () => {
  const { site, operator, owners, saveSite, connect, post } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  const rewardOperator = await createOperator(site, await createRole(site, 'rewards.write'))
  const { site: siteId } = (await saveSite(rewardOperator)).json()
  assertRefused(await connect(rewardOperator, siteId), 403)
  const answer = await post(operator, '/rewards/votes/connect', { site: siteId, secret: 'key-of-the-list' })
  assertDone(answer)
  assert.equal(answer.json().secret, null)
  assert.doesNotMatch(answer.text, /key-of-the-list/)
  assert.match((await connect(owner, siteId)).json().secret, /^[\w-]{32}$/)
})

test('the only owner can set up all sources without approval; Today lists the unapproved ones', async () => {
  const {
    site,
    owners,
    friend,
    saveDaily,
    saveVoteBudget,
    saveSite,
    connect,
    give,
    saveSetting,
    pay,
    listRewardNeeds,
  } = await createSite(1)
  const [owner] = owners
  assert.ok(owner)
  assertDone(await saveDaily(owner, 500_000, 300_000))
  assertDone(await saveVoteBudget(owner, 800_000))
  const { site: siteId } = (await saveSite(owner, { amount: 200_000 })).json()
  assertDone(await connect(owner, siteId))
  const entry = await site.db
    .selectFrom('audit_personal')
    .select('changes')
    .orderBy('entry', 'desc')
    .executeTakeFirstOrThrow()
  assert.match(JSON.stringify(entry.changes), /there is no other owner/)
  for (let day = 0; day < 7; day++) {
    assert.ok('reward' in (await pay(friend, 'daily', `day ${day}`)))
    assertDone(await give(owner, friend.userNum, LIMIT))
    assertDone(await saveSetting(owner, 'reward_accounts_address', 10 + day))
    site.clock.advance(DAY_MS + HOUR_MS)
  }
  const details = (await listRewardNeeds(owner)).map(({ detail }) => detail)
  assert.match(details.join(), new RegExp(`Daily rewards.*${owner.form.userId}`))
})

test('two owners can set up rewards and votes together in the first week', async () => {
  const {
    site,
    owners,
    friend,
    saveDaily,
    saveVoteBudget,
    saveSite,
    connect,
    listRewardNeeds,
    approve,
    give,
    saveSetting,
    pay,
    get,
  } = await createSite(2)
  const [firstOwner, secondOwner] = owners
  assert.ok(firstOwner && secondOwner)
  assertDone(await saveDaily(firstOwner, 20_000, 50))
  assertDone(await saveVoteBudget(firstOwner, 20_000))
  const { site: siteId } = (await saveSite(firstOwner)).json()
  assertDone(await connect(secondOwner, siteId))
  assertDone(await saveSite(firstOwner, { amount: 30 }, siteId))
  assert.equal((await listRewardNeeds(secondOwner)).length, 2)
  assertDone(await saveSetting(firstOwner, 'reward_accounts_address', 10))
  assertDone(await give(firstOwner, friend.userNum, 50_000))
  for (let day = 0; day < 7; day++) {
    assert.ok('reward' in (await pay(friend, 'daily', `day ${day}`)))
    site.clock.advance(DAY_MS)
  }
  assertDone(await approve(secondOwner, 'daily'))
  // Each of them raised a part of the votes, so each approves the other's part.
  assertDone(await approve(secondOwner, 'vote', '/rewards/votes'))
  assert.deepEqual((await get(firstOwner, '/rewards/votes')).approval.raised_by, [secondOwner.form.userId])
  assertRefused(await approve(secondOwner, 'vote', '/rewards/votes'), 403)
  assertDone(await approve(firstOwner, 'vote', '/rewards/votes'))
  assert.equal((await get(firstOwner, '/rewards/votes')).approval.approved_by, firstOwner.form.userId)
  assert.deepEqual(await listRewardNeeds(secondOwner), [])
  assertDone(await give(firstOwner, friend.userNum, 50_000))
})
