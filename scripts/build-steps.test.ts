import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureBuilt } from './build.ts'
import { makeTemporaryFolder } from './clean-up.ts'
import { ROOT } from './root.ts'

await ensureBuilt(() => {})

const copy = makeTemporaryFolder()
for (const copiedFolder of [
  'art',
  'build',
  'content',
  'contract',
  'demo',
  'scripts',
  'server',
  'web',
  '.cache/stamps',
  '.cache/compressed',
])
  cpSync(join(ROOT, copiedFolder), join(copy, copiedFolder), { recursive: true })
for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'])
  cpSync(join(ROOT, file), join(copy, file))
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')

/** Builds the copy. @returns the steps that ran */
function build(): string[] {
  const buildOutput = execFileSync(process.execPath, ['scripts/build.ts'], { cwd: copy, encoding: 'utf8' })
  return [...buildOutput.matchAll(/^ {2}Step \d+ of \d+: ([a-z ]+), [\d.]+ s$/gm)].map(([, name = '']) => name)
}

function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  assert.match(text, new RegExp(from))
  writeFileSync(path, text.replace(from, to))
}

/** Runs a program in the copy. @returns its output */
const run = (program: string) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: copy, encoding: 'utf8' })

test('builds nothing when nothing changed', () => {
  assert.deepEqual(build(), [])
})

test('builds nothing when files have new times but the same content, and stores the new times', () => {
  const now = new Date()
  utimesSync(join(copy, 'web/admin/desk.tsx'), now, now)
  const before = readFileSync(join(copy, 'build/sources.json'), 'utf8')
  assert.deepEqual(build(), [])
  assert.notEqual(readFileSync(join(copy, 'build/sources.json'), 'utf8'), before)
})

test('repeats only the compression when the record of the last build is damaged', () => {
  writeFileSync(join(copy, 'build/sources.json'), '{"times":"')
  assert.deepEqual(build(), ['compression'])
})

test('builds only the desk after an edit of a screen of the desk', () => {
  edit('web/admin/desk.tsx', /$/, '\nconsole.info("edited")\n')
  assert.deepEqual(build(), ['desk', 'compression'])
})

test('builds the pages and the service worker after an edit of a page', () => {
  edit('web/features/home/home-page.tsx', /$/, '\nconsole.info("edited")\n')
  assert.deepEqual(build(), ['pages', 'service worker', 'compression'])
})

test('reports an edit of the server as not built, and then builds only the server', () => {
  const readStatus = `const { isBuilt } = await import('./scripts/build.ts')
console.log(await isBuilt())`
  edit('server/features/news/queries.ts', /$/, '\nconsole.info("edited")\n')
  assert.equal(run(readStatus), 'false\n')
  assert.deepEqual(build(), ['server', 'compression'])
  assert.equal(run(readStatus), 'true\n')
})

test('the built server of a copied checkout reads the migrations of the copy', () => {
  rmSync(join(copy, 'server/db/migrations'), { recursive: true })
  const request = `const { prepareDatabase } = await import('./build/site/start.js')
const db = { transaction: () => ({ execute: async () => [] }) }
await prepareDatabase({ kind: 'postgres', jobsDb: db }, {}, () => {}).catch(({ message }) => console.log(message))`
  assert.ok(run(request).includes(`scandir '${join(copy, 'server/db/migrations')}'`))
})

test('draws only the pictures of an edited drawing again', () => {
  const otherIcon = join(copy, 'web/public/art/icon-192.png')
  const drawnAtBefore = statSync(otherIcon).mtimeMs
  edit('art/boards/board-note.svg', '<title>', '<title>A ')
  assert.deepEqual(build(), ['pictures', 'compression'])
  assert.equal(statSync(otherIcon).mtimeMs, drawnAtBefore)
  assert.match(readFileSync(join(copy, 'web/public/art/board-note.svg'), 'utf8'), /<title>A /)
})

test('draws a missing picture that is requested during the build', () => {
  const picture = join(copy, 'web/public/art/icon-512.png')
  rmSync(picture)
  const request = `const { openBuiltFrontend } = await import('#server/frontend.ts')
const { ensurePicture } = await import('#scripts/bake-art.ts')
const frontend = openBuiltFrontend({ desk: new Promise(() => {}), finished: new Promise(() => {}), ensurePicture })
console.log(await frontend.findFile('/art/icon-512.png'), await frontend.findFile('/art/no-drawing.png'))
process.exit()`
  assert.equal(run(request), `${picture} null\n`)
  assert.ok(existsSync(picture))
})

test('serves the desk once it is built, after the site has opened', () => {
  const request = `const { openBuiltFrontend } = await import('#server/frontend.ts')
const desk = Promise.withResolvers()
const frontend = openBuiltFrontend({ desk: desk.promise, finished: desk.promise, ensurePicture: async () => false })
const events = []
const tags = frontend.getDeskTags().then((tags) => events.push(/<script type="module" src="\\/desk-assets\\/entry-/.test(tags)))
await new Promise(setImmediate)
events.push('waits')
desk.resolve()
await tags
console.log(events.join())`
  assert.equal(run(request), 'waits,true\n')
})

test('draws nothing more on request after the build has failed', () => {
  const request = `const { openBuiltFrontend } = await import('#server/frontend.ts')
const requested = []
const frontend = openBuiltFrontend({
  desk: Promise.resolve(),
  finished: Promise.reject(new Error('The disk is full.')),
  ensurePicture: async (name) => requested.push(name),
})
await new Promise(setImmediate)
await frontend.findFile('/art/icon-512.png')
console.log(requested.length)`
  assert.equal(run(request), '0\n')
})
