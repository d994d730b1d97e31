import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '#contract/durations.ts'
import { findOutsideLinks } from '#contract/outside-links.ts'
import { OWNER } from '#contract/permissions.ts'
import type { SettingName } from '#contract/settings.ts'
import { assertRefused, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const owner = await createOperator(site, OWNER)
const writer = await createOperator(site, await createRole(site, 'site.write', 'documents.write'))

type Operator = Pick<Player, 'user' | 'headers'>
const send = (operator: Operator, path: string, body: object) => site.post(`/api/admin${path}`, body, operator.headers)
const saveSetting = async (operator: Operator, name: SettingName, value: string) => {
  const row = await site.db.selectFrom('settings').where('name', '=', name).select('version').executeTakeFirst()
  return send(operator, '/site/settings/save', { changes: [{ name, value, version: row?.version ?? 0 }] })
}
/** Logs an operator in again, so the confirmation with the password is recent. */
const logInAgain = async (operator: Operator): Promise<Operator> => ({
  ...operator,
  ...(await openPlayerSession(site, operator.user.UserNum)),
})

/** A confirmation with the password is recent for fifteen minutes. */
const letConfirmationExpire = () => site.clock.advance(16 * MINUTE_MS)

/** Settings with addresses that players trust. */
const ADDRESSES: [SettingName, string][] = [
  ['agent_url', 'https://m.me/ring'],
  ['social_url', 'https://www.facebook.com/ring'],
  ['operator_email', 'help@ring.example'],
  ['operator_name', 'The team, help2@ring.example'],
  ['announcement_link', 'https://ring.example/client'],
  ['announcement_text', 'Get the new client at www.ring.example'],
]

test('changing an address that players trust needs a confirmation and another owner', async () => {
  for (const [name, value] of ADDRESSES)
    assert.equal((await saveSetting(writer, name, value)).status, 202, `${name} waits for the owner`)
  letConfirmationExpire()
  for (const [name, value] of ADDRESSES) {
    const answer = await saveSetting(writer, name, value)
    assert.equal(answer.json().reason, 'sudo', name)
  }
  assert.equal((await saveSetting(writer, 'announcement_link', '/news')).status, 200)
  assert.equal((await saveSetting(writer, 'announcement_text', 'The shop is open again')).status, 200)
})

test('removing an address, or saving an existing one, needs no approval', async () => {
  const confirmedOwner = await logInAgain(owner)
  for (const [name, value] of ADDRESSES)
    assert.equal((await saveSetting(confirmedOwner, name, value)).status, 200, name)
  letConfirmationExpire()
  assert.equal((await saveSetting(writer, 'social_url', 'https://m.me/ring')).json().reason, 'sudo')
  assert.equal((await saveSetting(writer, 'agent_url', 'https://m.me/ring')).status, 200)
  for (const name of ['agent_url', 'social_url', 'operator_email', 'announcement_link'] as const)
    assert.equal((await saveSetting(writer, name, '')).status, 200, name)
})

test('publishing a policy with an outside link needs the approval of an owner', async () => {
  const publish = async (operator: Operator, html: string) => {
    const readPolicy = async () => (await site.get('/api/admin/documents/privacypolicy', operator.headers)).json()
    const { version, text } = await readPolicy()
    // A policy can be published only when all its blanks are filled in.
    const [section, ...otherSections] = text.sections.map((oldSection: { text: string }) => ({
      ...oldSection,
      text: oldSection.text.replaceAll(/\[…[^\]]*\]/g, '7'),
    }))
    const changedText = { sections: [{ ...section, text: html }, ...otherSections] }
    const draftAnswer = await send(operator, '/documents/draft', { name: 'privacypolicy', version, text: changedText })
    assert.equal(draftAnswer.status, 200, draftAnswer.text)
    return send(operator, '/documents/publish', { name: 'privacypolicy', version: (await readPolicy()).version })
  }
  const confirmedWriter = await logInAgain(writer)
  assert.equal((await publish(confirmedWriter, '<p>See <a href="/news">the news</a>.</p>')).status, 200)
  assert.equal((await publish(confirmedWriter, '<p>See <a href="https://ring.example">our page</a>.</p>')).status, 202)
  assert.equal((await publish(confirmedWriter, '<p>Write to <a href="mailto:a@ring.example">us</a>.</p>')).status, 202)
  assertRefused(
    await send(confirmedWriter, '/approvals/decide', { approval: 1, decision: 'approve', content_hash: '', note: '' }),
    403,
  )
})

test('finds outside addresses in links and in plain text', () => {
  const publicUrl = 'https://play.example.ph'
  assert.deepEqual(findOutsideLinks({ a: ['/news', `${publicUrl}/x`, '#part', '//play.example.ph/y'] }, publicUrl), [])
  assert.deepEqual(findOutsideLinks('<a href="https://play.example.ph@ring.example/">x</a>', publicUrl), [
    'https://play.example.ph@ring.example/',
  ])
  for (const [text, address] of Object.entries({
    'Get it at ring.example/client.exe now': 'ring.example/client.exe',
    'See discord.gg/abc': 'discord.gg/abc',
    'See tg://join?invite=x': 'tg://join?invite=x',
    'See ring-client.com.': 'ring-client.com',
    'See fb.me': 'fb.me',
  }))
    assert.deepEqual(findOutsideLinks(text, publicUrl), [address], text)
  for (const text of [
    'Version 1.2 of ran.exe, e.g. with patch.pak',
    'play.example.ph/rules and Mr.Santos',
    'At 20:00, R-Coin: 500',
  ])
    assert.deepEqual(findOutsideLinks(text, publicUrl), [], text)
  assert.deepEqual(findOutsideLinks({ link: 'mailto:a@b.ph', text: 'or www.b.ph' }, publicUrl), ['a@b.ph', 'www.b.ph'])
})
