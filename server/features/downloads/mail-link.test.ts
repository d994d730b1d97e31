import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOWNLOAD_TEXTS } from '#contract/downloads.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { createPlayer, selectMailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()

const readLinkMails = async (address: string) =>
  (await selectMailsTo(site, address)).filter(({ subject }) => subject.startsWith('The link to the game'))

test('mails the link of the download page to the player’s own address only', async () => {
  const player = await createPlayer(site)
  const answer = await player.post('/api/maildownloadlink', { user_email: 'stranger@example.com' })
  assert.deepEqual([answer.status, answer.json()], [200, { message: DOWNLOAD_TEXTS.linkMailed }])
  const mails = await readLinkMails(player.form.userEmail)
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.body_text ?? '', /\/downloads$/m)
  assert.equal((await readLinkMails('stranger@example.com')).length, 0)
})

test('refuses to mail the link to a guest', async () => {
  assert.equal((await site.send('/api/maildownloadlink', { method: 'POST' })).status, 401)
})

test('limits the mails with the link to an account', async () => {
  const player = await createPlayer(site)
  const requestMail = async () => (await player.post('/api/maildownloadlink', {})).status
  for (let mails = 0; mails < LIMITS.downloadLinkMails.max; mails++) assert.equal(await requestMail(), 200)
  assert.equal(await requestMail(), 429)
  assert.equal((await readLinkMails(player.form.userEmail)).length, LIMITS.downloadLinkMails.max)
})
