import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REGIONS } from '../picture/regions.ts'
import type { Block } from './blocks.ts'
import { CHAPTERS } from './chapters.ts'
import { PART_KEYS, partPath, readPart } from './part-keys.ts'
import { PARTS } from './parts.ts'

const textOf = (blocks: readonly Block[]) => JSON.stringify(blocks)

test('the picture has the nine regions of the specification in its order', () => {
  assert.deepEqual(
    PART_KEYS.map((key) => PARTS[key].title),
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

test('every region says what it is for and explains the letters that stand on or beside its drawing', () => {
  for (const key of PART_KEYS) {
    const { line, body, legend } = PARTS[key]
    assert.ok(line.length > 20 && textOf(body).length > 200, key)
    if (key !== 'keys' && key !== 'mouse') assert.ok(legend.length >= 3, key)
    const { width, height } = REGIONS[key]
    for (const { at, name } of legend)
      assert.ok(at[0] > -12 && at[0] < width + 12 && at[1] > 0 && at[1] < height, `${key}: ${name}`)
  }
})

test('no two regions of the picture lie on each other', () => {
  for (const one of PART_KEYS)
    for (const other of PART_KEYS) {
      if (one === other) continue
      const [a, b] = [REGIONS[one], REGIONS[other]]
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      assert.ok(apart, `${one} and ${other}`)
    }
})

test('the chat popup and the chapter on talking state both costs letter for letter', () => {
  const talking = CHAPTERS.find(({ id }) => id === 'talking')
  for (const body of [PARTS.chat.body, talking?.body ?? []]) {
    assert.match(textOf(body), /"Regional channel",(?:"[^"]+",)?"10,000 gold per message"/)
    assert.match(
      textOf(body),
      /"Party search channel",(?:"[^"]+",)?"20,000 gold per message, usable once every 2 minutes"/,
    )
  }
})

test('a part is read from its address in any letter case, and an unknown one opens nothing', () => {
  for (const key of PART_KEYS) assert.equal(readPart(new URLSearchParams(partPath(key).split('?')[1])), key)
  assert.equal(readPart(new URLSearchParams('part=CHAT')), 'chat')
  assert.equal(readPart(new URLSearchParams('part=cheat')), null)
  assert.equal(partPath(null), '/instructions')
})

test('the guide leads to the classes, the game system, the downloads and the tickets', () => {
  const guide = JSON.stringify(CHAPTERS)
  for (const to of ['/characters', '/gamesystem', '/downloads', '/ticket']) assert.ok(guide.includes(`"${to}"`), to)
  assert.equal(new Set(CHAPTERS.map(({ id }) => id)).size, CHAPTERS.length)
})
