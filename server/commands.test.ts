import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openTestDatabase, TEST_NOW } from '#test/databases.ts'
import { insertPurse } from '#test/money-helpers.ts'
import { runCommand } from './commands.ts'
import { readConfig } from './config.ts'
import { answerControlCommands } from './control.ts'
import { lockDataDir } from './data-lock.ts'
import { migrate } from './db/migrate.ts'
import { openEmbedded, openPostgres } from './db/open.ts'
import { hashVoucher } from './features/vouchers/codes.ts'

const database = await openTestDatabase('demo')
test.after(() => database.close())
const { db } = database
const site = { appName: 'Tambayan Online', publicUrl: 'https://play.example.ph' }

/** Reads the campaign of a code. */
const readCampaign = (code = '') =>
  db
    .selectFrom('voucher_campaigns as c')
    .innerJoin('vouchers as v', 'v.campaign', 'c.id')
    .where('v.code_hash', '=', hashVoucher(code))
    .selectAll('c')
    .executeTakeFirstOrThrow()

const runLine = (line: string) => runCommand({ db, now: TEST_NOW, site }, line.split(' '))

test('ledger confirms that all balances are right, or names the first wrong one', async () => {
  assert.deepEqual(await runLine('ledger'), {
    ok: true,
    lines: ['Every balance equals the sum of its ledger entries.'],
  })
  const userNum = await insertPurse(db, { rCoin: 5 })
  await db.updateTable('accounts').set({ r_coin: 6 }).where('user_num', '=', userNum).execute()
  assert.deepEqual(await runLine('ledger'), {
    ok: false,
    lines: [`Account ${userNum}: r_coin is 6, but its ledger entries add up to 5.`],
  })
  await db.updateTable('accounts').set({ r_coin: 5 }).where('user_num', '=', userNum).execute()
})

test('vouchers mint makes different codes in capitals that expire at the end of a day in Manila', async () => {
  const options = '--batch Fiesta --count 1234 --r-coin 500 --milleage 20 --expires 2026-12-31 --one-per-account'
  const { ok, lines } = await runLine(`vouchers mint ${options}`)
  assert.ok(ok)
  assert.equal(new Set(lines).size, 1234)
  for (const code of lines) assert.match(code, /^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
  const campaign = await readCampaign(lines[0])
  assert.partialDeepStrictEqual(campaign, {
    name: 'Fiesta',
    codes: 1234,
    r_coin: 500,
    milleage: 20,
    per_account: 1,
    redeemed: 0,
  })
  assert.equal(campaign.expires_at?.toISOString(), '2026-12-31T15:59:59.999Z')
  const entry = await db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').executeTakeFirstOrThrow()
  assert.deepEqual(
    [entry.actor_kind, entry.actor_name, entry.action, entry.target_kind, entry.target_id],
    ['command', 'vouchers', 'vouchers mint', 'campaign', String(campaign.id)],
  )
})

test('vouchers mint without an expiry mints codes that never expire', async () => {
  const { lines } = await runLine('vouchers mint --batch Plain --count 1 --milleage 5 --in-total 1 --streamer TAMBAYAN')
  assert.partialDeepStrictEqual(await readCampaign(lines[0]), {
    r_coin: 0,
    milleage: 5,
    expires_at: null,
    per_account: null,
    in_total: 1,
    streamer: 'TAMBAYAN',
  })
})

test('vouchers mint makes no codes if an option is missing or invalid', async () => {
  const countVouchers = () =>
    db
      .selectFrom('vouchers')
      .select((eb) => eb.fn.countAll().as('all'))
      .executeTakeFirstOrThrow()
  const countBefore = await countVouchers()
  for (const options of [
    '',
    '--count 5 --r-coin 5',
    '--batch A --r-coin 5',
    '--batch A --count 5',
    '--batch A --count 0 --r-coin 5',
    '--batch A --count -1 --r-coin 5',
    '--batch A --count 1.5 --r-coin 5',
    '--batch A --count 10001 --r-coin 5',
    '--batch A --count 5 --r-coin 1e9',
    '--batch A --count 5 --r-coin -5',
    '--batch A --count 5 --rcoin 5 --milleage 5',
    '--batch A --count 5 --r-coin 5 --one-per-acount',
    '--batch A --count 5 --r-coin 5 --expires soon',
    '--batch A --count 5 --r-coin 5 --expires 2027-02-30',
    '--batch A --count 5 --r-coin 5 --per-account 0',
    '--batch A --count 5 --r-coin 5 --in-total x',
    '--batch A --count 5 --r-coin 5 extra',
    '--batch A --count',
  ]) {
    const { ok, lines } = await runLine(`vouchers mint ${options}`.trim())
    assert.ok(!ok && lines[0]?.startsWith('Usage: vouchers mint '), options)
  }
  assert.deepEqual(await runLine('vouchers mint --batch A --count 5 --r-coin 5 --expires 2026-11-19'), {
    ok: false,
    lines: ['The date given with --expires is in the past.'],
  })
  const mintForToday = await runLine('vouchers mint --batch A --count 1 --r-coin 5 --expires 2026-11-20')
  assert.ok(mintForToday.ok, 'today is not in the past')
  assert.deepEqual(await runLine('vouchers mint --batch A --count 1 --r-coin 5 --streamer NOBODY'), {
    ok: false,
    lines: ['There is no such streamer.'],
  })
  assert.equal(Number((await countVouchers()).all), Number(countBefore.all) + 1)
})

test('vouchers streamer adds and renames streamers, vouchers referrals lists their results', async () => {
  assert.deepEqual(await runLine('vouchers streamer LUNA Luna'), {
    ok: true,
    lines: ['Referral code LUNA belongs to Luna.'],
  })
  await runLine('vouchers streamer LUNA Bituin')
  for (const invalidLine of ['vouchers streamer luna Luna', 'vouchers streamer LUNA', 'vouchers streamer L <b>']) {
    assert.equal((await runLine(invalidLine)).ok, false, invalidLine)
  }
  await db.updateTable('referral_codes').set({ redeemed: 1, r_coin: 2000 }).where('code', '=', 'LUNA').execute()
  const { lines } = await runLine('vouchers referrals')
  assert.ok(lines.includes('LUNA\tBituin\t1 code\t2000 R-Coin\t0 Milleage'))
  assert.ok(lines.some((line) => line.startsWith('TAMBAYAN\tTambayan\t')))
})

test('an unknown command prints the available ones', async () => {
  for (const line of ['', 'help', 'vouchers', 'vouchers burn']) {
    const { ok, lines } = await runLine(line)
    assert.ok(!ok && lines[0]?.startsWith('Commands: ledger; figures; forum recount; site-key forget; vouchers mint '))
  }
})

/** Runs a command in a separate process, as an operator does with `npm run`. */
async function runOperatorCommand(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../scripts/operate.ts'), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code }
}

const serverUrl = process.env.TEST_DATABASE_URL

test('operators run commands while the site runs and while it is stopped', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-commands-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const env: Record<string, string> =
    serverUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: database.url ?? '', DATA_DIR: dataDir }
  const siteDatabase = serverUrl === undefined ? await openEmbedded(dataDir) : await openPostgres(database.url ?? '')
  await migrate(siteDatabase.db)
  const userNum = await insertPurse(siteDatabase.db, { rCoin: 5 })
  await siteDatabase.db.updateTable('accounts').set({ r_coin: 4 }).where('user_num', '=', userNum).execute()
  const expectedFault = {
    out: '',
    err: `Account ${userNum}: r_coin is 4, but its ledger entries add up to 5.\n`,
    code: 1,
  }

  // Acts as the running site: locks the data directory and answers on its socket.
  const lock = await lockDataDir(dataDir, (socket) =>
    answerControlCommands(socket, { config: readConfig(env), publicUrl: site.publicUrl }, () => siteDatabase),
  )
  assert.deepEqual(await runOperatorCommand(env, 'ledger'), expectedFault, 'running')
  const mintResult = await runOperatorCommand(
    env,
    'vouchers',
    'mint',
    '--batch',
    'Sari sari',
    '--count',
    '3',
    '--r-coin',
    '10',
  )
  assert.deepEqual([mintResult.out.trim().split('\n').length, mintResult.code], [3, 0])
  lock.hangUp()
  await siteDatabase.db.updateTable('accounts').set({ r_coin: 5 }).where('user_num', '=', userNum).execute()
  await siteDatabase.close()
  await lock.release()

  assert.deepEqual(await runOperatorCommand(env, 'ledger'), {
    out: 'Every balance equals the sum of its ledger entries.\n',
    err: '',
    code: 0,
  })
  const usageResult = await runOperatorCommand(env, 'vouchers', 'mint')
  assert.equal(usageResult.code, 1)
  assert.match(usageResult.err, /^Usage: vouchers mint /)
})

test('a command in a folder without a site reports that and creates no files', async () => {
  const dataDir = join(tmpdir(), `tambayan-nowhere-${process.pid}`)
  const { out, err, code } = await runOperatorCommand({ DATA_DIR: dataDir }, 'staff', 'list')
  assert.deepEqual([out, code, existsSync(dataDir)], ['', 1, false])
  assert.match(err, /^There is no site in this database yet\. .* with the same settings as the site/)
})

test('a wrong setting or an unavailable database ends a command with one line', async () => {
  assert.deepEqual(await runOperatorCommand({ PORT: 'http' }, 'ledger'), {
    out: '',
    err: "PORT is 'http', but must be a port number from 0 to 65535.\n",
    code: 1,
  })
  const unreachableResult = await runOperatorCommand(
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' },
    'ledger',
  )
  assert.deepEqual([unreachableResult.out, unreachableResult.code], ['', 1])
  assert.match(unreachableResult.err, /^DATABASE_URL cannot be reached: .*ECONNREFUSED.*\n$/)
})

test('figures counts the last 60 days again', async () => {
  const { ok, lines } = await runLine('figures')
  assert.ok(ok)
  assert.match(lines[0] ?? '', /^Counted 60 days again, from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.$/)
})
