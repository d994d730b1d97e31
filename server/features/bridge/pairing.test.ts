import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createKeys } from '#bridge/keys.ts'
import { decryptSealed } from '#bridge/sealed.ts'
import { callUnsigned, createSiteCall, SiteRefusal } from '#bridge/site.ts'
import { pairBridge, startBridge } from '#contract/bridge.ts'
import { type AccountWork, reportAccounts, takeAccountWork } from '#contract/bridge-accounts.ts'
import type { PasswordForm } from '#contract/bridge-sealing.ts'
import { runStaffCommand } from '#server/commands-staff.ts'
import { grantRole } from '#server/features/staff/members.ts'
import {
  type createPlayer,
  findLinkToken,
  logInAs,
  openPlayerSession,
  registerPlayer,
  tryLogin,
} from '#test/account-helpers.ts'
import { createPairingCode, listenForBridges } from '#test/bridge-helpers.ts'
import { createOperator, createRole, STAFF_TEST_PASSWORD } from '#test/desk-helpers.ts'
import { addAuthenticatorApp, tryFactor } from '#test/factor-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { encodePassword } from './game-passwords.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db, clock } = site
const address = await listenForBridges(site)
const logInGm = () => logInAs(site, 'gm', 'gm-demo-1')
/** The database of accounts that all bridges of these tests use. */
const userCopy = { epoch: randomUUID(), counter: 0 }

/** Pairs a new agent with a code. */
async function pairAgent(code: string, form: PasswordForm = 'plain', statedForm: PasswordForm | null = form) {
  const keys = createKeys()
  const { bridge } = await callUnsigned(address, pairBridge, {
    code,
    name: 'Test server',
    sign_key: keys.publicSignKey,
    seal_key: keys.publicSealKey,
    ...(statedForm !== null && { password_form: statedForm }),
  })
  const instance = randomUUID()
  const call = createSiteCall({ site: address, bridge, signKey: keys.sign, instance, now: site.now })
  const copy = { epoch: randomUUID(), counter: 0 }
  const start = (password_form: PasswordForm) =>
    call(startBridge, { ...copy, version: '1', system: 'test', preset: 'ran-mariadb', password_form })
  const findWork = async (account: number) => {
    const { work } = await call(takeAccountWork, { wait_ms: 0, copy: userCopy })
    const isAbout = (change: AccountWork): change is Exclude<AccountWork, { kind: 'balance' }> =>
      change.kind !== 'balance' && change.account === account
    return work.find(isAbout)
  }
  /** Returns the password that the agent gets for an account; undefined for none. */
  const readPassword = async (account: number) => {
    const sealed = (await findWork(account))?.password
    if (sealed == null) return undefined
    return decryptSealed(sealed.sealed, keys.seal, { account, purpose: 'password', version: sealed.version })
  }
  /** Reports an account's work as done. */
  const confirm = async (account: number, gameUserNum: number) => {
    const work = await findWork(account)
    assert.ok(work)
    const doneReport = {
      account,
      attempt: work.attempt,
      game_user_num: gameUserNum,
      password_version: work.password?.version ?? null,
      second_version: work.second_password?.version ?? null,
      block: work.block,
    }
    await call(reportAccounts, { copy: userCopy, done: [doneReport], refused: [], balances: [] })
  }
  return { ...keys, bridge, call, start, findWork, readPassword, confirm }
}

// Each test begins without bridges.
beforeEach(async () => {
  await db.updateTable('bridges').set({ revoked_at: site.now() }).execute()
  await db.deleteFrom('bridge_lease').execute()
  await db.deleteFrom('game_copy').execute()
})

const isRefusal = (status: number, pattern: RegExp) => (error: unknown) =>
  error instanceof SiteRefusal && error.status === status && pattern.test(error.message)

const findMails = async (subject: RegExp) =>
  (await db.selectFrom('mail_outbox').select(['subject', 'body_text']).orderBy('mail').execute()).filter((mail) =>
    subject.test(mail.subject),
  )
/** Approves a request as the demo world's owner. */
async function approveRequest(approval: number) {
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  return (await logInGm()).post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
    note: '',
  })
}

const createInvitation = (role: string, form: { userId: string }) => ({ user_id: form.userId, role })
type RegistrationForm = Awaited<ReturnType<typeof createPlayer>>['form']
const readUserNum = async ({ userId }: RegistrationForm) =>
  (await db.selectFrom('accounts').where('user_id', '=', userId).select('user_num').executeTakeFirstOrThrow()).user_num

test('an operator with only game.write cannot pair a bridge and read passwords', async () => {
  const thief = await createOperator(site, await createRole(site, 'game.read', 'game.write'), 0)
  const response = await thief.post('/api/admin/game/code', { password_form: 'plain' })
  assert.equal(response.status, 202, response.text)
  assert.equal('code' in response.json(), false)
  assert.equal((await thief.post('/api/admin/approvals/run', response.json())).status, 409)
})

test('a pairing code needs an owner’s approval, only its requester sees it, and it sets the form', async () => {
  assert.equal((await (await logInGm()).post('/api/admin/game/code', {})).status, 422, 'the form is set at the desk')
  const helper = await createOperator(site, await createRole(site, 'game.read', 'game.write'))
  const request = (await helper.post('/api/admin/game/code', { password_form: 'md5-upper-19' })).json()
  const decision = await approveRequest(request.approval)
  assert.equal(decision.status, 200, decision.text)
  assert.doesNotMatch(decision.text, /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/, 'the approver does not see the code')
  const runResponse = await helper.post('/api/admin/approvals/run', { approval: request.approval })
  assert.equal(runResponse.status, 200, runResponse.text)
  const { code } = runResponse.json().answer
  await assert.rejects(pairAgent(code, 'plain'), isRefusal(409, /"md5-upper-19".*has "plain"/))
  const mailsBefore = (await findMails(/bridge to the game was paired/)).length
  const agent = await pairAgent(code, 'plain', null)
  const ownerMails = await findMails(/bridge to the game was paired/)
  assert.equal(
    ownerMails.length,
    mailsBefore + 1,
    'a refused form does not use up the code, and every owner gets an email',
  )
  const [mail = ''] = ownerMails.slice(-1).map(({ body_text }) => body_text.replaceAll('\n', ' '))
  assert.match(mail, new RegExp(`a code that ${helper.form.userId} made and gm approved\\.`))
  await assert.rejects(agent.start('plain'), isRefusal(409, /pair it again/))
  const form = await registerPlayer(site)
  await agent.start('md5-upper-19')
  assert.equal(await agent.readPassword(await readUserNum(form)), encodePassword('md5-upper-19', form.userPassword))
  await assert.rejects(agent.start('plain'), isRefusal(409, /pair it again/), 'later starts must have this form too')
  const revokeResponse = await helper.post('/api/admin/game/revoke', { bridge: agent.bridge, reason: 'Copied keys' })
  assert.equal(revokeResponse.status, 200, 'revoking needs no approval')
  assert.equal((await findMails(/bridge to the game was revoked/)).length, 1)
})

test('a code from the terminal sets the password form, or leaves it to the bridge’s first start', async () => {
  const context = { db, now: site.now(), site: { appName: 'Test', publicUrl: site.publicUrl } }
  const output = await runStaffCommand(context, ['bridge-code', 'md5'])
  assert.deepEqual([output.ok, /md5-upper-19/.test(output.lines.join())], [false, true])
  const namedAgent = await pairAgent(await createPairingCode(site, 'md5-upper'), 'md5-upper')
  await assert.rejects(namedAgent.start('plain'), isRefusal(409, /"md5-upper"/))
  const freeAgent = await pairAgent(await createPairingCode(site), 'plain')
  await freeAgent.start('plain')
  await assert.rejects(freeAgent.start('md5-upper'), isRefusal(409, /"plain"/))
})

test('never seals a password of staff; their account in the game gets a random one', async () => {
  const agent = await pairAgent(await createPairingCode(site, 'plain'))
  await agent.start('plain')
  const owner = await logInGm()
  const { user_num } = await db
    .selectFrom('accounts')
    .where('user_id', '=', 'gm')
    .select('user_num')
    .executeTakeFirstOrThrow()
  assert.equal((await owner.get('/api/admin/me')).status, 200, 'the game never had this password')
  const randomPassword = await agent.readPassword(user_num)
  assert.match(randomPassword ?? '', /^[\w-]{20}$/)
  await logInGm()
  assert.equal(await agent.readPassword(user_num), randomPassword, 'another login seals no second password')
  await agent.confirm(user_num, 90_001)

  const details = {
    UserPass: 'gm-demo-1',
    UserPass2: 'ikalawa',
    UserEmail: owner.user.UserEmail,
    NameFirst: 'G',
    NameLast: 'M',
  }
  assert.equal((await owner.post('/api/updateuserdetails', { ...owner.owner, ...details })).status, 200)
  assert.equal(await agent.findWork(user_num), undefined, 'the second password stays on the site')

  const member = await createOperator(site, 'support')
  const memberNum = member.user.UserNum
  await agent.confirm(memberNum, 90_002)
  await member.post('/api/validate-secret-answer', { ...member.owner, secretAnswer: member.form.secretAnswer })
  const passwords = { ...member.owner, UserPass: member.form.userPassword, NewUserPass: 'bagong-daan-7' }
  assert.equal((await member.post('/api/updatepassword', passwords)).status, 200)
  assert.equal(await agent.findWork(memberNum), undefined, 'a changed password stays here')
  await site.post('/api/findPassword', { findPWID: member.form.userId, findPWEmail: member.form.userEmail })
  const token = await findLinkToken(site, member.form.userEmail, '')
  assert.equal((await site.post('/api/resetpassword', { token, NewUserPass: 'bagong-daan-8' })).status, 200)
  assert.equal(await agent.findWork(memberNum), undefined, 'a reset password stays here too')

  const newSession = await logInAs(site, member.form.userId, 'bagong-daan-8')
  const app = await addAuthenticatorApp(site, newSession)
  await db.updateTable('game_accounts').set({ confirmed_by: null }).where('user_num', '=', memberNum).execute()
  const { challenge } = (await tryLogin(site, member.form.userId, 'bagong-daan-8')) as { challenge?: string }
  assert.deepEqual(await db.selectFrom('game_form_drafts').selectAll().execute(), [])
  assert.ok((await tryFactor(site, { challenge, code: app.nextCode() })).token)
  assert.match((await agent.readPassword(memberNum)) ?? '', /^[\w-]{20}$/)
})

test('the database discards sealed passwords of staff', async () => {
  const agent = await pairAgent(await createPairingCode(site, 'plain'))
  const member = await createOperator(site, 'support')
  const user_num = member.user.UserNum
  await db.deleteFrom('game_forms').where('user_num', '=', user_num).execute()
  const form = { user_num, bridge: agent.bridge, form: 'plain', version: 1, sealed: 'x', made_at: site.now() } as const
  const insertSealed = (purpose: 'password' | 'second-password') => insertRows(db, 'game_forms', { ...form, purpose })
  await insertSealed('password')
  await insertSealed('second-password')
  assert.deepEqual(await db.selectFrom('game_forms').where('user_num', '=', user_num).selectAll().execute(), [])
})

test('deletes a new operator’s sealed passwords, and requires a new password for the desk', async () => {
  const agent = await pairAgent(await createPairingCode(site, 'plain'))
  await agent.start('plain')
  const form = await registerPlayer(site)
  const account = await readUserNum(form)
  assert.equal(await agent.readPassword(account), form.userPassword)
  await agent.confirm(account, 90_101)
  const inviteResponse = await (await logInGm()).post('/api/admin/staff/invite', createInvitation('moderator', form))
  const grantResponse =
    inviteResponse.status === 202 ? await approveRequest(inviteResponse.json().approval) : inviteResponse
  assert.equal(grantResponse.status, 200, grantResponse.text)
  assert.equal((await agent.readPassword(account)) ?? '', '', 'an offer changes nothing in the game')

  const player = await logInAs(site, form.userId, form.userPassword)
  const deniedResponse = await player.get('/api/admin/me')
  assert.deepEqual([deniedResponse.status, deniedResponse.json().reason], [403, 'offer'])
  assert.equal((await player.get('/api/admin/today')).status, 403)
  const accept = (NewUserPass?: string) =>
    player.post('/api/role-offers/accept', { role: 'moderator', UserPass: form.userPassword, NewUserPass })
  assert.equal((await accept()).status, 422)
  assert.equal((await accept(STAFF_TEST_PASSWORD)).status, 200)
  const randomPassword = await agent.readPassword(account)
  assert.match(randomPassword ?? '', /^[\w-]{20}$/, 'their account in the game gets an unknown password')
  const member = await logInAs(site, form.userId, STAFF_TEST_PASSWORD)
  assert.equal((await member.get('/api/admin/me')).status, 200)
  assert.equal(await agent.readPassword(account), randomPassword, 'the new one never leaves the site')
  await agent.confirm(account, 90_101)

  const takeResponse = await (await logInGm()).post('/api/admin/staff/take', {
    user_num: account,
    role: 'moderator',
    reason: 'Left',
  })
  assert.equal(takeResponse.status, 200, takeResponse.text)
  await logInAs(site, form.userId, STAFF_TEST_PASSWORD)
  assert.equal(await agent.readPassword(account), STAFF_TEST_PASSWORD, 'a former operator’s password is sealed again')
})

test('stores no password of staff when a role is given while the password is being sealed', async () => {
  const agent = await pairAgent(await createPairingCode(site, 'plain'))
  await agent.start('plain')
  for (let round = 0; round < 5; round++) {
    const form = await registerPlayer(site)
    const account = await readUserNum(form)
    await db.deleteFrom('game_forms').where('user_num', '=', account).execute()
    await Promise.all([
      tryLogin(site, form.userId, form.userPassword),
      db
        .transaction()
        .execute((tx) => grantRole(tx, { userNum: account, role: 'support', grantedBy: null, now: site.now() })),
      tryLogin(site, form.userId, form.userPassword),
    ])
    assert.notEqual(await agent.readPassword(account), form.userPassword)
  }
})

test('staff can set a password for the game that differs from the one on the site', async () => {
  const member = await createOperator(site, 'support')
  const account = member.user.UserNum
  const setGamePassword = (UserPass: string, NewGamePass: string, client = member) =>
    client.post('/api/gamepassword', { UserPass, NewGamePass })
  const sitePassword = member.form.userPassword
  assert.equal((await member.get('/api/game-account')).json().can_set_password, false)
  assert.equal((await setGamePassword(sitePassword, 'laro-123')).status, 409, 'there is no bridge')
  const agent = await pairAgent(await createPairingCode(site, 'plain'))
  await agent.start('plain')
  assert.equal((await member.get('/api/game-account')).json().can_set_password, true)
  assert.equal((await setGamePassword('mali-ito', 'laro-123')).status, 422)
  assert.equal((await setGamePassword(sitePassword, sitePassword)).status, 422)
  assert.equal((await setGamePassword(sitePassword, 'abc')).status, 422)
  assert.equal((await setGamePassword(sitePassword, member.form.userId.toUpperCase().slice(0, 20))).status, 422)
  const juan = await openPlayerSession(site, 'juan')
  assert.equal((await juan.post('/api/gamepassword', { UserPass: 'juan-demo-1', NewGamePass: 'laro-123' })).status, 403)
  assert.equal((await juan.get('/api/game-account')).json().can_set_password, false)
  const response = await setGamePassword(sitePassword, 'laro-123')
  assert.equal(response.status, 200, response.text)
  assert.equal(await agent.readPassword(account), 'laro-123')
  assert.equal((await member.get('/api/admin/me')).status, 200, 'the desk still opens with the site’s password')
  await agent.confirm(account, 90_201)
  await logInAs(site, member.form.userId, sitePassword)
  assert.equal(await agent.findWork(account), undefined, 'a login does not replace it')
  clock.advance(61_000)
  const secondAgent = await pairAgent(await createPairingCode(site, 'plain'))
  await secondAgent.start('plain').catch(() => {})
  await logInAs(site, member.form.userId, sitePassword)
  const { rows } = await sql`select from game_forms where user_num = ${account}`.execute(db)
  assert.equal(rows.length, 0, 'pairing again seals nothing either')
})

test('confirming a restore of the game requires another owner’s approval', async () => {
  const agent = await pairAgent(await createPairingCode(site, 'plain'))
  await agent.start('plain')
  await db
    .updateTable('game_copy')
    .set({ restored_at: site.now(), looked_at: site.now(), found_epoch: randomUUID(), found_counter: 0 })
    .execute()
  const helper = await createOperator(site, await createRole(site, 'game.read', 'game.write'), 0)
  const response = await helper.post('/api/admin/game/restore', { offer_again: true, reason: 'The disk failed' })
  assert.equal(response.status, 202, response.text)
  assert.equal((await db.selectFrom('game_copy').select('next_epoch').executeTakeFirstOrThrow()).next_epoch, null)
  assert.equal((await approveRequest(response.json().approval)).status, 200)
  assert.notEqual((await db.selectFrom('game_copy').select('next_epoch').executeTakeFirstOrThrow()).next_epoch, null)
})
