import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findThingsToCheck } from './publish-check.ts'

const SITE = 'https://play.example.ph'
const NOW = new Date('2026-11-29T04:00:00Z')

test('finds blanks, dates and links in every text of a page', () => {
  const text = {
    about: 'Rules of […name], since 20 November 2026',
    sections: [{ text: '<p>Until <b>Dec 24, 2026</b>: <a href="https://other.example/a">there</a>, /news</p>' }],
    link: 'https://play.example.ph/shop',
    since: '2026-11-29',
  }
  assert.deepEqual(findThingsToCheck(text, null, SITE, NOW), {
    blanks: [{ textBefore: 'Rules of ', blank: '[…name]', textAfter: ', since 20 November 2026' }],
    dates: [
      { text: '20 November 2026', isPast: true },
      { text: 'Dec 24, 2026', isPast: false },
      { text: '2026-11-29', isPast: false },
    ],
    links: [{ address: 'https://other.example/a', isNew: true }],
  })
})

test('returns whole words around each blank of a long text', () => {
  const text = `<p>Players who share one address may log in with ${'very '.repeat(20)}few, at most <b>[… number of]</b> accounts</p><p>at a time, ${'and '.repeat(20)}so on</p>`
  const [{ textBefore = '', blank, textAfter = '' } = {}] = findThingsToCheck({ text }, null, SITE, NOW).blanks
  assert.match(textBefore, /^… (very )+few, at most $/)
  assert.equal(blank, '[… number of]')
  assert.match(textAfter, /^ accounts at a time, (and )+…$/)
})

test('marks only links that are not in the published text as new', () => {
  const before = { text: 'See https://a.example/x' }
  const after = { text: 'See https://a.example/x and https://b.example/y' }
  assert.deepEqual(
    findThingsToCheck(after, before, SITE, NOW).links.map(({ isNew }) => isNew),
    [false, true],
  )
})
