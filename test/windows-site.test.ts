import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureBuilt } from '#scripts/build.ts'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { ROOT } from '#scripts/root.ts'
import { findFreePort } from '#scripts/throwaway-postgres.ts'
import { fetchPackage, startWindows, toWindowsPath, type WindowsRun } from '#scripts/windows-node.ts'
import lock from '../package-lock.json' with { type: 'json' }
import { createRegistration } from './account-helpers.ts'
import { createPictureFile, createTicketForm } from './ticket-helpers.ts'

// This test runs the site on Windows under Wine: with the packages that npm installs there, on the embedded database, and
// built on this machine.

await ensureBuilt(console.log)
const windows = startWindows()
const packages = join(makeTemporaryFolder(), 'node_modules')
for (const name of [
  '@img/sharp-win32-x64',
  '@napi-rs/nice-win32-x64-msvc',
  '@node-rs/argon2-win32-x64-msvc',
] as const) {
  mkdirSync(dirname(join(packages, name)), { recursive: true })
  symlinkSync(fetchPackage(name, lock.packages[`node_modules/${name}`].version), join(packages, name))
}
const port = String(await findFreePort())
const origin = `http://127.0.0.1:${port}`
const env = {
  NODE_PATH: toWindowsPath(packages),
  DATA_DIR: toWindowsPath(join(makeTemporaryFolder(), 'Mga datos ng Señor')),
  PORT: port,
  HOST: '127.0.0.1',
  DEMO: '0',
  DATABASE_URL: '',
  PUBLIC_URL: '',
  RATE_LIMIT: 'off',
}
const run = (program: string, ...args: string[]) => windows.run([program, ...args], { cwd: ROOT, extraEnv: env })

async function start(): Promise<WindowsRun> {
  const site = run('server.ts')
  after(() => site.child.kill('SIGKILL'))
  let isOver = false
  void site.completion.then(() => {
    isOver = true
  })
  for (const startedAt = performance.now(); !/ is open: http/.test(site.readOutput()); await sleep(100))
    assert.ok(!isOver && performance.now() - startedAt < 400_000, `the site did not start:\n${site.readOutput()}`)
  return site
}

/** Opens a connection for each request, because under Wine those of a killed process stay open for a while. */
const sendRequest = (path: string, init: RequestInit = {}) =>
  fetch(origin + path, {
    ...init,
    headers: { ...init.headers, Connection: 'close' },
    signal: AbortSignal.timeout(100_000),
  })
const postJson = (path: string, body: unknown) =>
  sendRequest(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

test('the site runs on Windows, survives a kill, and stops by a command', async () => {
  const site = await start()
  const page = await sendRequest('/itemshop')
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<html/)
  const { userId, userPassword, ...form } = createRegistration()
  const registration = await postJson('/api/register', { userId, userPassword, ...form })
  assert.equal(registration.status, 200, await registration.text())
  const screenshots = await createPictureFile('Señorita sa Maynila.png')
  const ticket = await sendRequest('/api/submitticket', { method: 'POST', body: createTicketForm({ screenshots }) })
  assert.equal(ticket.status, 200, await ticket.text())
  site.child.kill('SIGKILL')
  await site.completion

  const restartedSite = await start()
  const login = await postJson('/api/processlogin', { UserID: userId, UserPass: userPassword })
  const { data } = await login.json()
  assert.ok(data.token, data.message)
  const stop = await run('scripts/operate.ts', 'stop').completion
  assert.equal(stop.code, 0, stop.output)
  assert.match(stop.output, /The site has stopped\./)
  assert.equal((await restartedSite.completion).code, 0)
})
