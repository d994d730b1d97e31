import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFormControl } from 'react-hook-form'
import { updateUserDetails } from '#contract/accounts.ts'
import { CallError } from '#web/api/call.ts'
import { createExclusiveRunner } from './exclusive-runner.ts'
import { checkFields, createResolver } from './rules.ts'
import { createKeyedSend } from './submission.ts'
import { showFieldErrors } from './use-call-form.ts'

const validDetails = { UserEmail: 'juan@example.com', NameFirst: 'Juan', NameLast: 'dela Cruz' }
const content = { CouponCode: 'DEMO-1000-AAAA' }

function createKeys() {
  let keyCount = 0
  return () => `key-${++keyCount}`
}

/** Returns the keys of two sends of the same content, the first of which fails with `error`. */
async function sendTwice(error: unknown) {
  const send = createKeyedSend(createKeys())
  const keys: string[] = []
  const fail = async (key: string) => {
    keys.push(key)
    throw error
  }
  await assert.rejects(send(content, fail))
  await send(content, async (key) => keys.push(key))
  return keys
}

describe('a form', () => {
  it('sends one call for two simultaneous submits, and another call for a later submit', async () => {
    const runExclusively = createExclusiveRunner()
    let calls = 0
    const submit = () =>
      runExclusively(async () => {
        await Promise.resolve()
        calls++
      })
    await Promise.all([submit(), submit()])
    assert.equal(calls, 1)
    await submit()
    assert.equal(calls, 2)
  })

  it('can be sent again after a failure', async () => {
    const runExclusively = createExclusiveRunner()
    await assert.rejects(runExclusively(() => Promise.reject(new Error('refused'))))
    assert.equal(await runExclusively(async () => 'sent'), 'sent')
  })

  it('reuses its Idempotency-Key when the response was lost', async () => {
    for (const status of [0, 500, 503]) {
      const [firstKey, retryKey] = await sendTwice(new CallError(status, 'lost'))
      assert.equal(firstKey, retryKey, String(status))
    }
  })

  it('uses a new Idempotency-Key after a refusal', async () => {
    for (const status of [401, 409, 422, 429]) {
      const [firstKey, retryKey] = await sendTwice(new CallError(status, 'refused'))
      assert.notEqual(firstKey, retryKey, String(status))
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
      await assert.rejects(send(content, fail))
    }
    await send(content, async (key) => keys.push(key))
    assert.deepEqual(new Set(keys), new Set(['key-1']))
    await send(content, async (key) => keys.push(key))
    assert.equal(keys.at(-1), 'key-2')
  })

  it('uses a new Idempotency-Key for new content and after a response', async () => {
    const send = createKeyedSend(createKeys())
    const sendForKey = (input: object) => send(input, async (key) => key)
    await assert.rejects(send(content, () => Promise.reject(new CallError(0, 'lost'))))
    assert.equal(await sendForKey({ CouponCode: 'DEMO-1000-AAAB' }), 'key-2')
    assert.equal(await sendForKey({ CouponCode: 'DEMO-1000-AAAB' }), 'key-3')
  })

  it('treats another file as new content', async () => {
    const send = createKeyedSend(createKeys())
    const sendAndLose = (name: string) => {
      const screenshots = [new File(['x'], name, { lastModified: 1 })]
      let sentKey = ''
      const sendPromise = send({ screenshots }, (key) => {
        sentKey = key
        return Promise.reject(new CallError(0, 'lost'))
      })
      return sendPromise.catch(() => sentKey)
    }
    assert.equal(await sendAndLose('a.png'), await sendAndLose('a.png'))
    assert.notEqual(await sendAndLose('a.png'), await sendAndLose('b.png'))
  })

  it('shows the server’s errors under their fields, and focuses the first invalid field', () => {
    const { formControl, control } = createFormControl<Record<string, unknown>>()
    const focusedNames: string[] = []
    const names = ['NameFirst', 'UserEmail', 'PhoneNumber']
    for (const name of names) formControl.register(name)
    const form = { setError: formControl.setError, setFocus: (name: string) => void focusedNames.push(name) }
    const refusal = { 'form-error': { PhoneNumber: ['Wrong.'], UserEmail: ['Taken.', 'Really.'], UserPass: ['No.'] } }
    assert.equal(showFieldErrors(form, names, new CallError(422, 'Taken.', refusal)), true)
    const errorTexts = names.map((name) => control.getFieldState(name).error?.message)
    assert.deepEqual(errorTexts, [undefined, 'Taken.', 'Wrong.'])
    assert.deepEqual(focusedNames, ['UserEmail'])
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
    const { values, errors } = await resolver({ ...validDetails, UserEmail: ' juan@example.com ' }, undefined, {
      fields: {},
      shouldUseNativeValidation: false,
    })
    assert.deepEqual(errors, {})
    assert.deepEqual(values, { ...validDetails, PhoneNumber: '', UserPass2: '' })
  })

  it('report the same errors without react-hook-form', async () => {
    assert.deepEqual(await checkFields(updateUserDetails, { ...validDetails, NameFirst: ' ', NameLast: '' }), {
      NameFirst: 'First Name is required.',
      NameLast: 'Last Name is required.',
    })
  })

  it('count as a call without a response when they cannot be fetched', async () => {
    const endpoint = { ...updateUserDetails, schema: () => Promise.reject(new TypeError('Failed to fetch')) }
    await assert.rejects(checkFields(endpoint, validDetails), { name: 'CallError', status: 0 })
    const { resolver } = createResolver(endpoint)
    const options = { fields: {}, shouldUseNativeValidation: false }
    await assert.rejects(async () => resolver(validDetails, undefined, options), { name: 'CallError', status: 0 })
  })
})
