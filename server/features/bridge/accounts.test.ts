import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createKeys } from '#bridge/keys.ts'
import { decryptSealed, UnreadableSealedText } from '#bridge/sealed.ts'
import { PASSWORD_TEXTS } from '#contract/accounts.ts'
import { type AccountWork, importAccounts, reportAccounts, takeAccountWork } from '#contract/bridge-accounts.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listTables } from '#server/backup/tables.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import {
  createPlayer,
  createRegistration,
  findLinkToken,
  logInAs,
  openPlayerSession,
  registerPlayer,
  tryLogin,
} from '#test/account-helpers.ts'
import { createAgentDouble, createPairingCode, listenForBridges } from '#test/bridge-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { addAuthenticatorApp, tryFactor } from '#test/factor-helpers.ts'
import { insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree } from '#test/money-helpers.ts'
import { encodePassword } from './game-passwords.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db, clock } = site
const address = await listenForBridges(site)
/** The owner with a fresh login, because the tests advance the clock. */
const gm = {
  get: async (path: string) => (await openPlayerSession(site, 'gm')).get(path),
  post: async (path: string, body: object) => (await openPlayerSession(site, 'gm')).post(path, body),
}
const agent = await createAgentDouble(site, address)
await agent.start()

/** The state of the accounts' database, which the agent reports. */
const copy: { epoch: string; counter: number } = { epoch: randomUUID(), counter: 0 }
const emptyReport = { copy, done: [], refused: [], balances: [] }
const takeWork = async () => (await agent.call(takeAccountWork, { wait_ms: 0, copy })).work
const report = (fields: Partial<CallInput<typeof reportAccounts>>) =>
  agent.call(reportAccounts, { ...emptyReport, ...fields })
const readGameAccount = (userNum: number) =>
  db.selectFrom('game_accounts').where('user_num', '=', userNum).selectAll().executeTakeFirst()
const readLink = (userNum: number) =>
  db.selectFrom('game_links').where('user_num', '=', userNum).selectAll().executeTakeFirst()
const readUserNum = async (userId: string) =>
  (await db.selectFrom('accounts').where('user_id', '=', userId).select('user_num').executeTakeFirstOrThrow()).user_num

type Create = Extract<AccountWork, { kind: 'create' }>
type Change = Extract<AccountWork, { kind: 'change' }>

/** Returns the work on one account and ignores other work. */
async function findWork(account: number): Promise<Create | Change | undefined> {
  const accountWork = (await takeWork()).find((item) => item.kind !== 'balance' && item.account === account)
  return accountWork?.kind === 'balance' ? undefined : accountWork
}

let lastGameUserNum = 50_000

/** Returns the report of an agent that has completed some work. */
const createDoneReport = (work: Create | Change, gameUserNum: number) => ({
  account: work.account,
  attempt: work.attempt,
  game_user_num: gameUserNum,
  password_version: work.password?.version ?? null,
  second_version: work.second_password?.version ?? null,
  block: work.block,
})

/** Creates a player for whom the bridge has created an account in the game. */
async function createLinkedPlayer() {
  const form = await registerPlayer(site)
  const userNum = await readUserNum(form.userId)
  const work = await findWork(userNum)
  assert.equal(work?.kind, 'create')
  const gameUserNum = ++lastGameUserNum
  if (work !== undefined) await report({ done: [createDoneReport(work, gameUserNum)] })
  return { form, userNum, gameUserNum }
}

const openPassword = (
  work: Create | Change | undefined,
  purpose: 'password' | 'second-password',
  account = work?.account ?? 0,
) => {
  const sealed = purpose === 'password' ? work?.password : work?.second_password
  assert.ok(sealed)
  return decryptSealed(sealed.sealed, agent.seal, { account, purpose, version: sealed.version })
}

const openImport = (hours = 24) => gm.post('/api/admin/game/account-import/open', { hours, reason: 'We are moving' })
const readImport = async () => (await gm.get('/api/admin/game/account-import')).json()
type Row = CallInput<typeof importAccounts>['rows'][number]
const createRow = (userId: string, password: string, values: Partial<Row> = {}): Row => ({
  game_user_num: ++lastGameUserNum,
  user_id: userId,
  form: 'md5-upper-19',
  password: encodePassword('md5-upper-19', password),
  user_type: 1,
  blocked: false,
  blocked_until: null,
  balance: 0,
  ...values,
})
const importRows = (...rows: Row[]) => agent.call(importAccounts, { apply: true, rows })

test('writes passwords in each form that games use', () => {
  assert.equal(encodePassword('plain', 'adobo'), 'adobo')
  assert.equal(encodePassword('md5-upper', '123456'), 'E10ADC3949BA59ABBE56E057F20F883E')
  assert.equal(encodePassword('md5-upper-19', '123456'), 'E10ADC3949BA59ABBE5')
  assert.equal(encodePassword('md5-upper-20', '123456'), 'E10ADC3949BA59ABBE56')
})

test('a registration creates the game account with a password that only the bridge can read', async () => {
  const form = await registerPlayer(site)
  const userNum = await readUserNum(form.userId)
  const work = await findWork(userNum)
  assert.partialDeepStrictEqual(work, { kind: 'create', user_id: form.userId, second_password: null, block: null })
  const { created_at } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('created_at')
    .executeTakeFirstOrThrow()
  assert.equal(work?.mark, `${userNum}-${created_at.getTime()}`, 'an account of another site has another mark')
  assert.equal(openPassword(work, 'password'), form.userPassword)
  assert.throws(
    () => openPassword(work, 'password', userNum + 1),
    UnreadableSealedText,
    'the text is sealed for this account only',
  )
  const sealed = work?.password
  assert.ok(sealed)
  for (const wrongContext of [{ version: sealed.version + 1 }, { purpose: 'second-password' as const }])
    assert.throws(
      () =>
        decryptSealed(sealed.sealed, agent.seal, {
          account: userNum,
          purpose: 'password',
          version: sealed.version,
          ...wrongContext,
        }),
      UnreadableSealedText,
    )
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 1)
  const nextWork = await findWork(userNum)
  assert.equal(
    nextWork?.password?.sealed,
    sealed.sealed,
    'a login does not seal the password again while the bridge can still fetch it',
  )
  assert.ok(nextWork)
  await report({ done: [createDoneReport(work, 70_001)] })
  assert.equal(await readLink(userNum), undefined, 'the report of an earlier attempt is ignored')
  await Promise.all([
    report({ done: [createDoneReport(nextWork, 70_001)] }),
    report({ done: [createDoneReport(nextWork, 70_001)] }),
  ])
  assert.partialDeepStrictEqual(await readLink(userNum), { game_user_num: 70_001, proof: 'created' })
  assert.partialDeepStrictEqual(await readGameAccount(userNum), { state: 'linked', confirmed_by: agent.bridge })
  await logInAs(site, form.userId, form.userPassword)
  assert.equal(await findWork(userNum), undefined, 'the bridge has confirmed the password')
})

test('refuses a new password with characters that the game may read differently (PASS-7)', async () => {
  const passwords = { userPassword: 'peña-del-mar', userPasswordConfirm: 'peña-del-mar' }
  const answer = await site.post('/api/register', createRegistration(passwords))
  assert.deepEqual(
    [answer.status, answer.json()['form-error']],
    [422, { userPassword: [PASSWORD_TEXTS.gameCharacters] }],
  )
})

test('sends a changed password, the second password and a block with its end to the game', async () => {
  const { form, userNum, gameUserNum } = await createLinkedPlayer()
  const player = await logInAs(site, form.userId, form.userPassword)
  await player.post('/api/validate-secret-answer', { ...player.owner, secretAnswer: form.secretAnswer })
  const passwords = { ...player.owner, UserPass: form.userPassword, NewUserPass: 'bagong-7' }
  assert.equal((await player.post('/api/updatepassword', passwords)).status, 200)
  const work = await findWork(userNum)
  assert.partialDeepStrictEqual(work, { kind: 'change', game_user_num: gameUserNum, user_id: form.userId })
  assert.equal(openPassword(work, 'password'), 'bagong-7')
  assert.ok(work)

  const newSession = await logInAs(site, form.userId, 'bagong-7')
  const details = {
    UserPass: 'bagong-7',
    UserPass2: 'ikalawa',
    UserEmail: form.userEmail,
    NameFirst: 'A',
    NameLast: 'B',
  }
  assert.equal((await newSession.post('/api/updateuserdetails', { ...newSession.owner, ...details })).status, 200)
  const blockUntil = new Date(clock.now().getTime() + HOUR_MS).toISOString()
  const moderator = await createOperator(site, 'moderator')
  const block = { user_num: userNum, block: null, reason: 'Bots', ends_at: blockUntil }
  const response = await moderator.post('/api/admin/players/block', block)
  assert.equal(response.status, 200, response.text)
  await report({ done: [createDoneReport(work, gameUserNum)] })
  const fullWork = await findWork(userNum)
  assert.equal(openPassword(fullWork, 'second-password'), 'ikalawa')
  assert.deepEqual(fullWork?.block, { blocked: true, until: blockUntil })
  assert.ok(fullWork)
  await report({ done: [createDoneReport(fullWork, gameUserNum)] })
  assert.equal(await findWork(userNum), undefined)
  clock.advance(HOUR_MS + 1)
  const endWork = await findWork(userNum)
  assert.deepEqual(endWork?.block, { blocked: false, until: null }, 'the end of the block is sent too')
  assert.ok(endWork)
  await report({ done: [createDoneReport(endWork, gameUserNum)] })
  assert.equal(await findWork(userNum), undefined)
})

test('issues a block again without the password that the game refused', async () => {
  const { form, userNum, gameUserNum } = await createLinkedPlayer()
  const player = await logInAs(site, form.userId, form.userPassword)
  await player.post('/api/validate-secret-answer', { ...player.owner, secretAnswer: form.secretAnswer })
  await player.post('/api/updatepassword', { ...player.owner, UserPass: form.userPassword, NewUserPass: 'bagong-7' })
  const moderator = await createOperator(site, 'moderator')
  const block = { user_num: userNum, block: null, reason: 'Bots', ends_at: null }
  assert.equal((await moderator.post('/api/admin/players/block', block)).status, 200)
  const fullWork = await findWork(userNum)
  assert.ok(fullWork?.password)
  await report({ refused: [{ account: userNum, attempt: fullWork.attempt, problem: 'changed', detail: '' }] })
  const blockWork = await findWork(userNum)
  assert.partialDeepStrictEqual(blockWork, { kind: 'change', password: null, block: { blocked: true, until: null } })
  assert.ok(blockWork)
  await report({ done: [createDoneReport(blockWork, gameUserNum)] })
  assert.equal(await findWork(userNum), undefined)
  assert.equal((await readGameAccount(userNum))?.problem, 'changed', 'the game still lacks the password')
})

test('refuses to pair an unusable key, and lets players log in when a paired key is unusable', async () => {
  const unusableKey = 'A'.repeat(43)
  const pairing = {
    code: await createPairingCode(site),
    name: 'Zeros',
    sign_key: createKeys().publicSignKey,
    seal_key: unusableKey,
  }
  assert.equal((await site.post('/api/bridge/pair', pairing)).status, 422)
  const { publicSealKey } = createKeys()
  assert.equal(
    (await site.post('/api/bridge/pair', { ...pairing, seal_key: publicSealKey })).status,
    200,
    'the code is still valid',
  )
  await db.updateTable('bridges').set({ seal_key: unusableKey }).where('bridge', '=', agent.bridge).execute()
  const form = await registerPlayer(site)
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 1)
  await db.updateTable('bridges').set({ seal_key: agent.publicSealKey }).where('bridge', '=', agent.bridge).execute()
  await logInAs(site, form.userId, form.userPassword)
  assert.equal((await findWork(await readUserNum(form.userId)))?.kind, 'create', 'the next login seals the password')
})

test('does not link an ID that exists in the game until its owner proves the old password', async () => {
  const form = await registerPlayer(site)
  const player = await logInAs(site, form.userId, form.userPassword)
  const userNum = player.user.UserNum
  const work = await findWork(userNum)
  assert.ok(work)
  await report({ refused: [{ account: userNum, attempt: work.attempt, problem: 'taken', detail: '' }] })
  assert.equal(await readLink(userNum), undefined)
  assert.ok((await readImport()).odd.some((row: { user_num: number }) => row.user_num === userNum))
  const link = (password: string) => player.post('/api/game-link', { GamePass: password })
  assert.equal((await link('luma-7')).status, 409, 'the ID has not been imported')
  assert.equal((await player.get('/api/game-account')).json().can_link, false)
  await openImport()
  const row = createRow(form.userId.toUpperCase(), 'luma-7')
  assert.deepEqual((await importRows(row)).rows, [{ game_user_num: row.game_user_num, became: 'site' }])
  assert.deepEqual((await player.get('/api/game-account')).json(), {
    state: 'taken',
    game_user_id: '',
    can_link: true,
    can_set_password: false,
  })
  assert.equal((await link(form.userPassword)).status, 422)
  assert.deepEqual((await Promise.all([link('luma-7'), link('luma-7')])).map(({ status }) => status).sort(), [200, 409])
  assert.partialDeepStrictEqual(await readLink(userNum), { game_user_num: row.game_user_num, proof: 'password' })
  await logInAs(site, form.userId, form.userPassword)
  const change = await findWork(userNum)
  assert.partialDeepStrictEqual(change, { kind: 'change', game_user_num: row.game_user_num, user_id: row.user_id })
  assert.equal(openPassword(change, 'password'), form.userPassword, 'the game gets the site’s password')
})

test('refuses a report that names an imported account or another player’s account as a new one', async () => {
  const otherPlayer = await createLinkedPlayer()
  await openImport()
  const row = createRow('pedro_penduko', 'luma-7')
  await importRows(row)
  for (const otherGameUserNum of [otherPlayer.gameUserNum, row.game_user_num]) {
    const form = await registerPlayer(site)
    const work = await findWork(await readUserNum(form.userId))
    assert.ok(work)
    await report({ done: [createDoneReport(work, otherGameUserNum)] })
    assert.equal(await readLink(work.account), undefined)
    assert.equal((await readGameAccount(work.account))?.problem, 'bound')
  }
  const stranger = await createAgentDouble(site, address)
  await assert.rejects(stranger.call(takeAccountWork, { wait_ms: 0, copy }), /taken over/)
})

test('a deleted game account loses its link and is created again at the next login', async () => {
  const { form, userNum, gameUserNum } = await createLinkedPlayer()
  await updateRows(db, 'game_accounts', { user_num: userNum }, { block_due_at: new Date(0) })
  const work = await findWork(userNum)
  assert.ok(work)
  await report({ refused: [{ account: userNum, attempt: work.attempt, problem: 'gone', detail: '' }] })
  assert.equal(await readLink(userNum), undefined)
  await logInAs(site, form.userId, form.userPassword)
  const nextWork = await findWork(userNum)
  assert.equal(nextWork?.kind, 'create')
  assert.ok(nextWork)
  await report({ refused: [{ account: userNum, attempt: nextWork.attempt, problem: 'database', detail: 'full' }] })
  assert.equal(await findWork(userNum), undefined, 'the retry waits')
  clock.advance(5001)
  const thirdWork = await findWork(userNum)
  assert.ok(thirdWork)
  await report({ done: [createDoneReport(thirdWork, ++lastGameUserNum)] })
  assert.notEqual((await readLink(userNum))?.game_user_num, gameUserNum)
})

test('a game account with a changed ID stays linked until an operator decides about it', async () => {
  const decide = (user_num: number, found_user_id: string, is_same: boolean) =>
    gm.post('/api/admin/game/account-import/renamed', { user_num, found_user_id, is_same, reason: 'Asked in the game' })
  const reportRename = async (userNum: number, game_user_id: string) => {
    const dueBlock = { block_due_at: new Date(0) }
    await db.updateTable('game_accounts').set(dueBlock).where('user_num', '=', userNum).execute()
    const work = await findWork(userNum)
    assert.ok(work)
    const refusal = { account: userNum, attempt: work.attempt, problem: 'renamed', detail: '', game_user_id } as const
    await report({ refused: [refusal] })
  }
  const renamedPlayer = await createLinkedPlayer()
  await reportRename(renamedPlayer.userNum, 'stranger')
  assert.equal((await readLink(renamedPlayer.userNum))?.game_user_num, renamedPlayer.gameUserNum)
  assert.equal(await findWork(renamedPlayer.userNum), undefined, 'the bridge does not report it again and again')
  const row = (await readImport()).odd.find((row: { user_num: number }) => row.user_num === renamedPlayer.userNum)
  assert.partialDeepStrictEqual(row, { game_user_id: renamedPlayer.form.userId, found_user_id: 'stranger' })
  assert.equal((await decide(renamedPlayer.userNum, 'other_player', true)).status, 409)
  const response = await decide(renamedPlayer.userNum, 'stranger', true)
  assert.equal(response.status, 200, response.text)
  const change = await findWork(renamedPlayer.userNum)
  assert.partialDeepStrictEqual(change, { kind: 'change', user_id: 'stranger', block: { blocked: false } })
  assert.ok(change)
  await report({ done: [createDoneReport(change, renamedPlayer.gameUserNum)] })
  assert.equal((await decide(renamedPlayer.userNum, 'stranger', true)).status, 409)

  const otherPlayer = await createLinkedPlayer()
  await reportRename(otherPlayer.userNum, 'stranger')
  await logInAs(site, otherPlayer.form.userId, otherPlayer.form.userPassword)
  assert.notEqual((await findWork(otherPlayer.userNum))?.kind, 'create', 'no account is created automatically')
  assert.equal((await decide(otherPlayer.userNum, 'stranger', false)).status, 200)
  assert.equal(await readLink(otherPlayer.userNum), undefined)
  await logInAs(site, otherPlayer.form.userId, otherPlayer.form.userPassword)
  assert.equal((await findWork(otherPlayer.userNum))?.kind, 'create')
})

test('retries a temporarily refused account at once when an operator requests it', async () => {
  const form = await registerPlayer(site)
  const userNum = await readUserNum(form.userId)
  const work = await findWork(userNum)
  const refusal = {
    account: userNum,
    attempt: work?.attempt ?? 0,
    problem: 'database' as const,
    detail: 'The table is full',
  }
  await report({ refused: [refusal] })
  assert.equal(await findWork(userNum), undefined)
  const readProblemRow = async () =>
    (await gm.get('/api/admin/game/account-import'))
      .json()
      .odd.find((row: { user_num: number }) => row.user_num === userNum)
  assert.partialDeepStrictEqual(await readProblemRow(), { retries: true, detail: 'The table is full' })
  assert.equal((await gm.post('/api/admin/game/account-import/retry', { user_num: userNum })).status, 200)
  assert.equal((await findWork(userNum))?.kind, 'create')
  assert.equal((await gm.post('/api/admin/game/account-import/retry', { user_num: userNum })).status, 409)
})

test('deletes sealed passwords after thirty days, and omits them from backups', async () => {
  const form = await registerPlayer(site)
  const userNum = await readUserNum(form.userId)
  const count = async () =>
    (await db.selectFrom('game_forms').where('user_num', '=', userNum).selectAll().execute()).length
  const backedUpTables = (await listTables(db)).map(({ name }) => name)
  assert.deepEqual([backedUpTables.includes('game_forms'), backedUpTables.includes('game_form_drafts')], [false, false])
  assert.ok(backedUpTables.includes('game_accounts'))
  await runCleanUp(db, 'sealed passwords', new Date(clock.now().getTime() + 30 * DAY_MS - 1000))
  assert.equal(await count(), 1)
  await runCleanUp(db, 'sealed passwords', new Date(clock.now().getTime() + 30 * DAY_MS + 1000))
  assert.equal(await count(), 0)
  await logInAs(site, form.userId, form.userPassword)
  assert.equal(await count(), 1, 'the next login seals it again')
})

test('imports players only while the import is open, and stores only a hash of their password', async () => {
  await gm.post('/api/admin/game/account-import/close', { reason: 'Start again' })
  const row = createRow('lola_basyang', 'kuwento-1')
  assert.equal(
    (await agent.call(importAccounts, { apply: false, rows: [{ ...row, password: '' }] })).rows[0]?.became,
    'new',
  )
  await assert.rejects(importRows(row), /not open/)
  const shopOperator = await createOperator(site, 'shop')
  assert.equal(
    (await shopOperator.post('/api/admin/game/account-import/open', { hours: 1, reason: 'Please' })).status,
    403,
  )
  assert.equal((await openImport(25)).status, 422)
  assert.equal((await openImport(24)).status, 200)
  assert.equal((await importRows(row)).rows[0]?.became, 'new')
  assert.equal((await importRows(row)).rows[0]?.became, 'known')
  assert.equal((await importRows(createRow('LOLA_Basyang', 'iba'))).rows[0]?.became, 'doubled')
  const importedRow = await db
    .selectFrom('game_imports')
    .where('user_id', '=', 'lola_basyang')
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.match(importedRow.form_hash, /^\$argon2id/)
  assert.ok(!JSON.stringify(importedRow).includes(row.password))
  const response = await site.post('/api/register', createRegistration({ userId: 'Lola_Basyang' }))
  assert.match(response.text, /already taken/)
  clock.advance(DAY_MS + 1)
  await assert.rejects(importRows(createRow('huli_na', 'x')), /not open/)
})

test('imports the game’s staff as players, lists them, and changes no existing account', async () => {
  await openImport()
  const accountBefore = await db
    .selectFrom('accounts')
    .where('user_id', '=', 'gm')
    .selectAll()
    .executeTakeFirstOrThrow()
  const rows = [
    createRow('GameMaster1', 'boss-1', { user_type: 30, balance: 9_000 }),
    createRow('GM', 'boss-1', { user_type: 30 }),
  ]
  assert.deepEqual(
    (await importRows(...rows)).rows.map(({ became }) => became),
    ['new', 'site'],
  )
  const data = await tryLogin(site, 'gamemaster1', 'boss-1')
  assert.equal(data.status, 1)
  assert.equal((await tryLogin(site, 'gm', 'boss-1')).status, 2)
  assert.deepEqual(
    await db.selectFrom('accounts').where('user_id', '=', 'gm').selectAll().executeTakeFirstOrThrow(),
    accountBefore,
  )
  const { staff, balances } = await readImport()
  assert.partialDeepStrictEqual(staff, [{ user_id: 'GameMaster1', user_type: 30 }])
  assert.ok(balances.odd.some((row: { user_id: string }) => row.user_id === 'GameMaster1'))
})

test('the first login with the old password creates one account, which must be completed', async () => {
  await openImport()
  const row = createRow('Ñino.99', 'pw1', { balance: 700 })
  await importRows(row)
  assert.equal((await tryLogin(site, 'ñino.99', 'pw2')).status, 2)
  const logins = await Promise.all([1, 2, 3].map(() => tryLogin(site, ' ñino.99 ', 'pw1')))
  assert.deepEqual(
    logins.map(({ status }) => status),
    [1, 1, 1],
  )
  assert.equal(new Set(logins.map(({ user }) => user?.UserNum)).size, 1)
  const importedRow = await db
    .selectFrom('game_imports')
    .where('game_user_num', '=', row.game_user_num)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.equal(importedRow.form_hash, '')
  const player = await logInAs(site, 'ñino.99', 'pw1')
  for (const path of ['/api/user', '/api/shopcart', '/api/sessions'])
    assert.partialDeepStrictEqual((await player.get(path)).json(), { reason: 'claim' }, path)
  assert.equal(
    (await player.post('/api/updatepassword', { ...player.owner, UserPass: 'pw1', NewUserPass: 'bago-77' })).status,
    403,
  )
  assert.deepEqual((await player.get('/api/claim')).json(), {
    step: 'details',
    game_user_id: 'Ñino.99',
    needs_user_id: true,
    email: '',
  })
  const takeOver = (values: object) =>
    player.post('/api/claim', {
      userFirstName: 'Niño',
      userLastName: 'Reyes',
      userEmail: 'nino@example.net',
      secretQuestion: 2,
      secretAnswer: 'Vigan',
      ...values,
    })
  assert.match((await takeOver({})).text, /choose a new User ID/)
  assert.match((await takeOver({ userId: 'juan' })).text, /already taken/)
  const juan = await db
    .selectFrom('accounts')
    .where('user_id', '=', 'juan')
    .select('user_email')
    .executeTakeFirstOrThrow()
  assert.equal((await takeOver({ userId: 'nino_99', userEmail: juan.user_email })).status, 422)
  assert.equal((await takeOver({ userId: 'nino_99', userEmail: 'mistyped@example.net' })).status, 200)
  assert.equal((await takeOver({ userId: 'nino_99' })).status, 200, 'a mistyped address can be changed')
  assert.equal((await player.get('/api/user')).status, 403, 'the address is not confirmed yet')
  const token = await findLinkToken(site, 'nino@example.net', '')
  assert.equal((await site.post(`/verifyemail?token=${token}`, {})).status, 303)
  assert.partialDeepStrictEqual((await player.get('/api/user')).json().data, { UserID: 'nino_99', UserPoint: 0 })
  assert.equal((await takeOver({ userId: 'nino_99' })).status, 409)
  assert.equal((await tryLogin(site, 'nino_99', 'pw1')).status, 1)
  assert.partialDeepStrictEqual(await readLink(player.user.UserNum), {
    game_user_num: row.game_user_num,
    proof: 'password',
  })
})

test('players of the game can log in although strangers registered their likely new names', async () => {
  await openImport()
  const row = createRow('bad id!', 'pw-one')
  await importRows(row)
  const names = [`player_${row.game_user_num}`, `player_${row.game_user_num}_`]
  for (const userId of names) await registerPlayer(site, { userId })
  const player = await logInAs(site, 'bad id!', 'pw-one')
  assert.match(player.user.UserID, /^player_\d+$/)
  assert.ok(!names.includes(player.user.UserID))
  assert.equal((await player.get('/api/claim')).json().needs_user_id, true)
})

test('imports a block of the game; lifting it on the site lifts it in the game', async () => {
  await openImport()
  const row = createRow('naka_block', 'pw-one', { blocked: true })
  await importRows(row)
  assert.equal((await tryLogin(site, 'naka_block', 'pw-one')).status, 3)
  const userNum = await readUserNum('naka_block')
  const { block } = await db
    .selectFrom('account_blocks')
    .where('user_num', '=', userNum)
    .select('block')
    .executeTakeFirstOrThrow()
  const response = await gm.post('/api/admin/players/unblock', { user_num: userNum, block, reason: 'Appeal' })
  assert.equal(response.status, 200, response.text)
  assert.partialDeepStrictEqual(await findWork(userNum), { block: { blocked: false, until: null } })
})

test('imports balances once, after two operators approved them, up to the approved amount', async () => {
  await db.deleteFrom('game_balances').execute()
  await openImport()
  const [richRow, grownRow, negativeRow] = [
    createRow('mayaman', 'pw-one', { balance: 5000 }),
    createRow('lumaki', 'pw-one', { balance: 300 }),
    createRow('negatibo', 'pw-one', { balance: -5 }),
  ] as const
  await importRows(richRow, grownRow, negativeRow)
  const { balances } = await readImport()
  assert.deepEqual(balances.seen, { count: 2, sum: 5300 })
  assert.deepEqual(
    balances.highest.map(({ amount }: { amount: number }) => amount),
    [5000, 300],
  )
  assert.partialDeepStrictEqual(balances.odd, [{ user_id: 'negatibo', amount: -5 }])
  const approve = (count: number, sum: number) =>
    gm.post('/api/admin/game/account-import/balances', { count, sum, reason: 'Moving in' })
  assert.equal((await approve(2, 5299)).status, 409)
  const secondOperator = await createOperator(site, 'shop')
  const response = await approve(2, 5300)
  assert.equal(response.status, 202, response.text)
  assert.deepEqual(
    (await takeWork()).filter(({ kind }) => kind === 'balance'),
    [],
    'one operator is not enough',
  )
  await report({ balances: [{ game_user_num: richRow.game_user_num, amount: 5000, detail: '' }] })
  const { approval } = response.json()
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const decisionResponse = await secondOperator.post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
    note: '',
  })
  assert.equal(decisionResponse.status, 200, decisionResponse.text)
  const work = (await takeWork()).filter(({ kind }) => kind === 'balance')
  assert.deepEqual(work, [
    { kind: 'balance', game_user_num: richRow.game_user_num, user_id: 'mayaman', most: 5000 },
    { kind: 'balance', game_user_num: grownRow.game_user_num, user_id: 'lumaki', most: 300 },
  ])
  const takenReport = {
    balances: [
      { game_user_num: richRow.game_user_num, amount: 5000, detail: '' },
      { game_user_num: grownRow.game_user_num, amount: 999_999, detail: '' },
    ],
  }
  await Promise.all([report(takenReport), report(takenReport)])
  await report(takenReport)
  const players = await Promise.all([1, 2].map(() => tryLogin(site, 'mayaman', 'pw-one')))
  assert.deepEqual(
    players.map(({ user }) => user?.UserPoint),
    [5000, 5000],
  )
  assert.equal(
    (await logInAs(site, 'lumaki', 'pw-one')).user.UserPoint,
    0,
    'a higher amount than the approved one is not booked',
  )
  await importRows({ ...richRow, balance: 5000 })
  assert.deepEqual(
    (await readImport()).balances.booked,
    { count: 1, sum: 5000 },
    'a booked balance is not listed again',
  )
  await assertBooksAgree(db)
})

test('a login with a second factor seals the password only after the factor', async () => {
  const player = await createPlayer(site)
  const app = await addAuthenticatorApp(site, player)
  const userNum = player.user.UserNum
  const deleteGameAccount = async () => {
    await db.deleteFrom('game_accounts').where('user_num', '=', userNum).execute()
    await db.deleteFrom('game_forms').where('user_num', '=', userNum).execute()
  }
  await deleteGameAccount()
  const { challenge } = (await tryLogin(site, player.form.userId, player.form.userPassword)) as { challenge?: string }
  assert.equal(await findWork(userNum), undefined)
  assert.equal((await tryFactor(site, { challenge, code: '000000' })).token, null)
  assert.equal(await findWork(userNum), undefined)
  assert.ok((await tryFactor(site, { challenge, code: app.nextCode() })).token)
  const work = await findWork(userNum)
  assert.equal(openPassword(work, 'password'), player.form.userPassword)
  assert.deepEqual(await db.selectFrom('game_form_drafts').selectAll().execute(), [])
})

test('a restore of the accounts stops account changes, not deliveries, and books nothing twice', async () => {
  await db.deleteFrom('game_balances').execute()
  const { userNum, gameUserNum } = await createLinkedPlayer()
  const importRow = { game_user_num: gameUserNum, bridge: agent.bridge, user_id: 'naibalik', form: 'plain' } as const
  await insertRows(db, 'game_imports', {
    ...importRow,
    form_hash: '',
    game_user_type: 1,
    blocked: false,
    blocked_until: null,
    imported_at: clock.now(),
    user_num: userNum,
  })
  const emptyColumns = { handed_by: null, user_num: userNum, ledger_entry: null, back_amount: null, back_at: null }
  await insertRows(db, 'game_balances', {
    bridge: agent.bridge,
    game_user_num: gameUserNum,
    amount: 700,
    state: 'taken',
    changed_at: clock.now(),
    ...emptyColumns,
  })
  copy.counter = 9
  const requestWork = (changes = {}) => agent.call(takeAccountWork, { wait_ms: 0, copy: { ...copy, ...changes } })
  assert.equal((await requestWork()).restore, 'none')
  const olderState = { counter: 5, ago_ms: HOUR_MS }
  const { restore, look, work } = await requestWork(olderState)
  assert.deepEqual([restore, look, work], ['waits', [{ game_user_num: gameUserNum, amount: 700 }], []])
  assert.equal((await agent.takeWork()).restore, 'none')
  const confirm = () => gm.post('/api/admin/game/restore', { offer_again: false, reason: 'The disk broke' })
  assert.equal((await confirm()).status, 409)
  await report({
    copy: { ...copy, ...olderState },
    looked: { through: gameUserNum, back: [{ game_user_num: gameUserNum, found: 650 }] },
  })
  assert.deepEqual((await requestWork(olderState)).look, [])
  const restoreState = (await gm.get('/api/admin/game')).json().restore
  assert.partialDeepStrictEqual(restoreState, { looked: true, balances: { count: 1, sum: 650 } })
  assert.partialDeepStrictEqual(restoreState.what, [
    { place: 'user', as_of: new Date(clock.now().getTime() - HOUR_MS).toISOString() },
  ])
  assert.equal((await confirm()).status, 200)
  const confirmedWork = await requestWork(olderState)
  assert.equal(confirmedWork.restore, 'confirmed')
  copy.epoch = confirmedWork.next_epoch ?? ''
  const balanceWork = (await requestWork()).work.filter(({ kind }) => kind === 'balance')
  assert.deepEqual(balanceWork, [
    { kind: 'balance', game_user_num: gameUserNum, user_id: 'naibalik', most: 700, again: true },
  ])
  const countBefore = await db
    .selectFrom('ledger')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  await report({ balances: [{ game_user_num: gameUserNum, amount: 600, detail: '' }] })
  assert.deepEqual(
    await db
      .selectFrom('ledger')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst(),
    countBefore,
  )
  assert.deepEqual(
    (await requestWork()).work.filter(({ kind }) => kind === 'balance'),
    [],
  )
  assert.partialDeepStrictEqual((await gm.get('/api/admin/game')).json(), {
    restore: null,
    doubled: { balances: 1, balances_sum: 100 },
  })
  await assertBooksAgree(db)
})
