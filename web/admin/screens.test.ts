import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SCREENS } from './screens.ts'

test('gives every screen of the desk its own path and key', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const freeKeys = letters.filter((letter) => SCREENS.every(({ key }) => key !== letter))
  for (const { path, key } of SCREENS) {
    assert.deepEqual(
      SCREENS.filter((screen) => screen.path === path).map(({ title }) => title),
      [SCREENS.find((screen) => screen.path === path)?.title],
    )
    const paths = SCREENS.filter((screen) => screen.key === key).map((screen) => screen.path)
    assert.equal(paths.length, 1, `${paths.join(' and ')} have the key ${key}; free: ${freeKeys.join(' ')}`)
  }
})

test('gives every screen of the desk a key of one letter', () => {
  for (const { key, path } of SCREENS) assert.match(key, /^[a-zA-Z]$/, path)
})

test('links only to addresses that a page of the desk has', () => {
  const pagePatterns = SCREENS.flatMap(({ path, pages }) =>
    Object.keys(pages).map((subpath) => {
      const parts = ['/admin', path, subpath].filter((part) => part !== '')
      return new RegExp(`^${parts.join('/').replaceAll(/:\w+/g, '[^/]+')}$`)
    }),
  )
  const hasPage = (address: string) => pagePatterns.some((pattern) => pattern.test(address))
  const files = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
  const addresses = files.flatMap((file) =>
    [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/['"](\/admin[^'"?#]*)/g)].map(
      ([, address = '']) => address,
    ),
  )
  assert.ok(addresses.length > 50)
  // The page of the first owner is not a screen (DESK-12).
  assert.deepEqual(
    [...new Set(addresses)].filter((address) => address !== '/admin/first' && !hasPage(address)),
    [],
  )
})
