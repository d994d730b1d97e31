import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { ROOT } from './root.ts'

type Failure = { type: string; data: { name: string } }
/** The numbers of passed and failed tests, and the events of the failed ones. */
export type Tally = { passed: number; failed: number; failures: Failure[] }

/** The number of concurrent processes: one per core. */
export const CORES = availableParallelism()

/** Runs jobs in order, `concurrency` at a time. */
export async function runJobs<Result>(jobs: (() => Promise<Result>)[], concurrency = CORES): Promise<Result[]> {
  const results: Result[] = []
  const queue = jobs.entries()
  const work = async () => {
    for (const [index, job] of queue) results[index] = await job()
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}

export function sumTallies(tallies: Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  }
}

type Options = {
  /** The number of processes that share the files. */
  processes: number
  /** Changes to the environment of this process; undefined removes a variable. */
  env?: Record<string, string | undefined>
}

/**
 * Creates jobs that run test files with Node's test runner. The files of a job run one after the other in one process,
 * which loads the site once. Prints a line for each file when it ends.
 */
export async function createTestJobs(files: string[], { processes, env }: Options): Promise<(() => Promise<Tally>)[]> {
  const groups = Array.from({ length: processes }, (_, group) =>
    files.filter((_, index) => index % processes === group),
  )
  return Promise.all(
    groups
      .filter((group) => group.length > 0)
      .map(async (group) => {
        const module = await writeGroup(group)
        return () => runGroup(module, group, { ...process.env, ...env })
      }),
  )
}

let writtenGroups = 0

/** Writes a module that runs each file as a test. */
async function writeGroup(files: string[]): Promise<string> {
  const folder = join(ROOT, '.cache/tests')
  await mkdir(folder, { recursive: true })
  const lines = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(join(ROOT, file)).href)
    return `test(${JSON.stringify(file)}, () => import(${url}))`
  })
  const path = join(folder, `${process.pid}-${writtenGroups++}.js`)
  await writeFile(path, ["import { test } from 'node:test'", ...lines, ''].join('\n'))
  return path
}

async function runGroup(module: string, files: string[], env: NodeJS.ProcessEnv): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, failures: [] }
  const unfinishedFiles = new Set(files)
  // Each process imports a thousand modules. Cached compilation saves half a second.
  const cacheEnv = { NODE_COMPILE_CACHE: join(ROOT, '.cache/node') }
  const events = run({ files: [module], concurrency: 1, timeout: 900_000, env: { ...cacheEnv, ...env } })
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.nesting === 0 && unfinishedFiles.delete(data.name))
      console.log(
        `${type === 'test:pass' ? '✔' : '✖'} ${data.name} (${(data.details.duration_ms / 1000).toFixed(1)} s)`,
      )
    else if (type === 'test:pass' && data.nesting > 0 && data.details.type !== 'suite' && data.skip === undefined)
      tally.passed++
    if (type === 'test:fail' && !isFailureOfSubtests(data.details.error)) {
      tally.failed++
      tally.failures.push({ type, data })
    }
  }
  if (unfinishedFiles.size > 0) {
    tally.failed++
    console.log(`✖ The process ended before these files: ${[...unfinishedFiles].join(', ')}`)
  }
  return tally
}

const isFailureOfSubtests = (error: Error) => 'failureType' in error && error.failureType === 'subtestsFailed'

/** Prints the name, the file and the difference of each failed test. */
export async function printFailures(failures: Failure[]): Promise<void> {
  for await (const text of Readable.from(failures).compose(spec)) process.stdout.write(String(text))
}
