import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFormControl } from 'react-hook-form'
import { updateUserDetails } from '#contract/accounts.ts'
import { CallError } from '#web/api/call.ts'
import { createOneAtATime } from './one-at-a-time.ts'
import { checkFields, createResolver } from './rules.ts'
import { createKeyedSend } from './submission.ts'
import { showFieldErrors } from './use-call-form.ts'

const good = { UserEmail: 'juan@example.com', NameFirst: 'Juan', NameLast: 'dela Cruz' }
const codes = { CouponCode: 'DEMO-1000-AAAA' }

function createKeys() {
  let made = 0
  return () => `key-${++made}`
}

/** Returns the keys of two sends of the same content, the first of which fails with `error`. */
async function sendTwice(error: unknown) {
  const send = createKeyedSend(createKeys())
  const keys: string[] = []
  const fail = async (key: string) => {
    keys.push(key)
    throw error
  }
  await assert.rejects(send(codes, fail))
  await send(codes, async (key) => keys.push(key))
  return keys
}

describe('a form', () => {
  it('sends one call for two simultaneous submits, and another call for a later submit', async () => {
    const oneAtATime = createOneAtATime()
    let calls = 0
    const submit = () =>
      oneAtATime(async () => {
        await Promise.resolve()
        calls++
      })
    await Promise.all([submit(), submit()])
    assert.equal(calls, 1)
    await submit()
    assert.equal(calls, 2)
  })

  it('can be sent again after a failure', async () => {
    const oneAtATime = createOneAtATime()
    await assert.rejects(oneAtATime(() => Promise.reject(new Error('refused'))))
    assert.equal(await oneAtATime(async () => 'sent'), 'sent')
  })

  it('reuses its Idempotency-Key when the response was lost', async () => {
    for (const status of [0, 500, 503]) {
      const [first, second] = await sendTwice(new CallError(status, 'lost'))
      assert.equal(first, second, String(status))
    }
  })

  it('uses a new Idempotency-Key after a refusal', async () => {
    for (const status of [401, 409, 422, 429]) {
      const [first, second] = await sendTwice(new CallError(status, 'refused'))
      assert.notEqual(first, second, String(status))
    }
  })

  it('reuses the key of a lost response while attempts are refused before they run', async () => {
    const send = createKeyedSend(createKeys())
    const keys: string[] = []
    for (const status of [0, 429, 401, 503, 429]) {
      const fail = async (key: string) => {
        keys.push(key)
        throw new CallError(status, 'no')
      }
      await assert.rejects(send(codes, fail))
    }
    await send(codes, async (key) => keys.push(key))
    assert.deepEqual(new Set(keys), new Set(['key-1']))
    await send(codes, async (key) => keys.push(key))
    assert.equal(keys.at(-1), 'key-2')
  })

  it('uses a new Idempotency-Key for new content and after a response', async () => {
    const send = createKeyedSend(createKeys())
    const sendForKey = (input: object) => send(input, async (key) => key)
    await assert.rejects(send(codes, () => Promise.reject(new CallError(0, 'lost'))))
    assert.equal(await sendForKey({ CouponCode: 'DEMO-1000-AAAB' }), 'key-2')
    assert.equal(await sendForKey({ CouponCode: 'DEMO-1000-AAAB' }), 'key-3')
  })

  it('treats another file as new content', async () => {
    const send = createKeyedSend(createKeys())
    const lose = (name: string) => {
      const screenshots = [new File(['x'], name, { lastModified: 1 })]
      let sentWith = ''
      const sending = send({ screenshots }, (key) => {
        sentWith = key
        return Promise.reject(new CallError(0, 'lost'))
      })
      return sending.catch(() => sentWith)
    }
    assert.equal(await lose('a.png'), await lose('a.png'))
    assert.notEqual(await lose('a.png'), await lose('b.png'))
  })

  it('shows the server’s errors under their fields, and focuses the first invalid field', () => {
    const { formControl, control } = createFormControl<Record<string, unknown>>()
    const focused: string[] = []
    const names = ['NameFirst', 'UserEmail', 'PhoneNumber']
    for (const name of names) formControl.register(name)
    const form = { setError: formControl.setError, setFocus: (name: string) => void focused.push(name) }
    const refusal = { 'form-error': { PhoneNumber: ['Wrong.'], UserEmail: ['Taken.', 'Really.'], UserPass: ['No.'] } }
    assert.equal(showFieldErrors(form, names, new CallError(422, 'Taken.', refusal)), true)
    const shown = names.map((name) => control.getFieldState(name).error?.message)
    assert.deepEqual(shown, [undefined, 'Taken.', 'Wrong.'])
    assert.deepEqual(focused, ['UserEmail'])
  })

  it('shows no error under its fields when the server names none of them', () => {
    const form = { setError: () => assert.fail(), setFocus: () => assert.fail() }
    assert.equal(showFieldErrors(form, ['NameFirst'], new CallError(429, 'Too many.')), false)
    assert.equal(showFieldErrors(form, ['NameFirst'], new TypeError('broken')), false)
  })
})

describe('the rules of a form', () => {
  it('come from its endpoint, and pass the parsed fields to the call', async () => {
    const { resolver } = createResolver(updateUserDetails)
    const { values, errors } = await resolver({ ...good, UserEmail: ' juan@example.com ' }, undefined, {
      fields: {},
      shouldUseNativeValidation: false,
    })
    assert.deepEqual(errors, {})
    assert.deepEqual(values, { ...good, PhoneNumber: '', UserPass2: '' })
  })

  it('report the same errors without react-hook-form', async () => {
    assert.deepEqual(await checkFields(updateUserDetails, { ...good, NameFirst: ' ', NameLast: '' }), {
      NameFirst: 'First Name is required.',
      NameLast: 'Last Name is required.',
    })
  })

  it('count as a call without a response when they cannot be fetched', async () => {
    const endpoint = { ...updateUserDetails, schema: () => Promise.reject(new TypeError('Failed to fetch')) }
    await assert.rejects(checkFields(endpoint, good), { name: 'CallError', status: 0 })
    const { resolver } = createResolver(endpoint)
    const options = { fields: {}, shouldUseNativeValidation: false }
    await assert.rejects(async () => resolver(good, undefined, options), { name: 'CallError', status: 0 })
  })
})
