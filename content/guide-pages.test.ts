import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstSegment } from '#web/api/page.ts'
import { PAGES } from '#web/pages.ts'
import { CLASS_GUIDES } from './classes.ts'
import { SYSTEM_SECTIONS } from './game-systems.ts'
import { GUIDE_PAGES } from './guide-pages.ts'
import { CHAPTERS, PART_KEYS } from './instructions.ts'

const pathsOf = (start: string) =>
  GUIDE_PAGES.filter(({ path }) => path.startsWith(start)).map(({ path }) => path.slice(start.length))

test('the search knows each class, each part and chapter of the full guide and each section of the game system', () => {
  const sorted = (words: readonly string[]) => [...words].sort()
  assert.deepEqual(sorted(pathsOf('/characters?class=')), sorted(CLASS_GUIDES.map(({ key }) => key)))
  assert.deepEqual(sorted(pathsOf('/instructions?part=')), sorted(PART_KEYS))
  assert.deepEqual(sorted(pathsOf('/instructions#')), sorted(CHAPTERS.map(({ id }) => id)))
  assert.deepEqual(sorted(pathsOf('/gamesystem#')), sorted(SYSTEM_SECTIONS.map(({ id }) => id)))
})

test('every page the search knows has a route and is listed once', () => {
  const segments = new Set(PAGES.map(({ path }) => firstSegment(path)))
  for (const { path } of GUIDE_PAGES) assert.ok(segments.has(/^\/(\w+)/.exec(path)?.[1] ?? ''), path)
  assert.equal(new Set(GUIDE_PAGES.map(({ path }) => path)).size, GUIDE_PAGES.length)
})
