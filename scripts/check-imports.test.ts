import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { checkImports } from './check-imports.ts'

/** What the check says about a house that consists of one file. */
async function objectionsTo(file: string, source: string): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'tambayan-imports-'))
  try {
    await mkdir(join(root, dirname(file)), { recursive: true })
    await writeFile(join(root, file), source)
    return await checkImports(root)
  } finally {
    await rm(root, { recursive: true })
  }
}

const wrong: [file: string, source: string, says: string][] = [
  ['contract/a.ts', "import { hash } from 'node:crypto'", 'contract imports only Zod and itself'],
  ['contract/a.ts', "import { x } from '../server/errors.ts'", 'contract imports only Zod and itself'],
  ['content/a.ts', "import { x } from '#web/ui/link.tsx'", 'content imports only the contract and itself'],
  ['web/a.tsx', "import { x } from '#server/errors.ts'", 'web takes types, never values, from server'],
  ['web/a.tsx', "const x = await import('../server/errors.ts')", 'web takes types, never values, from server'],
  ['web/a.tsx', "import '../test/helpers.ts'", 'web takes types, never values, from server'],
  ['web/a.tsx', "export { x } from '#server/errors.ts'", 'web takes types, never values, from server'],
  ['web/a.tsx', "import {\n  one,\n  two,\n} from '#server/errors.ts'", 'web takes types, never values, from server'],
  ['server/app.ts', "import { x } from '../web/root.tsx'", 'server reaches web through pages.ts only'],
  ['server/app.ts', "import { x } from '#test/helpers.ts'", 'server does not know tests or benches'],
  ['server/app.ts', "import { x } from '../scripts/build.ts'", 'only config and start-up read the build script'],
  [
    'server/features/news/queries.ts',
    "import { x } from './service.ts'",
    'queries know the database, not services or routes',
  ],
  ['server/features/news/service.ts', "import { x } from './routes.ts'", 'services know no routes'],
  ['server/db/open.ts', "import { x } from '../errors.ts'", 'the database knows no features'],
  ['server/http/router.ts', "import { x } from '../features/news/service.ts'", 'http knows no features'],
  [
    'server/features/site/service.ts',
    "import { x } from '../news/queries.ts'",
    "a feature imports no other's queries or routes",
  ],
  ['web/ui/a.tsx', "import { x } from '../features/news/queries.ts'", 'the shell and ui know no pages'],
]

for (const [file, source, says] of wrong) {
  test(`the check objects to ${file} saying ${source.replace(/\s+/g, ' ')}`, async () => {
    const lines = await objectionsTo(file, source)
    assert.ok(
      lines.some((line) => line.startsWith(`${file} imports `) && line.endsWith(`: ${says}.`)),
      `it said ${JSON.stringify(lines)}`,
    )
  })
}

const right: [file: string, source: string][] = [
  ['contract/a.ts', "import { z } from 'zod'\nimport { x } from './b.ts'"],
  ['content/a.ts', "import { x } from '#contract/limits.ts'\nimport { y } from './b.ts'"],
  ['web/a.tsx', "import type { Api } from '#server/api.ts'"],
  ['web/a.tsx', "import { type A } from '#contract/news.ts'"],
  ['server/pages.ts', "import type { RenderModule } from '#web/entry.server.tsx'"],
  ['server/start.ts', "import { ensureBuilt } from '#scripts/build.ts'"],
  ['server/app.test.ts', "import { createTestApp } from '#test/helpers.ts'\nimport { x } from '#scripts/build.ts'"],
  ['server/features/cart/service.ts', "import { x } from '../shop/service.ts'"],
]

for (const [file, source] of right) {
  test(`the check lets ${file} say ${source.replace(/\s+/g, ' ')}`, async () => {
    assert.deepEqual(await objectionsTo(file, source), [])
  })
}

test('the house itself is in order', async () => {
  assert.deepEqual(await checkImports(), [])
})
