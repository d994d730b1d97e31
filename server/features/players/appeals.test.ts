import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPEAL_TEXTS } from '#contract/appeals.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { APPEAL_RETENTION_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { OWNER } from '#contract/permissions.ts'
import { listJobs } from '#server/jobs.ts'
import { assertRefused, createPlayer, selectMailsTo, tryLogin } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { runConcurrently } from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'empty' })
const { db, clock } = site
const anna = await createOperator(site, 'moderator')

type Operator = typeof anna

async function createBlockedPlayer(by: Operator | null = anna, ends_at: Date | null = null) {
  const { user, form } = await createPlayer(site)
  const values = { user_num: user.UserNum, reason: 'Sold R-Coin in the plaza.', starts_at: clock.now(), ends_at }
  const { block } = await db
    .insertInto('account_blocks')
    .values({ ...values, blocked_by: by?.user.UserNum ?? null })
    .returning('block')
    .executeTakeFirstOrThrow()
  const appeal = (text = 'It was my brother.', UserPass = form.userPassword) =>
    site.post('/api/appeal', { UserID: form.userId, UserPass, text })
  return { user, form, block, appeal }
}

const readQueue = async (operator: Operator, query = 'state=waiting') =>
  (await operator.get(`/api/admin/appeals?${query}`)).json().rows as Record<string, unknown>[]

const readAppeal = async (block: number) =>
  db.selectFrom('block_appeals').where('block', '=', block).selectAll().executeTakeFirstOrThrow()

const decideAppeal = async (
  operator: Operator,
  block: number,
  outcome: 'lifted' | 'stays',
  reason = 'We looked again.',
) => operator.post('/api/admin/appeals/decide', { appeal: (await readAppeal(block)).appeal, outcome, reason })

test('lets the only operator decide on an appeal against their block, and informs the player', async () => {
  const { user, block, appeal } = await createBlockedPlayer()
  assert.deepEqual((await appeal()).json(), { message: APPEAL_TEXTS.sent(false) })
  const [row] = await readQueue(anna)
  assert.deepEqual([row?.user_num, row?.why_not, row?.state], [user.UserNum, null, 'waiting'])
  assert.equal((await decideAppeal(anna, block, 'lifted')).status, 200)
})

test('a blocked player can appeal once for each block, and logins still show the block’s reason', async () => {
  await createOperator(site, 'moderator')
  const { user, form, block, appeal } = await createBlockedPlayer()
  const firstLogin = await tryLogin(site, form.userId, form.userPassword)
  assert.equal(firstLogin.status, 3)
  const answers = await runConcurrently(3, () => appeal())
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  assert.deepEqual(answers.find(({ status }) => status === 200)?.json(), { message: APPEAL_TEXTS.sent(true) })
  assertRefused(await appeal('Please.'), 409, APPEAL_TEXTS.waiting)
  assert.deepEqual(await tryLogin(site, form.userId, form.userPassword), firstLogin)
  assert.doesNotMatch(JSON.stringify(answers.map((answer) => answer.json())), new RegExp(`\\b${anna.user.UserID}\\b`))

  await db.updateTable('account_blocks').set({ lifted_at: clock.now() }).where('block', '=', block).execute()
  assertRefused(await appeal(), 422, LOGIN_ANSWERS.wrong)
  const secondBlock = { user_num: user.UserNum, reason: 'Again', starts_at: clock.now(), ends_at: null }
  await db.insertInto('account_blocks').values(secondBlock).execute()
  assert.equal((await appeal()).status, 200)
})

test('an appeal requires the password, and wrong ones count as failed logins', async () => {
  const { form, appeal } = await createBlockedPlayer()
  assertRefused(await appeal('x', 'wrong-one'), 422, LOGIN_ANSWERS.wrong)
  assertRefused(
    await site.post('/api/appeal', { UserID: 'nobody_at_all', UserPass: 'x', text: 'x' }),
    422,
    LOGIN_ANSWERS.wrong,
  )
  for (let times = 0; times < 5; times++) await tryLogin(site, form.userId, 'wrong-one')
  for (let times = 0; times < 4; times++) await appeal('x', 'wrong-one')
  const lockedResponse = await appeal()
  assertRefused(lockedResponse, 429, LOGIN_ANSWERS.locked)
  assert.ok(Number(lockedResponse.headers.get('retry-after')) > 0)
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 4)
})

test('refuses an empty appeal, and does not count a correct password as a failure', async () => {
  const { appeal } = await createBlockedPlayer()
  for (const text of ['', '  \n ', 'x'.repeat(2001), 'a\u0000b']) assert.equal((await appeal(text)).status, 422)
  for (let times = 0; times < 12; times++) assert.notEqual((await appeal()).status, 429)
})

test('answers a correct and a wrong password alike if the account is not blocked', async () => {
  const { user, form } = await createPlayer(site)
  const otherPlayer = await createPlayer(site)
  const appeal = (UserID: string, UserPass: string) => site.post('/api/appeal', { UserID, UserPass, text: 'x' })
  const readLastEvent = async (user_num: number) =>
    (
      await db.selectFrom('account_events').where('user_num', '=', user_num).select('kind').orderBy('event').execute()
    ).at(-1)
  const [correctResponse, wrongResponse] = [
    await appeal(form.userId, form.userPassword),
    await appeal(otherPlayer.form.userId, 'wrong-one'),
  ]
  assert.deepEqual([correctResponse.status, correctResponse.text], [wrongResponse.status, wrongResponse.text])
  assertRefused(correctResponse, 422, LOGIN_ANSWERS.wrong)
  assert.deepEqual(
    [await readLastEvent(user.UserNum), await readLastEvent(otherPlayer.user.UserNum)],
    [{ kind: 'login-failed' }, { kind: 'login-failed' }],
  )
  for (const [id, password] of [
    [form.userId, form.userPassword],
    [otherPlayer.form.userId, 'wrong-one'],
  ] as const) {
    for (let times = 0; times < 9; times++) await appeal(id, password)
    assertRefused(await appeal(id, password), 429, LOGIN_ANSWERS.locked)
  }
})

test('refuses an appeal after the end of a block', async () => {
  const { appeal } = await createBlockedPlayer(anna, new Date(clock.now().getTime() + HOUR_MS))
  clock.advance(HOUR_MS)
  assertRefused(await appeal(), 422, LOGIN_ANSWERS.wrong)
})

test('lets only another operator than the blocker decide, and mails the outcome without a name', async () => {
  const jose = await createOperator(site, 'moderator')
  const releasedPlayer = await createBlockedPlayer()
  await releasedPlayer.appeal()
  assert.equal((await decideAppeal(anna, releasedPlayer.block, 'stays')).status, 403)
  assert.match(
    String((await readQueue(anna)).find(({ user_num }) => user_num === releasedPlayer.user.UserNum)?.why_not),
    /You blocked/,
  )
  assert.equal((await decideAppeal(jose, releasedPlayer.block, 'lifted', 'You were right.')).status, 200)
  assert.equal((await tryLogin(site, releasedPlayer.form.userId, releasedPlayer.form.userPassword)).status, 1)
  const [liftedMail, ...otherMails] = (await selectMailsTo(site, releasedPlayer.form.userEmail)).filter(({ subject }) =>
    subject.includes('lifted'),
  )
  assert.equal(otherMails.length, 0)
  assert.match(liftedMail?.body_text ?? '', /no longer blocked[\s\S]*You were right\./)

  const blockedPlayer = await createBlockedPlayer()
  await blockedPlayer.appeal()
  assert.equal((await decideAppeal(jose, blockedPlayer.block, 'stays', 'The log is clear.')).status, 200)
  assert.equal((await tryLogin(site, blockedPlayer.form.userId, blockedPlayer.form.userPassword)).status, 3)
  const mail = (await selectMailsTo(site, blockedPlayer.form.userEmail)).at(-1)?.body_text ?? ''
  assert.match(mail, /the block stays[\s\S]*The log is clear\./)
  for (const { user } of [anna, jose])
    assert.doesNotMatch(`${mail} ${liftedMail?.body_text}`, new RegExp(`\\b${user.UserID}\\b`))
  assertRefused(await blockedPlayer.appeal(), 409, APPEAL_TEXTS.decided('The log is clear.'))
  assert.equal((await decideAppeal(jose, blockedPlayer.block, 'lifted')).status, 409)

  const entry = await db
    .selectFrom('audit_log')
    .where('action', '=', '/admin/appeals/decide')
    .select(['target_kind', 'target_id', 'actor_num'])
    .orderBy('entry', 'desc')
    .executeTakeFirstOrThrow()
  assert.deepEqual(entry, {
    target_kind: 'player',
    target_id: String(blockedPlayer.user.UserNum),
    actor_num: jose.user.UserNum,
  })
})

test('lets any operator decide about a block that came from the game', async () => {
  const { block, appeal } = await createBlockedPlayer(null)
  assert.deepEqual((await appeal()).json(), { message: APPEAL_TEXTS.sent(true) })
  assert.equal((await decideAppeal(anna, block, 'lifted')).status, 200)
})

test('refuses changes of a block while an appeal waits; lifting the block decides the appeal', async () => {
  const { user, form, block, appeal } = await createBlockedPlayer()
  await appeal()
  const change = { user_num: user.UserNum, block, reason: 'Another reason', ends_at: null, note: '' }
  assert.equal((await anna.post('/api/admin/players/block', change)).status, 409)
  const liftInput = { user_num: user.UserNum, block, reason: 'A mistake' }
  assert.equal((await anna.post('/api/admin/players/unblock', liftInput)).status, 200)
  const { outcome, decided_by } = await readAppeal(block)
  assert.deepEqual([outcome, decided_by], ['lifted', anna.user.UserNum])
  assert.equal(
    (await selectMailsTo(site, form.userEmail)).filter(({ subject }) => subject.includes('lifted')).length,
    1,
  )
})

test('shows appeals to operators who may block; only staff managers decide appeals of staff', async () => {
  const support = await createOperator(site, 'support')
  const colleague = await createOperator(site, 'support')
  assert.equal((await support.get('/api/admin/appeals')).status, 403)
  const values = { user_num: colleague.user.UserNum, reason: 'Seems stolen', starts_at: clock.now(), ends_at: null }
  const { block } = await db.insertInto('account_blocks').values(values).returning('block').executeTakeFirstOrThrow()
  const { userId: UserID, userPassword: UserPass } = colleague.form
  assert.equal((await site.post('/api/appeal', { UserID, UserPass, text: 'It is me' })).status, 200)
  assert.equal((await decideAppeal(anna, block, 'lifted')).status, 403)
  const owner = await createOperator(site, OWNER)
  await createOperator(site, OWNER)
  assert.equal((await decideAppeal(owner, block, 'lifted')).status, 202)
  assert.equal((await readAppeal(block)).outcome, null)
})

test('counts the appeals on Today that the operator can decide', async () => {
  const owner = await createOperator(site, OWNER)
  const countAppeals = async (operator: Operator) =>
    (await operator.get('/api/admin/today'))
      .json()
      .needs.filter((need: { kind: string }) => need.kind === 'appeals')
      .reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  const [ownerCount, moderatorCount] = [await countAppeals(owner), await countAppeals(anna)]
  await (await createBlockedPlayer()).appeal()
  assert.deepEqual([await countAppeals(owner), await countAppeals(anna)], [ownerCount + 1, moderatorCount])
})

test('deletes the texts of an appeal a year after its decision, but allows no second appeal', async () => {
  const [rejectedPlayer, waitingPlayer] = [await createBlockedPlayer(null), await createBlockedPlayer(null)]
  await rejectedPlayer.appeal()
  await waitingPlayer.appeal()
  await decideAppeal(anna, rejectedPlayer.block, 'stays')
  const cleanUpJob = listJobs(site, { jobsDb: db, send: async () => 'sent' }).find(
    ({ name }) => name === 'clean-up appeals',
  )
  const runCleanUpAfter = async (ms: number) => {
    clock.advance(ms)
    await cleanUpJob?.work({ now: clock.now, signal: AbortSignal.timeout(10_000) })
  }
  await runCleanUpAfter(APPEAL_RETENTION_MS - DAY_MS)
  assert.equal((await readAppeal(rejectedPlayer.block)).text, 'It was my brother.')
  await runCleanUpAfter(2 * DAY_MS)
  const { text, reply, outcome } = await readAppeal(rejectedPlayer.block)
  assert.deepEqual([text, reply, outcome], ['', '', 'stays'])
  assert.equal((await readAppeal(waitingPlayer.block)).text, 'It was my brother.')
  assertRefused(await rejectedPlayer.appeal(), 409, APPEAL_TEXTS.decided(''))
})
