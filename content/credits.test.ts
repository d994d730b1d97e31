import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FONTS, ICON_AUTHORS, SOFTWARE } from './credits.ts'

const root = new URL('../', import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
/** Older packages state their licences in a list. */
const findLicence = (name: string) => {
  const { license, licenses } = readJson(`node_modules/${name}/package.json`)
  return license ?? licenses[0].type
}

test('credits every package that the site runs on, with the licence in its package.json', () => {
  const creditedNames = [...SOFTWARE.map(({ name }) => name), ...FONTS.map(({ package_name }) => package_name)]
  const { dependencies, optionalDependencies } = readJson('package.json')
  // Node has a package for each platform, and only one is installed.
  const platform = Object.keys(optionalDependencies).find((name) => existsSync(new URL(`node_modules/${name}`, root)))
  assert.ok(platform !== undefined)
  assert.deepEqual(creditedNames.toSorted(), [...Object.keys(dependencies), 'node'].toSorted())
  for (const { name, licence } of SOFTWARE) assert.equal(licence, findLicence(name === 'node' ? platform : name), name)
  for (const { package_name, licence } of FONTS) assert.equal(licence, findLicence(package_name), package_name)
})

test('drawings and credits name the same author for every icon', () => {
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
