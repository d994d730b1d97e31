import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import { assertRefused, linkTokenFor, loginAs, newPlayer } from '#test/account-helpers.ts'
import { newOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const GOOD = 'lawa-bituin-oso'

type Person = Pick<Awaited<ReturnType<typeof newPlayer>>, 'form' | 'post' | 'owner'>

async function changeTo({ form, post, owner }: Person, NewUserPass: string) {
  await post('/api/validate-secret-answer', { ...owner, secretAnswer: form.secretAnswer })
  const pair = { NewUserPass, RetypeUserPass: NewUserPass }
  return post('/api/updatepassword', { ...owner, UserPass: form.userPassword, ...pair })
}

test('refuses a short or common new password of staff, and takes a good one', async () => {
  const operator = await newOperator(site, 'news')
  assertRefused(await changeTo(operator, 'bagong-7'), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assertRefused(await changeTo(operator, 'password1234'), 422, STAFF_PASSWORD_TEXTS.common)
  assert.equal((await changeTo(operator, GOOD)).status, 200)
})

test('refuses such a password also with a mailed link, which stays valid', async () => {
  const { form } = await newOperator(site, 'news')
  await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail })
  const token = await linkTokenFor(site, form.userEmail, 'Set a new password')
  const reset = (NewUserPass: string) =>
    site.post('/api/resetpassword', { token, NewUserPass, RetypeUserPass: NewUserPass })
  assertRefused(await reset('bagong-7'), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assert.equal((await reset(GOOD)).status, 200)
})

test('prompts staff to change a short password after a confirmation, without refusing the confirmation', async () => {
  const { form, post } = await newOperator(site, 'news')
  const confirmed = await post('/api/confirmidentity', { UserPass: form.userPassword })
  assert.deepEqual([confirmed.status, confirmed.json().password_advice], [200, STAFF_PASSWORD_TEXTS.ask])
  const player = await newPlayer(site)
  const asPlayer = await player.post('/api/confirmidentity', { UserPass: player.form.userPassword })
  assert.equal(asPlayer.json().password_advice, null)
})

test('does not apply the staff rule to players and to the accounts of the demo world', async () => {
  assert.equal((await changeTo(await newPlayer(site), 'bagong-7')).status, 200)
  const gm = await loginAs(site, 'gm', 'gm-demo-1')
  assert.equal((await gm.post('/api/confirmidentity', { UserPass: 'gm-demo-1' })).json().password_advice, null)
})
