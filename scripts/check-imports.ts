import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cruise, type ICruiseOptions, type IForbiddenRuleType, type IViolation } from 'dependency-cruiser'
import { listFiles } from './project-files.ts'
import { ROOT } from './root.ts'

type Configuration = {
  default: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions }
  ADVICE: Record<string, string>
}

const { default: config, ADVICE }: Configuration = await import(
  pathToFileURL(join(ROOT, '.dependency-cruiser.mjs')).href
)

export { config }

const FOLDERS = ['bridge', 'contract', 'content', 'demo', 'server', 'web', 'scripts', 'bench', 'test', 'server.ts']
/** The file with the hash of the imports at the last run without a violation. */
const STAMP_FILE = join(ROOT, '.cache/checked-imports')
const IMPORTS = /\b(?:import|export)\b[^'"`;]*['"][^'"\n]+['"]/g

/** Hashes the names of all files, their import statements, and the tools and settings that resolve and check them. */
async function hashImports(files: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`\n${file}\n`)
    if (/^(\.dependency-cruiser\.mjs|package(-lock)?\.json|scripts\/check-imports\.ts)$/.test(file))
      hash.update(await readFile(join(ROOT, file)))
    else if (/\.[cm]?[jt]sx?$/.test(file))
      hash.update((await readFile(join(ROOT, file), 'utf8')).match(IMPORTS)?.join('\n') ?? '')
  }
  return hash.digest('hex')
}

/** Describes a violation in three lines: the files, the rule, and the fix. */
export function describeViolation({ from, to, rule, cycle }: IViolation): string {
  const comment = config.forbidden.find(({ name }) => name === rule.name)?.comment ?? rule.name
  const path = cycle === undefined ? `${from} → ${to}` : [from, ...cycle.map(({ name }) => name)].join(' → ')
  return `${path}\n  The rule: ${comment}.\n  ${ADVICE[comment] ?? 'Move the shared code to a folder that both may import.'}`
}

/** Applies the rules to the project in this folder. */
export async function findViolations(folder: string): Promise<IViolation[]> {
  const { output } = await cruise(
    FOLDERS.filter((path) => existsSync(join(folder, path))),
    { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true, baseDir: folder },
  )
  if (typeof output === 'string') throw new Error(output)
  return output.summary.violations
}

/** Applies the rules of .dependency-cruiser.mjs to all files, if an import or a file's name changed. */
async function checkImports(): Promise<string[]> {
  const files = await listFiles()
  const hash = files && (await hashImports(files))
  if (hash !== undefined && (await readFile(STAMP_FILE, 'utf8').catch(() => '')) === hash) return []
  const violations = (await findViolations(ROOT)).map(describeViolation)
  if (hash !== undefined && violations.length === 0) {
    await mkdir(dirname(STAMP_FILE), { recursive: true })
    await writeFile(STAMP_FILE, hash)
  }
  return violations
}

if (import.meta.main) {
  const violations = await checkImports()
  for (const violation of violations) console.log(violation)
  if (violations.length > 0) process.exit(1)
}
