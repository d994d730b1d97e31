import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ROOT } from '#scripts/root.ts'
import { createTestApp, type TestApp } from '#test/helpers.ts'
import { PAGES } from '#web/pages.ts'
import { MAIL_SAMPLES } from './mail/samples.ts'

/** A site without the demo world (SITE-10), and the demo world, whose texts are all part of the lore. */
const neutralSite = await createTestApp({ world: 'empty', env: { DEMO: '0' }, pages: true })
const demoSite = await createTestApp({ pages: true })

/** Columns with names. They are searched for even if they have only one word. */
const NAME_COLUMNS = new Set(
  `banners.title capsules.name characters.cha_name club_areas.name documents.published.hero forum_topics.title letters.subject
  media.title news.author news.subject seasons.divisions seasons.name shop_categories.category_name shop_items.item_name
  streamers.name tournaments.name`.split(/\s+/),
)
/** Names in documents. Those of one word are left out, because they are also ordinary words. */
const LONG_NAME_FIELDS = new Set(['documents.published.name', 'documents.published.title', 'documents.published.enemy'])
const getMinWordCount = (from: string) => (NAME_COLUMNS.has(from) ? 1 : LONG_NAME_FIELDS.has(from) ? 2 : 4)

/** Texts of the lore that every site shows, because the product has them too. */
const PRODUCT_TEXTS = new Set([
  ...['Sacred Gate', 'Mystic Peak', 'Disk space', 'Item quick slot', 'Skill quick slot', 'Left button', 'Right button'],
  ...['Top 100', 'Rankings will be reset every first day of month', 'R-Coin and Milleage', 'News events and guides'],
  ...[
    'Please log in again',
    '5 to 20 characters',
    'How the game works',
    'The full game guide',
    'Quick guide and classes',
  ],
  ...['Rates limits and times of this server', 'Your first night', 'The month', 'Highest level', 'How many'],
  'Whose fonts icons and software this site is made with and under which licences',
])

const splitWords = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu) ?? []

/** Lists the sentences in a value of the database, with the column or field of each. */
function listSentences(value: unknown, from: string): [sentence: string, from: string][] {
  if (typeof value === 'string')
    return value.split(/<[^>]*>|\n|(?<=[.!?:]) /).map((text) => [splitWords(text).join(' '), from])
  if (Array.isArray(value)) return value.flatMap((entry) => listSentences(entry, from))
  if (typeof value !== 'object' || value === null) return []
  const column = from.split('.').slice(0, 2).join('.')
  return Object.entries(value).flatMap(([field, entry]) => listSentences(entry, `${column}.${field}`))
}

/** Reads every sentence in a site's database, except those that the program itself writes. */
async function readSentences({ db }: TestApp): Promise<Map<string, string>> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')
    and table_name not in ('audit_log', 'mail_outbox')`.execute(db)
  const sentenceLists = await Promise.all(
    columns.map(async ({ table_name, column_name }) => {
      const { rows } = await sql<{ value: unknown }>`
        select distinct ${sql.id(column_name)} as value from ${sql.id(table_name)}`.execute(db)
      return rows.flatMap(({ value }) => listSentences(value, `${table_name}.${column_name}`))
    }),
  )
  return new Map(sentenceLists.flat())
}

/** Creates a function that finds references to the lore in a text. */
async function createFinder() {
  const neutralTexts = await readSentences(neutralSite)
  const lore = [...(await readSentences(demoSite))].filter(
    ([text, from]) =>
      /\p{L}/u.test(text) &&
      !neutralTexts.has(text) &&
      !PRODUCT_TEXTS.has(text) &&
      text.split(' ').length >= getMinWordCount(from),
  )
  const loreByStart = Map.groupBy(
    lore.map(([sentence]) => sentence),
    (sentence) => sentence.split(' ').slice(0, 4).join(' '),
  )
  return (text: string): string[] => {
    const words = splitWords(text)
    const searchText = ` ${words.join(' ')} `
    const wordStarts = new Set(
      words.flatMap((_, index) => [1, 2, 3, 4].map((count) => words.slice(index, index + count).join(' '))),
    )
    return [...wordStarts]
      .flatMap((start) => loreByStart.get(start) ?? [])
      .filter((sentence) => searchText.includes(` ${sentence} `))
  }
}

const findLore = await createFinder()

test('finds the lore in the demo world', async () => {
  assert.ok(findLore((await demoSite.get('/')).text).length > 10)
})

test('no page, feed or mail of a site without the demo world contains its lore', async () => {
  const paths = PAGES.map(({ path }) => path).filter((path) => !path.includes(':'))
  const otherPaths = [
    '/forum/100',
    '/news?topic=1',
    '/nowhere',
    '/search?q=pictures',
    '/search?q=shop',
    '/search?q=story',
  ]
  const files = ['/admin', '/admin/first', '/robots.txt', '/sitemap.xml', '/sitemap-pages.xml', '/feed.xml']
  for (const path of [...paths, ...otherPaths, ...files, '/manifest.webmanifest', '/api/docs']) {
    const { status, text } = await neutralSite.get(path)
    assert.ok(status < 500, path)
    assert.deepEqual(findLore(text), [], path)
  }
  for (const [name, { render }] of Object.entries(MAIL_SAMPLES)) {
    const mail = render({ appName: 'Kanto', publicUrl: neutralSite.publicUrl })
    assert.deepEqual(findLore(JSON.stringify(mail)), [], name)
  }
  const manifest = (await neutralSite.get('/manifest.webmanifest')).json()
  assert.deepEqual(manifest.screenshots, [], 'the pictures of the home page show the demo world')
})

test('the scripts of pages and desk contain no lore of the demo world', async () => {
  const files = globSync('build/{client,desk}/**/*.js', { cwd: ROOT })
  assert.ok(files.length > 50)
  for (const file of files) assert.deepEqual(findLore(await readFile(join(ROOT, file), 'utf8')), [], file)
})

/** The texts that the drawings of every site may contain. */
const DRAWN_WORDS = new Set([
  'support',
  '042',
  '043',
  '042-2',
  'sarado',
  'wala-pa',
  'which-way',
  'gate-left',
  'shop-open',
  'sandali',
])

test('the drawings of every site contain no lore of the demo world', async () => {
  const sources = await Promise.all(
    globSync(['web/**/*.{ts,tsx,css}', 'server/features/theme/*.ts'], {
      cwd: ROOT,
      exclude: (path) => /\.test\./.test(path),
    }).map((file) => readFile(join(ROOT, file), 'utf8')),
  )
  const shownDrawings = new Set(
    sources.flatMap((text) => Array.from(text.matchAll(/\/art\/([\w-]+)[.$]/g), ([, name = '']) => name)),
  )
  const drawings = globSync('art/{pages,icons}/*.svg', { cwd: ROOT }).filter((file) =>
    [...shownDrawings].some(
      (name) => basename(file, '.svg') === name || (name.endsWith('-') && basename(file).startsWith(name)),
    ),
  )
  assert.ok(drawings.length > 10, drawings.join())
  // Banners, the map and the story are in a database.
  for (const file of drawings.filter((path) => !/world-map|story-|banner-/.test(path))) {
    const words = Array.from(
      (await readFile(join(ROOT, file), 'utf8')).matchAll(/id="word-([\w-]+)"/g),
      ([, word = '']) => word,
    )
    assert.deepEqual(
      words.filter((word) => !DRAWN_WORDS.has(word)),
      [],
      file,
    )
  }
})
