import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clearDraft, readDraft, saveDraft } from './register-draft.ts'
import type { RegistrationForm } from './registration-rules.ts'

const form: RegistrationForm = {
  userId: 'dagitab_07',
  userFirstName: 'Amihan',
  userLastName: 'Reyes',
  userEmail: 'dagitab@example.com',
  gender: 'Female',
  userPassword: 'lagaslas-9',
  userPasswordConfirm: 'lagaslas-8',
  secretQuestion: '2',
  secretAnswer: 'Baguio',
  country: 'PH',
  agreeTerms: true,
}

function createStore() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

describe('the draft of a registration', () => {
  it('keeps what was typed', () => {
    const store = createStore()
    saveDraft(store, form)
    const { userId, userEmail, gender, country, agreeTerms } = readDraft(store)
    assert.deepEqual(
      [userId, userEmail, gender, country, agreeTerms],
      ['dagitab_07', 'dagitab@example.com', 'Female', 'PH', true],
    )
  })

  it('never holds a password or the secret answer', () => {
    const store = createStore()
    saveDraft(store, form)
    const text = [...store.kept.values()].join()
    for (const secret of ['lagaslas-9', 'lagaslas-8', 'Baguio']) assert.ok(!text.includes(secret), secret)
  })

  it('is forgotten when the account is opened', () => {
    const store = createStore()
    saveDraft(store, form)
    clearDraft(store)
    assert.deepEqual(readDraft(store), {})
  })

  it('is empty when the storage holds something else', () => {
    for (const text of ['{', 'null', '"x"', '{"userPassword":"x"}']) {
      const store = createStore()
      store.setItem('TAMBAYAN_REGISTER_DRAFT', text)
      assert.deepEqual(readDraft(store), {}, text)
    }
  })

  it('does without a storage that refuses', () => {
    const store = { ...createStore(), setItem: () => assert.fail() }
    assert.doesNotThrow(() => saveDraft(store, form))
  })
})
