import { sql } from 'kysely'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { HOLDINGS } from '#server/db/schema.ts'
import { endErasureRequest, hashAccount, hashWithKey } from '#server/features/accounts/erasure-requests.ts'
import { type Account, liftLocks, selectAccount } from '#server/features/accounts/queries.ts'
import { writeAudit } from '#server/http/audit.ts'
import { ERASED_DOMAIN } from '#server/mail/outbox.ts'

type ErasureOptions = { userNum: number; renameCharacters: boolean; now: Date }

/**
 * Erases the personal data of an account, as the privacy policy promises. Deletes rows that are only about the person, and replaces
 * every personal column of the account, because the ledger and the orders must stay correct without a name. The user ID
 * stays reserved. Call it in a transaction.
 *
 * @returns false if the account was erased before
 */
export async function eraseAccount(tx: Db, { userNum, renameCharacters, now }: ErasureOptions): Promise<boolean> {
  const account = await selectAccount(tx, userNum, 'for change')
  if (account.erased_at !== null) return false
  const { key } = await tx.selectFrom('erasure_key').select('key').executeTakeFirstOrThrow()
  await tx
    .insertInto('erasures')
    .values({
      user_id_hash: hashWithKey(key, account.user_id.toLowerCase()),
      account_hash: hashAccount(key, account),
      user_num: userNum,
      rename_characters: renameCharacters,
      erased_at: now,
    })
    .onConflict((conflict) => conflict.column('user_id_hash').doNothing())
    .execute()
  if (renameCharacters) await renameInArchive(tx, userNum, now)
  await deleteMails(tx, userNum, account.user_email)
  await liftLocks(tx, account)
  await tx.deleteFrom('idempotency_keys').where('owner', '=', String(userNum)).execute()
  await tx
    .deleteFrom('tickets')
    .where((eb) => eb.or([eb('user_num', '=', userNum), eb(sql`lower(email)`, '=', account.user_email.toLowerCase())]))
    .execute()
  await cleanLetters(tx, account)
  await eraseForum(tx, userNum, now)
  await withdrawFromTournaments(tx, userNum)
  await eraseHoldings(tx, userNum)
  await endErasureRequest(tx, userNum, { outcome: 'erased', by: null, now })
  await cleanAudit(tx, userNum)
  await cleanStaffTexts(tx, account)
  await tx
    .updateTable('accounts')
    .set({
      user_id: await findFreeUserId(tx, userNum),
      user_email: `erased_${userNum}@${ERASED_DOMAIN}`,
      erased_at: now,
    })
    .where('user_num', '=', userNum)
    .execute()
  return true
}

/** Deletes the account's rows, or replaces their values, as their tables declare. */
async function eraseHoldings(tx: Db, userNum: number): Promise<void> {
  for (const [name, { player = [], erase }] of HOLDINGS) {
    if (erase === undefined) continue
    const table = sql.table(name)
    const isAccount = sql.join(
      [player].flat().map((column) => sql`${sql.ref(column)} = ${userNum}`),
      sql` or `,
    )
    if (erase === 'delete') await sql`delete from ${table} where ${isAccount}`.execute(tx)
    else {
      const changes = Object.entries(erase).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      await sql`update ${table} set ${sql.join(changes)} where ${isAccount}`.execute(tx)
    }
  }
}

/** Returns `erased_` with the account number as a user ID, followed by underscores if other accounts have that user ID. */
async function findFreeUserId(tx: Db, userNum: number): Promise<string> {
  const preferredName = `erased_${userNum}`
  const { rows } = await sql<{ taken: string }>`
    select lower(user_id) as taken from accounts where lower(user_id) in (${preferredName}, ${`${preferredName}_`})`.execute(
    tx,
  )
  const takenNames = rows.map((row) => row.taken)
  return [preferredName, `${preferredName}_`].find((name) => !takenNames.includes(name)) ?? `${preferredName}__`
}

/** Replaces the names of the account's characters in closed months and ended seasons. */
async function renameInArchive(tx: Db, userNum: number, now: Date): Promise<void> {
  // The characters are hidden, because the game sends their names again.
  await sql`
    insert into hidden_characters (cha_num, reason, hidden_at)
    select cha_num, 'The name was erased with the account', ${now}::timestamptz from characters
    where user_num = ${userNum} and game_user_num is not null
    on conflict (cha_num) do nothing`.execute(tx)
  await tx
    .updateTable('ranking_archive')
    .set({ cha_name: 'Erased' })
    .where('cha_num', 'in', (eb) => eb.selectFrom('characters').where('user_num', '=', userNum).select('cha_num'))
    .execute()
  await tx
    .updateTable('season_characters')
    .set({ cha_name: 'Erased' })
    .where('cha_num', 'in', (eb) => eb.selectFrom('characters').where('user_num', '=', userNum).select('cha_num'))
    .execute()
  await tx.updateTable('tournament_entries').set({ cha_name: 'Erased' }).where('user_num', '=', userNum).execute()
  const eraseName = (column: string) => sql`${sql.ref(column)} = case when ${sql.ref(column)}->>'cha_name' is null
    then ${sql.ref(column)} else ${sql.ref(column)} || '{"cha_name": "Erased"}' end`
  await sql`
    update ranking_corrections set ${eraseName('before')}, ${eraseName('after')}
    where cha_num in (select cha_num from characters where user_num = ${userNum})`.execute(tx)
}

/** Removes the account's names, notes and titles from letters to other players about its gifts, posts and topics. */
async function cleanLetters(tx: Db, { user_num }: { user_num: number }): Promise<void> {
  await sql`
    update letters set subject = 'A gift for you', body = 'A player whose account has since been erased bought this for you.'
    where letter in (select letter from letter_gifts where buyer = ${user_num})`.execute(tx)
  // A letter about a returned gift was sent at the time when the gift ended.
  await sql`
    update letters l set body = 'Your gift to a player whose account has since been erased came back.'
    from letter_gifts g where g.recipient = ${user_num} and g.refund_entry is not null
      and l.kind = 'refund' and l.to_num = g.buyer and l.sent_at = g.ended_at`.execute(tx)
  // The link of a letter identifies the post: its topic and, after #post-, its number.
  await sql`
    with about as (
      select letter, split_part(split_part(split_part(link, '/', 4), '#', 1), '?', 1) as topic,
        split_part(link, '#post-', 2) as number
      from letters where kind = 'forum' and link <> '')
    update letters l set subject = 'About the forum', body = 'This was about a player whose account has since been erased.'
    from about a where a.letter = l.letter and (
      a.topic in (select topic::text from forum_topics where author = ${user_num})
      or (a.topic, a.number) in (select topic::text, number::text from forum_posts where author = ${user_num}))`.execute(
    tx,
  )
}

/**
 * Turns the account's forum posts into tombstones, because the answers of others must keep their numbers. Deletes topics
 * without a visible answer, pictures and polls, and closes open cases.
 */
async function eraseForum(tx: Db, userNum: number, now: Date): Promise<void> {
  await sql`
    with erased as (
      update forum_topics t set state = 'deleted' where author = ${userNum} and not exists (
        select from forum_posts p where p.topic = t.topic and p.state = 'visible' and p.author <> ${userNum})
      returning topic)
    update forum_posts p set state = 'deleted', deleted_at = ${now} from erased
    where p.topic = erased.topic and p.state = 'held'`.execute(tx)
  await tx.updateTable('forum_topics').set({ title: 'Erased', picture: null }).where('author', '=', userNum).execute()
  await sql`
    delete from forum_polls p using forum_topics t where t.topic = p.topic and t.author = ${userNum}`.execute(tx)
  await tx
    .deleteFrom('forum_revisions')
    .where('post', 'in', (eb) => eb.selectFrom('forum_posts').where('author', '=', userNum).select('post'))
    .execute()
  await tx
    .updateTable('forum_posts')
    .set({
      state: 'deleted',
      deleted_at: now,
      body: '',
      html: '',
      reason: '',
      title: sql`case when title = '' then '' else 'Erased' end`,
    })
    .where('author', '=', userNum)
    .execute()
  await sql`
    update forum_cases c set title_was = 'Erased', picture_was = null from forum_posts p
    where p.post = c.post and p.author = ${userNum} and c.title_was is not null`.execute(tx)
  await sql`
    update forum_cases c set state = 'closed', outcome = 'deleted', closed_at = ${now}, version = c.version + 1
    from forum_posts p join forum_topics t using (topic)
    where c.post = p.post and c.state = 'open' and (p.author = ${userNum} or (t.author = ${userNum} and t.state = 'deleted'))`.execute(
    tx,
  )
  await sql`
    update forum_polls set voters = voters - 1
    where topic in (select topic from forum_votes where user_num = ${userNum})`.execute(tx)
  await tx.deleteFrom('forum_views').where('viewer', '=', `account ${userNum}`).execute()
}

/** Withdraws the account from tournaments before their draw. Results stay, as in the archive of the months. */
async function withdrawFromTournaments(tx: Db, userNum: number): Promise<void> {
  await tx
    .deleteFrom('tournament_entries')
    .where('user_num', '=', userNum)
    .where('tournament', 'in', (eb) =>
      eb.selectFrom('tournaments').where('state', 'in', ['draft', 'announced']).select('tournament'),
    )
    .execute()
}

/** Deletes the mails to the account's current and former addresses, sent or not. */
async function deleteMails(tx: Db, userNum: number, email: string): Promise<void> {
  await sql`
    delete from mail_outbox where lower(to_address) in (
      select lower(email) from (
        select ${email} as email
        union all select email from mailed_links where user_num = ${userNum}
        union all select email from former_emails where user_num = ${userNum}) had
      where not exists (
        select from accounts o where lower(o.user_email) = lower(had.email) and o.user_num <> ${userNum}))`.execute(tx)
}

/** Clears personal data in the audit log and in approval requests. */
async function cleanAudit(tx: Db, userNum: number): Promise<void> {
  await sql`
    update audit_personal p set address = '' from audit_log l
    where l.entry = p.entry and l.actor_num = ${userNum} and p.address <> ''`.execute(tx)
  await sql`
    update approvals set input = '{}', effect = '{}', summary = 'Erased', note = '',
      state = case when state in ('waiting', 'approved') then 'withdrawn' else state end
    where ${userNum}::bigint = any(accounts)`.execute(tx)
}

const JSON_COLUMNS = ['input', 'changes', 'answer', 'before', 'after']

/**
 * Removes the account's user ID, email address and names from texts of staff, as whole words. Deletes saved views that
 * contain one of them.
 */
async function cleanStaffTexts(tx: Db, { user_id, user_email, first_name, last_name }: Account): Promise<void> {
  const names = [user_email, user_id, `${first_name} ${last_name}`, first_name, last_name]
    .map((name) => name.trim())
    .filter((name) => name.length > 2)
    // Also matches the encoded forms in the addresses of filters and in JSON.
    .flatMap((name) => [name, encodeURIComponent(name), JSON.stringify(name).slice(1, -1)])
  const escapedNames = names.map((name) => name.replace(/[^\p{L}\p{N}_]/gu, '\\$&'))
  const pattern = `(?<!\\w)(${[...new Set(escapedNames)].join('|')})(?!\\w)`
  const matchNames = (column: string) => sql`${sql.ref(column)}::text ~* ${pattern}`
  for (const [table, { staffTexts: columns = [] }] of HOLDINGS) {
    if (columns.length === 0) continue
    // The replacement is one character, because no text may become longer than its limit.
    const cleanedColumns = columns.map(
      (column) => sql`${sql.ref(column)} = regexp_replace(${sql.ref(column)}::text, ${pattern}, '…', 'gi')
        ${JSON_COLUMNS.includes(column) ? sql`::jsonb` : sql``}`,
    )
    await sql`
      update ${sql.table(table)} set ${sql.join(cleanedColumns)}
      where ${sql.join(columns.map(matchNames), sql` or `)}`.execute(tx)
  }
  await sql`delete from saved_views where ${matchNames('name')} or ${matchNames('query')}`.execute(tx)
}

const ERASURE_BATCH_SIZE = 50

/**
 * Erases up to 50 accounts whose request is due, each in a separate transaction (UNDO-2). The account is locked, so a
 * concurrent withdrawal comes before or after the erasure.
 *
 * @returns the number of erased accounts
 */
export async function eraseDueAccounts(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const dueRows = await db
    .selectFrom('account_erasures as e')
    .innerJoin('accounts as a', 'a.user_num', 'e.user_num')
    .where('e.ended_at', 'is', null)
    .where('e.due_at', '<=', now)
    // Skips operators, because the terminal can make an account an owner at any time.
    .where('a.user_type', '<', ADMIN_USER_TYPE)
    .select('e.user_num')
    .orderBy('e.due_at')
    .limit(ERASURE_BATCH_SIZE)
    .execute()
  let erasedCount = 0
  for (const { user_num } of dueRows) {
    signal?.throwIfAborted()
    if (await db.transaction().execute((tx) => eraseIfDue(tx, user_num, now))) erasedCount++
  }
  return erasedCount
}

async function eraseIfDue(tx: Db, userNum: number, now: Date): Promise<boolean> {
  const account = await selectAccount(tx, userNum, 'for change')
  const request = await tx
    .selectFrom('account_erasures')
    .where('user_num', '=', userNum)
    .where('ended_at', 'is', null)
    .where('due_at', '<=', now)
    .select('rename_characters')
    .executeTakeFirst()
  if (request === undefined || account.user_type >= ADMIN_USER_TYPE) return false
  await eraseAccount(tx, { userNum, renameCharacters: request.rename_characters, now })
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'job', name: 'erasures' },
    action: 'account erased',
    target: ['player', userNum],
    player: userNum,
    after: { erased: true },
  })
  return true
}
