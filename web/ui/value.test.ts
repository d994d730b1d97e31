import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('wraps every amount and count in a Value, which still updates on translated pages', () => {
  const violations = globSync('web/{ui,forms,shell,features}/**/*.tsx').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // Matches an expression between the tags of an element. An expression in a template string or an attribute
      // creates no text node.
      .filter((line) => /(?<![$=])\{(formatMoney|formatCount|countWords)\(/.test(line) && !line.includes('<Value'))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(violations, [])
})
