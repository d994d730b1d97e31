import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanHtml } from '#server/clean-html.ts'
import { arrangeHtml } from './arrange-html.ts'

const arrange = (html: string) => arrangeHtml(cleanHtml(html))

const TABLE =
  '<table role="table"><caption>Hours</caption><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Day</th><th scope="col" role="columnheader">From</th></tr></thead><tbody role="rowgroup"><tr role="row"><th scope="row" role="rowheader">Mon</th><td role="cell" data-column="From">8</td></tr></tbody></table>'

test('adds a title, a head and the columns’ titles to default tables and to those of the editor', () => {
  const defaultTable =
    '<h3>Hours</h3><table><thead><tr><th>Day</th><th>From</th></tr></thead><tbody><tr><th scope="row">Mon</th><td>8</td></tr></tbody></table>'
  const editorTable =
    '<h3>Hours</h3><table style="min-width: 50px"><colgroup><col></colgroup><tbody><tr><th colspan="1" rowspan="1"><p>Day</p></th><th colspan="1" rowspan="1"><p>From</p></th></tr><tr><td colspan="1" rowspan="1"><p>Mon</p></td><td colspan="1" rowspan="1"><p>8</p></td></tr></tbody></table>'
  assert.equal(arrange(defaultTable), TABLE)
  assert.equal(arrange(editorTable), TABLE)
})

test('leaves a table with merged cells, without a head or with a nested table unchanged', () => {
  for (const table of [
    '<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></table>',
    '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>',
    '<table><tr><th>a</th></tr><tr><td><table><tr><td>b</td></tr></table></td></tr></table>',
  ])
    assert.equal(arrange(table), cleanHtml(table))
})

test('escapes the title of a column in the attribute of its cells', () => {
  const html = arrange(
    '<table><tr><th>a</th><th>"&gt;<b>x</b> onload=steal()</th></tr><tr><td>b</td><td>c</td></tr></table>',
  )
  assert.match(html, /data-column="&quot;&gt;x onload=steal\(\)">c/)
})

test('marks notes, keys of the keyboard, lists and links that open a new tab', () => {
  assert.equal(arrange('<p><small>Or not.</small></p>'), '<p data-note="">Or not.</p>')
  assert.equal(arrange('<p>Press <code>F1</code></p>'), '<p>Press <kbd>F1</kbd></p>')
  assert.equal(arrange('<ol><li>a</li></ol>'), '<ol role="list"><li>a</li></ol>')
  assert.match(
    arrange('<a href="https://example.com">a</a>'),
    /a<span class="visually-hidden"> \(opens in a new tab\)<\/span><\/a>$/,
  )
  assert.equal(arrange('<a href="/news">a</a>'), '<a href="/news">a</a>')
})
