import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import type { Db } from '#server/db/open.ts'
import { assertRefused, createPlayer, createRegistration, openPlayerSession } from '#test/account-helpers.ts'
import { openBareDatabase } from '#test/databases.ts'
import { insertCharacter, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { submitTicket } from '#test/ticket-helpers.ts'
import { describeRepeatedErasures, repeatErasures, writeErasureLists } from './erasure-lists.ts'
import { eraseDueAccounts } from './erasures.ts'
import { exportPersonalData, PERSONAL_DATA } from './personal-data.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const folder = await mkdtemp(join(tmpdir(), 'tambayan-erasures-'))
after(() => rm(folder, { recursive: true }))

const callPlayersDesk = (name: string, body: object) => site.post(`/api/admin/players/${name}`, body, gm.headers)

/** Creates a player whose unique names are in many tables. */
async function createPlayerWithData(userId: string) {
  const player = await createPlayer(site, {
    userId,
    userFirstName: 'Makisig',
    userLastName: 'Lakandula',
    userEmail: `${userId}@lakandula.example`,
  })
  const user_num = player.user.UserNum
  await insertCharacter(db, { user_num, cha_name: `Lakandula${userId}` })
  await submitTicket(site, { subject: 'Lakandula asks', email: undefined }, player.headers)
  await submitTicket(site, { subject: 'Lakandula as a guest', email: `${userId}@lakandula.example` })
  await player.post('/api/findUserID', { findIDEmail: `${userId}@lakandula.example` })
  assert.equal((await callPlayersDesk('note', { user_num, body: 'Lakandula called.' })).status, 200)
  return { ...player, user_num }
}

const getDueTime = () => new Date(clock.now().getTime() + IRREVERSIBLE_AFTER_MS)

/** Requests an erasure, and runs it as the job does seven days later. */
async function requestAndRunErasure(user_num: number, user_id: string) {
  const answer = await callPlayersDesk('erase', {
    user_num,
    user_id,
    rename_characters: false,
    reason: 'Lakandula asked for it.',
  })
  await eraseDueAccounts(db, getDueTime())
  return answer
}

/** Lists the tables that contain a text, in any case. */
async function listTablesWith(from: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    from,
  )
  const tableNames: string[] = []
  for (const { name } of rows) {
    const { rows: matches } = await sql`
      select 1 from ${sql.table(name)} t where to_jsonb(t)::text ilike ${`%${text}%`} limit 1`.execute(from)
    if (matches.length > 0) tableNames.push(name)
  }
  return tableNames
}

async function writeBackupLines(): Promise<string[]> {
  const lines: string[] = []
  await writeBackup(db, clock.now(), async (line) => void lines.push(line))
  return lines
}

test('an erasure removes the player’s names from every table, and reserves the user ID', async () => {
  const { user_num, form, headers } = await createPlayerWithData('datu_laya')
  await insertRows(db, 'ledger', { user_num, currency: 'r_coin', delta: 5, balance_after: 5, reason: 'test' })
  await db.updateTable('accounts').set({ r_coin: 5 }).where('user_num', '=', user_num).execute()
  const file = await site.get(`/api/admin/players/export?user_num=${user_num}`, gm.headers)
  const { account, tickets, history } = file.json()
  assert.deepEqual([account.first_name, account.password_hash, tickets.length], ['Makisig', undefined, 1])
  assert.ok(history.some(({ kind }: { kind: string }) => kind === 'registered'))

  assertRefused(await requestAndRunErasure(user_num, 'datu_lay'), 422, 'This is not the user ID of the account.')
  assert.ok((await listTablesWith(db, 'lakandula')).length > 5)
  const answer = await requestAndRunErasure(user_num, 'Datu_Laya')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await listTablesWith(db, 'lakandula'), [])
  assert.deepEqual(await listTablesWith(db, 'datu_laya'), [])
  assert.equal((await site.get('/api/user-ip', headers)).status, 401)
  const accountRow = await db
    .selectFrom('accounts')
    .where('user_num', '=', user_num)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.deepEqual([accountRow.user_id, accountRow.r_coin], [`erased_${user_num}`, 5])
  const entries = await db.selectFrom('audit_log').where('player', '=', user_num).select('action').execute()
  assert.ok(entries.some(({ action }) => action === '/admin/players/erase'))

  for (const userId of [form.userId, form.userId.toUpperCase()]) {
    const response = await site.post('/api/register', createRegistration({ userId, userEmail: 'bago@example.net' }))
    assertRefused(response, 422, 'This Username is already taken.')
  }
  assertRefused(
    await requestAndRunErasure(user_num, `erased_${user_num}`),
    409,
    'The personal data of this account was erased.',
  )
})

test('removes an erased account’s ID from texts of staff in every table', async () => {
  const { user_num, form } = await createPlayerWithData('datu_puti')
  const text = `datu_puti, datu_puti@lakandula.example, Makisig Lakandula (“Datu_Puti”)`
  const otherPlayer = await createPlayer(site)
  const target = { user_num: otherPlayer.user.UserNum }
  const { number } = await submitTicket(site, { subject: 'Tulong', email: undefined }, otherPlayer.headers)
  const character = await insertCharacter(db, { user_num: target.user_num, cha_name: 'Iba' })
  const postToDesk = async (path: string, body: object, status = 200) => {
    const answer = await site.post(`/api/admin/${path}`, body, gm.headers)
    assert.equal(answer.status, status, `${path}: ${answer.text}`)
  }
  await postToDesk('players/note', { ...target, body: `The brother of ${text}.` })
  await postToDesk('players/block', { ...target, block: null, reason: text, note: text, ends_at: null })
  const { block } = await db
    .selectFrom('account_blocks')
    .where('user_num', '=', target.user_num)
    .select('block')
    .executeTakeFirstOrThrow()
  const appeal = { block, user_num: target.user_num, text: 'It was not me.', made_at: clock.now() }
  const decision = { outcome: 'stays', reply: text, decided_by: null, decided_at: clock.now() } as const
  await insertRows(db, 'block_appeals', { ...appeal, ...decision })
  await postToDesk('tickets/note', { number, body: text })
  await postToDesk('rankings/hide', { cha_num: character, reason: text })
  await postToDesk(`players/${target.user_num}/money`, {
    currency: 'rCoin',
    direction: 'give',
    amount: 5,
    reason: text,
  })
  await postToDesk('export', { list: '/admin/players', query: { q: form.userEmail } })
  await postToDesk('export', { list: '/admin/audit', query: { actor: 'datu_puti' } })
  const views = [`q=${encodeURIComponent(form.userEmail)}`, 'q=Makisig', 'q=datu_puti&state=blocked']
  for (const [nth, query] of views.entries())
    await postToDesk('views/save', { list: '/admin/players', name: `View ${nth}`, query })
  await postToDesk('views/save', { list: '/admin/players', name: 'Datu_Puti and others', query: 'state=blocked' })
  await postToDesk('views/save', { list: '/admin/players', name: 'Blocked', query: 'state=blocked' })
  assert.equal((await requestAndRunErasure(user_num, form.userId)).status, 200)
  for (const word of ['datu_puti', 'lakandula', 'makisig']) assert.deepEqual(await listTablesWith(db, word), [], word)
  const notes = await db.selectFrom('account_notes').where('user_num', '=', target.user_num).select('body').execute()
  assert.deepEqual(notes, [{ body: 'The brother of …, …, … (“…”).' }])
  assert.deepEqual(await db.selectFrom('saved_views').select('name').execute(), [{ name: 'Blocked' }])
})

test('repeats later erasures after a restore of an older backup', async () => {
  const earlyPlayer = await createPlayerWithData('datu_sulayman')
  const backupLines = await writeBackupLines()
  const latePlayer = await createPlayerWithData('datu_lakan')
  for (const { user_num, form } of [earlyPlayer, latePlayer])
    assert.equal((await requestAndRunErasure(user_num, form.userId)).status, 200)
  await writeErasureLists(db, folder, getDueTime())
  const list = await readFile(join(folder, 'erasures.json'), 'utf8')
  assert.doesNotMatch(list, /datu_|lakandula/i)

  const restoredDatabase = await openBareDatabase()
  after(() => restoredDatabase.close())
  await restoreBackup(restoredDatabase.db, Readable.from(backupLines))
  assert.ok((await listTablesWith(restoredDatabase.db, 'datu_sulayman')).length > 0)
  const repeatedCount = await repeatErasures(restoredDatabase.db, folder)
  assert.equal(describeRepeatedErasures(repeatedCount), 'Erased the personal data of 1 account again')
  assert.deepEqual(await listTablesWith(restoredDatabase.db, 'datu_sulayman'), [])
  assert.equal(await repeatErasures(restoredDatabase.db, folder), 0)
  for (const user_id of ['datu_sulayman', 'Datu_Lakan'])
    await assert.rejects(
      restoredDatabase.db
        .insertInto('accounts')
        .values({
          user_id,
          user_email: `${user_id}@example.net`,
          first_name: 'A',
          last_name: 'B',
          password_hash: '!',
          secret_question: 1,
          secret_answer_hash: '!',
        })
        .execute(),
      /belonged to an account that was erased/,
    )
})

test('the list erases no account of another site that has the same number', async () => {
  const otherSite = await createTestApp()
  const listErasedAccounts = () =>
    otherSite.db.selectFrom('accounts').where('erased_at', 'is not', null).select('user_num').execute()
  assert.equal(await repeatErasures(otherSite.db, folder), 0)
  assert.deepEqual(await listErasedAccounts(), [])
})

test('a copy of the personal data contains every part and no secrets', async () => {
  const juan = 1
  const file = JSON.parse(await exportPersonalData(db, juan, {}))
  assert.equal(file.account.user_id, 'juan')
  assert.deepEqual(Object.keys(file), ['account', ...Object.keys(PERSONAL_DATA).filter((name) => name !== 'account')])
  for (const name of ['letters', 'wishes', 'forum_posts', 'forum_topics']) assert.ok(file[name].length > 0, name)
  const { user_num: winner } = await db
    .selectFrom('tournament_prizes')
    .select('user_num')
    .orderBy('prize')
    .executeTakeFirstOrThrow()
  const { tournaments, gifts_received } = JSON.parse(await exportPersonalData(db, winner, {}))
  assert.ok(tournaments[0].prizes.length > 0 && gifts_received.length > 0)
  for (const secret of ['token_hash', 'password_hash', 'code_hash', 'sealed'])
    assert.doesNotMatch(JSON.stringify(file), new RegExp(secret))
})
