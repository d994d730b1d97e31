import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
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

/** Motion with another duration, and the rule that allows it. */
const OTHER_DURATIONS = [
  'button.module.css: step 360ms', // LOOK-7, a button whose call is running
  'page-changes.module.css: transform 8s', // LOOK-7, a page that is loading
  'states.module.css: breathe 1.6s', // LOOK-7, content that is loading
  'tournaments-page.module.css: pulse 1.6s', // LOOK-7, a tournament that is running
  'capsule-machine.module.css: fall 0.35s', // CAPSULE-3
  'find-account-page.module.css: width 1s', // FIND-1
  'rotator.module.css: opacity 800ms', // BANNER-1
]

test('motion takes 150 to 300 ms, unless a rule has another time (LOOK-7)', () => {
  const violations = globSync('web/**/*.css').flatMap((file) => {
    const css = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    const values = [...css.matchAll(/(?:transition|animation)(?:-duration)?:\s*([^;}]+)/g)].map(
      ([, value = '']) => value,
    )
    return values
      .flatMap((value) => value.split(/,(?![^(]*\))/))
      .flatMap((part) => {
        // The first time is the duration; a second one is the delay.
        const [text, name = '', amount, unit] = part.match(/(?:([\w-]+)\s+)?(?<![\w.-])([\d.]+)(ms|s)\b/) ?? []
        const duration = Number(amount) * (unit === 's' ? 1000 : 1)
        const isAllowed = text === undefined || duration === 0 || (duration >= 150 && duration <= 300)
        return isAllowed ? [] : [`${basename(file)}: ${name} ${amount}${unit}`]
      })
  })
  assert.deepEqual(violations.sort(), OTHER_DURATIONS.toSorted())
})
