import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureBuilt } from './build.ts'

const BUILT = join(import.meta.dirname, '../build/server')

/** Found in React's development build and in its choice between the two builds, never in the production build. */
const DEVELOPMENT_MARKS = ['.development.js', 'process.env.NODE_ENV']

test('the built server renders with React’s production build, and no other build is in it', async () => {
  await ensureBuilt(() => {})
  let code = ''
  for await (const file of glob('**/*.js', { cwd: BUILT })) code += await readFile(join(BUILT, file), 'utf8')
  assert.ok(code.includes('react-dom-server-legacy.node.production.js'))
  for (const mark of DEVELOPMENT_MARKS) assert.ok(!code.includes(mark), `build/server contains ${mark}`)
})
