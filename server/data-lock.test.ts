import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DataDirInUse, getControlPath, lockDataDir } from './data-lock.ts'

const folder = await mkdtemp(join(tmpdir(), 'tambayan-lock-'))
const POSIX_ONLY = { skip: process.platform === 'win32' ? 'Windows has no SIGSTOP' : false }
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

const LOCKING_SCRIPT = `
  const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dirname, 'data-lock.ts'))})
  await lockDataDir(process.argv[1], (socket) => socket.destroy()).then(() => console.log('taken'), () => console.log('refused'))
  setInterval(() => {}, 1e6)`

/** Starts another process that locks a data directory. Reports 'taken' or 'refused'. */
async function lockInProcess(dataDir: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOCKING_SCRIPT, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, output: String(output).trim() }
}

async function killProcess(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const lockFolder = (dataDir: string) => lockDataDir(dataDir, (socket) => socket.destroy())

test('locks a data directory for one process at a time, and again after its release', async () => {
  const dataDir = join(folder, 'one')
  const lock = await lockFolder(dataDir)
  await assert.rejects(lockFolder(dataDir), DataDirInUse)
  await lock.release()
  await (await lockFolder(dataDir)).release()
})

test('refuses a second process while the first one runs', async () => {
  const dataDir = join(folder, 'two')
  const lock = await lockFolder(dataDir)
  assert.equal((await lockInProcess(dataDir)).output, 'refused')
  await lock.release()
})

test('does not lock other data directories', async () => {
  const locks = [await lockFolder(join(folder, 'three')), await lockFolder(join(folder, 'four'))]
  for (const lock of locks) await lock.release()
})

test('locks a data directory with a very long name', async () => {
  const dataDir = join(folder, 'long'.repeat(40))
  const lock = await lockFolder(dataDir)
  await assert.rejects(lockFolder(dataDir), DataDirInUse)
  assert.ok((await getControlPath(dataDir)).length <= 100)
  assert.deepEqual(await readdir(dataDir), ['site.lock'])
  await lock.release()
})

test('recognizes a data directory under another path', async () => {
  const dataDir = join(folder, 'five')
  await mkdir(dataDir)
  const lock = await lockFolder(dataDir)
  await assert.rejects(lockFolder(join(folder, '.', 'x', '..', 'five')), DataDirInUse)
  await lock.release()
})

test('the process with the lock receives requests at the directory’s socket', async () => {
  const dataDir = join(folder, 'six')
  const lock = await lockDataDir(dataDir, (socket) => void socket.end('here'))
  const client = connect(await getControlPath(dataDir))
  assert.equal(String(Buffer.concat(await client.toArray())), 'here')
  await lock.release()
})

test('uses one named pipe for each data directory on Windows, for every notation of its path', async () => {
  const getWindowsPath = (dataDir: string) => getControlPath(join(folder, dataDir), 'win32')
  const pipe = await getWindowsPath('pipe')
  assert.match(pipe, /^\\\\\.\\pipe\\tambayan-[0-9a-f]{24}$/)
  assert.equal(await getWindowsPath('pipe/../PIPE'), pipe)
  assert.notEqual(await getWindowsPath('another'), pipe)
})

test('exactly one of many processes gets the lock of a killed process', async () => {
  const dataDir = join(folder, 'seven')
  const firstProcess = await lockInProcess(dataDir)
  assert.equal(firstProcess.output, 'taken')
  await killProcess(firstProcess.child)
  const otherProcesses = await Promise.all(Array.from({ length: 4 }, () => lockInProcess(dataDir)))
  assert.deepEqual(otherProcesses.map(({ output }) => output).sort(), ['refused', 'refused', 'refused', 'taken'])
})

test('exactly one of many attempts in a process gets the lock of a killed process', async () => {
  const dataDir = join(folder, 'eight')
  const firstProcess = await lockInProcess(dataDir)
  await killProcess(firstProcess.child)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(dataDir)))
  const acquiredLocks = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  assert.equal(acquiredLocks.length, 1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof DataDirInUse)
  await acquiredLocks[0]?.value.release()
})

test('a hanging process with a full socket retains its lock', POSIX_ONLY, async () => {
  const dataDir = join(folder, 'nine')
  const { child } = await lockInProcess(dataDir)
  child.kill('SIGSTOP')
  const path = await getControlPath(dataDir)
  const callers: Socket[] = []
  const isSocketFull = () =>
    new Promise<boolean>((resolve) => {
      const caller = connect(path, () => resolve(false)).once('error', () => resolve(true))
      callers.push(caller)
    })
  while (!(await isSocketFull()));
  await assert.rejects(lockFolder(dataDir), DataDirInUse)
  for (const caller of callers) caller.destroy()
})
