import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { checkImports } from './check-imports.ts'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')

type Verdict = { name: string; objections: string }

/** Runs one tool; what it says counts only when it objects. */
function ask(name: string, command: string, args: string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    execFile(join(BIN, command), args, { cwd: ROOT, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ name, objections: error === null ? '' : stdout + stderr || error.message }),
    )
  })
}

/** Format and lint, import directions, types, unused code (HOUSE style). @returns whether all is well */
export async function check(): Promise<boolean> {
  const verdicts = await Promise.all([
    checkImports().then((wrong): Verdict => ({ name: 'import directions', objections: wrong.join('\n') })),
    ask('format and lint', 'biome', ['check', '--max-diagnostics=100', '--error-on-warnings']),
    ask('route types', 'react-router', ['typegen']).then(async (types) =>
      types.objections === '' ? ask('types', 'tsc', ['-p', '.']) : types,
    ),
    ask('unused code', 'knip', []),
  ])
  for (const { name, objections } of verdicts)
    console.log(objections === '' ? `ok   ${name}` : `FAIL ${name}\n${objections}`)
  return verdicts.every(({ objections }) => objections === '')
}

if (import.meta.main && !(await check())) process.exit(1)
