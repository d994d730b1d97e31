import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { ensureBuilt } from './build.ts'

const BUILT = join(import.meta.dirname, '../build/server')

/** Found in React's development build and in its choice between the two builds, never in the production build. */
const DEVELOPMENT_MARKS = ['.development.js', 'process.env.NODE_ENV']

test('the built server renders with React’s production build, and no other build is in it', async () => {
  await ensureBuilt(() => {})
  let code = ''
  for await (const file of glob('**/*.js', { cwd: BUILT })) code += await readFile(join(BUILT, file), 'utf8')
  assert.ok(code.includes('react-dom-server-legacy.node.production.js'))
  for (const mark of DEVELOPMENT_MARKS) assert.ok(!code.includes(mark), `build/server contains ${mark}`)
})

/** Found in Zod, in react-hook-form and in what joins them. */
const FORM_MARKS = ['_zod', 'isSubmitSuccessful', 'parseAsync']

/** Pages that visits begin on and that have no form. */
const PAGES_WITHOUT_FORMS = [
  'home/home-page',
  'news/news-page',
  'rankings/rankings-page',
  'shop/item-shop-page',
  'story/story-page',
  'forum/topic-page',
  'policies/policy-page',
]

/** The item scroller, which inner pages fetch when they have loaded. */
const SCROLLER = /^assets\/items-.*\.js$/

for (const page of PAGES_WITHOUT_FORMS)
  test(`a first visit of ${page} fetches neither Zod nor the form library nor its resolver`, async () => {
    await ensureBuilt(() => {})
    const assets = join(BUILT, '../client/assets')
    type Part = { file: string; imports?: string[] }
    const parts: Record<string, Part> = JSON.parse(await readFile(join(assets, '../.vite/manifest.json'), 'utf8'))
    const files = ['web/entry.client.tsx', `web/features/${page}.tsx`].map((source) => parts[source]?.file ?? source)
    const scroller = Object.values(parts).find(({ file }) => SCROLLER.test(file))?.file ?? 'the scroller'
    const fetched = new Set([...files, scroller].map((file) => basename(file)))
    for (const file of fetched) {
      const code = await readFile(join(assets, file), 'utf8')
      for (const [, next] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) fetched.add(next ?? '')
      for (const mark of FORM_MARKS) assert.ok(!code.includes(mark), `${file} contains ${mark}`)
    }
    assert.ok(fetched.size >= 3)
  })
