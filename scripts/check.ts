import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { listFiles } from './project-files.ts'
import { ROOT } from './root.ts'

const BIN = join(ROOT, 'node_modules/.bin')

/** The tools run on the pinned Node, even if another one runs this script. */
const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}` }

/** On Windows the tools are batch files, which only a shell can start. */
const shell = process.platform === 'win32'

/** Runs a tool and prints its result, with its output on failure. @returns whether it found nothing */
function runTool(name: string, hint: string, command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: ROOT, env, shell, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const findings = stdout + stderr || error?.message
      console.log(error === null ? `ok   ${name}` : `FAIL ${name}\n${findings}\n${hint}`)
      resolve(error === null)
    })
  })
}

/** Stores the hashes of the files that Biome accepted, and of its settings and the lockfile. */
const ACCEPTED_HASHES_FILE = join(ROOT, '.cache/checked-format.json')
/** With fewer changed files than this, Biome gets their names; otherwise it checks all files. */
const MAX_NAMED_FILES = 200

/**
 * Runs Biome on the files that changed since it accepted them. Its rules check each file alone; rules across files,
 * such as circular imports, are in .dependency-cruiser.mjs.
 */
async function checkFormat(): Promise<boolean> {
  const run = (files: string[]) =>
    runTool('format and lint', 'Run npm run fix: it formats, sorts imports and makes the safe corrections.', 'biome', [
      ...['check', '--max-diagnostics=100', '--error-on-warnings', '--files-ignore-unknown=true'],
      ...['--no-errors-on-unmatched', ...files],
    ])
  const files = await listFiles()
  if (files === undefined) return run([])
  const hashes: Record<string, string> = {}
  for (const file of files)
    hashes[file] = createHash('sha256')
      .update(await readFile(join(ROOT, file)))
      .digest('base64')
  const configHash = `${hashes['biome.json']} ${hashes['package-lock.json']}`
  const acceptedState: { configHash?: string; hashes?: Record<string, string> } = JSON.parse(
    await readFile(ACCEPTED_HASHES_FILE, 'utf8').catch(() => '{}'),
  )
  const changedFiles = files.filter(
    (file) => acceptedState.configHash !== configHash || acceptedState.hashes?.[file] !== hashes[file],
  )
  const isAccepted =
    changedFiles.length === 0
      ? await run(['biome.json'])
      : await run(changedFiles.length < MAX_NAMED_FILES ? changedFiles : [])
  if (isAccepted) {
    await mkdir(dirname(ACCEPTED_HASHES_FILE), { recursive: true })
    await writeFile(ACCEPTED_HASHES_FILE, JSON.stringify({ configHash, hashes }))
  }
  return isAccepted
}

/** The checks, slowest first. */
export const CHECKS: (() => Promise<boolean>)[] = [
  () => runTool('types', 'Each line names the file, the line and what does not fit.', 'tsc', ['-p', '.']),
  checkFormat,
  () =>
    runTool('import directions', 'Correct the imports, or the rule if the direction is right.', process.execPath, [
      join(ROOT, 'scripts/check-imports.ts'),
    ]),
  () =>
    runTool(
      'unused code',
      'Delete the unused code. If a program loads a file by name, add the file to knip.json.',
      'knip',
      ['--cache', '--cache-location', '.cache/knip'],
    ),
]

/**
 * Checks types, format and lint, import directions and unused code, and prints each result when its tool ends. The
 * tools cache their results in `.cache/`.
 *
 * @returns whether they found nothing
 */
async function check(): Promise<boolean> {
  const results = await Promise.all(CHECKS.map((runCheck) => runCheck()))
  return results.every(Boolean)
}

/** Formats, sorts imports and makes the corrections that change no behaviour. */
const fix = () => runTool('format and correct', 'Correct these yourself.', 'biome', ['check', '--write'])

if (import.meta.main && !(await (process.argv.includes('--fix') ? fix() : check()))) process.exit(1)
