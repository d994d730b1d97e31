import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkImports } from './check-imports.ts'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')

/** Runs one tool and shows what it says only when it objects. */
function passes(name: string, command: string, args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(join(BIN, command), args, { cwd: ROOT, encoding: 'utf8' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (status !== 0) console.log(stdout + stderr)
  return status === 0
}

/** Format and lint, import directions, types, unused code (HOUSE style). @returns whether all is well */
export async function check(): Promise<boolean> {
  const wrong = await checkImports()
  console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'} import directions`)
  for (const line of wrong) console.log(line)
  const results = [
    wrong.length === 0,
    passes('format and lint', 'biome', ['check', '--max-diagnostics=100', '--error-on-warnings']),
    passes('route types', 'react-router', ['typegen']),
    passes('types', 'tsc', ['-p', '.']),
    passes('unused code', 'knip', []),
  ]
  return results.every(Boolean)
}

if (import.meta.main && !(await check())) process.exit(1)
