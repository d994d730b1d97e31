import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { exportPersonalData } from '#server/features/players/personal-data.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { assertRefused, createPlayer, eraseNow, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { startDiscord } from '#test/discord.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { finishLink, readApp } from './linked-roles.ts'
import { readFacts, sendFacts } from './send-facts.ts'

const discord = await startDiscord()
const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' }, discordApi: discord.address })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const APP = { client_id: '123456789012345678', client_secret: 'client-secret', bot_token: 'bot-token' }
const ROLE_PATH = `/users/@me/applications/${APP.client_id}/role-connection`

const sendDueFacts = () => sendFacts({ ...site, signal: new AbortController().signal })
const listRequests = () => discord.requests.map(({ method, path }) => `${method} ${path}`)
const selectLinks = () => db.selectFrom('discord_links').selectAll().execute()
const isDue = async (userNum: number) => {
  const { rows } = await sql<{ due: boolean }>`
    select due_at <= clock_timestamp() as due from discord_links where user_num = ${userNum}`.execute(db)
  return rows[0]?.due
}
const makeLinksDue = () => sql`update discord_links set due_at = clock_timestamp()`.execute(db)
const selectCharacter = (userNum: number) =>
  db.selectFrom('characters').where('user_num', '=', userNum).selectAll().executeTakeFirstOrThrow()

/** Starts a connection. @returns its state, and the query of the address at Discord */
async function startLink(player: Player): Promise<{ state: string; query: URLSearchParams }> {
  const answer = await player.post('/api/discord/start', {})
  assert.equal(answer.status, 200, answer.text)
  const query = new URL(answer.json().url).searchParams
  return { state: query.get('state') ?? '', query }
}
const requestLink = (player: Player, state: string, code = 'good-code') =>
  player.post('/api/discord/link', { code, state })
async function connectPlayer(player: Player, discordId: string): Promise<void> {
  discord.discordId = discordId
  const { state } = await startLink(player)
  const answer = await requestLink(player, state)
  assert.equal(answer.status, 200, answer.text)
}
async function createCharacterOwner(): Promise<Player & { userNum: number }> {
  const player = await createPlayer(site)
  const userNum = player.user.UserNum
  await insertCharacter(db, { user_num: userNum, cha_name: `Tala${userNum}`, cha_level: 77 })
  return { ...player, userNum }
}

beforeEach(async () => {
  clock.set(TEST_NOW)
  await db.deleteFrom('discord_links').execute()
  await db.deleteFrom('discord_unlinks').execute()
  await db.deleteFrom('discord_states').execute()
  discord.reset()
  const response = await gm.post('/api/admin/discord/app', APP)
  assert.equal(response.status, 200, response.text)
  discord.reset()
})

test('saving the application registers five facts for roles, and exposes none of its secrets', async () => {
  assert.equal((await gm.post('/api/admin/discord/app', APP)).status, 200)
  assert.deepEqual(listRequests(), [
    `PUT /applications/${APP.client_id}/role-connections/metadata`,
    'POST /oauth2/token',
  ])
  assert.equal(discord.requests[0]?.authorization, 'Bot bot-token')
  assert.equal(Object.keys(discord.requests[0]?.body ?? {}).length, 5)
  const storedText = JSON.stringify([
    await db.selectFrom('discord_app').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
    await db.selectFrom('idempotency_keys').selectAll().execute(),
    (await gm.get('/api/admin/discord')).text,
  ])
  assert.doesNotMatch(storedText, /client-secret|bot-token/)
  discord.answers.push({ status: 401 })
  assertRefused(await gm.post('/api/admin/discord/app', APP), 422)
  assertRefused(await (await createOperator(site, 'news')).post('/api/admin/discord/app', APP), 403)
})

test('a player connects with PKCE and the two scopes, and the tokens are sealed', async () => {
  const player = await createCharacterOwner()
  const { state, query } = await startLink(player)
  assert.deepEqual(
    ['response_type', 'client_id', 'scope', 'redirect_uri', 'code_challenge_method'].map((name) => query.get(name)),
    ['code', APP.client_id, 'identify role_connections.write', `${site.publicUrl}/discord`, 'S256'],
  )
  assert.equal((await requestLink(player, state)).status, 200)
  const form = discord.requests[0]?.body ?? {}
  const challenge = createHash('sha256').update(String(form.code_verifier)).digest('base64url')
  assert.deepEqual(
    [form.grant_type, form.code, challenge],
    ['authorization_code', 'good-code', query.get('code_challenge')],
  )
  assert.doesNotMatch(JSON.stringify(await selectLinks()), /access-|refresh-/)
  assert.deepEqual((await player.get('/api/discord')).json(), { offered: true, name: 'kuya', sent_at: null })
})

test('accepts a state once within ten minutes, in the session that requested it', async () => {
  const [player, otherPlayer] = [await createCharacterOwner(), await createCharacterOwner()]
  const { state } = await startLink(player)
  const expiredMessage = 'This took too long, or was started in another browser. Please connect again.'
  assertRefused(await requestLink(otherPlayer, state), 422, expiredMessage)
  assertRefused(await requestLink(await openPlayerSession(site, player.userNum), state), 422, expiredMessage)
  discord.answers.push({ status: 400 })
  assertRefused(await requestLink(player, state), 409)
  assertRefused(await requestLink(player, state), 422, expiredMessage)
  const lateLink = await startLink(player)
  clock.advance(10 * MINUTE_MS)
  assertRefused(await requestLink(player, lateLink.state), 422, expiredMessage)
  assertRefused(await site.post('/api/discord/link', { code: 'x', state: lateLink.state }), 401)
  assert.deepEqual(await selectLinks(), [])
})

test('links a Discord account to only one account of the site, and the reverse', async () => {
  const [player, otherPlayer] = [await createCharacterOwner(), await createCharacterOwner()]
  await connectPlayer(player, '1001')
  const secondLink = await startLink(player)
  discord.discordId = '1002'
  assertRefused(
    await requestLink(player, secondLink.state),
    409,
    'Your account is connected already. Disconnect it first.',
  )
  discord.discordId = '1001'
  const { state } = await startLink(otherPlayer)
  assertRefused(
    await requestLink(otherPlayer, state),
    409,
    'This Discord account is connected with another account of this site.',
  )
  assert.equal((await selectLinks()).length, 1)
})

test('sends the facts about a player without the name, once a day', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1003')
  await db
    .insertInto('clubs')
    .values({ club: 9001, name: 'Tala', leader: (await selectCharacter(player.userNum)).cha_num })
    .execute()
  discord.requests.length = 0
  await sendDueFacts()
  await sendDueFacts()
  assert.deepEqual(listRequests(), [`PUT ${ROLE_PATH}`])
  const { platform_name, metadata, ...rest } = discord.requests[0]?.body ?? {}
  assert.deepEqual([platform_name, rest], ['Tambayan Online', {}])
  const facts = metadata as Record<string, unknown>
  assert.deepEqual([facts.level, facts.leader, typeof facts.since], [77, 1, 'string'])
  assert.ok(Object.keys(facts).length <= 5)
  assert.equal(await isDue(player.userNum), false)
})

test('clears facts while their player is blocked, to be erased, hidden or left out (ACTIVITY-4)', async () => {
  const player = await createCharacterOwner()
  const { userNum } = player
  await connectPlayer(player, '1004')
  const character = (await selectCharacter(userNum)).cha_num
  const hideCharacter = () =>
    db.insertInto('hidden_characters').values({ cha_num: character, reason: 'Name', hidden_at: TEST_NOW }).execute()
  const showCharacter = () => db.deleteFrom('hidden_characters').where('cha_num', '=', character).execute()
  const createUpdate = (values: object) => () => updateRows(db, 'accounts', { user_num: userNum }, values)
  const cases: [() => Promise<unknown>, () => Promise<unknown>][] = [
    [createUpdate({ blocked_at: TEST_NOW }), createUpdate({ blocked_at: null })],
    [createUpdate({ erasure_due_at: TEST_NOW }), createUpdate({ erasure_due_at: null })],
    [hideCharacter, showCharacter],
    [createUpdate({ left_out: true }), createUpdate({ left_out: false })],
  ]
  await sendDueFacts()
  for (const [hidePlayer, showPlayer] of cases) {
    discord.requests.length = 0
    await hidePlayer()
    assert.equal(await isDue(userNum), true)
    assert.equal(await readFacts(site, userNum), null)
    await sendDueFacts()
    await showPlayer()
    await sendDueFacts()
    assert.deepEqual(listRequests(), [`DELETE ${ROLE_PATH}`, `PUT ${ROLE_PATH}`])
  }
})

test('sends the facts again at a month’s end', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1005')
  await sendDueFacts()
  assert.equal(await isDue(player.userNum), false)
  const { ends_at } = await db
    .selectFrom('ranking_periods')
    .where('closed_at', 'is', null)
    .select('ends_at')
    .executeTakeFirstOrThrow()
  await rollOver(db, new Date(ends_at.getTime() + MINUTE_MS))
  assert.equal(await isDue(player.userNum), true)
})

test('disconnecting deletes the facts and revokes the tokens, also after an outage of Discord', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1006')
  await sendDueFacts()
  assert.equal((await player.post('/api/discord/unlink', {})).status, 200)
  discord.requests.length = 0
  discord.isOpen = false
  await sendDueFacts()
  discord.isOpen = true
  await sql`update discord_unlinks set due_at = clock_timestamp()`.execute(db)
  await sendDueFacts()
  assert.deepEqual(listRequests(), [`DELETE ${ROLE_PATH}`, 'POST /oauth2/token/revoke'])
  assert.deepEqual(await db.selectFrom('discord_unlinks').selectAll().execute(), [])
})

test('connecting again cancels the queued deletion of facts and tokens at Discord', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1007')
  await player.post('/api/discord/unlink', {})
  await connectPlayer(player, '1007')
  discord.requests.length = 0
  await sendDueFacts()
  assert.deepEqual(listRequests(), [`PUT ${ROLE_PATH}`])
})

test('an erasure ends the link; a player’s exported data has the link without its tokens', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1008')
  const exportedData = await exportPersonalData(db, player.userNum, {})
  assert.match(exportedData, /"discord_id": "1008"/)
  assert.doesNotMatch(exportedData, /sealed/)
  await eraseNow(site, player.userNum)
  discord.requests.length = 0
  await sendDueFacts()
  assert.deepEqual(listRequests(), [`DELETE ${ROLE_PATH}`, 'POST /oauth2/token/revoke'])
  assert.deepEqual(await selectLinks(), [])
})

test('removing the application disconnects all players, deletes their facts and revokes their tokens', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1012')
  const { state } = await startLink(await createCharacterOwner())
  await sendDueFacts()
  const playerToken = discord.requests.at(-1)?.authorization ?? ''
  assert.match(playerToken, /^Bearer access-/)
  const body = { client_id: APP.client_id }
  assertRefused(await (await createOperator(site, 'news')).post('/api/admin/discord/app/remove', body), 403)
  assertRefused(await gm.post('/api/admin/discord/app/remove', { client_id: '999999999999999999' }), 409)
  const answer = await gm.post('/api/admin/discord/app/remove', body)
  assert.deepEqual(
    [answer.status, answer.json().message],
    [200, 'The application is removed; 1 player disconnected.'],
    answer.text,
  )
  assert.deepEqual([await selectLinks(), (await gm.get('/api/admin/discord')).json().app.client_id], [[], ''])
  assert.deepEqual((await player.get('/api/discord')).json(), { offered: false, name: null, sent_at: null })
  assertRefused(await player.post('/api/discord/start', {}), 409)
  assertRefused(await requestLink(player, state), 409, 'Connecting with Discord isn’t possible right now.')
  discord.requests.length = 0
  await sendDueFacts()
  const appSecret = `Basic ${Buffer.from(`${APP.client_id}:${APP.client_secret}`).toString('base64')}`
  assert.deepEqual(
    discord.requests.map(({ method, path, authorization }) => [method, path, authorization]),
    [
      ['DELETE', ROLE_PATH, playerToken],
      ['POST', '/oauth2/token/revoke', appSecret],
    ],
  )
  assert.deepEqual(await db.selectFrom('discord_unlinks').selectAll().execute(), [])
  const entry = await db.selectFrom('audit_log').orderBy('entry', 'desc').selectAll().executeTakeFirstOrThrow()
  assert.equal(entry.action, '/admin/discord/app/remove')
  assert.match(JSON.stringify(entry.changes), /"field":"links","before":1/)
})

test('deletes the facts of the former application when another one replaces it', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1013')
  await sendDueFacts()
  assert.equal((await gm.post('/api/admin/discord/app', { ...APP, client_id: '222222222222222222' })).status, 200)
  discord.requests.length = 0
  await sendDueFacts()
  assert.deepEqual(listRequests(), [`DELETE ${ROLE_PATH}`, 'POST /oauth2/token/revoke'])
})

test('refuses a connection when its application is replaced at the same time', async () => {
  const player = await createCharacterOwner()
  const { state } = await startLink(player)
  const app = await readApp(site)
  assert.ok(app !== undefined)
  const session = await db
    .selectFrom('sessions')
    .where('user_num', '=', player.userNum)
    .select('session_id')
    .executeTakeFirstOrThrow()
  await updateRows(db, 'discord_app', { client_id: APP.client_id }, { client_id: '333333333333333333' })
  const owner = { userNum: player.userNum, sessionId: session.session_id }
  assert.equal(await finishLink(site, app, { ...owner, code: 'good-code', state }), 'refused')
  assert.deepEqual(await selectLinks(), [])
})

test('refreshes tokens in their last day, and ends a link that was removed at Discord', async () => {
  const player = await createCharacterOwner()
  await connectPlayer(player, '1009')
  await sendDueFacts()
  clock.advance(7 * DAY_MS - MINUTE_MS)
  await makeLinksDue()
  discord.requests.length = 0
  await sendDueFacts()
  assert.deepEqual(listRequests(), ['POST /oauth2/token', `PUT ${ROLE_PATH}`])
  assert.equal(discord.requests[0]?.body.grant_type, 'refresh_token')
  await makeLinksDue()
  discord.answers.push({ status: 401 })
  await sendDueFacts()
  assert.deepEqual(await selectLinks(), [])
})

test('waits as long as Discord requires', async () => {
  const [player, otherPlayer] = [await createCharacterOwner(), await createCharacterOwner()]
  await connectPlayer(player, '1010')
  await connectPlayer(otherPlayer, '1011')
  discord.requests.length = 0
  discord.answers.push({ status: 429, body: { retry_after: 30 } })
  await sendDueFacts()
  await sendDueFacts()
  assert.deepEqual(listRequests(), [])
  assert.deepEqual([await isDue(player.userNum), await isDue(otherPlayer.userNum)], [false, false])
})
