import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { DataDirInUse, type DataLock, lockDataDir } from '../server/data-lock.ts'
import { ROOT } from './root.ts'

/** The file with the `Sources` of the last build. */
const STAMP_FILE = join(ROOT, 'build/sources.json')
const FOLDERS = ['web', 'contract', 'content', 'art', 'demo', 'server']
const FILES = [
  ...['build', 'build-steps', 'bake-art', 'bake-fonts', 'class-names', 'wire-contract'].map(
    (name) => `scripts/${name}.ts`,
  ),
  'vite.config.ts',
  'package-lock.json',
]
/**
 * A change of these files causes no build: everything in web/public and web/ui/fonts, tests, and files of the demo world
 * and the server that are not modules.
 */
const NOT_BUILT = /^web\/(?:public|ui\/fonts)\/|\.test\.tsx?$|^(?:demo|server)\/.*(?<!\.ts)$/

/** Two hashes of a build's sources. Each start compares the sizes and times, and the content only if those differ. */
type Sources = { times: string; content: string }

const hashAll = (contents: Iterable<string | Buffer>) => {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(content).update('\0')
  return hash.digest('hex')
}

/**
 * Lists the sources by their paths relative to the project, sorted. Reading the folders synchronously takes half the
 * time of reading them concurrently.
 */
function listSources(): string[] {
  const entries = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    )
  return [...entries, ...FILES].filter((file) => !NOT_BUILT.test(file)).sort()
}

const hashTimes = (files: string[]) =>
  hashAll(
    files.map((file) => {
      const { size, mtimeNs, ctimeNs } = statSync(join(ROOT, file), { bigint: true })
      return [file, size, mtimeNs, ctimeNs].join(' ')
    }),
  )

const hashContent = (files: string[]) => hashAll(files.flatMap((file) => [file, readFileSync(join(ROOT, file))]))

/** Reads the times before the content, so the next start notices a file that was edited in between. */
function readSources(): Sources {
  const files = listSources()
  return { times: hashTimes(files), content: hashContent(files) }
}

/** Counts the steps of a start, and prints each with its duration in seconds when it ends. */
export function createSteps(print: (line: string) => void) {
  let plannedSteps = 0
  let completedSteps = 0
  const end = (name: string, ms: number) => {
    completedSteps++
    print(`  Step ${completedSteps} of ${plannedSteps}: ${name}, ${(ms / 1000).toFixed(1)} s`)
  }
  return {
    /** Adds planned steps. */
    plan: (count: number) => {
      plannedSteps += count
    },
    end,
    async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
      const startedAt = Date.now()
      const result = await work()
      end(name, Date.now() - startedAt)
      return result
    },
    /** Returns the number of the current step, and of all steps. */
    count: () => ({ step: Math.min(completedSteps + 1, plannedSteps), of: plannedSteps }),
  }
}

export type Steps = ReturnType<typeof createSteps>

/** Builds in a separate process, which ends with this one. @throws with its output if it fails */
function runSteps(steps: Steps, listeners: { usable(): void; desk(): void }): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/build-steps.ts'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => child.kill()
    process.once('exit', end)
    child.once('close', () => process.off('exit', end))
    createInterface(child.stdout).on('line', (line) => {
      const [messageName, ...values] = line.split('\t')
      if (messageName === 'due') steps.plan(Number(values[0]))
      if (messageName === 'done') steps.end(values[0] ?? '', Number(values[1]))
      if (messageName === 'usable' || messageName === 'desk') listeners[messageName]()
    })
    let errors = ''
    child.stderr.on('data', (chunk) => (errors += chunk))
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(errors.trimEnd()))))
  })
}

/**
 * `usable` resolves as soon as the site can open, `desk` as soon as the desk can, and `finished` at the end, with whether
 * anything was built. All promises reject with the build's error.
 */
export type Build = {
  usable: Promise<void>
  desk: Promise<void>
  finished: Promise<boolean>
  /** Draws a picture that the build has not drawn yet. @returns whether it exists */
  ensurePicture(name: string): Promise<boolean>
}

/**
 * Builds the parts of the site whose sources changed since the last build, including steps that a crash interrupted. Of
 * several concurrent processes, one builds and the others wait.
 */
export function startBuild(print: (line: string) => void, steps = createSteps(print)): Build {
  const usableBuild = Promise.withResolvers<void>()
  const desk = Promise.withResolvers<void>()
  const completion = buildOnce(print, steps, { usable: usableBuild.resolve, desk: desk.resolve })
  for (const { promise, resolve, reject } of [usableBuild, desk]) {
    completion.then(() => resolve(), reject)
    // Callers may await only one of the promises.
    promise.catch(() => {})
  }
  return {
    usable: usableBuild.promise,
    desk: desk.promise,
    finished: completion,
    ensurePicture: async (name) => (await import('./bake-art.ts')).ensurePicture(name),
  }
}

/**
 * Builds like `startBuild`, and waits until everything is built.
 *
 * @returns whether it built anything
 * @throws with the build's error
 */
export const ensureBuilt = (print: (line: string) => void): Promise<boolean> => startBuild(print).finished

async function buildOnce(
  ...[print, steps, listeners]: [(line: string) => void, ...Parameters<typeof runSteps>]
): Promise<boolean> {
  if (await isBuilt()) return false
  const lock = await lockBuild()
  try {
    if (await isBuilt()) return false
    print('Building the pages and drawing their pictures …')
    const sources = readSources()
    await rm(STAMP_FILE, { force: true })
    await runSteps(steps, listeners)
    await writeFile(STAMP_FILE, JSON.stringify(sources))
    return true
  } catch (error) {
    throw new Error(`building failed:\n${error instanceof Error ? error.message : error}`)
  } finally {
    await lock.release()
  }
}

/**
 * Returns whether the sources are unchanged since the last build. It compares their content only if sizes or times
 * differ, for example after `git checkout` or in a copy.
 */
export async function isBuilt(): Promise<boolean> {
  const builtStamp = await readFile(STAMP_FILE, 'utf8')
    .then((stamp): Partial<Sources> => JSON.parse(stamp))
    .catch(() => ({}) as Partial<Sources>)
  if (builtStamp.times === hashTimes(listSources())) return true
  const currentSources = readSources()
  if (currentSources.content !== builtStamp.content) return false
  // A user without write access compares the content at each start.
  await writeFile(STAMP_FILE, JSON.stringify(currentSources)).catch(() => {})
  return true
}

async function lockBuild(): Promise<DataLock> {
  for (;;) {
    try {
      return await lockDataDir(join(ROOT, '.cache/build'), (socket) => socket.destroy())
    } catch (error) {
      if (/^(EROFS|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        throw new Error(
          "The pages have to be built, but this user cannot write to the project's folder. Run npm run build there as the folder's owner.",
        )
      if (!(error instanceof DataDirInUse)) throw error
      await setTimeout(200)
    }
  }
}

if (import.meta.main)
  await ensureBuilt(console.log).catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
