import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { createPlayer, logInAs } from '#test/account-helpers.ts'
import { openTestDatabase, TEST_KEY, TEST_NOW } from '#test/databases.ts'
import { addAuthenticatorApp, addPasskey, generateCode, hasFactor } from '#test/factor-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { runCommand } from './commands.ts'
import { StartError } from './config.ts'
import { deleteUnreadableSecrets, prepareSiteKey } from './sealed-secrets.ts'
import { openSecret, readSiteKey, sealSecret } from './site-key.ts'

const folder = await mkdtemp(join(tmpdir(), 'tambayan-key-'))
after(() => rm(folder, { recursive: true }))

const matchRefusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof StartError && pattern.test(error.message) && !error.message.includes('\n')

test('a sealed secret opens only with its key and context, and differs each time', () => {
  const sealedText = sealSecret(TEST_KEY, 'adobo ñ', 'dish 1')
  assert.match(sealedText, /^s1\.[\w-]+$/)
  assert.equal(openSecret(TEST_KEY, sealedText, 'dish 1'), 'adobo ñ')
  assert.notEqual(sealSecret(TEST_KEY, 'adobo ñ', 'dish 1'), sealedText)
  assert.throws(() => openSecret(TEST_KEY, sealedText, 'dish 2'))
  assert.throws(() => openSecret(createSecretKey(randomBytes(32)), sealedText, 'dish 1'))
  const changedBytes = Buffer.from(sealedText.slice(3), 'base64url')
  changedBytes.writeUInt8(changedBytes.readUInt8(changedBytes.length - 1) ^ 1, changedBytes.length - 1)
  for (const text of [
    `s1.${changedBytes.toString('base64url')}`,
    sealedText.slice(0, 30),
    `s2${sealedText.slice(2)}`,
    '',
    'adobo',
  ])
    assert.throws(() => openSecret(TEST_KEY, text, 'dish 1'), text)
  assert.doesNotMatch(inspect(TEST_KEY, { depth: 5 }), /7, 7|0707|BwcH/)
})

test('the first start creates a private key, which concurrent and later starts use', async () => {
  const database = await openTestDatabase('empty')
  after(() => database.close())
  const path = join(folder, 'new', 'site.key')
  const keys = await Promise.all([1, 2, 3].map(() => prepareSiteKey(database.db, path, TEST_NOW)))
  const storedKey = await readSiteKey(path)
  for (const key of keys) assert.ok(storedKey?.equals(key))
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(join(folder, 'new')), ['site.key'])
  assert.equal(Buffer.from(await readFile(path, 'utf8'), 'base64').length, 32)
  assert.ok(storedKey?.equals(await prepareSiteKey(database.db, path, TEST_NOW)))
})

test('refuses to start with a missing or wrong key, and changes nothing', async () => {
  const database = await openTestDatabase('empty')
  after(() => database.close())
  const { db } = database
  const path = join(folder, 'first.key')
  await prepareSiteKey(db, path, TEST_NOW)
  const missingPath = join(folder, 'nowhere', 'site.key')
  await assert.rejects(
    prepareSiteKey(db, missingPath, TEST_NOW),
    matchRefusal(/^The site's key is missing: .*site-key -- forget/),
  )
  await assert.rejects(readFile(missingPath), { code: 'ENOENT' })
  const otherPath = join(folder, 'other.key')
  await writeFile(otherPath, randomBytes(32).toString('base64'))
  await assert.rejects(
    prepareSiteKey(db, otherPath, TEST_NOW),
    matchRefusal(/other\.key is not the key of this database/),
  )
  for (const text of ['', 'no key', randomBytes(31).toString('base64')]) {
    await writeFile(otherPath, text)
    await assert.rejects(
      prepareSiteKey(db, otherPath, TEST_NOW),
      matchRefusal(/other\.key is not a key of a site: it must hold/),
    )
  }
  await assert.rejects(prepareSiteKey(db, folder, TEST_NOW), matchRefusal(/cannot be read \(EISDIR\)/))
  assert.ok((await readSiteKey(path))?.equals(await prepareSiteKey(db, path, TEST_NOW)))
})

test('refuses to start if the key cannot be written', async () => {
  const database = await openTestDatabase('empty')
  after(() => database.close())
  await writeFile(join(folder, 'file'), '')
  await assert.rejects(
    prepareSiteKey(database.db, join(folder, 'file', 'site.key'), TEST_NOW),
    matchRefusal(/cannot be (written|read)/),
  )
})

/** Creates a site whose data directory contains the tests' key. */
async function createSite(name: string) {
  const path = join(folder, name, 'site.key')
  await mkdir(join(folder, name))
  await writeFile(path, TEST_KEY.export().toString('base64'))
  const site = await createTestApp({ publicUrl: 'https://play.example.ph' })
  return { path, site }
}

test('never stores the secret of an authenticator app in plain text', async () => {
  const { site } = await createSite('fresh')
  const player = await createPlayer(site)
  const { secret } = (await player.post('/api/factors/totp')).json()
  const readStoredSecrets = async () => {
    const ceremonies = await site.db.selectFrom('factor_ceremonies').selectAll().execute()
    const apps = await site.db.selectFrom('account_factors').selectAll().execute()
    return JSON.stringify([ceremonies, apps])
  }
  assert.ok((await readStoredSecrets()).includes('s1.'))
  assert.ok(!(await readStoredSecrets()).includes(secret))
  const addAnswer = await player.post('/api/factors/totp/confirm', { code: generateCode(secret, site.clock.now()) })
  assert.equal(addAnswer.status, 200, addAnswer.text)
  assert.ok((await readStoredSecrets()).includes('s1.'))
  assert.ok(!(await readStoredSecrets()).includes(secret))
})

test('a restore without the key removes only authenticator apps', async () => {
  const { path, site } = await createSite('restored')
  const { db } = site
  await prepareSiteKey(db, path, TEST_NOW)
  const [passkeyPlayer, appPlayer] = [await createPlayer(site), await createPlayer(site)]
  const { recoveryCodes } = await addAuthenticatorApp(site, passkeyPlayer)
  await addPasskey(site, passkeyPlayer)
  await addAuthenticatorApp(site, appPlayer)

  assert.deepEqual(await deleteUnreadableSecrets(db, path, TEST_NOW), [])
  await prepareSiteKey(db, path, TEST_NOW)

  assert.deepEqual(await deleteUnreadableSecrets(db, join(folder, 'missing.key'), TEST_NOW), [
    'the authenticator apps of 2 accounts',
  ])
  const kinds = await db.selectFrom('account_factors').select(['user_num', 'kind']).execute()
  assert.deepEqual(kinds, [{ user_num: passkeyPlayer.user.UserNum, kind: 'passkey' }])
  const { left } = await db
    .selectFrom('recovery_codes')
    .where('user_num', '=', passkeyPlayer.user.UserNum)
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(left), recoveryCodes.length)
  assert.equal(await hasFactor(db, appPlayer.user.UserNum), false)
  await logInAs(site, appPlayer.form.userId, appPlayer.form.userPassword)
  const events = await db.selectFrom('account_events').where('kind', '=', 'factor-removed').select('note').execute()
  assert.deepEqual(events, [{ note: 'Authenticator app' }, { note: 'Authenticator app' }])
  // The next start creates a new key.
  await prepareSiteKey(db, join(folder, 'new.key'), TEST_NOW)
  assert.deepEqual(await deleteUnreadableSecrets(db, path, TEST_NOW), [], 'lists only secrets that the site had')
})

test('reports the Discord application that is removed with a lost key', async () => {
  const { path, site } = await createSite('discord')
  const { db } = site
  await prepareSiteKey(db, path, TEST_NOW)
  const sealed = sealSecret(TEST_KEY, 'client secret', 'Discord application')
  await insertRows(db, 'discord_app', { client_id: '111111111111111111', sealed, changed_at: TEST_NOW })
  assert.deepEqual(await deleteUnreadableSecrets(db, join(folder, 'missing.key'), TEST_NOW), [
    'the application of Discord',
  ])
  assert.equal(await db.selectFrom('discord_app').select('client_id').executeTakeFirst(), undefined)
})

test('the site starts with a new key after a command has removed the secrets of the lost key', async () => {
  const { path, site } = await createSite('lost')
  const { db } = site
  await prepareSiteKey(db, path, TEST_NOW)
  await addAuthenticatorApp(site, await createPlayer(site))
  await copyFile(path, `${path}.lost`)
  await rm(path)
  await assert.rejects(prepareSiteKey(db, path, TEST_NOW), matchRefusal(/missing/))
  const mailSite = { appName: 'Tambayan Online', publicUrl: 'https://play.example.ph' }
  const { ok, lines } = await runCommand({ db, now: TEST_NOW, site: mailSite }, ['site-key', 'forget'])
  assert.ok(ok)
  assert.equal(lines[0], 'Removed: the authenticator app of 1 account.')
  await prepareSiteKey(db, path, TEST_NOW)
  await assert.rejects(prepareSiteKey(db, `${path}.lost`, TEST_NOW), matchRefusal(/not the key of this database/))
})
