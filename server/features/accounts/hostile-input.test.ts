import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { assertRefused, createPlayer, createRegistration, logInAs, tryLogin } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const player = await createPlayer(site)

/** The calls about accounts that take a body, each with a valid body. */
const CALLS: Record<string, Record<string, unknown>> = {
  processlogin: { UserID: player.form.userId, UserPass: 'bayani-7' },
  register: createRegistration(),
  findUserID: { findIDEmail: 'wala@example.net' },
  findPassword: { findPWID: 'wala_nito', findPWEmail: 'wala@example.net' },
  resetpassword: { token: 'x'.repeat(32), NewUserPass: 'bago-9876' },
  updatepassword: { ...player.owner, UserPass: 'bayani-7', NewUserPass: 'bago-9876' },
  'validate-secret-answer': { ...player.owner, secretAnswer: 'vigan' },
  'validate-password': { ...player.owner, UserPass: 'bayani-7' },
  'api/validate-password': { ...player.owner, UserPass: 'bayani-7' },
  updateuserdetails: {
    ...player.owner,
    UserPass: 'mali-ito',
    UserPass2: '',
    UserEmail: player.user.UserEmail,
    NameFirst: 'A',
    NameLast: 'B',
    PhoneNumber: '',
  },
}
const fields = Object.entries(CALLS).flatMap(([call, body]) => Object.keys(body).map((field) => [call, field] as const))
const post = (call: string, body: unknown) => player.post(`/api/${call}`, body)

test('refuses NUL bytes and other control characters before they reach the database', async () => {
  for (const [call, field] of fields) {
    for (const text of ['\0', 'ju\0an', 'juan\r\nBcc: biktima@example.com', 'juan\u0085', 'juan\u001b[31m']) {
      const answer = await post(call, { ...CALLS[call], [field]: text })
      // A password with control characters counts as a wrong password and is not an invalid field.
      const isWrongPassword = call.endsWith('validate-password') && field === 'UserPass'
      if (isWrongPassword) assert.deepEqual([answer.status, answer.json()], [200, { message: null }])
      else if (field === 'UserID' || field === 'UserNum') assert.ok([403, 422].includes(answer.status), answer.text)
      else assertRefused(answer, 422)
    }
  }
})

test('refuses names of invisible or look-alike characters', async () => {
  const names = [
    'Јuan',
    'Jυan',
    'Ana\u202Egro',
    'A\u200Bna',
    'Ana\u2066',
    '<b>Ana</b>',
    'Ana"',
    '名前',
    '💀',
    'a=b;',
    '\uD800',
  ]
  for (const name of names) {
    const answer = await post('register', createRegistration({ userFirstName: name, userLastName: name }))
    assertRefused(answer, 422)
    assert.deepEqual(Object.keys(answer.json()['form-error']), ['userFirstName', 'userLastName'], name)
    assertRefused(await post('updateuserdetails', { ...CALLS.updateuserdetails, NameFirst: name }), 422)
  }
})

test('stores compatibility forms of letters as plain letters', async () => {
  const form = createRegistration({ userFirstName: 'Ｊｕａｎ', userLastName: 'Fi\u006E\u0303o' })
  assert.equal((await post('register', form)).status, 200)
  const { user } = await logInAs(site, form.userId, form.userPassword)
  assert.deepEqual([user.NameFirst, user.NameLast], ['Juan', 'Fi\u00F1o'])
})

test('treats SQL in a field as plain text', async () => {
  const rowsBefore = await site.db.selectFrom('accounts').select('user_num').execute()
  const text = `juan' or '1'='1"; drop table accounts; -- $1 % \\\\`
  for (const [call, field] of fields) assert.ok((await post(call, { ...CALLS[call], [field]: text })).status < 500)
  assert.equal((await tryLogin(site, text, text)).status, 2)
  const rowsAfter = await site.db.selectFrom('accounts').select('user_num').execute()
  assert.ok(rowsAfter.length >= rowsBefore.length)
})

test('refuses keys such as __proto__ without changing the prototype', async () => {
  for (const call of Object.keys(CALLS)) {
    const body = JSON.stringify({ constructor: { prototype: { polluted: 1 } } })
    assertRefused(await post(call, body.replace('{', '{"__proto__":{"UserID":"juan","UserNum":1,"polluted":1},')), 422)
  }
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})

test('uses the last value of a repeated key, for the permission check and for the call', async () => {
  const { UserNum, UserID } = player.owner
  const postTwice = (first: number, last: number) =>
    post('validate-password', `{"UserNum":${first},"UserNum":${last},"UserID":"${UserID}","UserPass":"bayani-7"}`)
  assert.equal((await postTwice(UserNum + 1, UserNum)).status, 200)
  assertRefused(await postTwice(UserNum, UserNum + 1), 403)
})

test('refuses a body nested ten thousand times without a crash', async () => {
  const nestedArrays = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  assertRefused(await post('processlogin', nestedArrays), 422)
  assertRefused(await post('processlogin', `{"UserID":${nestedArrays},"UserPass":"x"}`), 422)
})

test('no response repeats a password or a secret answer', async () => {
  for (const call of Object.keys(CALLS)) {
    const { text } = await post(call, {
      ...CALLS[call],
      UserPass: 'sikreto-kong-malupit',
      secretAnswer: 'sikreto-kong-malupit',
    })
    assert.doesNotMatch(text, /malupit|argon2|bayani-7|vigan/)
  }
})

test('no log line contains a password, a hash, a secret answer or a token', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const app = createApp({ ...site, log })
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const { Authorization } = player.headers
  for (const [call, body] of Object.entries(CALLS)) {
    await send(`/api/${call}`, body, { Authorization })
    await send(`/api/${call}`, `${JSON.stringify(body)}}`, { Authorization })
    await send(`/api/${call}?token=${player.token}`, body)
  }
  log.info('the log works')
  assert.ok(lines.length > 0)
  const { token_hash } = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', player.user.UserNum)
    .select('token_hash')
    .executeTakeFirstOrThrow()
  for (const line of lines) {
    assert.doesNotMatch(line, /bayani-7|bago-9876|argon2|vigan/i)
    assert.ok(!line.includes(player.token) && !line.includes(token_hash))
  }
})
