import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('renders amounts and counts as values, which still update on pages translated by the browser', () => {
  const loose = globSync('web/{ui,forms,shell,features}/**/*.tsx').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // Matches an expression among the texts of an element. One in a template string or an attribute is no separate
      // text node.
      .filter((line) => /(?<![$=])\{(formatMoney|formatCount|countWords)\(/.test(line) && !line.includes('<Value'))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(loose, [])
})
