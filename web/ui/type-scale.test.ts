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
