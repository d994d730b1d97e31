import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMarks } from './prose.ts'

test('marks in a text become links and strong words, the rest stays as it is', () => {
  assert.deepEqual(readMarks('See [the news](/news) and **sleep**.'), [
    { kind: 'plain', text: 'See ' },
    { kind: 'link', text: 'the news', to: '/news' },
    { kind: 'plain', text: ' and ' },
    { kind: 'strong', text: 'sleep' },
    { kind: 'plain', text: '.' },
  ])
  assert.deepEqual(readMarks('Nothing [here] (or here)'), [{ kind: 'plain', text: 'Nothing [here] (or here)' }])
})

test('a guide sentence is taken apart into words, strong words, keys and links', () => {
  assert.deepEqual(readMarks('Press `I`, then **wait** or [ask](/ticket).'), [
    { kind: 'plain', text: 'Press ' },
    { kind: 'key', text: 'I' },
    { kind: 'plain', text: ', then ' },
    { kind: 'strong', text: 'wait' },
    { kind: 'plain', text: ' or ' },
    { kind: 'link', text: 'ask', to: '/ticket' },
    { kind: 'plain', text: '.' },
  ])
})

test('a text without marks is one part', () => {
  assert.deepEqual(readMarks('Gold is gold.'), [{ kind: 'plain', text: 'Gold is gold.' }])
})

test('links and strong words are taken out in order, with what stands between them', () => {
  assert.deepEqual(readMarks('**Resu** is on [its board](/rankings?tab=resu).'), [
    { kind: 'strong', text: 'Resu' },
    { kind: 'plain', text: ' is on ' },
    { kind: 'link', text: 'its board', to: '/rankings?tab=resu' },
    { kind: 'plain', text: '.' },
  ])
})

test('a bracket that is no link stays as it is', () => {
  assert.deepEqual(readMarks('[sic] 2 ** 3'), [{ kind: 'plain', text: '[sic] 2 ** 3' }])
})
