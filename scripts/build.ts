import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
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

/** Every start waits for this: read one after the other, hundreds of small files take half the time. */
function fingerprint(): string {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['web/public/art/**', 'web/ui/fonts/**'] })
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

/** Runs a program of ours, which ends with this process at the latest. @throws what it printed, when it fails */
function run(command: string, args: string[]): Promise<void> {
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

/** Builds with Vite. If that fails, its error is not lost among hundreds of warnings about packages. */
const runVite = (...options: string[]) =>
  run('node_modules/vite/bin/vite.js', ['build', '--app', '--logLevel', 'error', ...options])

/** Writes a file that appears when it is complete, because the site may be open. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await writeFile(`${path}.part`, bytes)
  await rename(`${path}.part`, path)
}

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
        await Promise.all([writeWhole(`${path}.br`, br), writeWhole(`${path}.gz`, await zip(bytes, { level: 9 }))])
      })(),
    )
  }
  await Promise.all(jobs)
}

/** A build, of which `startBuilding` has begun the first step. The others do nothing when they have been done before. */
type Building = {
  /** Whether the pages have to be built. */
  anew: boolean
  /** Builds the pages, without which the site cannot open. */
  buildPages: () => Promise<void>
  /** Then builds the desk, and what pages can do without for a while. */
  buildRest: () => Promise<void>
}

/**
 * Begins to build what changed since the last build: draws the pictures of the first pages. The caller begins the other
 * two steps, because Vite needs as much memory as the installation of a database, and a small machine has room for one of
 * them. All steps run at a low priority. What a crash interrupts begins again here. Processes that start together build
 * once; the others wait until everything is there.
 *
 * @throws with what went wrong, as the steps do; another process may build then
 */
export async function startBuilding(say: (line: string) => void): Promise<Building> {
  if (await isBuilt()) return { anew: false, buildPages: async () => {}, buildRest: async () => {} }
  const lock = await takeTurn()
  const orGiveUp = async (step: () => Promise<void>) => {
    try {
      await step()
    } catch (error) {
      await lock.release()
      throw new Error(`building failed:\n${error instanceof Error ? error.message : error}`)
    }
  }
  const wanted = fingerprint()
  const anew = (await readStamp(STAMP)) !== wanted
  let drawn = Promise.resolve()
  await orGiveUp(async () => {
    if (!anew) return
    await Promise.all([STAMP, DESK_STAMP, WHOLE_STAMP].map((stamp) => rm(stamp, { force: true })))
    // The server expects the folder when it starts.
    await mkdir(join(ROOT, 'build/desk'), { recursive: true })
    say('Building the pages and drawing their pictures …')
    drawn = runPart('pictures')
    // The caller hears of it from `buildPages`.
    drawn.catch(() => {})
  })
  return {
    anew,
    buildPages: () =>
      orGiveUp(async () => {
        if (!anew) return
        await drawn
        await runPart('pages')
        await writeFile(STAMP, wanted)
      }),
    buildRest: () =>
      orGiveUp(async () => {
        if ((await readStamp(WHOLE_STAMP)) !== wanted) await runPart('rest')
        await writeFile(WHOLE_STAMP, wanted)
        await lock.release()
      }),
  }
}

/** What a process of its own does while the site starts or is open. */
const PARTS = {
  /** The fonts, and the pictures of the first pages. */
  async pictures() {
    await run('scripts/bake-fonts.ts', [])
    await run('scripts/bake-art.ts', ['first'])
  },
  async pages() {
    await runVite()
    await cp(join(ROOT, 'web/public'), join(ROOT, 'build/client'), { recursive: true })
  },
  /** Compressed copies of the pages' files, the desk, then the other pictures. */
  async rest() {
    await compressBuild('client')
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
  const { anew, buildPages, buildRest } = await startBuilding(say)
  await buildPages()
  await buildRest()
  return anew
}

const readStamp = (file: string) => readFile(file, 'utf8').catch(() => '')

async function isBuilt(): Promise<boolean> {
  const wanted = fingerprint()
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
    // Others may read what is built, unlike what the site writes, whose mask this process was given.
    process.umask(0o022)
    // The programs that it runs end with it.
    process.once('SIGTERM', () => process.exit(1))
    await part().catch((error: Error) => {
      console.error(error.message)
      process.exit(1)
    })
  }
}
