import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mails } from './templates.ts'

const site = { appName: 'Tropa & <Friends>', publicUrl: 'https://play.example.ph' }
const TOKEN = 'abcDEF_-0123456789abcDEF_-012345'

const renderedMails = {
  userId: mails.userId(site, 'Ana_7'),
  resetLink: mails.resetLink(site, 'Ana_7', TOKEN),
  verifyEmail: mails.verifyEmail(site, 'Ana_7', TOKEN),
  passwordChanged: mails.passwordChanged(site, 'Ana_7'),
  factorChanged: mails.factorChanged(site, 'Ana_7', 'A second factor was added to your account: My phone.'),
  recoveryCodeUsed: mails.recoveryCodeUsed(site, 'Ana_7', 1),
  lastRecoveryCodeUsed: mails.recoveryCodeUsed(site, 'Ana_7', 0),
  factorFailures: mails.factorFailures(site, 'Ana_7'),
  addressWhitelisted: mails.addressWhitelisted(site, 'Ana_7', '203.0.113.7'),
  downloadLink: mails.downloadLink(site, 'Ana_7'),
}

test('every email greets the player, names the site and has the same link in HTML and text', () => {
  for (const [name, { subject, text, html }] of Object.entries(renderedMails)) {
    assert.match(subject, /^[A-Z][^\r\n]+ \| Tropa & <Friends>$/, name)
    assert.match(text, /^Hello Ana_7,\n\n/, name)
    assert.match(text, /\n\nTropa & <Friends>\nhttps:\/\/play\.example\.ph\n$/, name)
    const link = /^https:\/\/play\.example\.ph\/\S+$/m.exec(text)?.[0]
    assert.ok(link !== undefined && html.includes(`href="${link}"`), name)
  }
})

test('escapes typed text in HTML', () => {
  const { html } = mails.addressWhitelisted(site, '<img src=x>', '"><script>alert(1)</script>')
  assert.doesNotMatch(html, /<img|<script/)
  assert.match(html, /Tropa &amp; &lt;Friends&gt;/)
})

test('puts each link on a line of its own, and wraps text at 72 characters', () => {
  for (const [name, { text }] of Object.entries(renderedMails)) {
    for (const line of text.split('\n'))
      assert.ok(line.length <= (line.startsWith('https://') ? 78 : 72), `${name}: ${line}`)
  }
  assert.match(
    renderedMails.resetLink.text,
    new RegExp(`^https://play\\.example\\.ph/resetpassword\\?token=${TOKEN}$`, 'm'),
  )
  assert.match(
    renderedMails.verifyEmail.text,
    new RegExp(`^https://play\\.example\\.ph/verifyemail\\?token=${TOKEN}$`, 'm'),
  )
})

test('emails about the access to an account explain what to do if it was not the player', () => {
  assert.match(renderedMails.userId.text, /If you did not ask/)
  assert.match(renderedMails.resetLink.text, /your\s+password\s+stays\s+the\s+same/)
  const { passwordChanged, factorChanged, recoveryCodeUsed, factorFailures, addressWhitelisted } = renderedMails
  for (const { text, subject } of [
    passwordChanged,
    factorChanged,
    recoveryCodeUsed,
    factorFailures,
    addressWhitelisted,
  ])
    assert.match(text, /If this was not you/, subject)
})
