import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DOCUMENT_NAMES, type DocumentName, type DocumentOf } from '#contract/documents.ts'
import { CLASS_NAMES } from '#contract/game.ts'
import { SESSION_IDLE_MS, SESSION_MAX_MS, WHITELIST_MAX } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { cleanHtml } from '#server/clean-html.ts'
import { SESSION_KEYS } from '#web/api/session.ts'
import { classPath, namedClass, shownClass } from '#web/features/guides/classes.ts'
import { readDefaults } from './documents.ts'

const ROOT = join(import.meta.dirname, '..')
const all = readDefaults({ demo: true })
const neutral = readDefaults({ demo: false })
const ours = <Name extends DocumentName>(name: Name) => all[name] as unknown as DocumentOf<Name>
const POLICIES = ['operationpolicy', 'privacypolicy', 'gamecashagreement'] as const
const countTextWords = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length

test('defaults are clean HTML from the beginning', () => {
  for (const text of JSON.stringify([all, neutral]).matchAll(/"(<(?:[^"\\]|\\.)*)"/g)) {
    const html = JSON.parse(text[0]) as string
    assert.equal(cleanHtml(html).replaceAll(' target="_blank" rel="noopener nofollow"', ''), html)
  }
})

test('drafts for other sites contain nothing of the demo’s lore', () => {
  // The browser's keys and the values that the settings fill in are the software's.
  const said = JSON.stringify(DOCUMENT_NAMES.map((name) => neutral[name]))
    .replaceAll(/\{(app|[oO]perator|contact)\}/g, '')
    .replaceAll(/TAMBAYAN_\w+/g, '')
  const [found] =
    /\b(tambayan|campus|jeepney|rooftop|bell|Covered Court|guard house|barkada|Aling|tagalog|umbrella)/i.exec(said) ??
    []
  assert.equal(found, undefined)
  for (const { title } of ours('story').chapters) assert.ok(!said.includes(title), title)
  assert.doesNotMatch(said, /\{\w+\}/)
})

test('drafts for other sites contain no values of the game and no dates', () => {
  const said = JSON.stringify(neutral)
  assert.doesNotMatch(said, /\d+ gold|gold per message|at most \d+ address|umbrella|Philippine|Republic|2026/i)
  for (const name of POLICIES) {
    const policy = neutral[name] as unknown as DocumentOf<typeof name>
    assert.equal(policy.since, '', name)
    const text = policy.sections.map((section) => section.text).join('\n')
    assert.match(text, /\[… [^\]|]+\]/, name)
    assert.doesNotMatch(text, /\[…[^\]]*\|/, name)
    assert.equal(new Set(policy.sections.map(({ id }) => id)).size, policy.sections.length, name)
  }
  assert.doesNotMatch(JSON.stringify(all), /\[…/)
})

test('an address shows the class it names, in any letter case, by the name of the game or of the tab', () => {
  const at = (search: string) => new URLSearchParams(search)
  assert.equal(shownClass(at('class=archer')), 'archer')
  assert.equal(shownClass(at('class=SHAPER')), 'shaper')
  assert.equal(shownClass(at('class=scientist')), 'gunner')
  assert.equal(shownClass(at('class=sword')), 'swordsman')
  for (const search of ['', 'class=', 'class=pirate', 'class=__proto__']) {
    assert.equal(shownClass(at(search)), 'brawler')
    assert.equal(namedClass(at(search)), null)
  }
  for (const key of CLASS_NAMES) assert.equal(shownClass(new URL(classPath(key), 'http://x').searchParams), key)
})

test('every class is complete: a story of 60 to 100 words, three strengths and weaknesses, five skills, four on keys', () => {
  for (const [key, guide] of Object.entries(ours('classes').classes)) {
    const count = countTextWords(guide.text)
    assert.ok(count >= 60 && count <= 100, `${key}: ${count} words`)
    assert.equal(guide.strengths.length, 3, key)
    assert.equal(guide.weaknesses.length, 3, key)
    assert.deepEqual(
      guide.skills.map((skill) => skill.key),
      ['F1', 'F2', 'F3', 'F4', 'Always'],
      key,
    )
  }
})

test('the story is 900 to 1,500 words with its map, and each school has one chapter and one place', () => {
  const { chapters, places } = ours('story')
  const story = countTextWords(
    chapters.map(({ title, text, quote, quoted }) => [title, text, quote, quoted].join(' ')).join(' '),
  )
  const map = countTextWords(places.map(({ name, line }) => `${name} ${line}`).join(' '))
  assert.ok(story >= 900 && story + map <= 1500, `${story} words and ${map} of the map`)
  for (const list of [chapters, places]) {
    assert.deepEqual(list.flatMap(({ school }) => school || []).sort(), ['0', '1', '2'])
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length)
  }
})

test('every place is on the map with its name, the three club areas among them', () => {
  const { places } = ours('story')
  for (const { name, label, line, at, name_at } of places) {
    assert.match(line, /^[A-Z0-9].*[.]$/, name)
    const lines = (label || name).split(' / ')
    assert.equal(lines.join(' '), name)
    for (const { x, y } of [at, name_at]) assert.ok(x > 0 && x < 1000 && y > 0 && y < 1120, name)
    // 42 units a line at most, and about 16 a letter in the condensed face.
    const half = Math.max(...lines.map((count) => count.length)) * 8
    assert.ok(name_at.x - half > 0 && name_at.x + half < 1000, `${name} would be cut off`)
  }
  for (const name of ['Covered Court', 'Old Market', 'Sky Bridge'])
    assert.match(places.find((place) => place.name === name)?.line ?? '', /^Club area: /)
})

test('the sheet has the rates, the limits and the price of the regional channel', () => {
  const { rates, numbers, chat, month_value, rules } = ours('server-info')
  assert.deepEqual(
    rates.map(({ name }) => name),
    ['Experience', 'Drop', 'Gold'],
  )
  for (const name of ['Level cap', 'Largest party', 'Channels'])
    assert.ok(
      numbers.some((one) => one.name === name),
      name,
    )
  assert.deepEqual(chat, [
    { name: 'Regional channel', value: '10,000 gold per message' },
    { name: 'Party search channel', value: '20,000 gold per message, usable once every 2 minutes' },
  ])
  assert.equal(month_value, '1st, 00:00')
  assert.ok(rules.length >= 4)
})

const readText = (name: (typeof POLICIES)[number]) =>
  ours(name)
    .sections.map(({ text }) => text)
    .join('\n')

test('each policy names the site, its operator and an address, and each section has an anchor', () => {
  for (const name of POLICIES) {
    const { about, sections } = ours(name)
    for (const asked of ['{app}', '{operator}', '{contact}'])
      assert.ok(`${about} ${readText(name)}`.includes(asked), name)
    assert.equal(new Set(sections.map(({ id }) => id)).size, sections.length, name)
    assert.ok(sections.every(({ id, text }) => /^[a-z-]+$/.test(id) && text !== ''))
  }
})

test('a link from one policy into another leads to a section that is there', () => {
  for (const documents of [all, neutral]) assertLinks(documents)
})

function assertLinks(documents: typeof all): void {
  const sectionsOf = (name: (typeof POLICIES)[number]) =>
    (documents[name] as unknown as DocumentOf<typeof name>).sections
  const anchors = new Set(
    POLICIES.flatMap((name) => [`/${name}`, ...sectionsOf(name).map(({ id }) => `/${name}#${id}`)]),
  )
  const links = POLICIES.flatMap((name) =>
    [
      ...sectionsOf(name)
        .map(({ text }) => text)
        .join('\n')
        .matchAll(/href="(#[^"]*|\/\w+(?:policy|agreement)[^"]*)"/g),
    ].map(([, to = '']) => to.replace(/^#/, `/${name}#`)),
  )
  assert.ok(links.length > 5)
  for (const link of links) assert.ok(anchors.has(link), link)
}

test('the policies have the numbers of the code', () => {
  const hours = `${SESSION_IDLE_MS / 3_600_000} hours`
  const days = `${SESSION_MAX_MS / 86_400_000} days`
  for (const name of ['operationpolicy', 'privacypolicy'] as const) {
    const text = readText(name)
    assert.ok(text.includes(hours) && text.includes(days), name)
  }
  assert.ok(readText('operationpolicy').includes(`at most ${WHITELIST_MAX}`))
  assert.ok(readText('gamecashagreement').includes(`After ${LIMITS.voucherFailures.max} wrong codes`))
})

test('the privacy policy names exactly the keys that the site stores in a browser', async () => {
  const privacy = readText('privacypolicy')
  const keys = new Set<string>(Object.values(SESSION_KEYS))
  const keysIn = (text: string) => [...text.matchAll(/TAMBAYAN_[A-Z]+(_[A-Z]+)*/g)].map(([key]) => key)
  const places = ['web/**/*.{ts,tsx}', 'server/http/client-address.ts']
  for await (const file of glob(places, { cwd: ROOT, exclude: ['**/*.test.ts'] }))
    for (const key of keysIn(readFileSync(join(ROOT, file), 'utf8'))) keys.add(key)
  assert.ok(keys.size > 4)
  for (const key of keys) assert.ok(privacy.includes(key), key)
  // A draft has the name of its form at the end.
  for (const key of keysIn(privacy))
    assert.ok(
      [...keys].some((kept) => key.startsWith(kept)),
      key,
    )
})
