import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { ensureBuilt } from './build.ts'

const BUILT = join(import.meta.dirname, '../build/server')

/** Texts of React's development build, and of the code that chooses a build. The production build has neither. */
const DEVELOPMENT_TEXTS = ['.development.js', 'process.env.NODE_ENV']

test('the built server contains only React’s production build', async () => {
  await ensureBuilt(() => {})
  let code = ''
  for await (const file of glob('**/*.js', { cwd: BUILT })) code += await readFile(join(BUILT, file), 'utf8')
  assert.ok(code.includes('react-dom-server-legacy.node.production.js'))
  for (const text of DEVELOPMENT_TEXTS) assert.ok(!code.includes(text), `build/server contains ${text}`)
})

/** Texts of Zod and of the code that connects it with forms. */
const ZOD_TEXTS = ['_zod', 'parseAsync']
/** A text of react-hook-form. */
const FORM_TEXT = 'isSubmitSuccessful'

/** The script of the item scroller, which many pages download when the scroller comes near the visible area. */
const SCROLLER = /^assets\/item-parts-.*\.js$/

/** A text of the full Zod that Zod Mini does not contain. */
const FULL_ZOD_TEXT = 'safeEncode'

test('neither the pages nor the desk contain the full Zod', async () => {
  assert.ok(
    (await readFile(join(BUILT, '../../node_modules/zod/v4/classic/schemas.js'), 'utf8')).includes(FULL_ZOD_TEXT),
  )
  await ensureBuilt(() => {})
  for await (const file of glob('{client/assets,desk/desk-assets}/*.js', { cwd: join(BUILT, '..') }))
    assert.ok(!(await readFile(join(BUILT, '..', file), 'utf8')).includes(FULL_ZOD_TEXT), file)
})

/** Reads the scripts that a first visit to a page fetches, and the scroller's. @returns their code by file */
async function readScripts(page: string): Promise<Map<string, string>> {
  await ensureBuilt(() => {})
  const assets = join(BUILT, '../client/assets')
  type ManifestEntry = { file: string }
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    await readFile(join(assets, '../.vite/manifest.json'), 'utf8'),
  )
  const files = ['web/entry.client.tsx', `web/features/${page}.tsx`].map((source) => manifest[source]?.file ?? source)
  const scrollerFile = Object.values(manifest).find(({ file }) => SCROLLER.test(file))?.file ?? 'the scroller'
  const fetched = new Set([...files, scrollerFile].map((file) => basename(file)))
  const scripts = new Map<string, string>()
  for (const file of fetched) {
    const code = await readFile(join(assets, file), 'utf8')
    for (const [, next] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) fetched.add(next ?? '')
    scripts.set(file, code)
  }
  return scripts
}

for (const page of [
  'home/home-page',
  'news/news-page',
  'rankings/rankings-page',
  'shop/item-shop-page',
  'story/story-page',
  'forum/topic-page',
  'policies/policy-page',
])
  test(`a first visit to ${page}, which has no form, fetches neither Zod nor the form library`, async () => {
    for (const [file, code] of await readScripts(page))
      for (const text of [...ZOD_TEXTS, FORM_TEXT]) assert.ok(!code.includes(text), `${file} contains ${text}`)
  })

for (const page of [
  'home/home-page',
  'news/news-page',
  'rankings/rankings-page',
  'shop/item-shop-page',
  'register/register-page',
  'story/story-page',
  'forum/topic-page',
  'server-info/server-info-page',
])
  test(`the scripts of a first visit to ${page} use no Intl or locale methods, which are slow`, async () => {
    for (const [file, code] of await readScripts(page))
      for (const text of ['Intl.', 'toLocaleString', 'localeCompare'])
        assert.ok(!code.includes(text), `${file} contains ${text}`)
  })

for (const page of ['register/register-page', 'recovery/find-account-page', 'password/change-password-page'])
  test(`a first visit to ${page} fetches the form library, and Zod only when the form is used`, async () => {
    const scripts = await readScripts(page)
    assert.ok([...scripts.values()].some((code) => code.includes(FORM_TEXT)))
    for (const [file, code] of scripts)
      for (const text of ZOD_TEXTS) assert.ok(!code.includes(text), `${file} contains ${text}`)
  })
