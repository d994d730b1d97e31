import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkCheckForm, checkTicketForm, readTicketNumber, type TicketForm } from './ticket-rules.ts'

const good: TicketForm = {
  category: 'bug',
  subject: 'The gate will not open',
  message: 'It stays shut after the second bell.',
  email: 'amihan@example.com',
  ChaNum: '',
}

describe('a ticket before it is sent', () => {
  it('is right with a category, a subject, a message and an address', () => {
    assert.deepEqual(checkTicketForm(good, false), {})
  })

  it('asks for everything that is missing', () => {
    assert.deepEqual(checkTicketForm({ category: '', subject: ' ', message: '\n', email: '', ChaNum: '' }, false), {
      category: 'Please choose what your ticket is about.',
      subject: 'Subject is required.',
      message: 'Message is required.',
      email: 'Email is required.',
    })
  })

  it('keeps to the lengths, counted as the server counts them', () => {
    assert.deepEqual(checkTicketForm({ ...good, subject: 'x'.repeat(121), message: 'x'.repeat(4001) }, false), {
      subject: 'Subject must be at most 120 characters long.',
      message: 'Message must be at most 4000 characters long.',
    })
    assert.deepEqual(checkTicketForm({ ...good, message: `${'x'.repeat(3999)}\r\n\r\n` }, false), {})
  })

  it('leaves a member’s address to the account', () => {
    assert.deepEqual(checkTicketForm({ ...good, email: '' }, true), {})
  })

  it('takes only a category of the list', () => {
    assert.deepEqual(Object.keys(checkTicketForm({ ...good, category: 'toString' }, false)), ['category'])
  })
})

describe('a ticket number', () => {
  it('is read however it is typed', () => {
    for (const text of ['T-7KQX-M2PD', ' t7kqxm2pd', '7kqx m2pd', 'T 7KQX-M2PD'])
      assert.equal(readTicketNumber(text), 'T-7KQX-M2PD', text)
  })

  it('has eight letters and digits, none of which looks like another', () => {
    for (const text of ['', 'T-7KQX', 'T-0KQX-M2PD', 'T-IKQX-M2PD', 'T-7KQX-M2PD-9'])
      assert.equal(readTicketNumber(text), null, text)
  })

  it('and an e-mail are asked for together', () => {
    assert.deepEqual(checkCheckForm({ number: '', email: '' }), {
      number: 'Ticket number is required.',
      email: 'Email is required.',
    })
    assert.deepEqual(checkCheckForm({ number: '12', email: 'amihan' }), {
      number: 'Enter a ticket number such as T-7KQX-M2PD.',
      email: 'Enter a valid email address.',
    })
  })
})
