import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, copyFile, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { ensureBuilt } from '#scripts/build.ts'
import { generateCode } from '#test/factor-helpers.ts'

// These tests run the site in a separate process, as an operator does.
const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'tambayan-start-'))
const runningProcesses = new Set<ChildProcess>()
after(async () => {
  for (const child of runningProcesses) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})
await ensureBuilt(() => {})

type Env = Record<string, string>

function runScript(script: string, args: string[], env: Env) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_LEVEL: 'error', ...env },
  })
  runningProcesses.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const exit = once(child, 'close').then(([code, signal]) => {
    runningProcesses.delete(child)
    return { code: code as number | null, signal: signal as string | null }
  })
  return { child, output, exit }
}

/** Starts the site and waits until it reports that it is open. */
async function openSite(env: Env) {
  const site = runScript('server.ts', [], env)
  const started = Promise.race([
    site.exit.then(() => assert.fail(`did not start: ${site.output.out}${site.output.err}`)),
    (async () => {
      while (!/ is open: \S+\n/.test(site.output.out)) await setTimeout(20)
    })(),
  ])
  await started
  const address = / is open: (\S+)/.exec(site.output.out)?.[1] ?? ''
  const stop = async () => {
    site.child.kill('SIGTERM')
    return site.exit
  }
  return { ...site, address, stop }
}

/** Starts the site, which must refuse, and returns the line that it prints. */
async function readRefusal(env: Env): Promise<string> {
  const { output, exit } = runScript('server.ts', [], env)
  assert.deepEqual({ ...(await exit), out: output.out }, { code: 1, signal: null, out: '' }, output.err)
  assert.match(output.err, /^[^\n]+\n$/)
  return output.err.trimEnd()
}

const dataDir = join(folder, 'data')
const DEMO_LINES = [/^ {2}juan +juan-demo-1$/m, /^ {2}maria +maria-demo-1$/m, /^ {2}gm +gm-demo-1 .*operator/m]

/** Lists the different modes of folders and files in a folder. */
async function listModes(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const modes = entries.map(async (entry) => {
    const { mode } = await lstat(join(entry.parentPath, entry.name))
    return `${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`
  })
  const folderMode = `folder ${((await lstat(path)).mode & 0o777).toString(8)}`
  return [...new Set([folderMode, ...(await Promise.all(modes))])].sort().reverse()
}

test('the first start prepares everything, prints address and demo accounts, and ends cleanly', async () => {
  const site = await openSite({ DATA_DIR: dataDir })
  for (const line of [
    /Step \d+ of \d+: database, [\d.]+ s/,
    /Installing the embedded database/,
    /Preparing the database/,
    /Seeded the demo world/,
  ]) {
    assert.match(site.output.out, line)
  }
  for (const line of DEMO_LINES) assert.match(site.output.out, line)
  assert.match(site.address, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal((await fetch(`${site.address}/readyz`)).status, 200)
  const home = await fetch(site.address)
  assert.equal(home.status, 200)
  assert.match(await home.text(), /<title>.* \| Tambayan Online<\/title>/)
  if (process.platform !== 'win32') assert.deepEqual(await listModes(dataDir), ['folder 700', 'file 600'])
  assert.deepEqual(await site.stop(), { code: 0, signal: null })
  assert.equal(site.output.err, '')
})

test('SIGTERM to npm itself stops the site within ten seconds, and npm ends with exit code 0', async () => {
  const shell = runScript('scripts/after-install.mjs', [], {})
  assert.deepEqual(await shell.exit, { code: 0, signal: null }, shell.output.err)
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const opening = new Promise<void>((resolve) => {
    npm.stdout.on('data', (chunk) => {
      output += chunk
      if (/ is open: \S+/.test(output)) resolve()
    })
  })
  await opening
  const address = / is open: (\S+)/.exec(output)?.[1] ?? ''
  const exit = new Promise((resolve) => npm.once('exit', resolve))
  npm.kill('SIGTERM')
  assert.equal(await Promise.race([exit, setTimeout(10_000, 'later than ten seconds', { ref: false })]), 0)
  await assert.rejects(fetch(`${address}/healthz`), 'the site still runs without npm')
  await assert.rejects(access(join(dataDir, 'site.sock')), 'the data directory is still locked')
})

test('npm stop stops the site through its control socket, and reports a missing one', async () => {
  const env = { DATA_DIR: dataDir }
  const site = await openSite(env)
  const stop = runScript('scripts/operate.ts', ['stop'], env)
  assert.deepEqual(await site.exit, { code: 0, signal: null }, site.output.err)
  assert.deepEqual(await stop.exit, { code: 0, signal: null }, stop.output.err)
  assert.equal(stop.output.out, 'The site has stopped.\n')
  const retry = runScript('scripts/operate.ts', ['stop'], env)
  assert.deepEqual(await retry.exit, { code: 0, signal: null }, retry.output.err)
  assert.equal(retry.output.out, 'The site is not running.\n')
})

const backupPath = join(folder, 'world.backup.gz')
let rowsSaved = ''

test('a second start builds and seeds nothing, is backed up while it runs, and stops in time', async (t) => {
  const site = await openSite({ DATA_DIR: dataDir })
  const { port } = new URL(site.address)
  assert.doesNotMatch(site.output.out, /Installing|Preparing|Seeded|Building|Drawing/)
  for (const line of DEMO_LINES) assert.match(site.output.out, line)

  await t.test('another process cannot use its data directory or its port', async () => {
    const [directory, address] = await Promise.all([
      readRefusal({ DATA_DIR: dataDir }),
      readRefusal({ DATA_DIR: join(folder, 'other'), PORT: port }),
    ])
    assert.equal(directory, `DATA_DIR ${dataDir} is in use by another process.`)
    assert.equal(address, `PORT ${port} on HOST 127.0.0.1 is in use by another program.`)
  })

  await t.test('npm run backup backs up a running site, npm run restore refuses it', async () => {
    const backup = runScript('scripts/backup.ts', [backupPath], { DATA_DIR: dataDir })
    assert.deepEqual(await backup.exit, { code: 0, signal: null }, backup.output.err)
    rowsSaved = / (\d+) rows\n$/.exec(backup.output.out)?.[1] ?? ''
    assert.ok(Number(rowsSaved) > 4000, backup.output.out)
    const restore = runScript('scripts/restore.ts', [backupPath], { DATA_DIR: dataDir })
    assert.deepEqual(await restore.exit, { code: 1, signal: null })
    assert.equal(restore.output.err, 'The site is running. Stop it first.\n')
  })

  await t.test(
    'SIGTERM lets a request finish, accepts no other, and does not wait for one that never ends',
    async () => {
      const body = JSON.stringify({ UserID: 'nobody', UserPass: 'nothing' })
      const beginRequest = () => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('error', () => {})
        socket.write(
          `POST /api/processlogin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 10)}`,
        )
        return socket
      }
      const finishingRequest = beginRequest()
      const endlessRequest = beginRequest()
      await setTimeout(200)
      const stopping = site.stop()
      const timeout = setTimeout(10_000, 'later than ten seconds' as const, { ref: false })
      await setTimeout(300)
      await assert.rejects(fetch(`${site.address}/healthz`), 'still accepts')
      const answer = finishingRequest.toArray()
      finishingRequest.write(body.slice(10))
      const text = Buffer.concat(await answer).toString()
      assert.match(text, /^HTTP\/1\.1 200 /)
      assert.match(text, /"token":null/)
      assert.deepEqual(await Promise.race([stopping, timeout]), { code: 0, signal: null })
      endlessRequest.destroy()
    },
  )
})

test('prints one line and exits with code 1 for a wrong setting, database, folder or host', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const lines = await Promise.all([
    readRefusal({ PORT: 'http' }),
    readRefusal({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }),
    readRefusal({ DATA_DIR: file }),
    readRefusal({ HOST: '203.0.113.77' }),
  ])
  assert.equal(lines[0], "PORT is 'http', but must be a port number from 0 to 65535.")
  assert.match(lines[1] ?? '', /^DATABASE_URL cannot be reached: .*ECONNREFUSED/)
  assert.match(lines[2] ?? '', /^DATA_DIR .*\/file cannot be used: /)
  assert.match(lines[3] ?? '', /^PORT 0 on HOST 203\.0\.113\.77 cannot be used \(EADDRNOTAVAIL\)\.$/)
})

/** Returns the token in the first owner's link that a start has printed. */
const findToken = (out: string) => /^ {2}http:\/\/127\.0\.0\.1:\d+\/admin\/first#([\w-]{43})$/m.exec(out)?.[1]

test('each start without an owner prints a link for the first owner; only the latest works (DESK-12)', async () => {
  const env = { DATA_DIR: join(folder, 'empty'), DEMO: '0', LOG_LEVEL: 'debug' }
  const firstSite = await openSite(env)
  await firstSite.stop()
  const secondSite = await openSite(env)
  const postToSite = (path: string, body: unknown) =>
    fetch(`${secondSite.address}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const [earlierToken, token] = [findToken(firstSite.output.out), findToken(secondSite.output.out)]
  assert.notEqual(earlierToken, token)
  assert.equal((await postToSite('/api/first-owner/app', { word: earlierToken })).status, 404)
  const { secret } = await (await postToSite('/api/first-owner/app', { word: token })).json()
  const ownerAnswer = await postToSite('/api/first-owner', {
    word: token,
    userId: 'may_ari',
    userEmail: 'may@example.ph',
    userPassword: 'bahay-kubo-munti',
    userPasswordConfirm: 'bahay-kubo-munti',
    secretQuestion: 1,
    secretAnswer: 'asul',
    secret,
    code: generateCode(secret, new Date()),
  })
  assert.equal(ownerAnswer.status, 200, await ownerAnswer.text())
  await secondSite.stop()
  const logLines = secondSite.output.out.split('\n').filter((line) => line.startsWith('{'))
  assert.ok(!logLines.join().includes(String(token)))
  const thirdSite = await openSite(env)
  await thirdSite.stop()
  assert.doesNotMatch(thirdSite.output.out, /owner|first#/)
})

test('npm run restore restores a backup into a new folder and refuses a folder that is not empty', async () => {
  const restoredDir = join(folder, 'restored')
  await mkdir(restoredDir)
  await copyFile(join(dataDir, 'site.key'), join(restoredDir, 'site.key'))
  const refusedRestore = runScript('scripts/restore.ts', [backupPath], { DATA_DIR: dataDir })
  const restore = runScript('scripts/restore.ts', [backupPath], { DATA_DIR: restoredDir })
  assert.deepEqual(await refusedRestore.exit, { code: 1, signal: null })
  assert.match(
    refusedRestore.output.err,
    /^The database is not empty: \w+ has rows\. A restore overwrites nothing\. .+ restore again\.\n$/,
  )
  assert.deepEqual(await restore.exit, { code: 0, signal: null }, restore.output.err)
  assert.equal(restore.output.out, `Restored ${rowsSaved} rows.\n`)
  if (process.platform !== 'win32') assert.deepEqual(await listModes(restoredDir), ['folder 700', 'file 600'])
  const secondBackup = runScript('scripts/backup.ts', [join(folder, 'again.backup.gz')], { DATA_DIR: restoredDir })
  assert.deepEqual(await secondBackup.exit, { code: 0, signal: null }, secondBackup.output.err)
  assert.ok(secondBackup.output.out.endsWith(` ${rowsSaved} rows\n`))
})

test('a site that was stopped or killed during its first start is complete after the next start', async (t) => {
  const env = { DATA_DIR: join(folder, 'killed') }
  await t.test('stopped by a signal or by npm stop, a start ends with exit code 0', async () => {
    const beginStart = async () => {
      const site = runScript('server.ts', [], env)
      while (site.output.out === '' && site.child.exitCode === null) await setTimeout(20)
      return site
    }
    const bySignal = await beginStart()
    bySignal.child.kill('SIGTERM')
    assert.deepEqual(await bySignal.exit, { code: 0, signal: null }, bySignal.output.err)
    const byCommand = await beginStart()
    const command = runScript('scripts/operate.ts', ['stop'], env)
    assert.deepEqual(await command.exit, { code: 0, signal: null }, command.output.err)
    assert.equal(command.output.out, 'The site has stopped.\n')
    assert.deepEqual(await byCommand.exit, { code: 0, signal: null }, byCommand.output.err)
    assert.doesNotMatch(bySignal.output.out + byCommand.output.out, / is open: /)
  })
  const killTimes = [600, 2600].map((latestMs) => Math.round(latestMs * (0.3 + 0.7 * Math.random())))
  for (const moment of killTimes) {
    const site = runScript('server.ts', [], env)
    await setTimeout(moment)
    site.child.kill('SIGKILL')
    await site.exit
  }
  const description = `killed after ${killTimes.join(', ')} ms`
  const site = await openSite(env)
  const rankings = (await (await fetch(`${site.address}/api/get-top-rankings-list`)).json()) as Record<
    string,
    unknown[]
  >
  for (const [board, rows] of Object.entries(rankings)) assert.equal(rows.length, 100, `${description}: ${board}`)
  assert.deepEqual(await site.stop(), { code: 0, signal: null }, description)
})

const serverUrl = process.env.TEST_DATABASE_URL
const SERVER_ONLY = { skip: serverUrl === undefined ? 'needs PostgreSQL: npm run test:postgres' : false }

test('two sites that start at the same time on one PostgreSQL database share one demo world', SERVER_ONLY, async () => {
  const name = `sites_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(serverUrl ?? '')
  url.pathname = `/${name}`
  const env = { DATABASE_URL: url.href, DEMO: '1', DATA_DIR: join(folder, 'unused') }
  const sites = await Promise.all([openSite(env), openSite(env)])
  const seedingSites = sites.filter(({ output }) => output.out.includes('Seeded the demo world'))
  assert.equal(seedingSites.length, 1)
  const [firstRankings, secondRankings] = await Promise.all(
    sites.map(async ({ address }) => (await fetch(`${address}/api/get-top-rankings-list`)).text()),
  )
  assert.equal(firstRankings, secondRankings)
  for (const site of sites) assert.deepEqual(await site.stop(), { code: 0, signal: null })
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})
