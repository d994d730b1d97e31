// biome-ignore-all lint/style/noRestrictedImports: tests run only in Node, not in a browser
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BOARD_LIST_KEYS,
  BOARDS,
  CLASS_NAMES,
  findClassByCode,
  findSchool,
  getClassCodes,
  HOME_CLASS_FILTERS,
  listClassFilters,
} from './game.ts'

/** The class codes of RANK-7, repeated so that a change of the ones in use fails a test. */
const RULE_CODES: Record<string, [string, string]> = {
  brawler: ['1', '64'],
  swordsman: ['2', '128'],
  archer: ['4', '256'],
  shaman: ['8', '512'],
  extreme: ['16', '32'],
  gunner: ['1024', '2048'],
  assassin: ['4096', '8192'],
  magician: ['16384', '32768'],
  shaper: ['262144', '524288'],
}

test('gives each of the nine classes the two codes of RANK-7', () => {
  assert.deepEqual(Object.fromEntries(CLASS_NAMES.map((name) => [name, getClassCodes(name)])), RULE_CODES)
  for (const [name, codes] of Object.entries(RULE_CODES)) {
    for (const code of codes) assert.equal(findClassByCode(code), name)
  }
})

test('finds no class for an unknown code', () => {
  for (const code of ['0', '3', '65536', '131072', '01', '1.0', ' 1', '', 'brawler']) {
    assert.equal(findClassByCode(code), undefined, code)
  }
})

test('finds schools only for the codes 0, 1 and 2', () => {
  assert.deepEqual(
    [0, 1, 2].map((code) => findSchool(code)?.name),
    ['Sacred Gate', 'Mystic Peak', 'Phoenix'],
  )
  for (const code of [-1, 3, 0.5, Number.NaN]) assert.equal(findSchool(code), undefined)
})

test('returns the five boards under the keys of RANK-6', () => {
  assert.deepEqual([...BOARDS], ['resu', 'mmr', 'level', 'richest', 'killer'])
  assert.deepEqual(
    BOARDS.map((board) => BOARD_LIST_KEYS[board]),
    ['topresu', 'topmmr', 'toplevel', 'topmoney', 'toppk'],
  )
})

test('offers shaman and extreme on the resu board, and all classes on every other board', () => {
  assert.deepEqual(listClassFilters('resu'), ['shaman', 'extreme'])
  for (const board of ['mmr', 'level', 'richest', 'killer'] as const) {
    assert.deepEqual(listClassFilters(board), Object.keys(RULE_CODES))
  }
})

test('offers six classes in the home widget, in the order of HOME-2', () => {
  assert.deepEqual([...HOME_CLASS_FILTERS], ['brawler', 'swordsman', 'archer', 'shaman', 'extreme', 'gunner'])
})
