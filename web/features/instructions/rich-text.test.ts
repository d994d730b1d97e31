import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spansOf } from './rich-text.ts'

test('a guide sentence is taken apart into words, strong words, keys and links', () => {
  assert.deepEqual(spansOf('Press `I`, then **wait** or [ask](/ticket).'), [
    { kind: 'text', text: 'Press ' },
    { kind: 'key', text: 'I' },
    { kind: 'text', text: ', then ' },
    { kind: 'strong', text: 'wait' },
    { kind: 'text', text: ' or ' },
    { kind: 'link', text: 'ask', to: '/ticket' },
    { kind: 'text', text: '.' },
  ])
  assert.deepEqual(spansOf('Plain.'), [{ kind: 'text', text: 'Plain.' }])
})
