import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DOCUMENT_NAMES, type DocumentContent, type DocumentName } from '#contract/documents.ts'
import { CLASS_NAMES } from '#contract/game.ts'
import { SESSION_IDLE_MAX_MS, SESSION_MAX_MS, WHITELIST_MAX } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { cleanHtml } from '#server/clean-html.ts'
import { SESSION_KEYS } from '#web/api/session.ts'
import { getClassPath, readNamedClass, readShownClass } from '#web/features/guides/classes.ts'
import { readDefaults } from './documents.ts'

const ROOT = join(import.meta.dirname, '..')
const defaults = readDefaults({ demo: true })
const neutralDocuments = readDefaults({ demo: false })
const getDocument = <Name extends DocumentName>(name: Name) => defaults[name] as unknown as DocumentContent<Name>
const POLICIES = ['operationpolicy', 'privacypolicy', 'gamecashagreement'] as const
const countTextWords = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text)).length

test('defaults contain only HTML that the site allows', () => {
  for (const text of JSON.stringify([defaults, neutralDocuments]).matchAll(/"(<(?:[^"\\]|\\.)*)"/g)) {
    const html = JSON.parse(text[0]) as string
    assert.equal(cleanHtml(html).replaceAll(' target="_blank" rel="noopener nofollow"', ''), html)
  }
})

test('drafts for other sites contain no lore of the demo world', () => {
  // The names of browser keys and of the settings' values belong to the software.
  const allTexts = JSON.stringify(DOCUMENT_NAMES.map((name) => neutralDocuments[name]))
    .replaceAll(/\{(app|[oO]perator|contact)\}/g, '')
    .replaceAll(/TAMBAYAN_\w+/g, '')
  const [loreWord] =
    /\b(tambayan|campus|jeepney|rooftop|bell|Covered Court|guard house|barkada|Aling|tagalog|umbrella)/i.exec(
      allTexts,
    ) ?? []
  assert.equal(loreWord, undefined)
  for (const { title } of getDocument('story').chapters) assert.ok(!allTexts.includes(title), title)
  assert.doesNotMatch(allTexts, /\{\w+\}/)
})

test('drafts for other sites contain no values of the game and no dates', () => {
  const allTexts = JSON.stringify(neutralDocuments)
  assert.doesNotMatch(allTexts, /\d+ gold|gold per message|at most \d+ address|umbrella|Philippine|Republic|2026/i)
  for (const name of POLICIES) {
    const policy = neutralDocuments[name] as unknown as DocumentContent<typeof name>
    assert.equal(policy.since, '', name)
    const text = policy.sections.map((section) => section.text).join('\n')
    assert.match(text, /\[… [^\]|]+\]/, name)
    assert.doesNotMatch(text, /\[…[^\]]*\|/, name)
    assert.equal(new Set(policy.sections.map(({ id }) => id)).size, policy.sections.length, name)
  }
  assert.doesNotMatch(JSON.stringify(defaults), /\[…/)
})

test('finds a class by an address in any letter case, with the game’s name or the tab’s name', () => {
  const at = (search: string) => new URLSearchParams(search)
  assert.equal(readShownClass(at('class=archer')), 'archer')
  assert.equal(readShownClass(at('class=SHAPER')), 'shaper')
  assert.equal(readShownClass(at('class=scientist')), 'gunner')
  assert.equal(readShownClass(at('class=sword')), 'swordsman')
  for (const search of ['', 'class=', 'class=pirate', 'class=__proto__']) {
    assert.equal(readShownClass(at(search)), 'brawler')
    assert.equal(readNamedClass(at(search)), null)
  }
  for (const key of CLASS_NAMES) assert.equal(readShownClass(new URL(getClassPath(key), 'http://x').searchParams), key)
})

test('every class has a text of 60 to 100 words, three strengths and weaknesses, and five skills', () => {
  for (const [key, classGuide] of Object.entries(getDocument('classes').classes)) {
    const count = countTextWords(classGuide.text)
    assert.ok(count >= 60 && count <= 100, `${key}: ${count} words`)
    assert.equal(classGuide.strengths.length, 3, key)
    assert.equal(classGuide.weaknesses.length, 3, key)
    assert.deepEqual(
      classGuide.skills.map((skill) => skill.key),
      ['F1', 'F2', 'F3', 'F4', 'Always'],
      key,
    )
  }
})

test('the story has 900 to 1,500 words with its map, and one chapter and location for each school', () => {
  const { chapters, places } = getDocument('story')
  const storyWords = countTextWords(
    chapters.map(({ title, text, quote, quoted }) => [title, text, quote, quoted].join(' ')).join(' '),
  )
  const map = countTextWords(places.map(({ name, line }) => `${name} ${line}`).join(' '))
  assert.ok(storyWords >= 900 && storyWords + map <= 1500, `${storyWords} words and ${map} of the map`)
  for (const list of [chapters, places]) {
    assert.deepEqual(list.flatMap(({ school }) => school || []).sort(), ['0', '1', '2'])
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length)
  }
})

test('the map shows every location with its name, including the three club areas', () => {
  const { places } = getDocument('story')
  for (const { name, label, line, at, name_at } of places) {
    assert.match(line, /^[A-Z0-9].*[.]$/, name)
    const lines = (label || name).split(' / ')
    assert.equal(lines.join(' '), name)
    for (const { x, y } of [at, name_at]) assert.ok(x > 0 && x < 1000 && y > 0 && y < 1120, name)
    // A line has at most 42 units, and a letter of the condensed font about 16.
    const halfWidth = Math.max(...lines.map((line) => line.length)) * 8
    assert.ok(name_at.x - halfWidth > 0 && name_at.x + halfWidth < 1000, `${name} would be cut off`)
  }
  for (const name of ['Covered Court', 'Old Market', 'Sky Bridge'])
    assert.match(places.find((storyPlace) => storyPlace.name === name)?.line ?? '', /^Club area: /)
})

test('the server information has the rates, the limits and the price of the regional channel', () => {
  const { rates, numbers, chat, month_value, rules } = getDocument('server-info')
  assert.deepEqual(
    rates.map(({ name }) => name),
    ['Experience', 'Drop', 'Gold'],
  )
  for (const name of ['Level cap', 'Largest party', 'Channels'])
    assert.ok(
      numbers.some((figureRow) => figureRow.name === name),
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
  getDocument(name)
    .sections.map(({ text }) => text)
    .join('\n')

test('each policy names the site, its operator and an address, and each section has an anchor', () => {
  for (const name of POLICIES) {
    const { about, sections } = getDocument(name)
    for (const placeholderName of ['{app}', '{operator}', '{contact}'])
      assert.ok(`${about} ${readText(name)}`.includes(placeholderName), name)
    assert.equal(new Set(sections.map(({ id }) => id)).size, sections.length, name)
    assert.ok(sections.every(({ id, text }) => /^[a-z-]+$/.test(id) && text !== ''))
  }
})

test('links between policies lead to existing sections', () => {
  for (const documents of [defaults, neutralDocuments]) assertLinks(documents)
})

function assertLinks(documents: typeof defaults): void {
  const sectionsOf = (name: (typeof POLICIES)[number]) =>
    (documents[name] as unknown as DocumentContent<typeof name>).sections
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

test('the policies state the numbers of the code', () => {
  const hours = `${SESSION_IDLE_MAX_MS / 3_600_000} hours`
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
  const findKeys = (text: string) => [...text.matchAll(/TAMBAYAN_[A-Z]+(_[A-Z]+)*/g)].map(([key]) => key)
  const sourcePatterns = ['web/**/*.{ts,tsx}', 'server/http/client-address.ts']
  for await (const file of glob(sourcePatterns, { cwd: ROOT, exclude: ['**/*.test.ts'] }))
    for (const key of findKeys(readFileSync(join(ROOT, file), 'utf8'))) keys.add(key)
  assert.ok(keys.size > 4)
  for (const key of keys) assert.ok(privacy.includes(key), key)
  // The key of a draft ends with the name of its form.
  for (const key of findKeys(privacy))
    assert.ok(
      [...keys].some((documentedKey) => key.startsWith(documentedKey)),
      key,
    )
})
