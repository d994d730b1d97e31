import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { REGISTER_DRAFT } from '#web/features/register/registration.ts'
import { clearDraft, readDraft, saveDraft, sweepDrafts } from './draft.ts'

const values = {
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
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

describe('the draft of a registration', () => {
  it('stores the typed values', () => {
    const store = createStore()
    saveDraft(store, REGISTER_DRAFT, values)
    const { userId, userEmail, gender, country, agreeTerms } = readDraft(store, REGISTER_DRAFT)
    assert.deepEqual(
      [userId, userEmail, gender, country, agreeTerms],
      ['dagitab_07', 'dagitab@example.com', 'Female', 'PH', true],
    )
  })

  it('never contains a password or the secret answer', () => {
    const store = createStore()
    saveDraft(store, REGISTER_DRAFT, values)
    const text = [...store.values.values()].join()
    for (const secret of ['lagaslas-9', 'lagaslas-8', 'Baguio']) assert.ok(!text.includes(secret), secret)
  })

  it('is empty after it was cleared', () => {
    const store = createStore()
    saveDraft(store, REGISTER_DRAFT, values)
    clearDraft(store, REGISTER_DRAFT)
    assert.deepEqual(readDraft(store, REGISTER_DRAFT), {})
  })

  it('is empty when the stored data is invalid', () => {
    for (const text of ['{', 'null', '"x"', '{"owner":0,"fields":{"userPassword":"x"}}']) {
      const store = createStore()
      store.setItem('TAMBAYAN_DRAFT_REGISTER', text)
      assert.deepEqual(readDraft(store, REGISTER_DRAFT), {}, text)
    }
  })

  it('does not fail when the browser blocks the storage', () => {
    const store = { ...createStore(), setItem: () => assert.fail() }
    assert.doesNotThrow(() => saveDraft(store, REGISTER_DRAFT, values))
  })
})

const GUEST = 0
const JUAN = 7
const MARIA = 8
const createDraft = (owner: number) => ({ name: 'TICKET', fields: ['subject', 'message'], owner })

describe('the draft of a ticket', () => {
  it('stores the typed values until they are sent', () => {
    const store = createStore()
    saveDraft(store, createDraft(GUEST), { subject: 'The gate' })
    assert.deepEqual(readDraft(store, createDraft(GUEST)), { subject: 'The gate' })
    clearDraft(store, createDraft(GUEST))
    assert.deepEqual(readDraft(store, createDraft(GUEST)), {})
  })

  it('remains after a guest logs in', () => {
    const store = createStore()
    saveDraft(store, createDraft(GUEST), { subject: 'The gate' })
    assert.deepEqual(readDraft(store, createDraft(JUAN)), { subject: 'The gate' })
  })

  it('hides a player’s draft from other accounts', () => {
    const store = createStore()
    saveDraft(store, createDraft(JUAN), { subject: 'My refund' })
    assert.deepEqual(readDraft(store, createDraft(MARIA)), {})
    assert.deepEqual(readDraft(store, createDraft(GUEST)), {})
    assert.deepEqual(readDraft(store, createDraft(JUAN)), { subject: 'My refund' })
  })

  it('is empty for invalid data, and does not fail when the browser blocks the storage', () => {
    for (const text of ['{', 'null', '"x"', '{"owner":0}', '{"owner":0,"fields":{"subject":1}}']) {
      const store = createStore()
      store.setItem('TAMBAYAN_DRAFT_TICKET', text)
      assert.deepEqual(readDraft(store, createDraft(GUEST)), {}, text)
    }
    assert.doesNotThrow(() => saveDraft({ ...createStore(), setItem: () => assert.fail() }, createDraft(GUEST), {}))
  })
})

describe('drafts in the browser’s storage', () => {
  it('are deleted after 30 days, and beyond 20 drafts', () => {
    const store = createStore()
    const now = Date.now()
    const save = (index: number, savedAt: number) =>
      store.setItem(
        `TAMBAYAN_DRAFT_7_POST_${index}`,
        JSON.stringify({ owner: JUAN, fields: { body: 'x' }, at: savedAt }),
      )
    for (let index = 1; index <= 25; index++) save(index, now - index)
    save(26, now - 31 * DAY_MS)
    store.setItem('ACCESS_TOKEN', 'x')
    sweepDrafts(store, [...store.values.keys()], now)
    assert.equal(store.values.size, 21)
    assert.ok(store.values.has('ACCESS_TOKEN') && store.values.has('TAMBAYAN_DRAFT_7_POST_20'))
    assert.ok(!store.values.has('TAMBAYAN_DRAFT_7_POST_21') && !store.values.has('TAMBAYAN_DRAFT_7_POST_26'))
  })
})
