import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUpAtExit, makeTemporaryFolder } from '#scripts/clean-up.ts'
import { startSite } from '#scripts/start-site.ts'
import { waitUntil } from '#test/wait-until.ts'

/** Mounts a small disk; undefined if this user may not mount one. */
function mountDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const folder = makeTemporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  cleanUpAtExit(() => execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Code for the site's process: on SIGUSR2, it writes to the database's log until the disk is full. */
const WRITE_LOG = `
  import { PGlite } from ${JSON.stringify(import.meta.resolve('@electric-sql/pglite'))}
  const { query } = PGlite.prototype
  let engine
  PGlite.prototype.query = function (...args) {
    engine = this
    return query.apply(this, args)
  }
  process.on('SIGUSR2', async () => {
    const write = () => query.call(engine, "select pg_logical_emit_message(true, 'x', repeat('x', 200000))")
    for (let isFull = false; !isFull; ) await write().catch(() => { isFull = true })
  })`

const disk = mountDisk()

test('an embedded database on a full disk answers 503, and reopens when there is space', {
  skip: disk === undefined ? 'needs the right to mount a file system' : false,
}, async () => {
  const folder = disk ?? ''
  const site = await startSite({
    nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(WRITE_LOG)}`],
    env: { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
  })
  after(() => site.process.kill('SIGKILL'))
  let log = ''
  site.process.stdout?.on('data', (chunk) => {
    log += chunk
  })
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${site.origin}${path}`, { ...init, signal: AbortSignal.timeout(10_000) })
  const logIn = () =>
    request('/api/processlogin', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ UserID: 'juan', UserPass: 'juan-demo-1' }),
    })
  const waitForSite = (condition: string, isMet: () => Promise<boolean>) =>
    waitUntil(condition, isMet, { explain: () => log })
  const fillerPath = join(folder, 'filler')
  async function fillDiskAndLog() {
    const file = openSync(fillerPath, 'w')
    try {
      for (const block = Buffer.alloc(65_536); ; ) writeSync(file, block)
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
    } finally {
      closeSync(file)
    }
    site.process.kill('SIGUSR2')
    log = ''
    await waitForSite('the database stops', async () => /The database has stopped/.test(log))
  }

  assert.equal((await request('/itemshop')).status, 200)
  assert.equal((await logIn()).status, 200)
  await fillDiskAndLog()
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = await logIn()
    assert.equal(response.status, 503, await response.clone().text())
    assert.match(response.headers.get('Retry-After') ?? '', /^\d+$/)
    assert.equal((await request('/healthz')).status, 200)
    assert.equal((await request('/readyz')).status, 503)
    assert.equal((await request('/itemshop')).status, 200)
  }
  assert.match(log, /"The database has stopped \(could not write to file \\"pg_wal[^\n]* has 50 MB free/)
  assert.equal(log.match(/The database has stopped/g)?.length, 1)

  rmSync(fillerPath)
  await waitForSite('a player can log in again', async () => (await logIn()).status === 200)
  assert.equal((await request('/readyz')).status, 200)
  assert.match(log, /The database is open again/)

  await fillDiskAndLog()
  assert.equal((await logIn()).status, 503)
  const exit = once(site.process, 'exit')
  site.process.kill('SIGTERM')
  assert.deepEqual(await Promise.race([exit, sleep(10_000, 'later than ten seconds', { ref: false })]), [0, null])
})
