import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { DataDirInUse, type DataLock, lockDataDir } from '../server/data-lock.ts'
import { ROOT } from './root.ts'

/** Names the sources that the site was built from. */
const STAMP = join(ROOT, 'build/stamp')
/** The sources of the built site. */
const SOURCES = [
  'web/**/*.{ts,tsx,css,svg}',
  'contract/**/*.ts',
  'content/**/*.{ts,md,csv,json}',
  'art/*/*.svg',
  'scripts/{build,bake-art,bake-fonts,wire-contract}.ts',
  'demo/media-sizes.ts',
  'web/public/{movies,screenshots}/*',
  'vite.config.ts',
  'package-lock.json',
]

/** The same on every system. Every start waits for this: read one after the other, hundreds of small files take half the time. */
function fingerprint(): string {
  const files = globSync(SOURCES, {
    cwd: ROOT,
    exclude: ['web/public/art/**', 'web/ui/fonts/**', '**/*.test.{ts,tsx}'],
  })
  const hash = createHash('sha256')
  for (const file of files.map((path) => path.replaceAll('\\', '/')).sort())
    hash.update(file).update(readFileSync(join(ROOT, file)))
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

/** Writes a brotli and a gzip copy, at the highest level, beside every file that gets smaller by it. */
async function compressFiles(): Promise<void> {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  const jobs: Promise<void>[] = []
  for await (const file of glob('build/{client,desk}/**/*.{js,css,svg,json,html,txt}', { cwd: ROOT })) {
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

/** Builds everything, in a process of its own at a low priority: the fonts, the pictures, the pages, the desk and the service worker. */
async function build(): Promise<void> {
  // One after the other: together they would need more memory than a machine with 1 GB has.
  await run('scripts/bake-fonts.ts', [])
  await run('scripts/bake-art.ts', [])
  await runVite()
  await runVite('--mode', 'desk')
  await runVite('--mode', 'worker')
  await cp(join(ROOT, 'web/public'), join(ROOT, 'build/client'), { recursive: true })
  await compressFiles()
}

/**
 * Builds the site when its sources changed since the last build; does nothing otherwise. What a crash interrupts begins
 * again here. Processes that start together build once, and the others wait.
 *
 * @returns whether it had to
 * @throws with what went wrong
 */
export async function ensureBuilt(print: (line: string) => void): Promise<boolean> {
  if (await isBuilt()) return false
  const lock = await lockBuild()
  try {
    if (await isBuilt()) return false
    print('Building the pages and drawing their pictures …')
    const wanted = fingerprint()
    await rm(STAMP, { force: true })
    await run('scripts/build.ts', ['alone'])
    await writeFile(STAMP, wanted)
    return true
  } catch (error) {
    throw new Error(`building failed:\n${error instanceof Error ? error.message : error}`)
  } finally {
    await lock.release()
  }
}

const isBuilt = async () => (await readFile(STAMP, 'utf8').catch(() => '')) === fingerprint()

async function lockBuild(): Promise<DataLock> {
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
  if (process.argv[2] === 'alone') {
    setPriority(10)
    // Others may read what is built, unlike what the site writes, whose mask this process was given.
    process.umask(0o022)
    // The programs that it runs end with it.
    process.once('SIGTERM', () => process.exit(1))
  }
  await (process.argv[2] === 'alone' ? build() : ensureBuilt(console.log)).catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}
