import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clearDraft, readDraft, saveDraft } from './draft.ts'

function createStore() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const JUAN = 7
const MARIA = 8

describe('the draft of a ticket', () => {
  it('keeps what was typed until it is sent', () => {
    const store = createStore()
    saveDraft(store, 'TICKET', 0, { subject: 'The gate' })
    assert.deepEqual(readDraft(store, 'TICKET', 0), { subject: 'The gate' })
    clearDraft(store, 'TICKET')
    assert.deepEqual(readDraft(store, 'TICKET', 0), {})
  })

  it('of a guest goes on after logging in', () => {
    const store = createStore()
    saveDraft(store, 'TICKET', 0, { subject: 'The gate' })
    assert.deepEqual(readDraft(store, 'TICKET', JUAN), { subject: 'The gate' })
  })

  it('of a member is nobody else’s', () => {
    const store = createStore()
    saveDraft(store, 'TICKET', JUAN, { subject: 'My refund' })
    assert.deepEqual(readDraft(store, 'TICKET', MARIA), {})
    assert.deepEqual(readDraft(store, 'TICKET', 0), {})
    assert.deepEqual(readDraft(store, 'TICKET', JUAN), { subject: 'My refund' })
  })

  it('is empty when the storage holds something else, and does without one that refuses', () => {
    for (const text of ['{', 'null', '"x"', '{"owner":0}', '{"owner":0,"fields":{"subject":1}}']) {
      const store = createStore()
      store.setItem('TAMBAYAN_DRAFT_TICKET', text)
      assert.deepEqual(readDraft(store, 'TICKET', 0), {}, text)
    }
    assert.doesNotThrow(() => saveDraft({ ...createStore(), setItem: () => assert.fail() }, 'TICKET', 0, {}))
  })
})
