import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASS_NAMES } from '#contract/game.ts'
import { classPath, namedClass, shownClass, TABBED_CLASSES, UNTABBED_CLASSES } from '#web/features/guides/classes.ts'
import { CLASS_GUIDES } from './classes.ts'

const at = (search: string) => new URLSearchParams(search)

test('the tabs are the seven of GUIDE-1, in its order and with its names', () => {
  assert.deepEqual(
    TABBED_CLASSES.map(({ name }) => name),
    ['Brawler', 'Archer', 'Sword', 'Shaman', 'Extreme', 'Scientist', 'Assassin'],
  )
})

test('magician, shaper and an eighth class have panels without tabs', () => {
  assert.deepEqual(
    UNTABBED_CLASSES.map(({ key }) => key),
    ['magician', 'shaper', 'conductor'],
  )
})

test("every class of the game has a panel, under the game's own name", () => {
  const keys = new Set<string>(CLASS_GUIDES.map(({ key }) => key))
  for (const name of CLASS_NAMES) assert.ok(keys.has(name), name)
})

test('an address shows the class it names, in any letter case, by the name of the game or of the tab', () => {
  assert.equal(shownClass(at('class=archer')).key, 'archer')
  assert.equal(shownClass(at('class=SHAPER')).key, 'shaper')
  assert.equal(shownClass(at('class=scientist')).key, 'gunner')
  assert.equal(shownClass(at('class=gunner')).key, 'gunner')
  assert.equal(shownClass(at('class=sword')).key, 'swordsman')
})

test('no class or an unknown one shows the first tab and names nobody', () => {
  for (const search of ['', 'class=', 'class=pirate', 'class=__proto__']) {
    assert.equal(shownClass(at(search)).key, 'brawler')
    assert.equal(namedClass(at(search)), null)
  }
})

test('every class leads back to itself by its own address', () => {
  for (const { key } of CLASS_GUIDES) {
    assert.equal(shownClass(new URL(classPath(key), 'http://x').searchParams).key, key)
  }
})

test('every panel is complete: a story of 60 to 100 words, three strengths and weaknesses, five skills, four on keys', () => {
  for (const guide of CLASS_GUIDES) {
    const words = guide.blurb.split(/\s+/).length
    assert.ok(words >= 60 && words <= 100, `${guide.key}: ${words} words`)
    assert.equal(guide.strengths.length, 3, guide.key)
    assert.equal(guide.weaknesses.length, 3, guide.key)
    assert.deepEqual(
      guide.skills.map(({ key }) => key),
      ['F1', 'F2', 'F3', 'F4', 'Always'],
      guide.key,
    )
  }
})
