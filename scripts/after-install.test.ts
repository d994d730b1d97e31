import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryFolder } from './clean-up.ts'

const skip = process.platform === 'win32' && 'Windows has batch files instead of links'
const PLATFORM = `${process.platform}-${process.arch}`

/** Runs the script in a project with the given packages. */
function runAfterInstall(packages: string[]) {
  const folder = makeTemporaryFolder()
  mkdirSync(join(folder, 'scripts'))
  copyFileSync(join(import.meta.dirname, 'after-install.mjs'), join(folder, 'scripts/after-install.mjs'))
  for (const name of packages) {
    mkdirSync(join(folder, 'node_modules', name, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'bin/node'), '')
  }
  const result = spawnSync(process.execPath, ['scripts/after-install.mjs'], { cwd: folder, encoding: 'utf8' })
  return { ...result, bin: join(folder, 'node_modules/.bin') }
}

test('links the pinned Node where npm did not, and installs the shell', { skip }, () => {
  const { status, stderr, bin } = runAfterInstall([`node-${PLATFORM}`])
  assert.equal(status, 0, stderr)
  assert.equal(readlinkSync(join(bin, 'node')), join('..', `node-${PLATFORM}`, 'bin/node'))
  assert.ok(existsSync(join(bin, 'sh')))
})

test('fails with advice when the pinned Node was not installed', { skip }, () => {
  const { status, stderr } = runAfterInstall([])
  assert.equal(status, 1)
  assert.match(stderr, new RegExp(`The Node.js for ${PLATFORM} was not installed. .* run npm ci again`))
})
