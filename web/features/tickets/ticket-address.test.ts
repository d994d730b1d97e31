import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readWanted, ticketPath } from './ticket-address.ts'

const at = (search: string, hash = '', state: unknown = null) => readWanted({ search, hash, state })

describe('the address of a conversation', () => {
  it('is a number for who is logged in', () => {
    assert.deepEqual(at(ticketPath('T-7KQX-M2PD').replace('/checkticket', '')), { number: 'T-7KQX-M2PD' })
  })

  it('carries a guest’s key behind the #, which goes before a number', () => {
    assert.deepEqual(at('?ticket=T-7KQX-M2PD', '#key=abc_-9'), { key: 'abc_-9' })
  })

  it('never carries an e-mail: that stays in the history of the tab', () => {
    assert.deepEqual(at('?ticket=T-7KQX-M2PD&email=x@example.com'), { number: 'T-7KQX-M2PD' })
    assert.deepEqual(at('?ticket=T-7KQX-M2PD', '', { email: 'x@example.com' }), {
      number: 'T-7KQX-M2PD',
      email: 'x@example.com',
    })
  })

  it('shows the list or the form when it says nothing', () => {
    for (const [search, hash] of [
      ['', ''],
      ['?ticket=', ''],
      ['?page=2', '#key='],
      ['', '#key=<b>'],
    ] as const)
      assert.equal(at(search, hash), null)
  })
})
