import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { DataDirInUse, type DataLock, lockDataDir } from '../server/data-lock.ts'

const ROOT = join(import.meta.dirname, '..')
const STAMP = join(ROOT, 'build/stamp')
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

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`building failed:\n${output}`))))
  })
}

/** Writes a brotli and a gzip copy, at the highest level, beside every file that gets smaller by it. */
async function compressBuild(): Promise<void> {
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

/**
 * Builds the site when its sources changed since the last build: drawings, pages, compressed
 * copies. Processes that start together build once; the others wait for it.
 *
 * @returns whether it had to
 */
export async function ensureBuilt(say: (line: string) => void): Promise<boolean> {
  if (await isBuilt()) return false
  const lock = await takeTurn()
  try {
    if (await isBuilt()) return false
    await rm(STAMP, { force: true })
    say('Building the pages and drawing their pictures …')
    const wanted = await fingerprint()
    await run('scripts/bake-fonts.ts', [])
    const done = await Promise.allSettled([
      run('scripts/bake-art.ts', []),
      run('node_modules/vite/bin/vite.js', ['build', '--app']),
    ])
    for (const { reason } of done.filter((one) => one.status === 'rejected')) throw reason
    await cp(join(ROOT, 'web/public'), join(ROOT, 'build/client'), { recursive: true })
    await compressBuild()
    await writeFile(STAMP, wanted)
    return true
  } finally {
    await lock.release()
  }
}

const isBuilt = async () => (await readFile(STAMP, 'utf8').catch(() => '')) === (await fingerprint())

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

if (import.meta.main) await ensureBuilt(console.log)
