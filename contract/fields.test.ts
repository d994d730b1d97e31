// biome-ignore-all lint/style/noRestrictedImports: tests run only in Node, not in a browser
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineField, linesField, reasonField } from './fields.ts'

test('accepts reasons of 3 to 300 characters with line breaks (DESK-23)', () => {
  const isReason = (text: string) => reasonField.safeParse(text).success
  for (const text of ['RMT', 'First prize\nof the fiesta', 'x'.repeat(300)]) assert.ok(isReason(text), text)
  for (const text of ['', '  x ', 'x'.repeat(301), '\u200b\u200b\u200b']) assert.ok(!isReason(text), text)
})

test('requires a visible character in a line and refuses controls and direction marks (TEXT-1)', () => {
  const field = lineField(20, 'Enter a name.')
  for (const text of ['Kape', 'Niño ☕', 'عربي', '  spaces around  ']) assert.equal(field.parse(text), text.trim())
  for (const text of [
    '',
    ' ',
    '\u200b',
    '\u2800',
    '\u202eevil',
    'a\u2066b',
    'a\tb',
    'a\nb',
    'nul\0',
    'half \ud800',
    'x'.repeat(21),
  ])
    assert.ok(!field.safeParse(text).success, JSON.stringify(text))
})

test('accepts line breaks and tabs in a text of several lines (TEXT-1)', () => {
  const field = linesField(20)
  assert.equal(field.parse('one\r\ntwo\rthree\tx '), 'one\ntwo\nthree\tx')
  assert.equal(field.parse('  '), '')
  for (const text of ['\u200b', '\u202eevil', 'nul\0', '\u001b[2J', 'half \ud800', 'x'.repeat(21)])
    assert.ok(!field.safeParse(text).success, JSON.stringify(text))
})
