import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SKILL_SLOTS } from '#contract/limits.ts'
import { KEY_CAPS } from '../picture/keyboard-keys.ts'
import { differs, KEY_TABLE, keysOf, MOUSE_TABLE, piecesOf } from './controls.ts'

const TYPES = ['a', 'b'] as const
const controls = KEY_TABLE.flatMap((group) => group.controls)

test('no key does two things within a type', () => {
  for (const type of TYPES) {
    const keys = controls.flatMap((control) => keysOf(control[type]))
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
      `type ${type}`,
    )
  }
})

test('every single key of both types is on the drawn keyboard', () => {
  const caps = new Set(KEY_CAPS.map(({ id }) => id))
  for (const control of controls)
    for (const key of TYPES.flatMap((type) => keysOf(control[type])))
      if (!/ \+ \S/.test(key)) assert.ok(caps.has(key), `${control.action}: ${key}`)
})

test('F1 to F4, I and M are the same in both types; walking is not', () => {
  const of = (action: string) => controls.find((control) => control.action === action)
  const skills = keysOf(of('Skill quick slot, first to fourth')?.a ?? '')
  assert.deepEqual(skills, ['F1', 'F2', 'F3', 'F4'])
  assert.equal(skills.length, SKILL_SLOTS)
  for (const [action, key] of [
    ['Inventory', 'I'],
    ['Map', 'M'],
  ] as const)
    assert.deepEqual(of(action), { action, a: key, b: key })
  const walk = of('Walk')
  assert.ok(walk && differs(walk))
})

test('keys of a cell are taken apart: runs, choices and combinations', () => {
  assert.deepEqual(keysOf('W / A'), ['W', 'A'])
  assert.deepEqual(keysOf('F5 – F8'), ['F5', 'F6', 'F7', 'F8'])
  assert.deepEqual(keysOf('Alt + 1 – Alt + 3'), ['Alt + 1', 'Alt + 2', 'Alt + 3'])
  assert.deepEqual(keysOf('Num + / Num −'), ['Num +', 'Num −'])
  assert.deepEqual(piecesOf('Num + / Num −'), ['Num +', ' / ', 'Num −'])
  assert.deepEqual(piecesOf('Alt + 1 – Alt + 8'), ['Alt', ' + ', '1', ' – ', 'Alt', ' + ', '8'])
})

test('the mouse table tells both types for left, right and wheel', () => {
  assert.deepEqual(
    MOUSE_TABLE.map(({ title }) => title),
    ['Left button', 'Right button', 'Wheel'],
  )
  for (const { controls: lines } of MOUSE_TABLE) for (const { a, b } of lines) assert.ok(a !== '' && b !== '')
})

test('keys on the drawn keyboard do not overlap', () => {
  for (const one of KEY_CAPS)
    for (const other of KEY_CAPS)
      if (one !== other && one.y === other.y)
        assert.ok(one.x + one.width <= other.x || other.x + other.width <= one.x, `${one.id} and ${other.id}`)
})
