import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { OWNER } from '#contract/permissions.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { eraseDueAccounts } from '#server/features/players/erasures.ts'
import { createPlayer, openPlayerSession } from '#test/account-helpers.ts'
import { backdateRights, createOperator } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/helpers.ts'
import { assertBooksAgree, insertItem } from '#test/money-helpers.ts'

type Owner = Awaited<ReturnType<typeof createOperator>>

/**
 * Creates a site with owners and the desk calls of its first week. `waitingCalls` lists the calls that needed another
 * owner's approval.
 */
async function openSite(ownerCount: number) {
  const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
  const owners: Owner[] = []
  for (let nth = 0; nth < ownerCount; nth++) owners.push(await createOperator(site, OWNER))
  await backdateRights(site.db)
  const waitingCalls: string[] = []

  /** Logs the owner in again for each call, because staff must have confirmed who they are within 15 minutes. */
  async function post(operator: Owner, path: string, body: unknown) {
    const answer = await (await openPlayerSession(site, operator.user.UserNum)).post(`/api/admin${path}`, body)
    if (answer.status === 202) waitingCalls.push(path)
    else assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.json()
  }
  const get = async (operator: Owner, path: string) =>
    (await (await openPlayerSession(site, operator.user.UserNum)).get(`/api/admin${path}`)).json()

  return {
    site,
    owners: owners as [Owner, ...Owner[]],
    waitingCalls,
    post,
    get,
    async setDaily(operator: Owner, budget: number, amount: number) {
      const { version } = await get(operator, '/rewards/daily')
      const days = [{ day: 0, gift: 'milleage', amount, item: null }]
      return post(operator, '/rewards/daily/save', { version, budget, days })
    },
    async addList(operator: Owner, amount: number, visible = true) {
      const { name, check, ...fields } = VOTE_LISTS.generic
      const link = 'https://lists.example/vote?who={account}'
      const gift = { gift: 'milleage', amount, item: null }
      const form = { site: null, version: 0, name, list: 'generic', link, pause_hours: 12, visible, ...fields, ...gift }
      return post(operator, '/rewards/votes/save', form)
    },
    async setVoteBudget(operator: Owner, budget: number) {
      const { version } = await get(operator, '/rewards/votes')
      return post(operator, '/rewards/votes/budget', { version, budget })
    },
    async connectList(operator: Owner) {
      const { sites } = await get(operator, '/rewards/votes')
      return post(operator, '/rewards/votes/connect', { site: sites[0].site, secret: '' })
    },
    async approve(operator: Owner, source: 'daily' | 'vote') {
      const { approval } = await get(operator, source === 'vote' ? '/rewards/votes' : '/rewards/daily')
      return post(operator, '/rewards/approve', { source, content_hash: approval.content_hash })
    },
    mint: (operator: Owner, name: string) =>
      post(operator, '/vouchers', {
        name,
        count: 20,
        r_coin: 500,
        milleage: 0,
        expires: '',
        per_account: null,
        in_total: null,
        streamer: '',
      }),
    revoke: (operator: Owner, campaign: number) =>
      post(operator, `/vouchers/${campaign}/revoke`, { reason: 'Leaked.' }),
    restore: (operator: Owner, campaign: number) =>
      post(operator, `/vouchers/${campaign}/restore`, { reason: 'Not leaked.' }),
    erase: (operator: Owner, { user }: Pick<Owner, 'user'>) =>
      post(operator, '/players/erase', {
        user_num: user.UserNum,
        user_id: user.UserID,
        rename_characters: false,
        reason: 'They asked for it.',
      }),
    decideAll: async (operator: Owner) => {
      const { rows } = await get(operator, '/approvals?state=waiting')
      for (const { approval, content_hash } of rows)
        await post(operator, '/approvals/decide', { approval, decision: 'approve', content_hash, note: '' })
    },
  }
}

/** Creates a player who may take rewards. */
async function createEligiblePlayer(site: TestApp) {
  const player = await createPlayer(site)
  const { UserNum: user_num } = player.user
  await updateRows(site.db, 'accounts', { user_num }, { email_verified_at: new Date(0), created_at: new Date(0) })
  await insertCharacter(site.db, { user_num, cha_name: `Suki${user_num}`, cha_level: 60 })
  return player
}

/** Votes and takes today's reward as a player. @returns the status of each */
async function takeRewards(site: TestApp, userNum: number, { address, secret }: { address: string; secret: string }) {
  const player = await openPlayerSession(site, userNum)
  const played_on = toManilaDay(site.clock.now())
  await site.db.deleteFrom('last_played').where('user_num', '=', userNum).execute()
  await insertRows(site.db, 'last_played', { user_num: userNum, played_on })
  await player.get('/api/votes')
  const tokenRow = await site.db
    .selectFrom('account_words')
    .where('user_num', '=', userNum)
    .select('word')
    .executeTakeFirst()
  const vote = await site.post(new URL(address).pathname, { account: tokenRow?.word ?? '', secret })
  const claim = await player.post('/api/daily/claim', {})
  return [vote.status, claim.status]
}

const isErased = async (site: TestApp, userNum: number) =>
  (await site.db.selectFrom('accounts').where('user_num', '=', userNum).select('erased_at').executeTakeFirstOrThrow())
    .erased_at !== null

test('a site with one owner needs no approval in its first week', async () => {
  const firstWeek = await openSite(1)
  const { site, waitingCalls } = firstWeek
  const [owner] = firstWeek.owners
  await insertItem(site.db, { item_name: 'Potion', price: 1000 })
  await firstWeek.setDaily(owner, 200_000, 500)
  await firstWeek.setVoteBudget(owner, 300_000)
  await firstWeek.addList(owner, 250)
  const list = await firstWeek.connectList(owner)
  const player = await createEligiblePlayer(site)
  assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200])

  const [firstCampaign, secondCampaign] = [await firstWeek.mint(owner, 'Fiesta'), await firstWeek.mint(owner, 'Pasko')]
  await firstWeek.revoke(owner, firstCampaign.campaign)
  await firstWeek.revoke(owner, secondCampaign.campaign)
  await firstWeek.restore(owner, firstCampaign.campaign)
  const response = await player.post('/api/processCoupon', { CouponCode: firstCampaign.codes[0], ReferralCode: null })
  assert.equal(response.status, 200, response.text)

  const leavingPlayers = []
  for (let nth = 0; nth < 5; nth++) leavingPlayers.push(await createPlayer(site))
  for (const player of leavingPlayers) await firstWeek.erase(owner, player)
  const [returningPlayer, ...otherPlayers] = leavingPlayers
  assert.ok(returningPlayer)
  const loginResponse = await site.post('/api/processlogin', {
    UserID: returningPlayer.form.userId,
    UserPass: returningPlayer.form.userPassword,
    keepAccount: true,
  })
  assert.equal(loginResponse.json().data.status, 1)
  site.clock.advance(IRREVERSIBLE_AFTER_MS)
  assert.equal(await eraseDueAccounts(site.db, site.clock.now()), 4)
  assert.deepEqual(
    [await isErased(site, returningPlayer.user.UserNum), await isErased(site, otherPlayers[0]?.user.UserNum ?? 0)],
    [false, true],
  )
  assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200])
  assert.deepEqual(waitingCalls, [])
  await assertBooksAgree(site.db)
})

test('with two owners, only large changes of the first week need the other owner’s approval', async () => {
  const firstWeek = await openSite(2)
  const { site, waitingCalls } = firstWeek
  const [maria, jose = maria] = firstWeek.owners
  // One owner sets the rewards and the other connects the list, each below the limit.
  await firstWeek.setDaily(maria, 30_000, 50)
  await firstWeek.setVoteBudget(maria, 30_000)
  await firstWeek.addList(maria, 25)
  const list = await firstWeek.connectList(jose)
  assert.deepEqual(waitingCalls, [])
  const player = await createEligiblePlayer(site)
  for (let day = 0; day < 3; day++) {
    assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200], `day ${day}`)
    const campaign = await firstWeek.mint(maria, `Day ${day}`)
    await firstWeek.revoke(jose, campaign.campaign)
    await firstWeek.restore(jose, campaign.campaign)
    for (let nth = 0; nth < 3; nth++) await firstWeek.erase(jose, await createPlayer(site))
    site.clock.advance(DAY_MS + HOUR_MS)
  }
  assert.deepEqual(waitingCalls, [], 'nothing waits for the other owner on the first days')

  // After both sources are approved, the whole limit is available again.
  await firstWeek.approve(jose, 'daily')
  await firstWeek.approve(maria, 'vote')
  await firstWeek.setDaily(maria, 150_000, 50_000)
  assert.deepEqual(waitingCalls, ['/rewards/daily/save'])
  await firstWeek.decideAll(jose)
  assert.equal((await firstWeek.get(maria, '/rewards/daily')).budget, 150_000)
  await firstWeek.setDaily(maria, 20_000, 40)

  const lastPlayers = []
  for (let nth = 0; nth < 4; nth++) lastPlayers.push(await createPlayer(site))
  for (const player of lastPlayers) await firstWeek.erase(jose, player)
  assert.deepEqual(waitingCalls.splice(0), ['/rewards/daily/save', '/players/erase'])
  await firstWeek.decideAll(maria)
  const [firstCampaign, secondCampaign] = [await firstWeek.mint(jose, 'One'), await firstWeek.mint(jose, 'Two')]
  await firstWeek.revoke(jose, firstCampaign.campaign)
  await firstWeek.revoke(jose, secondCampaign.campaign)
  assert.deepEqual(waitingCalls.splice(0), [`/vouchers/${secondCampaign.campaign}/revoke`])
  await firstWeek.decideAll(maria)
  await firstWeek.restore(maria, firstCampaign.campaign)
  await firstWeek.restore(maria, secondCampaign.campaign)
  assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200])
  site.clock.advance(IRREVERSIBLE_AFTER_MS)
  assert.equal(await eraseDueAccounts(site.db, site.clock.now()), 3 * 3 + lastPlayers.length)
  assert.deepEqual(waitingCalls, [])
  await assertBooksAgree(site.db)
})
