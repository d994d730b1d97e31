import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import { assertRefused, createPlayer, findLinkToken, logInAs } from '#test/account-helpers.ts'
import { createOperator, STAFF_TEST_PASSWORD } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })

type Client = Pick<Awaited<ReturnType<typeof createPlayer>>, 'form' | 'post' | 'owner'>

async function changePassword({ form, post, owner }: Client, NewUserPass: string) {
  await post('/api/validate-secret-answer', { ...owner, secretAnswer: form.secretAnswer })
  const newPasswords = { NewUserPass, RetypeUserPass: NewUserPass }
  return post('/api/updatepassword', { ...owner, UserPass: form.userPassword, ...newPasswords })
}

test('refuses a short or common new password of staff, and accepts a good one', async () => {
  const operator = await createOperator(site, 'news')
  assertRefused(await changePassword(operator, 'bagong-7'), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assertRefused(await changePassword(operator, 'password1234'), 422, STAFF_PASSWORD_TEXTS.common)
  assert.equal((await changePassword(operator, STAFF_TEST_PASSWORD)).status, 200)
})

test('refuses a short new password of staff from a mailed link, which stays valid', async () => {
  const { form } = await createOperator(site, 'news')
  await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail })
  const token = await findLinkToken(site, form.userEmail, 'Set a new password')
  const resetPassword = (NewUserPass: string) =>
    site.post('/api/resetpassword', { token, NewUserPass, RetypeUserPass: NewUserPass })
  assertRefused(await resetPassword('bagong-7'), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assert.equal((await resetPassword(STAFF_TEST_PASSWORD)).status, 200)
})

test('staff can confirm their identity with a short password, and are prompted to change it', async () => {
  const { form, post } = await createOperator(site, 'news')
  const response = await post('/api/confirmidentity', { UserPass: form.userPassword })
  assert.deepEqual([response.status, response.json().password_advice], [200, STAFF_PASSWORD_TEXTS.ask])
  const player = await createPlayer(site)
  const playerResponse = await player.post('/api/confirmidentity', { UserPass: player.form.userPassword })
  assert.equal(playerResponse.json().password_advice, null)
})

test('does not apply the staff rule to players and to the accounts of the demo world', async () => {
  assert.equal((await changePassword(await createPlayer(site), 'bagong-7')).status, 200)
  const gm = await logInAs(site, 'gm', 'gm-demo-1')
  assert.equal((await gm.post('/api/confirmidentity', { UserPass: 'gm-demo-1' })).json().password_advice, null)
})
