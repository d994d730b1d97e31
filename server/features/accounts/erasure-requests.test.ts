import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { OWNER } from '#contract/permissions.ts'
import {
  findUnknownRequests,
  repeatErasures,
  restartGracePeriods,
  writeErasureLists,
} from '#server/features/players/erasure-lists.ts'
import { eraseDueAccounts } from '#server/features/players/erasures.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { assertRefused, createPlayer, eraseNow, logInAs, type Player, tryLogin } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { addAuthenticatorApp, tryFactor } from '#test/factor-helpers.ts'
import { insertCharacter, insertRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
await changeSettings(site, { require_staff_factor: false })
const folder = await mkdtemp(join(tmpdir(), 'tambayan-requests-'))
after(() => rm(folder, { recursive: true }))
const eraser = await createRole(site, 'players.personal', 'players.read', 'rankings.write')

type PlayerRef = { user: { UserNum: number; UserID: string } }

const requestErasure = (by: Pick<Player, 'post'>, { user }: PlayerRef) =>
  by.post('/api/admin/players/erase', {
    user_num: user.UserNum,
    user_id: user.UserID,
    rename_characters: false,
    reason: 'They asked for it.',
  })
const withdrawErasure = (by: Pick<Player, 'post'>, { user }: PlayerRef) =>
  by.post('/api/admin/players/keep', { user_num: user.UserNum, reason: 'It was a mistake.' })
const getDueTime = () => new Date(clock.now().getTime() + IRREVERSIBLE_AFTER_MS)
const readState = ({ user }: PlayerRef) =>
  db
    .selectFrom('accounts')
    .where('user_num', '=', user.UserNum)
    .select(['erased_at', 'erasure_due_at', 'user_id'])
    .executeTakeFirstOrThrow()

/** Returns the tokens that withdraw an erasure in the mails to an address, oldest first. */
async function readMailedTokens(address: string): Promise<string[]> {
  const mails = await db
    .selectFrom('mail_outbox')
    .where(sql`lower(to_address)`, '=', address)
    .select('body_text')
    .orderBy('mail')
    .execute()
  return mails.flatMap(({ body_text }) => /keepaccount\?token=([\w-]+)/.exec(body_text)?.[1] ?? [])
}

const operator = await createOperator(site, eraser)

test('a request locks the account at once, and a job erases it after seven days', async () => {
  const player = await createPlayer(site)
  const answer = await requestErasure(operator, player)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json().erasure_due_at, getDueTime().toISOString())
  assert.equal((await player.get('/api/user-ip')).status, 401)
  const login = await tryLogin(site, player.form.userId, player.form.userPassword)
  assert.deepEqual([login.status, login.token, login.user], [3, null, null])
  assert.ok(login.message.includes(formatManilaMinute(getDueTime())), login.message)
  assertRefused(await requestErasure(operator, player), 409, 'This account already waits to be erased.')

  assert.equal(await eraseDueAccounts(db, new Date(getDueTime().getTime() - 1)), 0)
  assert.equal((await readState(player)).erased_at, null)
  const counts = await Promise.all([eraseDueAccounts(db, getDueTime()), eraseDueAccounts(db, getDueTime())])
  assert.equal(counts[0] + counts[1], 1, 'two processes erase once')
  const { erased_at, erasure_due_at } = await readState(player)
  assert.deepEqual([erased_at, erasure_due_at], [getDueTime(), null])
})

test('the mailed link withdraws the erasure when its button is pressed, not when it is opened', async () => {
  const player = await createPlayer(site)
  assert.equal((await requestErasure(operator, player)).status, 200)
  const [token] = await readMailedTokens(player.form.userEmail)
  const path = `/keepaccount?token=${token}`
  for (const method of ['GET', 'HEAD']) await site.send(path, { method })
  assert.notEqual((await readState(player)).erasure_due_at, null)
  const pressButton = () => site.send(path, { method: 'POST' })
  for (const _ of [1, 2]) {
    const answer = await pressButton()
    assert.deepEqual([answer.status, answer.headers.get('Location')], [303, '/login?kept=1'])
  }
  assert.equal((await readState(player)).erasure_due_at, null)
  await logInAs(site, player.form.userId, player.form.userPassword)
  assert.equal(await eraseDueAccounts(db, getDueTime()), 0)
  const response = await site.send('/keepaccount?token=nothing', { method: 'POST' })
  assert.equal(response.headers.get('Location'), '/login?kept=0')
})

test('former addresses of the last 30 days get a link too, and the owners are notified', async () => {
  const owner = await createOperator(site, OWNER)
  const player = await createPlayer(site)
  const { UserNum } = player.user
  const response = await owner.post('/api/admin/players/change-email', {
    user_num: UserNum,
    from: player.form.userEmail,
    email: 'new-address@example.net',
    reason: 'They asked.',
  })
  assert.equal(response.status, 200, response.text)
  await insertRows(db, 'former_emails', { user_num: UserNum, email: 'old@example.net', left_at: new Date(0) })
  assert.equal((await requestErasure(operator, player)).status, 200)
  for (const address of [player.form.userEmail, 'new-address@example.net'])
    assert.equal((await readMailedTokens(address)).length, 1, address)
  assert.deepEqual(await readMailedTokens('old@example.net'), [])
  const ownerMails = await db
    .selectFrom('mail_outbox')
    .where('to_address', '=', owner.form.userEmail)
    .select('subject')
    .execute()
  assert.ok(ownerMails.some(({ subject }) => subject.startsWith(`${player.user.UserID} will be erased`)))
  const [token] = await readMailedTokens(player.form.userEmail)
  await site.send(`/keepaccount?token=${token}`, { method: 'POST' })
  assert.equal((await readState(player)).erasure_due_at, null)
  await db.deleteFrom('staff_members').where('user_num', '=', owner.user.UserNum).execute()
})

test('the player withdraws the erasure by a login, with the second factor if there is one', async () => {
  const player = await createPlayer(site)
  assert.equal((await requestErasure(operator, player)).status, 200)
  const logIn = async (UserPass: string) =>
    (await site.post('/api/processlogin', { UserID: player.form.userId, UserPass, keepAccount: true })).json().data
  assert.equal((await logIn('wrong-password')).status, 2)
  assert.notEqual((await readState(player)).erasure_due_at, null)
  assert.equal((await logIn(player.form.userPassword)).status, 1)
  assert.equal((await readState(player)).erasure_due_at, null)

  const secondOperator = await createOperator(site, eraser)
  const playerWithApp = await createPlayer(site)
  const app = await addAuthenticatorApp(site, playerWithApp)
  assert.equal((await requestErasure(secondOperator, playerWithApp)).status, 200)
  const body = { UserID: playerWithApp.form.userId, UserPass: playerWithApp.form.userPassword }
  const refusal = (await site.post('/api/processlogin', body)).json().data
  assert.deepEqual([refusal.status, refusal.challenge], [3, undefined])
  const challengeAnswer = (await site.post('/api/processlogin', { ...body, keepAccount: true })).json().data
  assert.equal(challengeAnswer.status, 2)
  await tryFactor(site, { challenge: challengeAnswer.challenge, code: '000000', keepAccount: true })
  assert.notEqual((await readState(playerWithApp)).erasure_due_at, null)
  const finishedLogin = await tryFactor(site, {
    challenge: challengeAnswer.challenge,
    code: app.nextCode(),
    keepAccount: true,
  })
  assert.equal(finishedLogin.status, 1)
  assert.equal((await readState(playerWithApp)).erasure_due_at, null)
})

test('an operator withdraws an erasure at the desk; a block of the account stays', async () => {
  const secondOperator = await createOperator(site, eraser)
  const player = await createPlayer(site)
  await db
    .updateTable('accounts')
    .set({ blocked_at: clock.now() })
    .where('user_num', '=', player.user.UserNum)
    .execute()
  assert.equal((await requestErasure(secondOperator, player)).status, 200)
  const page = await secondOperator.get(`/api/admin/players/page?user_num=${player.user.UserNum}`)
  assert.equal(page.json().player.state, 'erasing')
  assert.deepEqual(page.json().player.erasure, {
    requested_at: clock.now().toISOString(),
    requested_by: secondOperator.user.UserID,
    due_at: getDueTime().toISOString(),
    rename_characters: false,
  })
  const list = await secondOperator.get('/api/admin/players?state=erasing')
  assert.ok(list.json().rows.some(({ user_id }: { user_id: string }) => user_id === player.user.UserID))
  assert.equal((await withdrawErasure(secondOperator, player)).status, 200)
  assertRefused(await withdrawErasure(secondOperator, player), 409, 'This account is not waiting to be erased.')
  assert.equal((await tryLogin(site, player.form.userId, player.form.userPassword)).status, 3)
})

test('requires another owner’s approval for the fourth erasure in 24 hours, also if concurrent', async () => {
  // Without an owner, no approval is required.
  const loneOperator = await createOperator(site, eraser)
  for (const _ of [1, 2, 3, 4]) assert.equal((await requestErasure(loneOperator, await createPlayer(site))).status, 200)

  const owner = await createOperator(site, OWNER)
  const busyOperator = await createOperator(site, eraser)
  const players = [await createPlayer(site), await createPlayer(site)]
  for (const player of players) assert.equal((await requestErasure(busyOperator, player)).status, 200)
  assert.equal((await withdrawErasure(busyOperator, players[0] as PlayerRef)).status, 200)
  assert.equal((await requestErasure(busyOperator, players[0] as PlayerRef)).status, 200, 'the same player counts once')
  const laterPlayers = [await createPlayer(site), await createPlayer(site)]
  const responses = await Promise.all(laterPlayers.map((player) => requestErasure(busyOperator, player)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 202])
  const waitingPlayer = laterPlayers[
    responses.findIndex(({ status }) => status === 202)
  ] as (typeof laterPlayers)[number]
  assert.equal((await readState(waitingPlayer)).erasure_due_at, null)

  const { approval } = responses.find(({ status }) => status === 202)?.json() ?? {}
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const response = await owner.post('/api/admin/approvals/decide', {
    approval,
    decision: 'approve',
    content_hash,
    note: '',
  })
  assert.equal(response.status, 200, response.text)
  assert.notEqual((await readState(waitingPlayer)).erasure_due_at, null)
  clock.advance(DAY_MS + 1000)
  const newSession = await logInAs(site, busyOperator.form.userId, busyOperator.form.userPassword)
  assert.equal((await requestErasure(newSession, await createPlayer(site))).status, 200)
})

test('a request hides characters from rankings until it is withdrawn, also in a closed month', async () => {
  const rankOperator = await createOperator(site, eraser)
  const [firstPlayer, secondPlayer] = [await createPlayer(site), await createPlayer(site)]
  const [bestNum, nextNum] = [
    await insertCharacter(db, { user_num: firstPlayer.user.UserNum, cha_name: 'Una', cha_level: 200 }),
    await insertCharacter(db, { user_num: secondPlayer.user.UserNum, cha_name: 'Ikalawa', cha_level: 190 }),
  ]
  const listRanked = async (period = '') => {
    // The notification that clears the cache may arrive after the response to the call.
    site.cache.clear()
    return (await site.get(`/api/get-top-rankings-list${period}`))
      .json()
      .toplevel.map(({ ChaNum }: { ChaNum: number }) => ChaNum)
      .filter((chaNum: number) => chaNum === bestNum || chaNum === nextNum)
  }
  await rollOver(db, clock.now())
  assert.deepEqual(await listRanked(), [bestNum, nextNum])
  assert.equal((await requestErasure(rankOperator, firstPlayer)).status, 200)
  assert.deepEqual(await listRanked(), [nextNum])
  assert.equal((await site.get(`/api/character/${bestNum}`)).status, 404)
  const openPeriod = await db
    .selectFrom('ranking_periods')
    .where('closed_at', 'is', null)
    .selectAll()
    .executeTakeFirstOrThrow()
  // The month ends within the seven days.
  await db
    .updateTable('ranking_periods')
    .set({ ends_at: clock.now() })
    .where('period', '=', openPeriod.period)
    .execute()
  clock.set(new Date(Math.max(clock.now().getTime(), openPeriod.ends_at.getTime())))
  await db
    .updateTable('ranking_periods')
    .set({ ends_at: openPeriod.ends_at })
    .where('period', '=', openPeriod.period)
    .execute()
  await rollOver(db, clock.now())
  assert.deepEqual(await listRanked(`?period=${openPeriod.period}`), [nextNum])
  const operatorSession = await logInAs(site, rankOperator.form.userId, rankOperator.form.userPassword)
  assert.equal((await withdrawErasure(operatorSession, firstPlayer)).status, 200)
  assert.deepEqual(await listRanked(`?period=${openPeriod.period}`), [bestNum, nextNum])
  assert.deepEqual(await listRanked(), [bestNum, nextNum])
})

test('the lists next to the backups erase no account early, and respect withdrawn requests', async () => {
  const otherOperator = await createOperator(site, eraser)
  const [withdrawnPlayer, erasedPlayer, waitingPlayer] = [
    await createPlayer(site),
    await createPlayer(site),
    await createPlayer(site),
  ]
  for (const player of [withdrawnPlayer, erasedPlayer, waitingPlayer])
    assert.equal((await requestErasure(otherOperator, player)).status, 200)
  await writeErasureLists(db, folder, clock.now())
  const readList = (name: string) => readFile(join(folder, name), 'utf8')
  assert.doesNotMatch(await readList('erasure-requests.json'), new RegExp(`${withdrawnPlayer.user.UserID}|example`))
  assert.equal(await repeatErasures(db, folder), 0)
  assert.equal((await withdrawErasure(otherOperator, withdrawnPlayer)).status, 200)
  await eraseNow(site, erasedPlayer.user.UserNum)
  await writeErasureLists(db, folder, clock.now())

  // Restores the request, as a backup from before the withdrawal does.
  const openRequest = { outcome: null, ended_by: null, ended_at: null }
  await db
    .updateTable('account_erasures')
    .set(openRequest)
    .where('user_num', '=', withdrawnPlayer.user.UserNum)
    .execute()
  assert.notEqual((await readState(withdrawnPlayer)).erasure_due_at, null)
  assert.equal(await repeatErasures(db, folder), 0)
  assert.equal((await readState(withdrawnPlayer)).erasure_due_at, null)

  // Deletes the requests, as a backup from before them does. The list next to it still has them.
  const since = new Date(clock.now().getTime() - DAY_MS)
  assert.deepEqual(await findUnknownRequests(db, folder, since), [])
  const userNums = [withdrawnPlayer.user.UserNum, waitingPlayer.user.UserNum]
  await db.deleteFrom('account_erasures').where('user_num', 'in', userNums).execute()
  const requests = await findUnknownRequests(db, folder, since)
  assert.deepEqual(
    requests.map(({ user_id, taken_back_at }) => [user_id, taken_back_at !== null]),
    [
      [withdrawnPlayer.user.UserID, true],
      [waitingPlayer.user.UserID, false],
    ],
  )
  assert.deepEqual(await findUnknownRequests(db, folder, clock.now()), [])
})

test('a restored database restarts the seven days of each request', async () => {
  const otherOperator = await createOperator(site, eraser)
  const player = await createPlayer(site)
  assert.equal((await requestErasure(otherOperator, player)).status, 200)
  clock.advance(IRREVERSIBLE_AFTER_MS + DAY_MS)
  await restartGracePeriods(db, clock.now())
  await eraseDueAccounts(db, clock.now())
  assert.deepEqual((await readState(player)).erasure_due_at, getDueTime())
})
