import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** The eight sizes of text, in rem. */
const STEPS = [0.875, 1, 1.125, 1.25, 1.5, 2, 2.75, 4.5]
/** From here on a number is drawn, such as the first rank's. */
const DRAWN = 3

test('every text of the pages has one of eight sizes', () => {
  const wrong = globSync('web/**/*.css', { exclude: ['web/admin/**'] }).flatMap((file) => {
    const sizes = readFileSync(file, 'utf8').matchAll(/font(?:-size)?:\s*(?:[a-z0-9]+ )*([\d.]+)rem/g)
    return [...sizes]
      .map(([, size]) => Number(size))
      .filter((size) => size < DRAWN && !STEPS.includes(size))
      .map((size) => `${file}: ${size}rem`)
  })
  assert.deepEqual(wrong, [])
})

test('the styles have one scale of eight spaces, and use no other', () => {
  const files = globSync('web/**/*.css').map((file) => readFileSync(file, 'utf8'))
  const defined = files.flatMap((css) =>
    [...css.matchAll(/--s-(\d+):\s*(\d+)px/g)].map(([, name, size]) => [name, size]),
  )
  assert.deepEqual(
    defined,
    ['4', '8', '12', '16', '20', '24', '32', '48'].map((size) => [size, size]),
  )
  const used = new Set(files.flatMap((css) => [...css.matchAll(/var\(--s-(\d+)/g)].map(([, name]) => name)))
  assert.deepEqual(
    [...used].filter((name) => !defined.some(([one]) => one === name)),
    [],
  )
})
