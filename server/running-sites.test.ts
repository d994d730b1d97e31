import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { readConfig } from './config.ts'
import { announceSite, readCommandConfig } from './running-sites.ts'

const folder = await mkdtemp(join(tmpdir(), 'tambayan-sites-'))
after(() => rm(folder, { recursive: true }))

const stopFunctions: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stopFunctions.splice(0)) await stop()
})

/** Starts a server that listens and is announced as a site. */
async function runSite(env: Record<string, string>) {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const withdrawAnnouncement = await announceSite(readConfig(env), { env, port, folder })
  const close = async () => {
    if (server.listening) await once(server.close(), 'close')
  }
  stopFunctions.push(async () => {
    await close()
    await withdrawAnnouncement()
  })
  return { port, withdrawAnnouncement, close }
}

const findConfig = (env: Record<string, string> = {}) => readCommandConfig(env, folder)

test('a command uses the settings of the running site; its environment overrides them', async () => {
  const env = { DATA_DIR: '/srv/a', BACKUP_DIR: '/mnt/b', APP_NAME: 'Barkada Online', DEMO: '0' }
  const { port, withdrawAnnouncement } = await runSite({
    ...env,
    SMTP_URL: 'smtp://user:secret@mail.example.ph',
  })
  assert.partialDeepStrictEqual(await findConfig({ APP_NAME: '' }), {
    dataDir: '/srv/a',
    backupDir: '/mnt/b',
    siteKeyFile: '/srv/a/site.key',
    appName: 'Barkada Online',
    port,
    demo: false,
    smtpUrl: 'smtp://user:secret@mail.example.ph',
  })
  const overriddenConfig = await findConfig({ BACKUP_DIR: '/mnt/c', APP_NAME: 'Ours' })
  assert.deepEqual(
    [overriddenConfig.dataDir, overriddenConfig.backupDir, overriddenConfig.appName],
    ['/srv/a', '/mnt/c', 'Ours'],
  )
  if (process.platform !== 'win32') assert.equal((await stat(join(folder, `${port}.json`))).mode & 0o777, 0o600)
  await withdrawAnnouncement()
  assert.equal((await findConfig()).dataDir, resolve('data'))
})

test('a data directory or database in the environment selects its site, or none', async () => {
  await runSite({ DATA_DIR: '/srv/a', BACKUP_DIR: '/mnt/a' })
  await runSite({ DATABASE_URL: 'postgres://site:secret@127.0.0.1/one', BACKUP_DIR: '/mnt/b' })
  assert.equal((await findConfig({ DATA_DIR: '/srv/a' })).backupDir, '/mnt/a')
  assert.equal((await findConfig({ DATABASE_URL: 'postgres://site:secret@127.0.0.1/one' })).backupDir, '/mnt/b')
  const unmatchedConfig = await findConfig({ DATA_DIR: '/srv/c' })
  assert.deepEqual([unmatchedConfig.databaseUrl, unmatchedConfig.backupDir], [undefined, '/srv/c/backups'])
})

test('with two running sites, a command refuses and names both, without their passwords', async () => {
  const embeddedSite = await runSite({ DATA_DIR: '/srv/a' })
  const postgresSite = await runSite({ DATABASE_URL: 'postgres://site:secret@127.0.0.1/one' })
  await assert.rejects(findConfig(), ({ message }: Error) => {
    for (const name of [
      `http://127.0.0.1:${embeddedSite.port} (DATA_DIR /srv/a)`,
      `http://127.0.0.1:${postgresSite.port} (on PostgreSQL)`,
    ])
      assert.ok(message.includes(name), message)
    return !message.includes('secret')
  })
})

test('treats several processes on one PostgreSQL database as one site', async () => {
  const env = { DATABASE_URL: 'postgres://site:secret@127.0.0.1/one' }
  await runSite({ ...env, DATA_DIR: '/srv/a' })
  await runSite({ ...env, DATA_DIR: '/srv/b' })
  assert.equal((await findConfig()).databaseUrl, env.DATABASE_URL)
})

test('does not find a killed site, and deletes its file', async () => {
  const { port, close } = await runSite({ DATA_DIR: '/srv/a' })
  await close()
  assert.equal((await findConfig()).dataDir, resolve('data'))
  assert.ok(!(await readdir(folder)).includes(`${port}.json`))
})
