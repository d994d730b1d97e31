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

/** Creates a site and the desk calls of its first week. `waitingCalls` lists the calls that needed another owner's approval. */
async function openSite(owners: number) {
  const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
  const staff: Owner[] = []
  for (let nth = 0; nth < owners; nth++) staff.push(await createOperator(site, OWNER))
  await backdateRights(site.db)
  const waitingCalls: string[] = []

  /** Logs the owner in again for each call, because staff must have confirmed who they are within 15 minutes. */
  async function post(who: Owner, path: string, body: unknown) {
    const answer = await (await openPlayerSession(site, who.user.UserNum)).post(`/api/admin${path}`, body)
    if (answer.status === 202) waitingCalls.push(path)
    else assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.json()
  }
  const get = async (who: Owner, path: string) =>
    (await (await openPlayerSession(site, who.user.UserNum)).get(`/api/admin${path}`)).json()

  return {
    site,
    staff: staff as [Owner, ...Owner[]],
    waitingCalls,
    post,
    get,
    async setDaily(who: Owner, budget: number, amount: number) {
      const { version } = await get(who, '/rewards/daily')
      const days = [{ day: 0, gift: 'milleage', amount, item: null }]
      return post(who, '/rewards/daily/save', { version, budget, days })
    },
    async addList(who: Owner, amount: number, visible = true) {
      const { name, check, ...fields } = VOTE_LISTS.generic
      const link = 'https://lists.example/vote?who={account}'
      const gift = { gift: 'milleage', amount, item: null }
      const form = { site: null, version: 0, name, list: 'generic', link, pause_hours: 12, visible, ...fields, ...gift }
      return post(who, '/rewards/votes/save', form)
    },
    async setVoteBudget(who: Owner, budget: number) {
      const { version } = await get(who, '/rewards/votes')
      return post(who, '/rewards/votes/budget', { version, budget })
    },
    async connectList(who: Owner) {
      const { sites } = await get(who, '/rewards/votes')
      return post(who, '/rewards/votes/connect', { site: sites[0].site, secret: '' })
    },
    async approve(who: Owner, source: 'daily' | 'vote') {
      const { approval } = await get(who, source === 'vote' ? '/rewards/votes' : '/rewards/daily')
      return post(who, '/rewards/approve', { source, content_hash: approval.content_hash })
    },
    mint: (who: Owner, name: string) =>
      post(who, '/vouchers', {
        name,
        count: 20,
        r_coin: 500,
        milleage: 0,
        expires: '',
        per_account: null,
        in_total: null,
        streamer: '',
      }),
    revoke: (who: Owner, campaign: number) => post(who, `/vouchers/${campaign}/revoke`, { reason: 'Leaked.' }),
    restore: (who: Owner, campaign: number) => post(who, `/vouchers/${campaign}/restore`, { reason: 'Not leaked.' }),
    erase: (who: Owner, { user }: Pick<Owner, 'user'>) =>
      post(who, '/players/erase', {
        user_num: user.UserNum,
        user_id: user.UserID,
        rename_characters: false,
        reason: 'They asked for it.',
      }),
    decideAll: async (who: Owner) => {
      const { rows } = await get(who, '/approvals?state=waiting')
      for (const { approval, content_hash } of rows)
        await post(who, '/approvals/decide', { approval, decision: 'approve', content_hash, note: '' })
    },
  }
}

/** Creates a player who may take rewards. */
async function newEligiblePlayer(site: TestApp) {
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
  const word = await site.db
    .selectFrom('account_words')
    .where('user_num', '=', userNum)
    .select('word')
    .executeTakeFirst()
  const vote = await site.post(new URL(address).pathname, { account: word?.word ?? '', secret })
  const claim = await player.post('/api/daily/claim', {})
  return [vote.status, claim.status]
}

const isErased = async (site: TestApp, userNum: number) =>
  (await site.db.selectFrom('accounts').where('user_num', '=', userNum).select('erased_at').executeTakeFirstOrThrow())
    .erased_at !== null

test('a site with one owner needs no approval in its first week', async () => {
  const week = await openSite(1)
  const { site, waitingCalls } = week
  const [owner] = week.staff
  await insertItem(site.db, { item_name: 'Potion', price: 1000 })
  await week.setDaily(owner, 200_000, 500)
  await week.setVoteBudget(owner, 300_000)
  await week.addList(owner, 250)
  const list = await week.connectList(owner)
  const player = await newEligiblePlayer(site)
  assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200])

  const [first, second] = [await week.mint(owner, 'Fiesta'), await week.mint(owner, 'Pasko')]
  await week.revoke(owner, first.campaign)
  await week.revoke(owner, second.campaign)
  await week.restore(owner, first.campaign)
  const redeemed = await player.post('/api/processCoupon', { CouponCode: first.codes[0], ReferralCode: null })
  assert.equal(redeemed.status, 200, redeemed.text)

  const leaving = []
  for (let nth = 0; nth < 5; nth++) leaving.push(await createPlayer(site))
  for (const one of leaving) await week.erase(owner, one)
  const [returning, ...others] = leaving
  assert.ok(returning)
  const back = await site.post('/api/processlogin', {
    UserID: returning.form.userId,
    UserPass: returning.form.userPassword,
    keepAccount: true,
  })
  assert.equal(back.json().data.status, 1)
  site.clock.advance(IRREVERSIBLE_AFTER_MS)
  assert.equal(await eraseDueAccounts(site.db, site.clock.now()), 4)
  assert.deepEqual(
    [await isErased(site, returning.user.UserNum), await isErased(site, others[0]?.user.UserNum ?? 0)],
    [false, true],
  )
  assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200])
  assert.deepEqual(waitingCalls, [])
  await assertBooksAgree(site.db)
})

test('with two owners, only large changes of the first week need the other owner’s approval', async () => {
  const week = await openSite(2)
  const { site, waitingCalls } = week
  const [maria, jose = maria] = week.staff
  // One owner sets the rewards and the other connects the list, each below the limit.
  await week.setDaily(maria, 30_000, 50)
  await week.setVoteBudget(maria, 30_000)
  await week.addList(maria, 25)
  const list = await week.connectList(jose)
  assert.deepEqual(waitingCalls, [])
  const player = await newEligiblePlayer(site)
  for (let day = 0; day < 3; day++) {
    assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200], `day ${day}`)
    const campaign = await week.mint(maria, `Day ${day}`)
    await week.revoke(jose, campaign.campaign)
    await week.restore(jose, campaign.campaign)
    for (let nth = 0; nth < 3; nth++) await week.erase(jose, await createPlayer(site))
    site.clock.advance(DAY_MS + HOUR_MS)
  }
  assert.deepEqual(waitingCalls, [], 'nothing waits for the other owner on the first days')

  // After both sources are approved, the whole limit is available again.
  await week.approve(jose, 'daily')
  await week.approve(maria, 'vote')
  await week.setDaily(maria, 150_000, 50_000)
  assert.deepEqual(waitingCalls, ['/rewards/daily/save'])
  await week.decideAll(jose)
  assert.equal((await week.get(maria, '/rewards/daily')).budget, 150_000)
  await week.setDaily(maria, 20_000, 40)

  const fourth = []
  for (let nth = 0; nth < 4; nth++) fourth.push(await createPlayer(site))
  for (const one of fourth) await week.erase(jose, one)
  assert.deepEqual(waitingCalls.splice(0), ['/rewards/daily/save', '/players/erase'])
  await week.decideAll(maria)
  const [one, two] = [await week.mint(jose, 'One'), await week.mint(jose, 'Two')]
  await week.revoke(jose, one.campaign)
  await week.revoke(jose, two.campaign)
  assert.deepEqual(waitingCalls.splice(0), [`/vouchers/${two.campaign}/revoke`])
  await week.decideAll(maria)
  await week.restore(maria, one.campaign)
  await week.restore(maria, two.campaign)
  assert.deepEqual(await takeRewards(site, player.user.UserNum, list), [200, 200])
  site.clock.advance(IRREVERSIBLE_AFTER_MS)
  assert.equal(await eraseDueAccounts(site.db, site.clock.now()), 13)
  assert.deepEqual(waitingCalls, [])
  await assertBooksAgree(site.db)
})
