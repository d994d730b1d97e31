import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { countFigures } from '#server/features/figures/count.ts'
import { grantRole } from '#server/features/staff/members.ts'
import {
  assertRefused,
  createPlayer,
  findLinkToken,
  logInAs,
  openPlayerSession,
  selectMailsTo,
  tryLogin,
} from '#test/account-helpers.ts'
import { insertAccount, insertCharacter, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString()

const findPlayers = async (q: string, filters = '') => {
  const answer = await gm.get(`/api/admin/players?q=${encodeURIComponent(q)}${filters}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().rows as { user_num: number; user_id: string; email: string; found_by: string; state: string }[]
}
const openPlayer = async (userNum: number) => {
  const answer = await gm.get(`/api/admin/players/page?user_num=${userNum}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().player
}
const callDesk = (name: string, body: object, headers = gm.headers) =>
  site.post(`/api/admin/players/${name}`, body, headers)
const callDeskOk = async (name: string, body: object) => {
  const answer = await callDesk(name, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const confirmIdentity = async () => {
  const answer = await gm.post('/api/confirmidentity', { UserPass: 'gm-demo-1' })
  assert.equal(answer.status, 200, answer.text)
}

/** Creates an operator who has had their role for two days, and logs them in. */
async function createOperator(role: string) {
  const { user, form } = await createPlayer(site)
  await grantRole(db, {
    userNum: user.UserNum,
    role,
    grantedBy: null,
    now: new Date(clock.now().getTime() - 48 * HOUR_MS),
  })
  return { form, ...(await logInAs(site, form.userId, form.userPassword)) }
}

test('lists players by the date on which they opened their account', async () => {
  const newestPlayer = (await createPlayer(site)).user.UserNum
  const importedPlayer = (await createPlayer(site)).user.UserNum
  await db
    .updateTable('accounts')
    .set({ created_at: new Date('2001-02-03T04:05:06Z') })
    .where('user_num', '=', importedPlayer)
    .execute()
  const list = async (query: string) => (await gm.get(`/api/admin/players?${query}`)).json()
  assert.equal((await list('')).rows[0].user_num, newestPlayer)
  const oldestPage = await list('sort=created_at')
  assert.equal(oldestPage.rows[0].user_num, importedPlayer)
  const listedPlayers: { user_num: number; created_at: string }[] = []
  for (let after = ''; ; ) {
    const { rows, next } = await list(`after=${after}`)
    listedPlayers.push(...rows)
    if (next === null) break
    after = next
  }
  assert.equal(
    new Set(listedPlayers.map(({ user_num }) => user_num)).size,
    listedPlayers.length,
    'no player is listed twice',
  )
  assert.equal(listedPlayers.at(-1)?.user_num, importedPlayer)
  const times = listedPlayers.map(({ created_at }) => Date.parse(created_at))
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  )
})

test('finds a player by user ID, number, name, email, character, address and ticket number', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.77' }
  const siteBehindProxy = await createTestApp({ database: site.database, env: { TRUST_PROXY: '1', RATE_LIMIT: 'off' } })
  const user_num = (
    await createPlayer(siteBehindProxy, { userId: 'Tala_Quizon', userFirstName: 'Tala', userLastName: 'Quizón' })
  ).user.UserNum
  await logInAs(siteBehindProxy, 'tala_quizon', 'bayani-7', headers)
  await insertCharacter(db, { user_num, cha_name: 'HimagsikanX' })
  const ticket = await db
    .insertInto('tickets')
    .values({
      number: 'T-QZQZ-2345',
      user_num,
      category: 'bug',
      subject: 'x',
      created_at: clock.now(),
      updated_at: clock.now(),
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  const queries = {
    tala_qui: 'User ID',
    [String(user_num)]: 'Number',
    'tala quizon': 'Name',
    'QUIZÓN ta': 'Name',
    'Tala_Quizon@example.net': 'Email',
    himagsikan: 'Character HimagsikanX',
    '203.0.113.77': 'Logged in from there',
    't qzqz 2345': `Ticket ${ticket.number}`,
  }
  for (const [query, foundBy] of Object.entries(queries)) {
    const [firstRow] = await findPlayers(query)
    assert.deepEqual([firstRow?.user_id, firstRow?.found_by], ['Tala_Quizon', foundBy], query)
  }
  assert.equal((await findPlayers('tala_quizon'))[0]?.email, 'ta***@example.net')
  for (const query of ["'; drop table accounts; --", '%', '_', '\\', '🙂', '999999999999999'])
    assert.deepEqual(await findPlayers(query), [])
})

test('without a query lists all players, newest first, in pages of fifty, and filters by state', async () => {
  const pages: number[][] = []
  for (let after = ''; pages.length < 3; ) {
    const { rows, next } = (await gm.get(`/api/admin/players?after=${after}`)).json()
    pages.push(rows.map((row: { user_num: number }) => row.user_num))
    after = next
  }
  const newest = db.selectFrom('accounts').orderBy('created_at', 'desc').orderBy('user_num', 'desc').limit(150)
  assert.deepEqual(
    pages.flat(),
    (await newest.select('user_num').execute()).map(({ user_num }) => user_num),
  )
  const blockedRows = (await gm.get('/api/admin/players?state=blocked')).json().rows
  assert.ok(blockedRows.length > 0 && blockedRows.every(({ state }: { state: string }) => state === 'blocked'))
  assert.ok((await findPlayers('gm', '&state=staff')).some(({ user_id }) => user_id === 'gm'))
})

test('lists each player once over all pages, in the order of their last logins', async () => {
  const names = ['early', 'late', 'middle']
  for (const [nth, name] of names.entries()) {
    const user_num = await insertAccount(db, { user_id: `login_${name}` })
    const at = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000)
    const logins = [at([10, 30, 20][nth] ?? 0), at(5)].map((created_at) => ({ user_num, kind: 'login', created_at }))
    await db.insertInto('account_events').values(logins).execute()
  }
  const ids: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = (await gm.get(`/api/admin/players?state=logged-in&after=${after}`)).json()
    ids.push(...page.rows.map(({ user_id }: { user_id: string }) => user_id))
    after = page.next
  }
  assert.deepEqual(ids.slice(0, 3), ['login_late', 'login_middle', 'login_early'])
  assert.ok(ids.length > 50)
  assert.equal(new Set(ids).size, ids.length)
  const [firstRow] = (await gm.get('/api/admin/players?state=logged-in')).json().rows
  assert.match(firstRow.found_by, /^Logged in \d+ \w{3}, \d\d:\d\d$/)
  assert.equal((await findPlayers('login_late', '&state=logged-in')).length, 1)
})

test('lists players by their balances at the last count of the figures', async () => {
  for (const [user_id, r_coin] of Object.entries({ rich: 9_000_001, richer: 9_000_002 }))
    await insertAccount(db, { user_id, r_coin })
  await countFigures(db, clock.now())
  const { rows } = (await gm.get('/api/admin/players?state=most-r-coin')).json()
  const balances = rows.map(({ r_coin }: { r_coin: number }) => r_coin)
  assert.deepEqual(
    rows.slice(0, 2).map(({ user_id }: { user_id: string }) => user_id),
    ['richer', 'rich'],
  )
  assert.deepEqual(
    balances,
    balances.toSorted((a: number, b: number) => b - a),
  )
  assert.deepEqual((await gm.get('/api/admin/players?state=most-r-coin&after=40000')).json().rows, [])
  assert.equal((await findPlayers('rich', '&state=most-milleage')).length, 0)
  assert.equal((await findPlayers('rich', '&state=most-r-coin')).length, 2)
})

test('a block has a reason, an end and a note, detects concurrent changes, and is in the history', async () => {
  const player = await createPlayer(site)
  const user_num = player.user.UserNum
  const block = { user_num, block: null, reason: 'Sold R-Coin.', ends_at: inHours(2), note: 'Third time.' }
  assertRefused(await callDesk('block', { ...block, ends_at: inHours(-1) }), 422, 'The end has to be in the future.')
  await callDeskOk('block', block)
  assert.equal((await player.get('/api/user-ip')).status, 401)
  const loginResponse = await tryLogin(site, player.form.userId, player.form.userPassword)
  assert.match(loginResponse.message, /^This account is blocked until .*, Manila time\. Sold R-Coin\.$/)
  assertRefused(await callDesk('block', block), 409)
  const [firstBlock] = (await openPlayer(user_num)).blocks
  assert.deepEqual([firstBlock.is_on, firstBlock.note, firstBlock.blocked_by], [true, 'Third time.', 'gm'])
  await callDeskOk('block', { ...block, block: firstBlock.block, ends_at: null, reason: 'Permanent.' })
  assertRefused(await callDesk('unblock', { user_num, block: firstBlock.block, reason: 'Mistake.' }), 409)
  const [secondBlock, blockBefore] = (await openPlayer(user_num)).blocks
  assert.deepEqual(
    [secondBlock.is_on, secondBlock.ends_at, blockBefore.is_on, blockBefore.lifted_by],
    [true, null, false, 'gm'],
  )
  await callDeskOk('unblock', { user_num, block: secondBlock.block, reason: 'Mistake.' })
  assertRefused(
    await callDesk('unblock', { user_num, block: null, reason: 'Again.' }),
    409,
    'This account is not blocked.',
  )
  const returningPlayer = await logInAs(site, player.form.userId, player.form.userPassword)
  const history = (await returningPlayer.get('/api/account-history')).json().data
  const entries = history.filter(({ kind }: { kind: string }) => /blocked/.test(kind))
  assert.deepEqual(
    entries.map(({ kind, note, address }: Record<string, string>) => [kind, note, address]),
    [
      ['unblocked', '', ''],
      ['blocked', 'Permanent.', ''],
      ['blocked', 'Sold R-Coin.', ''],
    ],
  )
  const { letters } = (await returningPlayer.get('/api/mailbox')).json()
  assert.deepEqual(
    letters.map(({ subject }: { subject: string }) => subject),
    ['Your account is open again', 'Your account was blocked', 'Your account was blocked'],
  )
})

test('an expired block does not prevent a new one', async () => {
  const { user, form } = await createPlayer(site)
  const block = { user_num: user.UserNum, block: null, reason: 'Calm down.', ends_at: inHours(1) }
  await callDeskOk('block', block)
  clock.advance(2 * HOUR_MS)
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 1)
  assert.equal((await openPlayer(user.UserNum)).state, 'active')
  await callDeskOk('block', { ...block, ends_at: inHours(1) })
  const [, firstBlock] = (await openPlayer(user.UserNum)).blocks
  assert.deepEqual([firstBlock.lifted_at, firstBlock.lifted_by], [block.ends_at, null])
})

test('blocks once if two operators block at the same time', async () => {
  const { user } = await createPlayer(site)
  const block = { user_num: user.UserNum, block: null, reason: 'Bot.', ends_at: null }
  const answers = await Promise.all([callDesk('block', block), callDesk('block', { ...block, reason: 'Bots.' })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('operators cannot act on themselves, and only staff managers can act on staff', async () => {
  const moderator = await createOperator('moderator')
  const support = await createOperator('support')
  const owner = gm.user.UserNum
  const block = { user_num: owner, block: null, reason: 'Mine now.', ends_at: null }
  assertRefused(await callDesk('block', block, moderator.headers), 403)
  assertRefused(await callDesk('block', block), 403, 'Another operator has to do this for your account.')
  const email = { user_num: owner, from: 'gm@example.com', email: 'mine@example.net', reason: 'Mine now.' }
  assertRefused(await callDesk('change-email', email, support.headers), 403)
  assertRefused(await callDesk('reset', { user_num: owner, reason: 'Mine now.' }, support.headers), 403)
  await callDeskOk('block', { ...block, user_num: moderator.user.UserNum })
  assert.equal((await moderator.get('/api/admin/me')).status, 401)
})

test('support can send a reset link, and change and confirm an email address', async () => {
  const { user, form } = await createPlayer(site)
  const user_num = user.UserNum
  await confirmIdentity()
  await callDeskOk('reset', { user_num, reason: 'Requested in a ticket.' })
  assert.ok((await findLinkToken(site, form.userEmail, 'Set a new password')).length > 20)
  const change = { user_num, from: form.userEmail, email: `new.${form.userEmail}`, reason: 'Lost the old one.' }
  assertRefused(await callDesk('change-email', { ...change, email: 'juan@example.com' }), 422)
  await callDeskOk('change-email', change)
  assertRefused(await callDesk('change-email', { ...change, email: 'other@example.net' }), 409)
  assert.ok((await findLinkToken(site, form.userEmail, 'Your email address was changed')).length > 20)
  assert.equal((await selectMailsTo(site, change.email)).length, 1)
  assert.equal((await openPlayer(user_num)).email_verified_at, null)
  await callDeskOk('confirm-email', { user_num, email: change.email, reason: 'Called them.' })
  assert.notEqual((await openPlayer(user_num)).email_verified_at, null)
  await callDeskOk('logout', { user_num, reason: 'Requested.' })
})

test('lists each entry of the timeline once, newest first, in pages', async () => {
  const juan = (await findPlayers('juan'))[0]?.user_num ?? 0
  const events = Array.from({ length: 120 }, (_, minute) => ({
    user_num: juan,
    kind: 'login',
    note: `n${minute}`,
    created_at: new Date(clock.now().getTime() - minute * 60_000),
  }))
  await db.insertInto('account_events').values(events.reverse()).execute()
  await callDeskOk('note', { user_num: juan, body: 'Requests refunds often.' })
  await openPlayer(juan)
  const rows: { id: string; at: string; kind: string; what: string; actor: string }[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { rows: page, next }: { rows: typeof rows; next: string | null } = (
      await gm.get(`/api/admin/players/timeline?user_num=${juan}&after=${after}`)
    ).json()
    assert.ok(page.length <= 50)
    rows.push(...page)
    after = next
  }
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  assert.ok(rows.filter(({ kind }) => kind === 'account').length >= 120)
  assert.ok(rows.some(({ kind }) => kind === 'ticket'))
  assert.deepEqual(
    rows.filter(({ kind }) => kind === 'staff').map(({ what, actor }) => [what, actor]),
    [['Add player note', 'gm']],
  )
  const times = rows.filter(({ kind }) => kind !== 'ticket').map(({ at }) => at)
  assert.deepEqual(times, times.toSorted().reverse())
})

test('finds players who share an address or a device', async () => {
  const firstAccount = await insertAccount(db)
  const secondAccount = await insertAccount(db)
  const seen_at = clock.now()
  const knownPlaces = [firstAccount, secondAccount].flatMap((user_num) =>
    ['address 198.51.100.9', 'device abcdefghij'].map((place) => ({ user_num, place, seen_at })),
  )
  await insertRows(db, 'known_places', [
    ...knownPlaces,
    { user_num: firstAccount, place: 'address 192.0.2.1', seen_at },
  ])
  const { rows } = (await gm.get(`/api/admin/players/sharers?user_num=${firstAccount}`)).json()
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [row.place, row.name, row.user_num]),
    [
      ['device', 'abcdef', secondAccount],
      ['address', '198.51.100.9', secondAccount],
    ],
  )
})

test('records operator, action and player in the audit log, but no personal data', async () => {
  const { user, form } = await createPlayer(site)
  const user_num = user.UserNum
  await confirmIdentity()
  const secret = 'lihim na lihim'
  await openPlayer(user_num)
  await callDeskOk('note', { user_num, body: secret })
  await callDeskOk('block', { user_num, block: null, reason: secret, note: secret, ends_at: null })
  await callDeskOk('change-email', { user_num, from: form.userEmail, email: 'lihim@example.net', reason: secret })
  const rows = await db.selectFrom('audit_log').where('player', '=', user_num).selectAll().orderBy('entry').execute()
  assert.deepEqual(
    rows.map(({ action, actor_num }) => [action, actor_num]),
    ['page', 'note', 'block', 'change-email'].map((name) => [`/admin/players/${name}`, gm.user.UserNum]),
  )
  assert.doesNotMatch(JSON.stringify(rows), /lihim|@example/)
  const personal = await db.selectFrom('audit_personal').where('player', '=', user_num).selectAll().execute()
  assert.match(JSON.stringify(personal), /lihim@example\.net/)
})
