import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDefaults } from '#content/documents.ts'
import { type DocumentContent, INTERFACE_PART_KEYS, INTERFACE_PARTS } from '#contract/documents.ts'
import { differsByType, splitKeys, splitPieces } from './keys.ts'
import { getPartPath, readPart } from './parts.ts'
import { KEY_CAPS, REGIONS } from './picture-layout.ts'

const guide = readDefaults({ demo: true }).instructions as DocumentContent<'instructions'>
const TYPES = ['a', 'b'] as const
const controls = guide.keys.flatMap((group) => group.controls)

test('names the nine regions in the order of GUIDE-3', () => {
  assert.deepEqual(
    INTERFACE_PART_KEYS.map((key) => INTERFACE_PARTS[key]),
    [
      'Character status',
      'Item quick slot',
      'Skill quick slot',
      'Chat window',
      'Shortcut slot',
      'Inventory (key I)',
      'Map (key M)',
      'Shortcut keys type A and B',
      'Mouse control type A and B',
    ],
  )
})

test('states the purpose of every region and explains the letters of its drawing', () => {
  for (const key of INTERFACE_PART_KEYS) {
    const { line, text, legend } = guide.parts[key]
    assert.ok(line.length > 20 && text.length > 200, key)
    if (key !== 'keys' && key !== 'mouse') assert.ok(legend.length >= 3, key)
    const { width, height } = REGIONS[key]
    for (const { at, name } of legend)
      assert.ok(at.x > -12 && at.x < width + 12 && at.y > 0 && at.y < height, `${key}: ${name}`)
  }
})

test('draws the regions without overlap', () => {
  for (const one of INTERFACE_PART_KEYS)
    for (const other of INTERFACE_PART_KEYS) {
      if (one === other) continue
      const [a, b] = [REGIONS[one], REGIONS[other]]
      const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      assert.ok(isApart, `${one} and ${other}`)
    }
})

test('states the costs of both paid channels literally in the chat popup and in the chapter on talking', () => {
  const talkingChapter = guide.chapters.find(({ id }) => id === 'talking')
  for (const text of [guide.parts.chat.text, talkingChapter?.text ?? '']) {
    assert.match(text, /Regional channel<\/th>(?:<td>[^<]+<\/td>)?<td>10,000 gold per message</)
    assert.match(
      text,
      /Party search channel<\/th>(?:<td>[^<]+<\/td>)?<td>20,000 gold per message, usable once every 2 minutes</,
    )
  }
})

test('reads a part from its address in any letter case, and ignores an unknown one', () => {
  for (const key of INTERFACE_PART_KEYS)
    assert.equal(readPart(new URLSearchParams(getPartPath(key).split('?')[1])), key)
  assert.equal(readPart(new URLSearchParams('part=CHAT')), 'chat')
  assert.equal(readPart(new URLSearchParams('part=cheat')), null)
  assert.equal(getPartPath(null), '/instructions')
})

test('links the guide to the classes, the game system, the downloads and the tickets', () => {
  const { chapters } = guide
  const text = JSON.stringify(chapters)
  for (const to of ['/characters', '/gamesystem', '/downloads', '/ticket']) assert.ok(text.includes(`"${to}`), to)
  assert.equal(new Set(chapters.map(({ id }) => id)).size, chapters.length)
})

test('gives each key of a type one action', () => {
  for (const type of TYPES) {
    const keys = controls.flatMap((control) => splitKeys(control[type]))
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
      `type ${type}`,
    )
  }
})

test('draws every key of both types on the keyboard', () => {
  const caps = new Set(KEY_CAPS.map(({ id }) => id))
  for (const control of controls)
    for (const key of TYPES.flatMap((type) => splitKeys(control[type])))
      if (!/ \+ \S/.test(key)) assert.ok(caps.has(key), `${control.action}: ${key}`)
})

test('uses F1 to F4, I and M alike in both types, but not the keys for walking', () => {
  const findControl = (action: string) => controls.find((control) => control.action === action)
  const skills = findControl('Skill quick slot, first to fourth')
  for (const type of TYPES) assert.deepEqual(splitKeys(skills?.[type] ?? ''), ['F1', 'F2', 'F3', 'F4'], `type ${type}`)
  for (const [action, key] of [
    ['Inventory', 'I'],
    ['Map', 'M'],
  ] as const)
    assert.deepEqual(findControl(action), { action, a: key, b: key })
  const walk = findControl('Walk')
  assert.ok(walk && differsByType(walk))
})

test('splits the keys of a cell: ranges, alternatives and combinations', () => {
  assert.deepEqual(splitKeys('W / A'), ['W', 'A'])
  assert.deepEqual(splitKeys('F5 – F8'), ['F5', 'F6', 'F7', 'F8'])
  assert.deepEqual(splitKeys('Alt + 1 – Alt + 3'), ['Alt + 1', 'Alt + 2', 'Alt + 3'])
  assert.deepEqual(splitKeys('Num + / Num −'), ['Num +', 'Num −'])
  assert.deepEqual(splitPieces('Num + / Num −'), ['Num +', ' / ', 'Num −'])
  assert.deepEqual(splitPieces('Alt + 1 – Alt + 8'), ['Alt', ' + ', '1', ' – ', 'Alt', ' + ', '8'])
})

test('lists left, right and wheel for both types in the mouse table', () => {
  assert.deepEqual(
    guide.mouse.map(({ title }) => title),
    ['Left button', 'Right button', 'Wheel'],
  )
  for (const { controls: lines } of guide.mouse) for (const { a, b } of lines) assert.ok(a !== '' && b !== '')
})

test('draws the keys of the keyboard without overlap', () => {
  for (const one of KEY_CAPS)
    for (const other of KEY_CAPS)
      if (one !== other && one.y === other.y)
        assert.ok(one.x + one.width <= other.x || other.x + other.width <= one.x, `${one.id} and ${other.id}`)
})
