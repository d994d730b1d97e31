import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { config, describeViolation, findViolations } from './check-imports.ts'
import { ROOT } from './root.ts'

type Case = { file: string; source: string; rule?: string }

const WRONG_IMPORTS: Required<Case>[] = [
  { file: 'contract/a.ts', source: "import { hash } from 'node:crypto'", rule: 'contract imports only Zod and itself' },
  { file: 'contract/b.ts', source: "import '../server/errors.ts'", rule: 'contract imports only Zod and itself' },
  {
    file: 'content/a.ts',
    source: "import '#web/root.tsx'",
    rule: 'content imports only contract, packages and itself',
  },
  {
    file: 'demo/a.ts',
    source: "import '#web/root.tsx'",
    rule: 'the demo world imports only contract, content, server and itself',
  },
  { file: 'server/e.ts', source: "import '#demo/seed.ts'", rule: 'only start-up imports the demo world' },
  { file: 'web/a.tsx', source: "import { x } from '#server/errors.ts'", rule: 'web takes only types from server' },
  { file: 'web/b.tsx', source: "await import('../server/errors.ts')", rule: 'web takes only types from server' },
  { file: 'web/c.tsx', source: "export { x } from '#server/errors.ts'", rule: 'web takes only types from server' },
  { file: 'web/d.tsx', source: "import '../test/helpers.ts'", rule: 'the site imports no tests, benches or scripts' },
  { file: 'web/e.tsx', source: "import '#web/missing.ts'", rule: 'a path that starts with # or . leads to a file' },
  { file: 'web/h.tsx', source: "import './root'", rule: 'a path that starts with # or . leads to a file' },
  { file: 'server/a.ts', source: "import '../web/root.tsx'", rule: 'server reaches web only through frontend.ts' },
  { file: 'server/b.ts', source: "import '#test/helpers.ts'", rule: 'the site imports no tests, benches or scripts' },
  { file: 'server/c.ts', source: "import '#scripts/build.ts'", rule: 'the site imports no tests, benches or scripts' },
  {
    file: 'server/start.ts',
    source: "import '#test/helpers.ts'",
    rule: 'start-up imports only the build from scripts',
  },
  {
    file: 'server/db/open.ts',
    source: "import '../errors.ts'",
    rule: 'the database layer imports nothing else of server',
  },
  {
    file: 'server/http/router.ts',
    source: "import '../features/news/list-news.ts'",
    rule: 'the HTTP layer imports no features',
  },
  {
    file: 'server/approvals/a.ts',
    source: "import '../features/news/list-news.ts'",
    rule: 'approvals import no features',
  },
  { file: 'server/features/news/a.ts', source: "import './routes.ts'", rule: 'features import no routes' },
  { file: 'server/features/news/queries.ts', source: "import './service.ts'", rule: 'queries import no services' },
  {
    file: 'server/features/news/b.ts',
    source: "import type { X } from '../cart/buy.ts'",
    rule: 'a server feature imports only the features listed for it',
  },
  {
    file: 'server/features/cart/a.ts',
    source: "import '../news/list-news.ts'",
    rule: 'a server feature imports only the features listed for it',
  },
  {
    file: 'web/features/news/a.ts',
    source: "import '../cart/cart-page.tsx'",
    rule: 'a web feature imports only the features listed for it',
  },
  {
    file: 'web/features/cart/a.ts',
    source: "import '../news/news-page.tsx'",
    rule: 'a web feature imports only the features listed for it',
  },
  {
    file: 'web/ui/a.tsx',
    source: "import '../features/news/news-page.tsx'",
    rule: 'ui, art, forms and api import no features and nothing of the shell',
  },
  {
    file: 'web/admin/screens/news/a.tsx',
    source: "import '../../../features/news/news-page.tsx'",
    rule: 'the desk imports only ui, art, forms and api of web, itself, and what its forms preview',
  },
  {
    file: 'web/admin/screens/news/b.tsx',
    source: "import type { X } from '../items/items.tsx'",
    rule: 'a screen of the desk imports no other screen',
  },
  {
    file: 'web/admin/kit/a.tsx',
    source: "import '../screens/items/items.tsx'",
    rule: 'the kit of the desk imports nothing else of the desk',
  },
  { file: 'web/ui/b.tsx', source: "import '../admin/kit/call.ts'", rule: 'only the desk imports the desk' },
  { file: 'web/shell/a.tsx', source: "import '../features/news/news-page.tsx'", rule: 'the shell imports no features' },
  {
    file: 'web/shell/search-box.tsx',
    source: "import '../features/news/news-page.tsx'",
    rule: 'the shell imports no features',
  },
  {
    file: 'web/features/shop/one.ts',
    source: "import type { Two } from './two.ts'",
    rule: 'no file imports itself through others',
  },
]

const RIGHT_IMPORTS: Case[] = [
  { file: 'contract/c.ts', source: "import { z } from 'zod'\nimport { x } from './error.ts'" },
  { file: 'content/b.ts', source: "import '#contract/error.ts'" },
  { file: 'web/f.tsx', source: "import type { Api } from '#server/errors.ts'" },
  { file: 'web/g.tsx', source: "import { type Api } from '../server/errors.ts'" },
  { file: 'server/warnings.ts', source: "import '#demo/seed.ts'" },
  { file: 'demo/b.ts', source: "import '#server/errors.ts'\nimport '#contract/error.ts'" },
  { file: 'server/frontend.ts', source: "import type { X } from '#web/root.tsx'" },
  { file: 'server/features/cart/b.ts', source: "import '../shop/items.ts'" },
  { file: 'server/a.test.ts', source: "import '#test/helpers.ts'\nimport '#scripts/build.ts'" },
]

/** The imports of the cases. */
const targets: Case[] = [
  'contract/error.ts',
  'demo/seed.ts',
  'scripts/build.ts',
  'server/errors.ts',
  'server/features/cart/buy.ts',
  'server/features/news/list-news.ts',
  'server/features/news/routes.ts',
  'server/features/news/service.ts',
  'server/features/shop/items.ts',
  'test/helpers.ts',
  'web/admin/kit/call.ts',
  'web/admin/screens/items/items.tsx',
  'web/features/cart/cart-page.tsx',
  'web/features/news/news-page.tsx',
  'web/root.tsx',
].map((file) => ({ file, source: 'export const x = 1' }))

const circle: Case = { file: 'web/features/shop/two.ts', source: "import './one.ts'\nexport type Two = 2" }

/** The violated rules of each file, and the message of each file's last violation. */
const violatedRules = new Map<string, string[]>()
const messages = new Map<string, string>()
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tambayan-imports-'))
  for (const { file, source } of [...WRONG_IMPORTS, ...RIGHT_IMPORTS, ...targets, circle]) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(join(folder, file), source)
  }
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const comments = new Map(config.forbidden.map(({ name, comment }) => [name, comment]))
  for (const violation of await findViolations(folder)) {
    const { from, rule } = violation
    violatedRules.set(from, [...(violatedRules.get(from) ?? []), String(comments.get(rule.name))])
    messages.set(from, describeViolation(violation))
  }
})

after(() => rm(folder, { recursive: true }))

for (const { file, source, rule } of WRONG_IMPORTS) {
  test(`rejects in ${file}: ${source.replace(/\s+/g, ' ')}`, () => {
    assert.ok(violatedRules.get(file)?.includes(rule), `it found ${JSON.stringify(violatedRules.get(file))}`)
  })
}

for (const { file, source } of RIGHT_IMPORTS) {
  test(`allows in ${file}: ${source.replace(/\s+/g, ' ')}`, () => {
    assert.equal(violatedRules.get(file), undefined)
  })
}

test('names both files, the rule and the fix in a violation', () => {
  assert.equal(
    messages.get('server/features/news/b.ts'),
    [
      'server/features/news/b.ts → server/features/cart/buy.ts',
      '  The rule: a server feature imports only the features listed for it.',
      "  Add the imported feature to the importing feature's line in SERVER_FEATURES in .dependency-cruiser.mjs, if no circle results.",
    ].join('\n'),
  )
})
