/**
 * Builds the changed parts: fonts, pictures, pages, desk, service worker, server, compressed copies. `scripts/build.ts`
 * runs it in a process of low priority and reads its output: the number of steps, each finished step and, with enough
 * memory, when the site can open (before its pictures, which are then drawn on request) and when the desk can.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { access, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { ROOT } from './root.ts'

/** A step is skipped while its sources have the same content as at its last success. */
type Step = {
  name: string
  /** The files that the step reads, as globs. */
  sources: string[]
  /** The bundles that the step creates. The modules of their last build are sources too. */
  bundles?: string[]
  outputs: string[]
  work(): Promise<void>
}

/** Contains a stamp for each step: a hash of its sources. */
const STAMPS = join(ROOT, '.cache/stamps')
const COMPRESSED = join(ROOT, '.cache/compressed')
/** The free memory from which two steps run at a time. */
const PARALLEL_MIN_BYTES = 2 * 1024 ** 3

/** The sources of every bundle. A build imports the contract, so all files that the contract reads are sources too. */
const BUNDLE_SOURCES = [
  'contract/**/*.ts',
  'content/**/*',
  'vite.config.ts',
  'scripts/{class-names,wire-contract}.ts',
  'package-lock.json',
]

const fonts: Step = {
  name: 'fonts',
  sources: ['scripts/bake-fonts.ts', 'package-lock.json'],
  outputs: ['web/ui/fonts/fonts.css'],
  work: () => run('scripts/bake-fonts.ts'),
}

const pictures: Step = {
  name: 'pictures',
  sources: ['art/*/*.svg', 'scripts/bake-art.ts', 'demo/media-sizes.ts', 'package-lock.json'],
  outputs: ['web/public/art'],
  work: () => run('scripts/bake-art.ts'),
}

const pages: Step = {
  name: 'pages',
  sources: [...BUNDLE_SOURCES, 'web/features/*/*-page.tsx', 'web/ui/**/*.{css,woff2}'],
  bundles: ['client', 'ssr'],
  outputs: ['build/client/.vite/manifest.json', 'build/server/index.js'],
  async work() {
    await remove('build/client/assets')
    await runVite()
  },
}

const desk: Step = {
  name: 'desk',
  sources: [...BUNDLE_SOURCES, 'web/ui/**/*.{css,woff2}'],
  bundles: ['desk'],
  outputs: ['build/desk/.vite/manifest.json'],
  work: () => runVite('--mode', 'desk'),
}

/** The worker contains the version of the pages' manifest. */
const worker: Step = {
  name: 'service worker',
  sources: [...BUNDLE_SOURCES, 'build/client/.vite/manifest.json'],
  bundles: ['worker'],
  outputs: ['build/client/service-worker.js'],
  async work() {
    await runVite('--mode', 'worker')
    // The worker's name never changes, and the site may open before the worker is compressed again.
    for (const format of ['br', 'gz']) await remove(`build/client/service-worker.js.${format}`)
  },
}

/** Until this step has ended, the site starts from its sources. */
const server: Step = {
  name: 'server',
  sources: ['vite.config.ts', 'package-lock.json'],
  bundles: ['server'],
  outputs: ['build/site/start.js'],
  work: () => runVite('--mode', 'server'),
}

const remove = (path: string) => rm(join(ROOT, path), { recursive: true, force: true })

/** Runs a program of the project, which ends with this process at the latest. @throws with its output if it fails */
function run(command: string, ...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => child.kill()
    process.once('exit', end)
    child.once('close', () => process.off('exit', end))
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(output.trimEnd()))))
  })
}

/** Builds with Vite. On failure, reports the error without hundreds of warnings about packages. */
const runVite = (...options: string[]) =>
  run('node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'error', ...options)

const toStampFile = ({ name }: Step) => join(STAMPS, name.replace(' ', '-'))

/** Lists the sources of a step: those of its globs, and the modules that `vite.config.ts` listed for its bundles. */
async function listSources({ sources, bundles = [] }: Step): Promise<string[]> {
  const lists = bundles.map((bundle) => readFile(join(STAMPS, `${bundle}.modules`), 'utf8').catch(() => ''))
  const modules = (await Promise.all(lists)).flatMap((list) => list.split('\n'))
  const files = globSync(sources, { cwd: ROOT, exclude: ['**/*.test.{ts,tsx}'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))
  return [...new Set([...files.map((file) => file.replaceAll('\\', '/')), ...modules])].filter(Boolean).sort()
}

async function hashSources(step: Step): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await listSources(step))
    hash.update(`${file}\0`).update(await readFile(join(ROOT, file)).catch(() => 'deleted'))
  return hash.digest('hex')
}

const exists = (path: string) =>
  access(join(ROOT, path)).then(
    () => true,
    () => false,
  )

async function isDue(step: Step): Promise<boolean> {
  if (!(await Promise.all(step.outputs.map(exists))).every(Boolean)) return true
  const stamp = await readFile(toStampFile(step), 'utf8').catch(() => '')
  return stamp !== (await hashSources(step))
}

/** Prints a line for `scripts/build.ts`. */
const report = (...cells: (string | number)[]) => console.log(cells.join('\t'))

async function runStep(step: Step): Promise<void> {
  const startedAt = Date.now()
  await rm(toStampFile(step), { force: true })
  await step.work()
  const files = (await listSources(step)).map((file) => stat(join(ROOT, file)).catch(() => undefined))
  // The step may have read a file before it was edited, so the stamp must not be written.
  const wasEdited = (await Promise.all(files)).some((file) => (file?.mtimeMs ?? 0) > startedAt)
  if (!wasEdited) await writeFile(toStampFile(step), await hashSources(step))
  report('done', step.name, Date.now() - startedAt)
}

/** Runs the due steps of a list, one after the other. */
async function runDue(steps: Step[], dueSteps: readonly Step[]): Promise<void> {
  for (const step of steps) if (dueSteps.includes(step)) await runStep(step)
}

/**
 * Returns the compression level. Files of pages are compressed well, because many visitors download them; the desk's
 * are compressed fast.
 */
const chooseLevel = (file: string) => (file.startsWith('build/desk/') ? 5 : file.endsWith('.svg') ? 10 : 11)

/**
 * Writes a brotli and a gzip copy of every existing text file. Copies of the same content come from the cache.
 *
 * @returns the names of the cached copies
 */
async function compressFiles(): Promise<Set<string>> {
  await mkdir(COMPRESSED, { recursive: true })
  const usedNames = new Set<string>()
  const compress = async (file: string) => {
    const bytes = await readFile(join(ROOT, file))
    const level = chooseLevel(file)
    const name = `${createHash('sha256').update(bytes).digest('hex')}-${level}`
    const copies = {
      br: () =>
        promisify(brotliCompress)(bytes, {
          params: { [zlib.BROTLI_PARAM_QUALITY]: level, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
      gz: () => promisify(gzip)(bytes, { level: 9 }),
    }
    for (const [format, createCopy] of Object.entries(copies)) {
      const cachedFile = join(COMPRESSED, `${name}.${format}`)
      usedNames.add(`${name}.${format}`)
      const target = join(ROOT, `${file}.${format}`)
      const isCopied = await copyFile(cachedFile, target).then(
        () => true,
        () => false,
      )
      if (isCopied) continue
      await writeFile(target, await createCopy())
      await copyFile(target, cachedFile)
    }
  }
  const files = globSync(['build/{client,desk}/**/*.{js,css,json,html,txt}', 'web/public/art/*.svg'], { cwd: ROOT })
  await Promise.all(files.map((file) => compress(file.replaceAll('\\', '/'))))
  return usedNames
}

async function build(): Promise<void> {
  await mkdir(STAMPS, { recursive: true })
  const dueSteps: Step[] = []
  const steps = [fonts, pictures, pages, desk, worker, server]
  for (const step of steps) if (await isDue(step)) dueSteps.push(step)
  // The bundles contain the fonts' files, and the worker contains the pages' manifest.
  if (dueSteps.includes(fonts)) dueSteps.push(pages, desk)
  if (dueSteps.includes(pages)) dueSteps.push(worker)
  report('due', new Set(dueSteps).size + 1)
  await runDue([fonts], dueSteps)
  const compressAll = async () => {
    const startedAt = Date.now()
    const usedNames = await compressFiles()
    for (const name of await readdir(COMPRESSED)) if (!usedNames.has(name)) await rm(join(COMPRESSED, name))
    report('done', 'compression', Date.now() - startedAt)
  }
  if (process.availableMemory() > PARALLEL_MIN_BYTES) {
    await runDue([pages, worker], dueSteps)
    report('usable')
    const finishDesk = async () => {
      await runDue([desk], dueSteps)
      report('desk')
      await runDue([server], dueSteps)
    }
    const drawPictures = async () => {
      if (!dueSteps.includes(pictures)) return
      await compressFiles()
      await runStep(pictures)
    }
    await Promise.all([finishDesk(), drawPictures()])
    await compressAll()
  } else {
    // One after the other, because a machine with 1 GB has too little memory for two.
    await runDue([pictures, pages, desk, worker, server], dueSteps)
    await compressAll()
  }
}

setPriority(10)
// Built files must be readable by all users, but the inherited umask of the site forbids it.
process.umask(0o022)
// The programs that it runs end with this process.
process.once('SIGTERM', () => process.exit(1))
await build().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
