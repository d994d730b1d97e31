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
const onPosix = { skip: process.platform === 'win32' ? 'Windows has no SIGSTOP' : false }
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

const TAKER = `
  const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dirname, 'data-lock.ts'))})
  await lockDataDir(process.argv[1], (socket) => socket.destroy()).then(() => console.log('taken'), () => console.log('refused'))
  setInterval(() => {}, 1e6)`

/** Starts another process that locks a data directory. Reports 'taken' or 'refused'. */
async function takeElsewhere(dataDir: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', TAKER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, output: String(output).trim() }
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const take = (dataDir: string) => lockDataDir(dataDir, (socket) => socket.destroy())

test('one process at a time has the lock of a data directory, which can be locked again after its release', async () => {
  const dataDir = join(folder, 'one')
  const lock = await take(dataDir)
  await assert.rejects(take(dataDir), DataDirInUse)
  await lock.release()
  await (await take(dataDir)).release()
})

test('refuses a second process while the first one runs', async () => {
  const dataDir = join(folder, 'two')
  const lock = await take(dataDir)
  assert.equal((await takeElsewhere(dataDir)).output, 'refused')
  await lock.release()
})

test('does not lock other data directories', async () => {
  const locks = [await take(join(folder, 'three')), await take(join(folder, 'four'))]
  for (const lock of locks) await lock.release()
})

test('locks a data directory with a very long name', async () => {
  const dataDir = join(folder, 'long'.repeat(40))
  const lock = await take(dataDir)
  await assert.rejects(take(dataDir), DataDirInUse)
  assert.ok((await getControlPath(dataDir)).length <= 100)
  assert.deepEqual(await readdir(dataDir), ['site.lock'])
  await lock.release()
})

test('recognizes a data directory under another path', async () => {
  const dataDir = join(folder, 'five')
  await mkdir(dataDir)
  const lock = await take(dataDir)
  await assert.rejects(take(join(folder, '.', 'x', '..', 'five')), DataDirInUse)
  await lock.release()
})

test('the process with the lock receives requests at the directory’s socket', async () => {
  const dataDir = join(folder, 'six')
  const lock = await lockDataDir(dataDir, (socket) => void socket.end('here'))
  const asking = connect(await getControlPath(dataDir))
  assert.equal(String(Buffer.concat(await asking.toArray())), 'here')
  await lock.release()
})

test('uses one named pipe for each data directory on Windows, for every notation of its path', async () => {
  const onWindows = (dataDir: string) => getControlPath(join(folder, dataDir), 'win32')
  const pipe = await onWindows('pipe')
  assert.match(pipe, /^\\\\\.\\pipe\\tambayan-[0-9a-f]{24}$/)
  assert.equal(await onWindows('pipe/../PIPE'), pipe)
  assert.notEqual(await onWindows('another'), pipe)
})

test('exactly one of many processes gets the lock of a killed process', async () => {
  const dataDir = join(folder, 'seven')
  const first = await takeElsewhere(dataDir)
  assert.equal(first.output, 'taken')
  await kill(first.child)
  const next = await Promise.all(Array.from({ length: 4 }, () => takeElsewhere(dataDir)))
  assert.deepEqual(next.map(({ output }) => output).sort(), ['refused', 'refused', 'refused', 'taken'])
})

test('exactly one of many attempts in a process gets the lock of a killed process', async () => {
  const dataDir = join(folder, 'eight')
  const first = await takeElsewhere(dataDir)
  await kill(first.child)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take(dataDir)))
  const acquired = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  assert.equal(acquired.length, 1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof DataDirInUse)
  await acquired[0]?.value.release()
})

test('a hanging process with a full socket retains its lock', onPosix, async () => {
  const dataDir = join(folder, 'nine')
  const { child } = await takeElsewhere(dataDir)
  child.kill('SIGSTOP')
  const path = await getControlPath(dataDir)
  const callers: Socket[] = []
  const isFull = () =>
    new Promise<boolean>((resolve) => {
      const caller = connect(path, () => resolve(false)).once('error', () => resolve(true))
      callers.push(caller)
    })
  while (!(await isFull()));
  await assert.rejects(take(dataDir), DataDirInUse)
  for (const caller of callers) caller.destroy()
})
