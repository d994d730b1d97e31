import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './root.ts'

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', '.github/**/*.{md,yml,json}'], { cwd: ROOT }).sort()

const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const scriptNames = Object.keys((JSON.parse(readText('package.json')) as { scripts: object }).scripts)

/** A file or folder of the repository, written from its root. */
const PATH =
  /^(?:\.\/)?((?:\.ci|\.github|art|bench|bridge|content|contract|demo|deploy|docs|scripts|server|test|web)\/[\w./-]+|\.[\w-]+\.mjs|[A-Z]+\.md)$/

/** Files and folders that the project generates, so a fresh clone does not have them. */
const generatedPaths = readText('.gitignore')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.replace(/\/$/, ''))
const isGenerated = (path: string) => generatedPaths.some((generated) => `${path}/`.startsWith(`${generated}/`))

/** Returns the code in a document: in backticks and code blocks, or anywhere in a workflow. */
function extractCode(file: string, text: string): string[] {
  if (!file.endsWith('.md')) return text.match(/[^\s`'"]+/g) ?? []
  const blocks = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '')
  const inlineCode = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
  return [...blocks, ...inlineCode].flatMap((code) => code.split(/[\s,]+/))
}

/** Returns the paths, commands and links in a document that do not exist. */
function findMissing(file: string, text: string): string[] {
  const missingCommands = [...text.matchAll(/npm run ([\w:-]+)/g)].filter(
    ([, name]) => !scriptNames.includes(name ?? ''),
  )
  const paths = extractCode(file, text).flatMap((codePart) => PATH.exec(codePart)?.[1] ?? [])
  const linkPaths = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) =>
    join(dirname(file), link ?? ''),
  )
  return [
    ...missingCommands.map(([command]) => command),
    ...[...paths, ...linkPaths].filter((path) => !isGenerated(path) && !existsSync(join(ROOT, path))),
  ]
}

for (const file of DOCUMENTS)
  test(`names only existing commands, paths and links in ${file}`, () => {
    assert.deepEqual(findMissing(file, readText(file)), [])
  })

/** Returns the fragment by which a heading is linked, as GitHub derives it. */
const toFragment = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Returns the links to headings in a document that do not exist. */
function findMissingHeadings(file: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
  return links.flatMap(([, path = '', fragment = '']) => {
    const target = path === '' ? text : readText(join(dirname(file), path))
    const headings = [...target.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)]
    return headings.some(([, heading = '']) => toFragment(heading) === fragment) ? [] : [`${path}#${fragment}`]
  })
}

for (const file of DOCUMENTS.filter((path) => path.endsWith('.md')))
  test(`links only existing headings in ${file}`, () => {
    assert.deepEqual(findMissingHeadings(file, readText(file)), [])
  })

test('finds a link to a missing heading', () => {
  const text = "# The site's own\n[a](#the-sites-own), [b](#the-site) and [c](docs/RULES.md#gone)"
  assert.deepEqual(findMissingHeadings('README.md', text), ['#the-site', 'docs/RULES.md#gone'])
})

test('finds a missing command, path and link', () => {
  const text =
    'Call `npm run nothing`, read `server/nothing.ts`, run\n```\nnode scripts/nothing.ts\n```\nor see [it](docs/no.md).'
  assert.deepEqual(findMissing('README.md', text), [
    'npm run nothing',
    'scripts/nothing.ts',
    'server/nothing.ts',
    'docs/no.md',
  ])
})

test('pins the same Node.js version in .nvmrc and package.json', () => {
  const { optionalDependencies } = JSON.parse(readText('package.json')) as {
    optionalDependencies: Record<string, string>
  }
  const versions = new Set(Object.values(optionalDependencies).map((version) => version.split('.')[0]))
  assert.deepEqual([readText('.nvmrc').trim()], [...versions])
})

/** A rule's id is bold at the start of its item in docs/RULES.md. */
const RULE = /^- \*\*([A-Z]+-\d+)\*\* /gm

const rules = [...readText('docs/RULES.md').matchAll(RULE)].map(([, id]) => id ?? '')

test('gives every rule in docs/RULES.md a unique id, with ascending numbers in each area', () => {
  assert.deepEqual(
    rules.filter((id, at) => rules.indexOf(id) !== at),
    [],
  )
  const getArea = (id: string) => id.replace(/-\d+$/, '')
  for (const area of new Set(rules.map(getArea))) {
    const numbers = rules.filter((id) => getArea(id) === area).map((id) => Number(id.slice(area.length + 1)))
    const sortedNumbers = numbers.toSorted((a, b) => a - b)
    assert.deepEqual(numbers, sortedNumbers, area)
  }
})

/** The files that can cite a rule. */
const CITING_FILES = globSync(
  ['*.{md,ts,mjs}', '.*.mjs', '{art,bench,bridge,content,contract,demo,deploy,docs,scripts,server,test,web}/**/*'],
  { cwd: ROOT, withFileTypes: true },
)
  .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|js|css|sql|md|yml|csv)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))

/** Returns the ids in a text that have an area of docs/RULES.md but no rule. */
function findUnknownRules(text: string): string[] {
  const areas = new Set(rules.map((id) => id.split('-')[0]))
  return [...text.matchAll(/\b([A-Z]+)-\d{1,2}\b(?!-)/g)]
    .filter(([id, area]) => areas.has(area) && !rules.includes(id))
    .map(([id]) => id)
}

test('cites only rules of docs/RULES.md in code and documents', () => {
  assert.ok(CITING_FILES.length > 1000)
  const unknownCitations = CITING_FILES.flatMap((file) =>
    findUnknownRules(readFileSync(file, 'utf8')).map((id) => `${file}: ${id}`),
  )
  assert.deepEqual(unknownCitations, [])
})

/** Rules about the product as a whole, which no single piece of code follows. */
const RULES_OF_THE_WHOLE = ['SITE-1', 'SITE-3', 'SITE-4', 'SITE-5', 'SITE-6']

test('cites every rule where the code follows it, outside of tests', () => {
  const sources = CITING_FILES.filter(
    (file) => /\.(ts|tsx|sql|css|mjs)$/.test(file) && !/\.test\.|[\\/]test[\\/]/.test(file),
  )
  const citedRules = new Set(sources.flatMap((file) => readFileSync(file, 'utf8').match(/\b[A-Z]+-\d+\b/g) ?? []))
  assert.deepEqual(
    rules.filter((id) => !citedRules.has(id)),
    RULES_OF_THE_WHOLE,
  )
})

const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT })
  .map((page) => basename(page))
  .sort()

/**
 * Returns the citations in a text, such as "decisions 003 and 007" and "docs/decisions/003", without a page in
 * docs/decisions.
 */
function findUnknownDecisions(text: string): string[] {
  const numbers = decisions.map((page) => page.slice(0, 3))
  return [...text.matchAll(/\bdecisions?[ /]\d{3}\b(?:(?:,| and|, and) \d{3}\b)*/gi)]
    .map(([citation]) => citation)
    .filter((citation) => citation.match(/\d{3}/g)?.some((number) => !numbers.includes(number)))
}

test('cites only existing decisions in code and documents', () => {
  const unknownCitations = CITING_FILES.flatMap((file) =>
    findUnknownDecisions(readFileSync(file, 'utf8')).map((citation) => `${file}: ${citation}`),
  )
  assert.deepEqual(unknownCitations, [])
})

test('numbers decisions without gaps and lists them in order', () => {
  const numbers = decisions.map((_, nth) => String(nth + 1).padStart(3, '0'))
  assert.deepEqual(
    decisions.map((page) => page.slice(0, 3)),
    numbers,
  )
  assert.deepEqual(
    decisions.map((page) => /^# (\d{3}) /.exec(readText(`docs/decisions/${page}`))?.[1]),
    numbers,
  )
  const listedPages = [...readText('docs/decisions/README.md').matchAll(/^- \[.*\]\((.*)\)$/gm)].map(([, page]) => page)
  assert.deepEqual(listedPages, decisions)
})

test('finds a citation of a missing decision', () => {
  // In two parts, because this file is searched for citations too.
  const [firstNumber, unusedNumber] = ['001', `99${9}`]
  const text = `see decision ${firstNumber}, docs/decisions/${unusedNumber} and decisions ${firstNumber}, ${firstNumber} and ${unusedNumber}`
  assert.deepEqual(findUnknownDecisions(text), [
    `decisions/${unusedNumber}`,
    `decisions ${firstNumber}, ${firstNumber} and ${unusedNumber}`,
  ])
})

test('cites no documents SPEC, DECISIONS or GAME, which do not exist', () => {
  const missingDocument = /\b(?:SPEC|DECISIONS)(?:\.md| §)|\bGAME\.md/
  const citingFiles = CITING_FILES.filter((file) => missingDocument.test(readFileSync(file, 'utf8')))
  assert.deepEqual(citingFiles, [])
})

test('finds a citation of a missing rule', () => {
  // In two parts, because this file is searched for citations too.
  const unknownRule = `SHOP-${99}`
  assert.deepEqual(findUnknownRules(`see SHOP-4, ${unknownRule}, SHA-256 and DEMO-1000-AAAA`), [unknownRule])
})

/** The requirements of levels 1 and 2 of ASVS 5.0: each section with its number of requirements. */
const ASVS =
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 ' +
  '5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 ' +
  '8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 ' +
  '12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 ' +
  '16.4:3 16.5:3 17.1:1 17.2:4 17.3:2'

test('names only existing tests in docs/SECURITY.md', () => {
  const cells = [...readText('docs/SECURITY.md').matchAll(/^\| \d.*\|([^|]*)\|$/gm)].map(([, cell = '']) => cell)
  const files = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file))
  assert.ok(files.length > 50)
  assert.deepEqual(
    files.filter((file) => !existsSync(join(ROOT, file))),
    [],
  )
})

test('answers every requirement once in docs/SECURITY.md and counts the answers', () => {
  const requirementIds = ASVS.split(' ').flatMap((range) => {
    const [section = '', count] = range.split(':')
    return Array.from({ length: Number(count) }, (_, nth) => `${section}.${nth + 1}`)
  })
  const listNamedIds = (cell: string) =>
    cell.split(', ').flatMap((range) => {
      const [firstNumber = '', lastId = firstNumber] = range.split(' to ')
      return requirementIds.slice(requirementIds.indexOf(firstNumber), requirementIds.indexOf(lastId) + 1)
    })
  const text = readText('docs/SECURITY.md')
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+[^|]*) \| ([^|]*) \|/gm)].map(([, cell = '', how = '']) => ({
    ids: listNamedIds(cell),
    how,
  }))
  const answeredIds = rows.flatMap((row) => row.ids)
  assert.deepEqual(answeredIds.toSorted(), requirementIds.toSorted())
  const count = (start: string) => rows.filter(({ how }) => how.startsWith(start)).flatMap((row) => row.ids).length
  const [notMetCount, notApplyingCount] = [count('Not met'), count('Does not apply')]
  const counts = /Of the (\d+) requirements .*?, (\d+) are met, (\d+) do not apply and (\d+) are not met/.exec(text)
  assert.deepEqual(counts?.slice(1).map(Number), [
    requirementIds.length,
    requirementIds.length - notMetCount - notApplyingCount,
    notApplyingCount,
    notMetCount,
  ])
})
