import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './root.ts'

const DOCUMENTS = globSync(['*.md', 'docs/*.md', '.github/**/*.{md,yml,json}'], { cwd: ROOT }).sort()

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const commands = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)

/** A file or folder of the repository, written from its root. */
const PATH =
  /^(?:\.\/)?((?:\.ci|\.github|art|bench|content|contract|docs|scripts|server|test|web)\/[\w./-]+|\.[\w-]+\.mjs|[A-Z]+\.md)$/

/** What a document says in backticks, in code blocks and, in a workflow, anywhere. */
function codeOf(file: string, text: string): string[] {
  if (!file.endsWith('.md')) return text.match(/[^\s`'"]+/g) ?? []
  const blocks = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '')
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
  return [...blocks, ...inline].flatMap((code) => code.split(/[\s,]+/))
}

/** Everything that a document names and the repository does not have. */
function missingFrom(file: string, text: string): string[] {
  const missing = [...text.matchAll(/npm run ([\w:-]+)/g)].filter(([, name]) => !commands.includes(name ?? ''))
  const paths = codeOf(file, text).flatMap((word) => PATH.exec(word)?.[1] ?? [])
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => join(dirname(file), link ?? ''))
  return [
    ...missing.map(([command]) => command),
    ...[...paths, ...links].filter((path) => !existsSync(join(ROOT, path))),
  ]
}

for (const file of DOCUMENTS)
  test(`the commands, paths and links in ${file} exist`, () => {
    assert.deepEqual(missingFrom(file, read(file)), [])
  })

test('a command, a path and a link that do not exist are found', () => {
  const text =
    'Call `npm run nothing`, read `server/nothing.ts`, run\n```\nnode scripts/nothing.ts\n```\nor see [it](docs/no.md).'
  assert.deepEqual(missingFrom('README.md', text), [
    'npm run nothing',
    'scripts/nothing.ts',
    'server/nothing.ts',
    'docs/no.md',
  ])
})

test('the Node.js version in .nvmrc is the pinned one', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } }
  assert.equal(read('.nvmrc').trim(), dependencies.node.split('.')[0])
})
