import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticketMails } from './ticket-templates.ts'

const site = { appName: 'Tropa & <Friends>', publicUrl: 'https://play.example.ph' }
const KEY = 'abcDEF_-0123456789abcDEF_-012345'
const ticketReference = { name: 'Ana_7', number: 'T-7KQX-M2PD', link: `https://play.example.ph/checkticket#key=${KEY}` }
const answeredTicket = {
  ...ticketReference,
  subject: 'Stuck',
  author: 'GM Bituin',
  body: 'First.\n\nSecond.',
  closed: false,
}

const renderedMails = {
  submitted: ticketMails.submitted(site, { ...ticketReference, category: 'Payment and R-Coin' }),
  answered: ticketMails.answered(site, answeredTicket),
  closed: ticketMails.closed(site, ticketReference),
  merged: ticketMails.merged(site, { ...ticketReference, from: 'T-AAAA-BBBB' }),
  link: ticketMails.link(site, ticketReference),
}

test('every email about a ticket has its number, and its unbroken link in HTML and text', () => {
  for (const [name, { subject, text, html }] of Object.entries(renderedMails)) {
    assert.match(subject, /^[A-Z][^\r\n]*T-7KQX-M2PD[^\r\n]* \| Tropa & <Friends>$/, name)
    assert.match(text, /^Hello Ana_7,\n\n/, name)
    assert.ok(text.includes(`\n${ticketReference.link}\n`) && html.includes(`href="${ticketReference.link}"`), name)
    for (const line of text.split('\n')) assert.ok(line.length <= (line.startsWith('https://') ? 78 : 72), line)
    assert.match(text, /do\s+not\s+share\s+it\s+with\s+anyone/, name)
  }
})

test('greets a guest without a name', () => {
  assert.match(ticketMails.link(site, { ...ticketReference, name: null }).text, /^Hello,\n\n/)
})

test('does not repeat a guest’s subject in an answer', () => {
  const { text } = ticketMails.answered(site, { ...answeredTicket, name: null, subject: null })
  assert.match(text, /GM Bituin answered your ticket:\n\nFirst\./)
})

test('preserves the paragraphs of an answer, and escapes typed text in HTML', () => {
  assert.match(renderedMails.answered.text, /\n\nFirst\.\n\nSecond\.\n\nTo reply/)
  assert.match(ticketMails.answered(site, { ...answeredTicket, closed: true }).text, /The ticket is closed\./)
  const maliciousText = '</p><script>alert(1)</script><img src=x>'
  const { html, subject } = ticketMails.answered(site, {
    ...answeredTicket,
    subject: maliciousText,
    author: maliciousText,
    body: maliciousText,
    name: maliciousText,
  })
  assert.doesNotMatch(html, /<script|<img/)
  assert.doesNotMatch(subject, /script/)
})
