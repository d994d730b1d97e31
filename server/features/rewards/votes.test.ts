import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { LIMITS } from '#contract/request-limits.ts'
import type { VoteList } from '#contract/vote-lists.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { openTestDatabase } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer, readBalance, runConcurrently } from '#test/money-helpers.ts'

const MONITOR = '192.0.2.17'
const env = { RATE_LIMIT: 'off', TRUST_PROXY: '1' }
const database = await openTestDatabase('empty')
after(() => database.close())
const site = await createTestApp({ database, env })
const { db, clock } = site
let owner = await createOperator(site, 'owner')
const { version } = (await owner.get('/api/admin/rewards/votes')).json()
assert.equal((await owner.post('/api/admin/rewards/votes/budget', { version, budget: 5000 })).status, 200)

let playerCount = 0

/** Creates a player who may have rewards. */
async function createVoter(level = 40) {
  const player = await createBuyer(site)
  await updateRows(
    db,
    'accounts',
    { user_num: player.userNum },
    { created_at: new Date(clock.now().getTime() - 8 * DAY_MS) },
  )
  const session = { last_seen_at: clock.now(), ends_at: new Date(clock.now().getTime() + DAY_MS) }
  await updateRows(db, 'sessions', { user_num: player.userNum }, session)
  await insertCharacter(db, { user_num: player.userNum, cha_name: `Boto${++playerCount}`, cha_level: level })
  return player
}

/** Returns the token by which a list names the player. */
const readToken = async (player: Awaited<ReturnType<typeof createVoter>>, siteId: number): Promise<string> => {
  const { sites } = (await player.get('/api/votes/own')).json()
  const { link } = sites.find((row: { site: number }) => row.site === siteId)
  return new URL(link).searchParams.get('who') ?? ''
}

/** Adds and connects a list as the desk does. */
async function createVoteSite(list: VoteList, secret = '', changes: Record<string, unknown> = {}) {
  const { name, check, ...fields } = VOTE_LISTS[list]
  const link = 'https://lists.example/vote?server=7&who={account}'
  const offer = { gift: 'milleage', amount: 25, item: null }
  const form = {
    site: null,
    version: 0,
    name,
    list,
    link,
    pause_hours: 12,
    visible: true,
    ...fields,
    ...offer,
    ...changes,
  }
  owner = { ...owner, ...(await openPlayerSession(site, owner.user.UserNum)) }
  const saveResponse = await owner.post('/api/admin/rewards/votes/save', form)
  assert.equal(saveResponse.status, 200, saveResponse.text)
  const { site: siteId } = saveResponse.json()
  const connectResponse = await owner.post('/api/admin/rewards/votes/connect', { site: siteId, secret })
  assert.equal(connectResponse.status, 200, connectResponse.text)
  const { address, secret: shownSecret } = connectResponse.json()
  return { site: siteId as number, path: new URL(address).pathname, secret: shownSecret as string }
}

const sendForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
const readMilleage = async (player: { userNum: number }) => (await readBalance(db, player.userNum)).milleage

test('accepts calls of gtop100 by a form or JSON with its key, where 0 is a valid vote', async () => {
  const { site: siteId, path } = await createVoteSite('gtop100', 'key-of-gtop')
  const ana = await createVoter()
  const token = await readToken(ana, siteId)
  const call = { VoterIP: '203.0.113.9', Successful: '0', Reason: '', pingUsername: token, pingbackkey: 'key-of-gtop' }
  assert.equal((await sendForm(path, { ...call, pingbackkey: 'guessed' })).status, 403)
  assert.equal((await sendForm(path, { ...call, pingbackkey: '' })).status, 403)
  assert.equal((await sendForm(path, { ...call, Successful: '1', Reason: 'Voted before' })).text, 'Not counted.')
  assert.equal((await sendForm(path, { ...call, pingUsername: 'ana' })).status, 404)
  assert.equal(await readMilleage(ana), 0)
  assert.equal((await sendForm(path, call)).text, 'OK')
  assert.equal(await readMilleage(ana), 25)
  const ben = await createVoter()
  const json = { ...call, Successful: 0, pingUsername: await readToken(ben, siteId) }
  assert.equal((await site.post(path, json)).text, 'OK')
  assert.equal(await readMilleage(ben), 25)
})

test('accepts calls of topg only from the resolved address of its monitor', async () => {
  const { site: siteId, path } = await createVoteSite('topg')
  const ana = await createVoter()
  const address = `${path}?p_resp=${await readToken(ana, siteId)}&ip=203.0.113.9`
  assert.equal((await site.get(address, { 'X-Forwarded-For': '203.0.113.9' })).status, 403)
  assert.equal((await site.get(address, { 'X-Forwarded-For': `${MONITOR}, 203.0.113.9` })).status, 403)
  assert.equal(await readMilleage(ana), 0)
  assert.equal((await site.get(address, { 'X-Forwarded-For': MONITOR })).text, 'OK')
  assert.equal(await readMilleage(ana), 25)
  assert.deepEqual(site.resolvedHosts, ['monitor.topg.org'])
})

test('accepts calls of xtremetop100 at a secret address, with custom or nick', async () => {
  const { site: siteId, path } = await createVoteSite('xtremetop100')
  const [ana, ben] = [await createVoter(), await createVoter()]
  const guessedPath = `/votes/${'A'.repeat(32)}`
  assert.equal(
    (await site.get(`${guessedPath}?custom=${await readToken(ana, siteId)}&votingip=203.0.113.9`)).status,
    404,
  )
  assert.equal((await site.get(`${path}?custom=${await readToken(ana, siteId)}&votingip=203.0.113.9`)).text, 'OK')
  assert.equal((await sendForm(path, { nick: await readToken(ben, siteId), votingip: '203.0.113.9' })).text, 'OK')
  assert.deepEqual([await readMilleage(ana), await readMilleage(ben)], [25, 25])
})

test('accepts calls of arena-top100 with its secret, where voted 1 is a valid vote', async () => {
  const { site: siteId, path } = await createVoteSite('arena-top100', 'arena-secret')
  const ana = await createVoter()
  const call = { userid: await readToken(ana, siteId), userip: '203.0.113.9', voted: '1', secret: 'arena-secret' }
  assert.equal((await sendForm(path, { ...call, voted: '0' })).text, 'Not counted.')
  assert.equal((await sendForm(`${path}?secret=arena-secret`, call)).status, 403, 'ignores a field that was sent twice')
  assert.equal((await sendForm(path, call)).text, 'OK')
  assert.equal(await readMilleage(ana), 25)
})

test('accepts the secret of another list in a field or header with configured names', async () => {
  const fieldNames = { account_field: 'player', secret_field: 'X-Secret' }
  const { site: siteId, path, secret } = await createVoteSite('generic', '', fieldNames)
  assert.match(secret, /^[\w-]{32}$/)
  const [ana, ben] = [await createVoter(), await createVoter()]
  assert.equal((await sendForm(path, { player: await readToken(ana, siteId) })).status, 403)
  assert.equal((await sendForm(path, { player: await readToken(ana, siteId) }, { 'X-Secret': secret })).text, 'OK')
  assert.equal((await sendForm(path, { player: await readToken(ben, siteId), 'X-Secret': secret })).text, 'OK')
  assert.deepEqual([await readMilleage(ana), await readMilleage(ben)], [25, 25])
})

test('counts a vote once per account and pause, also with concurrent reports', async () => {
  const { site: siteId, path, secret } = await createVoteSite('generic')
  const ana = await createVoter()
  const call = { account: await readToken(ana, siteId), secret }
  const answers = await runConcurrently(6, () => sendForm(path, call))
  assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['OK']))
  clock.advance(12 * HOUR_MS - 1000)
  await sendForm(path, call)
  assert.equal(await readMilleage(ana), 25)
  clock.advance(1000)
  await runConcurrently(3, () => sendForm(path, call))
  assert.equal(await readMilleage(ana), 50)
  await assertBooksAgree(db)
})

test('counts a vote without a reward for the pause and the best voters', async () => {
  const { site: siteId, path, secret } = await createVoteSite('generic')
  const lowPlayer = await createVoter(5)
  await sendForm(path, { account: await readToken(lowPlayer, siteId), secret })
  assert.equal(await readMilleage(lowPlayer), 0)
  const { sites, votes, why_not } = (await lowPlayer.get('/api/votes/own')).json()
  const next = new Date(clock.now().getTime() + 12 * HOUR_MS).toISOString()
  assert.equal(sites.find((row: { site: number }) => row.site === siteId).next_at, next)
  assert.deepEqual([votes, why_not !== null], [1, true])
  site.cache.clear()
  const { best } = (await site.get('/api/votes')).json()
  assert.ok(
    best.some(({ name }: { name: string }) => name === `Boto${playerCount}`),
    JSON.stringify(best),
  )
})

test('omits a list that cannot report votes, and shows it as not connected at the desk', async () => {
  const { site: siteId, path } = await createVoteSite('generic')
  const ana = await createVoter()
  const readVisibility = async () => {
    site.cache.clear()
    const [publicVotes, ownVotes] = [await site.get('/api/votes'), await ana.get('/api/votes/own')]
    return [publicVotes, ownVotes].map((answer) =>
      answer.json().sites.some((row: { site: number }) => row.site === siteId),
    )
  }
  assert.deepEqual(await readVisibility(), [true, true])
  const { address_hash } = await db
    .selectFrom('vote_sites')
    .where('site', '=', siteId)
    .select('address_hash')
    .executeTakeFirstOrThrow()
  for (const missingValue of [{ sealed: null }, { address_hash: null }]) {
    await updateRows(db, 'vote_sites', { site: siteId }, { address_hash, ...missingValue })
    assert.deepEqual(await readVisibility(), [false, false])
    const { sites } = (await owner.get('/api/admin/rewards/votes')).json()
    assert.equal(sites.find((row: { site: number }) => row.site === siteId).connected, false)
  }
  assert.equal((await site.get(path)).status, 404)
})

test('replaces the earlier address, refuses calls of hidden lists, and never shows secrets again', async () => {
  const firstSite = await createVoteSite('generic')
  const ana = await createVoter()
  const call = { account: await readToken(ana, firstSite.site), secret: firstSite.secret }

  const connectResponse = await owner.post('/api/admin/rewards/votes/connect', { site: firstSite.site, secret: '' })
  assert.equal(connectResponse.status, 200, connectResponse.text)
  assert.equal((await sendForm(firstSite.path, call)).status, 404)
  const deskVotes = await owner.get('/api/admin/rewards/votes')
  const storedText = JSON.stringify([await db.selectFrom('vote_sites').selectAll().execute(), deskVotes.json()])
  for (const secret of [
    connectResponse.json().secret,
    firstSite.secret,
    'key-of-gtop',
    new URL(connectResponse.json().address).pathname.replace('/votes/', ''),
  ])
    assert.ok(!storedText.includes(secret))
  await updateRows(db, 'vote_sites', { site: firstSite.site }, { visible: false })
  const path = new URL(connectResponse.json().address).pathname
  assert.equal((await sendForm(path, { ...call, secret: connectResponse.json().secret })).status, 404)
})

test('accepts a multipart form, as cURL sends it from a list in PHP', async () => {
  const { site: siteId, path, secret } = await createVoteSite('generic')
  const ana = await createVoter()
  const body = new FormData()
  body.set('account', await readToken(ana, siteId))
  body.set('secret', 'guessed')
  assert.equal((await site.send(path, { method: 'POST', body })).status, 403)
  body.set('secret', secret)
  assert.equal((await site.send(path, { method: 'POST', body })).text, 'OK')
  assert.equal(await readMilleage(ana), 25)
  const brokenHeaders = { 'Content-Type': 'multipart/form-data; boundary=a' }
  assert.equal((await site.send(path, { method: 'POST', headers: brokenHeaders, body: '--a\r\nbroken' })).status, 400)
})

test('accepts a new list and refuses a replaced address in every process at once', async () => {
  const otherProcess = await createTestApp({ database, env })
  assert.equal((await otherProcess.get(`/votes/${'A'.repeat(32)}`)).status, 404)
  const { site: siteId, path, secret } = await createVoteSite('generic')
  const ana = await createVoter()
  const call = `${path}?account=${await readToken(ana, siteId)}&secret=${secret}`
  assert.equal((await otherProcess.get(call)).text, 'OK')
  await owner.post('/api/admin/rewards/votes/connect', { site: siteId, secret: '' })
  assert.deepEqual([(await otherProcess.get(call)).status, (await site.get(call)).status], [404, 404])
})

test('counts calls of a list toward its limit, and invalid tokens toward the caller’s limit', async () => {
  const limitedSite = await createTestApp({ database, env: { TRUST_PROXY: '1' } })
  const { path } = await createVoteSite('generic')
  const call = (address: string) => limitedSite.get(address, { 'X-Forwarded-For': '203.0.113.9' })
  for (let callCount = 0; callCount < LIMITS.pages.max; callCount++)
    await call(`/votes/${String(callCount).padStart(32, '0')}`)
  assert.equal((await call(`/votes/${'A'.repeat(32)}`)).status, 429)
  assert.equal((await call(path)).status, 403, 'the caller’s limit does not affect calls of a list')
  for (let callCount = 1; callCount < LIMITS.voteCalls.max; callCount++) await call(path)
  assert.equal((await call(path)).status, 429)
})
