import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT } from './root.ts'

const BIN = join(ROOT, 'node_modules/.bin')

/** What the import rules of .dependency-cruiser.mjs apply to. */
const IMPORTING = [
  'bridge',
  'contract',
  'content',
  'demo',
  'server',
  'web',
  'scripts',
  'bench',
  'test',
  'server.ts',
].filter((path) => existsSync(join(ROOT, path)))

/** The tools run on the pinned Node, whichever one runs this. */
const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}` }

type Verdict = { name: string; objections: string }

/** On Windows the tools are scripts for its shell, which finds them in the path. */
const shell = process.platform === 'win32'

/** Runs one tool. Its output matters only when it fails. */
function ask(name: string, command: string, args: string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: ROOT, env, shell, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ name, objections: error === null ? '' : stdout + stderr || error.message }),
    )
  })
}

/** Checks format and lint, import directions, types and unused code. @returns whether nothing was found */
export async function check(): Promise<boolean> {
  const verdicts = await Promise.all([
    ask('import directions', 'depcruise', [...IMPORTING, '--output-type', 'err-long']),
    ask('format and lint', 'biome', ['check', '--max-diagnostics=100', '--error-on-warnings']),
    ask('types', 'tsc', ['-p', '.']),
    ask('unused code', 'knip', []),
  ])
  for (const { name, objections } of verdicts)
    console.log(objections === '' ? `ok   ${name}` : `FAIL ${name}\n${objections}`)
  return verdicts.every(({ objections }) => objections === '')
}

if (import.meta.main && !(await check())) process.exit(1)
