import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTryNumber, readDescription, sortByMirror } from './description.ts'

test('reads the checksum and the mirror from their lines, and the other lines as a note', () => {
  assert.deepEqual(readDescription('SHA-256: 7c41e09b\nMirror: 1\nFrom Manila.\nUsually the quickest.'), {
    checksum: { kind: 'SHA-256', value: '7c41e09b' },
    mirror: 1,
    note: 'From Manila. Usually the quickest.',
  })
})

test('reads facts in any order, letter case and spacing, with each kind of checksum', () => {
  assert.deepEqual(readDescription('MIRROR:2\r\n  md5 :  b80d \r\n'), {
    checksum: { kind: 'MD5', value: 'b80d' },
    mirror: 2,
    note: '',
  })
  for (const [name, kind] of [
    ['SHA1', 'SHA-1'],
    ['sha256', 'SHA-256'],
    ['Sha-512', 'SHA-512'],
  ])
    assert.equal(readDescription(`${name}: 00ff`).checksum?.kind, kind)
})

test('reads a text without valid lines as a note', () => {
  const noFacts = { checksum: null, mirror: null }
  assert.deepEqual(readDescription('2.9 GB, version 1.42: enjoy'), { ...noFacts, note: '2.9 GB, version 1.42: enjoy' })
  assert.deepEqual(readDescription('Mirror: Cebu'), { ...noFacts, note: 'Mirror: Cebu' })
  assert.deepEqual(readDescription('Mirror:\nWarning: backups first'), {
    ...noFacts,
    note: 'Mirror: Warning: backups first',
  })
  assert.deepEqual(readDescription(''), { ...noFacts, note: '' })
})

test('orders links by mirror number, with links without a number last and in their original order', () => {
  const links = ['patch', 'Mirror: 3', 'Mirror: 1', 'tool', 'Mirror: 2'].map((link_description) => ({
    link_description,
  }))
  assert.deepEqual(
    sortByMirror(links).map(({ link }) => link.link_description),
    ['Mirror: 1', 'Mirror: 2', 'Mirror: 3', 'patch', 'tool'],
  )
})

test('formats the number of a mirror as an ordinal', () => {
  assert.deepEqual([1, 2, 3, 4, 11, 21].map(formatTryNumber), [
    'Try 1st',
    'Try 2nd',
    'Try 3rd',
    'Try 4th',
    'Try 11th',
    'Try 21st',
  ])
})
