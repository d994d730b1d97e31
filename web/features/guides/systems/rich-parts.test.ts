import assert from 'node:assert/strict'
import { test } from 'node:test'
import { richParts } from './rich-parts.ts'

test('a text without marks is one part', () => {
  assert.deepEqual(richParts('Gold is gold.'), [{ kind: 'plain', text: 'Gold is gold.' }])
})

test('links and strong words are taken out in order, with what stands between them', () => {
  assert.deepEqual(richParts('**Resu** is on [its board](/rankings?tab=resu).'), [
    { kind: 'strong', text: 'Resu' },
    { kind: 'plain', text: ' is on ' },
    { kind: 'link', text: 'its board', to: '/rankings?tab=resu' },
    { kind: 'plain', text: '.' },
  ])
})

test('a bracket that is no link stays as it is', () => {
  assert.deepEqual(richParts('[sic] 2 ** 3'), [{ kind: 'plain', text: '[sic] 2 ** 3' }])
})
