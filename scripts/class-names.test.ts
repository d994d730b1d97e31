import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { createClassNames, createPrefix } from './class-names.ts'
import { ROOT } from './root.ts'

test('uses the same letters for all classes of a file, and different ones for another file', () => {
  const nameClass = createClassNames()
  const firstName = nameClass('title', 'web/ui/panel.module.css')
  assert.match(firstName, /^[a-zA-Z]{4}0$/)
  assert.equal(nameClass('row', 'web/ui/panel.module.css'), firstName.replace('0', '1'))
  assert.equal(nameClass('title', 'web/ui/panel.module.css?used'), firstName)
  assert.notEqual(nameClass('title', 'web/ui/dialog.module.css'), firstName)
})

test('gives every stylesheet of the site a different prefix', () => {
  const files = globSync('web/**/*.module.css', { cwd: ROOT })
  assert.ok(files.length > 100)
  assert.equal(new Set(files.map(createPrefix)).size, files.length)
})
