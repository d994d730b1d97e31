import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** The eight allowed font sizes, in rem. */
const FONT_SIZES = [0.875, 1, 1.125, 1.25, 1.5, 2, 2.75, 4.5]
/** Sizes from here on, in rem, are for decorative numbers, such as that of rank 1. */
const DECORATIVE_SIZE = 3

test('uses only the eight font sizes on the pages', () => {
  const violations = globSync('web/**/*.css', { exclude: ['web/admin/**'] }).flatMap((file) => {
    const sizes = readFileSync(file, 'utf8').matchAll(/font(?:-size)?:\s*(?:[a-z0-9]+ )*([\d.]+)rem/g)
    return [...sizes]
      .map(([, size]) => Number(size))
      .filter((size) => size < DECORATIVE_SIZE && !FONT_SIZES.includes(size))
      .map((size) => `${file}: ${size}rem`)
  })
  assert.deepEqual(violations, [])
})

test('defines one scale of eight spaces and uses no other', () => {
  const files = globSync('web/**/*.css').map((file) => readFileSync(file, 'utf8'))
  const definedSpaces = files.flatMap((css) =>
    [...css.matchAll(/--s-(\d+):\s*(\d+)px/g)].map(([, name, size]) => [name, size]),
  )
  assert.deepEqual(
    definedSpaces,
    ['4', '8', '12', '16', '20', '24', '32', '48'].map((size) => [size, size]),
  )
  const usedNames = new Set(files.flatMap((css) => [...css.matchAll(/var\(--s-(\d+)/g)].map(([, name]) => name)))
  assert.deepEqual(
    [...usedNames].filter((name) => !definedSpaces.some(([definedName]) => definedName === name)),
    [],
  )
})
