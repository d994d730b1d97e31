import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOWNLOADS } from '#contract/downloads.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { mailsTo, newPlayer } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()

const linkMails = async (address: string) =>
  (await mailsTo(site, address)).filter(({ subject }) => subject.startsWith('The link to the game'))

test('a player gets the address of the download page by mail, at their own address', async () => {
  const player = await newPlayer(site)
  const answer = await player.post('/api/maildownloadlink', { user_email: 'stranger@example.com' })
  assert.deepEqual([answer.status, answer.json()], [200, { message: DOWNLOADS.linkMailed }])
  const mails = await linkMails(player.form.userEmail)
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.body_text ?? '', /\/downloads$/m)
  assert.equal((await linkMails('stranger@example.com')).length, 0)
})

test('a guest is not mailed anything', async () => {
  assert.equal((await site.send('/api/maildownloadlink', { method: 'POST' })).status, 401)
})

test('an account is mailed the link a few times an hour', async () => {
  const player = await newPlayer(site)
  const ask = async () => (await player.post('/api/maildownloadlink', {})).status
  for (let nth = 0; nth < LIMITS.downloadLinkMails.max; nth++) assert.equal(await ask(), 200)
  assert.equal(await ask(), 429)
  assert.equal((await linkMails(player.form.userEmail)).length, LIMITS.downloadLinkMails.max)
})
