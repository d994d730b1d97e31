import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { DataDirInUse, type DataLock, lockDataDir } from '../server/data-lock.ts'
import { ROOT } from './root.ts'

/** Which sources the pages were built from; that the desk is there; which sources everything was built from. */
const STAMP = join(ROOT, 'build/stamp')
const DESK_STAMP = join(ROOT, 'build/desk-stamp')
const WHOLE_STAMP = join(ROOT, 'build/whole-stamp')
/** The sources of the built site. */
const SOURCES = [
  'web/**/*.{ts,tsx,css,svg}',
  'contract/**/*.ts',
  'content/**/*.ts',
  'art/**/*.ts',
  'scripts/{build,bake-art,bake-fonts,wire-contract}.ts',
  'server/demo/content/{items,media-sizes}*.ts',
  'web/public/{movies,screenshots}/*',
  'vite.config.ts',
  'package-lock.json',
]

async function fingerprint(): Promise<string> {
  const files: string[] = []
  for await (const file of glob(SOURCES, { cwd: ROOT, exclude: ['web/public/art/**', 'web/ui/fonts/**'] }))
    files.push(file)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

/** Runs a program of ours, which ends with this process at the latest. */
function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => child.kill()
    process.once('exit', end)
    child.once('close', () => process.off('exit', end))
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`building failed:\n${output}`))))
  })
}

/** Builds with Vite. If that fails, its error is not lost among hundreds of warnings about packages. */
const runVite = (...options: string[]) =>
  run('node_modules/vite/bin/vite.js', ['build', '--app', '--logLevel', 'error', ...options])

/** Writes a brotli and a gzip copy, at the highest level, beside every file that gets smaller by it. */
async function compressBuild(part: 'client' | 'desk'): Promise<void> {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  const jobs: Promise<void>[] = []
  for await (const file of glob(`build/${part}/**/*.{js,css,svg,json,html,txt}`, { cwd: ROOT })) {
    const path = join(ROOT, file)
    jobs.push(
      (async () => {
        const bytes = await readFile(path)
        const br = await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
        await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, await zip(bytes, { level: 9 }))])
      })(),
    )
  }
  await Promise.all(jobs)
}

/**
 * The pages are there: whether they had to be built, when the pictures and the compressed copies that the first pages
 * need are there too, and how the rest is built.
 */
type Built = { anew: boolean; complete: Promise<void>; buildRest: () => Promise<void> }

/**
 * Builds the pages when their sources changed since the last build. Their pictures and compressed copies follow by
 * themselves, at a low priority, while the caller prepares the database; without them the site cannot open. The desk and
 * the other pictures follow with `buildRest`, which is called when the site is open, because together with the pages
 * they need more memory than a small machine has. What a crash interrupts begins again here. Processes that start
 * together build once; the others wait until everything is there.
 */
export async function buildPages(say: (line: string) => void): Promise<Built> {
  if (await isBuilt()) return { anew: false, complete: Promise.resolve(), buildRest: async () => {} }
  const lock = await takeTurn()
  try {
    const wanted = await fingerprint()
    const anew = (await readStamp(STAMP)) !== wanted
    if (anew) {
      await Promise.all([STAMP, DESK_STAMP, WHOLE_STAMP].map((stamp) => rm(stamp, { force: true })))
      // The server expects the folder when it starts.
      await mkdir(join(ROOT, 'build/desk'), { recursive: true })
      say('Building the pages and drawing their pictures …')
      await run('scripts/bake-fonts.ts', [])
      await runVite()
    }
    const complete = anew ? runPart('pictures').then(() => writeFile(STAMP, wanted)) : Promise.resolve()
    // The caller hears of it when it waits for `complete`.
    complete.catch(() => lock.release())
    const buildRest = async () => {
      try {
        await complete
        if ((await readStamp(WHOLE_STAMP)) === wanted) return
        await runPart('rest')
        await writeFile(WHOLE_STAMP, wanted)
      } finally {
        await lock.release()
      }
    }
    return { anew, complete, buildRest }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** What a process of its own does while the site starts or is open. */
const PARTS = {
  /** The pictures of the first pages, and compressed copies of what these pages load. */
  async pictures() {
    await run('scripts/bake-art.ts', ['first'])
    await cp(join(ROOT, 'web/public'), join(ROOT, 'build/client'), { recursive: true })
    await compressBuild('client')
  },
  /** The desk, then the other pictures. */
  async rest() {
    await runVite('--mode', 'desk')
    await compressBuild('desk')
    await writeFile(DESK_STAMP, '')
    await run('scripts/bake-art.ts', ['later'])
  },
}

const runPart = (part: keyof typeof PARTS) => run('scripts/build.ts', [part])

/**
 * Builds all of the site when its sources changed since the last build.
 *
 * @returns whether it had to
 */
export async function ensureBuilt(say: (line: string) => void): Promise<boolean> {
  const built = await buildPages(say)
  await built.buildRest()
  return built.anew
}

const readStamp = (file: string) => readFile(file, 'utf8').catch(() => '')

async function isBuilt(): Promise<boolean> {
  const wanted = await fingerprint()
  return (await readStamp(STAMP)) === wanted && (await readStamp(WHOLE_STAMP)) === wanted
}

async function takeTurn(): Promise<DataLock> {
  for (;;) {
    try {
      return await lockDataDir(join(ROOT, '.cache/build'), (socket) => socket.destroy())
    } catch (error) {
      if (/^(EROFS|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        throw new Error(
          "The pages have to be built, but not by this user: run npm run build in the project's folder as its owner.",
        )
      if (!(error instanceof DataDirInUse)) throw error
      await setTimeout(200)
    }
  }
}

if (import.meta.main) {
  const part = PARTS[process.argv[2] as keyof typeof PARTS]
  if (part === undefined) await ensureBuilt(console.log)
  else {
    setPriority(10)
    // The programs that it runs end with it.
    process.once('SIGTERM', () => process.exit(1))
    await part()
  }
}
