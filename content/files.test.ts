import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { z } from 'zod'
import { flag, headedSections, html, openFolder, wholeNumber } from './files.ts'
import { fillValues } from './values.ts'

const folder = mkdtempSync(join(tmpdir(), 'tambayan-texts-'))
after(() => rmSync(folder, { recursive: true }))
const { readTable, readTexts } = openFolder(folder)
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)

test('reads a table by its columns and omits empty cells', () => {
  write('fruit.csv', 'name,price,ripe\r\nmango,12,yes\r\n"guava, pink",,\r\n')
  const row = z.strictObject({ name: z.string(), price: wholeNumber.optional(), ripe: flag })
  assert.deepEqual(readTable('fruit.csv', row), [
    { name: 'mango', price: 12, ripe: true },
    { name: 'guava, pink', ripe: false },
  ])
})

test('reads the keys of a text, and its body as HTML', () => {
  write(
    'a.md',
    '---\ntitle: Rain: a guide\n---\n\nBring **boots** & [me](/news).\n\n> [!TIP]\n> Or wait.\n\n> [!NOTE]\n> Or not.\n',
  )
  write('b.md', '---\ntitle: Sun\n---\n\n- Hat\n- Shade\n\nTable: Hours\n\n| Day | |\n| --- | --- |\n| Mon | `8` |\n')
  assert.deepEqual(readTexts('*.md', z.strictObject({ title: z.string(), body: html })), [
    {
      title: 'Rain: a guide',
      body: '<p>Bring <strong>boots</strong> &amp; <a href="/news">me</a>.</p><blockquote><p>Or wait.</p></blockquote><p><small>Or not.</small></p>',
    },
    {
      title: 'Sun',
      body: '<ul><li>Hat</li><li>Shade</li></ul><h3>Hours</h3><table><thead><tr><th>Day</th><th></th></tr></thead><tbody><tr><th scope="row">Mon</th><td><code>8</code></td></tr></tbody></table>',
    },
  ])
})

test('splits a text into parts at its headings, with their anchors', () => {
  assert.deepEqual(headedSections.parse('## One {#first}\n\na\n\n## Two\n\nb\n'), [
    { title: 'One', id: 'first', text: 'a' },
    { title: 'Two', id: '', text: 'b' },
  ])
})

test('rejects an invalid file with its name', () => {
  write('wrong.csv', 'name,colour\nmango,green\n')
  assert.throws(() => readTable('wrong.csv', z.strictObject({ name: z.string() })), /wrong\.csv, row 1.*colour/s)
  write('wrong.txt', '---\ntitle Rain\n---\n')
  assert.throws(() => readTexts('wrong.txt', z.strictObject({ body: z.string() })), /wrong\.txt.*title Rain/s)
})

test('fills in values of the contract, leaves those of the settings, and rejects unknown ones', () => {
  assert.equal(fillValues('{cartLinesMax} lines on {app}'), '50 lines on {app}')
  assert.throws(() => fillValues('{nothing}'), /no value \{nothing\}/)
})
