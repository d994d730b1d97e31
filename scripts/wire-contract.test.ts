import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'
import { ROOT } from './root.ts'
import { wireContract } from './wire-contract.ts'

type Contract = Record<string, Record<string, Partial<Endpoint>>>

await mkdir(join(ROOT, '.cache'), { recursive: true })
const folder = await mkdtemp(join(ROOT, '.cache/contract-'))
after(() => rm(folder, { recursive: true }))

/** Writes a module that exports each contract file under its name. */
async function writeContract(): Promise<string> {
  const entry = join(folder, 'contract.ts')
  const files = globSync('*.ts', { cwd: join(ROOT, 'contract'), exclude: ['*.test.ts'] })
  await writeFile(entry, files.map((file) => `export * as '${file}' from '#contract/${file}'`).join('\n'))
  return entry
}

/** Builds the contract for pages. */
async function buildContract(entry: string): Promise<Contract> {
  await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [wireContract()],
    build: {
      outDir: folder,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict', output: { entryFileNames: '[name].js' } },
    },
  })
  return import(pathToFileURL(join(folder, 'contract.js')).href)
}

test('offers the rules of every form of the contract to the browser', async () => {
  const entry = await writeContract()
  const declared: Contract = await import(pathToFileURL(entry).href)
  const bundle = await buildContract(entry)
  let forms = 0
  for (const [file, names] of Object.entries(declared))
    for (const [name, { fields, path }] of Object.entries(names)) {
      if (fields === undefined || path === undefined) continue
      const empty = Object.fromEntries(Object.keys(fields.shape).map((field) => [field, '']))
      const rules = await bundle[file]?.[name]?.schema?.()
      assert.deepEqual(rules?.safeParse(empty).error?.issues, fields.safeParse(empty).error?.issues, `${file} ${name}`)
      forms += 1
    }
  assert.ok(forms > 100, `${forms} forms`)
})
