import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './excerpt.ts'

test('an excerpt is the words without the tags', () => {
  assert.equal(excerptOf('<p>Doors <strong>open</strong>.</p><ul><li>At nine</li></ul>'), 'Doors open. At nine')
  assert.equal(excerptOf('<p><a href="/a>b" title="x">Rice</a> &amp; ice</p>'), 'Rice & ice')
})

test('an excerpt ends at a word', () => {
  assert.equal(excerptOf('<p>The quick brown fox</p>', 12), 'The quick…')
  assert.equal(excerptOf('<p>Short</p>', 12), 'Short')
})

test('unclosed markup never shows', () => {
  assert.equal(excerptOf('<p>Here</p><a href="/half'), 'Here')
})
