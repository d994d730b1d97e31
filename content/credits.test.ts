import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CLASS_GUIDES } from '#content/classes.ts'
import { items } from '#server/demo/content/items.ts'
import { FONTS, ICON_AUTHORS, SOFTWARE } from './credits.ts'

const root = new URL('../', import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
/** Older packages state their licence in a list. */
const licenceOf = (name: string) => {
  const { license, licenses } = readJson(`node_modules/${name}/package.json`)
  return license ?? licenses[0].type
}

test('every package the site runs on is credited with the licence its package states', () => {
  const listed = [...SOFTWARE.map(({ name }) => name), ...FONTS.map(({ packageName }) => packageName)]
  assert.deepEqual(listed.toSorted(), Object.keys(readJson('package.json').dependencies).toSorted())
  for (const { name, licence } of SOFTWARE) assert.equal(licence, licenceOf(name), name)
  for (const { packageName, licence } of FONTS) assert.equal(licence, licenceOf(packageName), packageName)
})

test('every icon that is drawn has exactly one author, and no author is thanked for an icon that is not', () => {
  const drawn = new Set([
    ...items.map(({ icon }) => icon),
    ...CLASS_GUIDES.flatMap(({ skills }) => skills.map(({ icon }) => icon)),
  ])
  const credited = ICON_AUTHORS.flatMap(({ icons }) => icons)
  assert.deepEqual(credited.toSorted(), [...drawn].toSorted())
})
