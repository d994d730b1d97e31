import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('pages show amounts and counts as values, which keep up in a page that a browser has translated', () => {
  const loose = globSync('web/{ui,forms,shell,features}/**/*.tsx').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // An expression among the texts of an element; one in a template string or an attribute is no text node of its own.
      .filter((line) => /(?<![$=])\{(formatMoney|formatCount|countWords)\(/.test(line) && !line.includes('<Value'))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(loose, [])
})
