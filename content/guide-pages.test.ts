import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { GUIDE_PAGES } from '#content/guide-pages.ts'
import { CLASS_GUIDES } from '#web/features/guides/classes/class-guides.ts'
import { SYSTEM_SECTIONS } from '#web/features/guides/systems/system-sections.ts'
import { CHAPTERS } from '#web/features/instructions/content/chapters.ts'
import { PART_KEYS } from '#web/features/instructions/content/part-keys.ts'

const pathsOf = (start: string) =>
  GUIDE_PAGES.filter(({ path }) => path.startsWith(start)).map(({ path }) => path.slice(start.length))

test('the search knows each class, each part and chapter of the full guide and each section of the game system', () => {
  const sorted = (words: readonly string[]) => [...words].sort()
  assert.deepEqual(sorted(pathsOf('/characters?class=')), sorted(CLASS_GUIDES.map(({ key }) => key)))
  assert.deepEqual(sorted(pathsOf('/instructions?part=')), sorted(PART_KEYS))
  assert.deepEqual(sorted(pathsOf('/instructions#')), sorted(CHAPTERS.map(({ id }) => id)))
  assert.deepEqual(sorted(pathsOf('/gamesystem#')), sorted(SYSTEM_SECTIONS.map(({ id }) => id)))
})

test('every page the search knows has a route and is listed once', async () => {
  const table = await readFile(join(import.meta.dirname, '../../routes.ts'), 'utf8')
  const routes = new Set([...table.matchAll(/route\('([^']+)'/g)].map(([, path]) => `/${path}`))
  for (const { path } of GUIDE_PAGES) assert.ok(routes.has(/^\/\w+/.exec(path)?.[0] ?? ''), path)
  assert.equal(new Set(GUIDE_PAGES.map(({ path }) => path)).size, GUIDE_PAGES.length)
})
