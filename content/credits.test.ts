import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FONTS, ICON_AUTHORS, SOFTWARE } from './credits.ts'

const root = new URL('../', import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
/** Older packages state their licence in a list. */
const findLicence = (name: string) => {
  const { license, licenses } = readJson(`node_modules/${name}/package.json`)
  return license ?? licenses[0].type
}

test('every package the site runs on is credited with the licence its package states', () => {
  const creditedNames = [...SOFTWARE.map(({ name }) => name), ...FONTS.map(({ package_name }) => package_name)]
  const { dependencies, optionalDependencies } = readJson('package.json')
  // Node has a package for each platform, of which one is installed.
  const platform = Object.keys(optionalDependencies).find((name) => existsSync(new URL(`node_modules/${name}`, root)))
  assert.ok(platform !== undefined)
  assert.deepEqual(creditedNames.toSorted(), [...Object.keys(dependencies), 'node'].toSorted())
  for (const { name, licence } of SOFTWARE) assert.equal(licence, findLicence(name === 'node' ? platform : name), name)
  for (const { package_name, licence } of FONTS) assert.equal(licence, findLicence(package_name), package_name)
})

test('the drawings name the author of every icon in them, and the credits name the same', () => {
  const drawings = globSync('art/{classes,items}/*.svg', { cwd: root }).map((file) =>
    readFileSync(new URL(file, root), 'utf8'),
  )
  const drawnIcons = [...drawings.join('').matchAll(/Icon “([\w-]+)” by ([^,]+), game-icons\.net, CC BY 3\.0/g)]
  const credited = ICON_AUTHORS.flatMap(({ name, icons }) => icons.map((icon) => `${icon} by ${name}`))
  assert.deepEqual(
    credited.toSorted(),
    [...new Set(drawnIcons.map(([, icon, name]) => `${icon} by ${name}`))].toSorted(),
  )
})
