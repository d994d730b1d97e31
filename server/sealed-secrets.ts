import { sql } from 'kysely'
import { SETTING_NAMES, SETTINGS } from '#contract/settings.ts'
import { StartError } from './config.ts'
import type { Db } from './db/open.ts'
import { sealWebhook } from './discord.ts'
import { recordEvent } from './features/accounts/events.ts'
import { removeAuthenticatorApps } from './features/factors/queries.ts'
import { createSiteKey, openSecret, readSiteKey, type SiteKey, sealSecret } from './site-key.ts'

/** The text whose sealed form in the database identifies the key, and the context with which it is sealed. */
const [KNOWN_TEXT, CONTEXT] = ['Tambayan', 'the key itself']

const LOST_KEY_ADVICE =
  'if it is lost, run "npm run site-key -- forget", which removes all authenticator apps, a mail server that has a password, a store for copies of backups, the secrets of lists to vote on, the webhooks and the application of Discord with the connections of players, and notifications on devices.'

/**
 * Returns the key of the site that owns this database. The first start creates its file and stores a sealed text in the
 * database; one process at a time, so all have the same key.
 *
 * @param path the key's file
 * @throws StartError when the file is missing or holds another key than the one that sealed the secrets in the database
 */
export function prepareSiteKey(db: Db, path: string, now: Date): Promise<SiteKey> {
  return db.transaction().execute(async (tx) => {
    const sealedText = await lockKeyText(tx)
    const existingKey = await readSiteKey(path)
    if (existingKey === null && sealedText !== undefined)
      throw new StartError(
        `The site's key is missing: the file ${path}. Copy it from the site's former machine or from where you keep it safe; ${LOST_KEY_ADVICE}`,
      )
    if (existingKey !== null && sealedText !== undefined && !opensSealedText(existingKey, sealedText))
      throw new StartError(
        `The key in ${path} is not the key of this database. Put the right file there; ${LOST_KEY_ADVICE}`,
      )
    const key = existingKey ?? (await createSiteKey(path))
    if (sealedText === undefined)
      await tx
        .insertInto('site_key')
        .values({ sealed: sealSecret(key, KNOWN_TEXT, CONTEXT), made_at: now })
        .execute()
    return key
  })
}

/**
 * After a restore without the key of the backup, removes the secrets that only that key opens, because the site would
 * otherwise refuse to start.
 *
 * @returns descriptions of the removed secrets
 */
export function deleteUnreadableSecrets(db: Db, path: string, now: Date): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const sealedText = await lockKeyText(tx)
    if (sealedText === undefined) return []
    const key = await readSiteKey(path)
    return key !== null && opensSealedText(key, sealedText) ? [] : deleteEncryptedSecrets(tx, now)
  })
}

/**
 * Deletes every secret that was encrypted with the site's key, so the next start can use another key. Passkeys and recovery
 * codes stay. Call it in a transaction.
 *
 * @returns descriptions of the removed secrets
 */
export async function deleteEncryptedSecrets(tx: Db, now: Date): Promise<string[]> {
  const owners = await removeAuthenticatorApps(tx)
  const caller = { address: '', device: 'Support' }
  for (const userNum of owners)
    await recordEvent(tx, { userNum, kind: 'factor-removed', caller, note: 'Authenticator app', now })
  const mailServers = await tx.deleteFrom('mail_servers').where('sealed', 'is not', null).executeTakeFirst()
  const targets = await tx.deleteFrom('backup_targets').where('sealed', 'is not', null).executeTakeFirst()
  // Browsers accept messages only with the key with which they subscribed.
  const devices = await tx.deleteFrom('push_subscriptions').executeTakeFirst()
  await tx.deleteFrom('push_keys').execute()
  const lists = await tx
    .updateTable('vote_sites')
    .set({ sealed: null })
    .where('sealed', 'is not', null)
    .executeTakeFirst()
  const webhooks = await tx
    .updateTable('settings')
    .set({ value: null, version: sql`version + 1` })
    .where(sql<boolean>`value ? 'sealed'`)
    .executeTakeFirst()
  for (const column of ['before', 'after'] as const)
    await tx
      .updateTable('setting_changes')
      .set({ [column]: null })
      .where(sql<boolean>`${sql.ref(column)} ? 'sealed'`)
      .execute()
  const links = await tx.deleteFrom('discord_links').executeTakeFirst()
  await tx.deleteFrom('discord_unlinks').execute()
  await tx.deleteFrom('discord_states').execute()
  const apps = await tx.deleteFrom('discord_app').executeTakeFirst()
  await tx.deleteFrom('site_key').execute()
  const removalCounts: [count: number | bigint, one: string, many: string][] = [
    [owners.length, 'the authenticator app of 1 account', `the authenticator apps of ${owners.length} accounts`],
    [mailServers.numDeletedRows, 'the mail server with its password', 'the mail servers with their passwords'],
    [targets.numDeletedRows, 'the store for copies of backups', 'the stores for copies of backups'],
    [
      lists.numUpdatedRows,
      'the secret of 1 list to vote on',
      `the secrets of ${lists.numUpdatedRows} lists to vote on`,
    ],
    [webhooks.numUpdatedRows, 'a webhook of Discord', `${webhooks.numUpdatedRows} webhooks of Discord`],
    [apps.numDeletedRows, 'the application of Discord', 'the applications of Discord'],
    [links.numDeletedRows, '1 connection with Discord', `${links.numDeletedRows} connections with Discord`],
    [devices.numDeletedRows, 'notifications on 1 device', `notifications on ${devices.numDeletedRows} devices`],
  ]
  return removalCounts.flatMap(([count, singular, plural]) =>
    Number(count) === 0 ? [] : [Number(count) === 1 ? singular : plural],
  )
}

/** Seals webhooks that an earlier version stored in plain text in the settings and their history. */
export async function sealPlainWebhooks(db: Db, key: SiteKey): Promise<void> {
  const names = SETTING_NAMES.filter((name) => SETTINGS[name].kind === 'webhook')
  const columns = [
    ['settings', 'value'],
    ['setting_changes', 'before'],
    ['setting_changes', 'after'],
  ] as const
  for (const [table, column] of columns) {
    const isPlain = sql`name = any(${names}::text[]) and jsonb_typeof(${sql.ref(column)}) = 'string'`
    const { rows } = await sql<{ address: string }>`
      select distinct ${sql.ref(column)} #>> '{}' as address from ${sql.table(table)}
      where ${isPlain} and ${sql.ref(column)} <> '""'`.execute(db)
    for (const { address } of rows)
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${JSON.stringify(sealWebhook(key, address))}::jsonb
        where ${isPlain} and ${sql.ref(column)} #>> '{}' = ${address}`.execute(db)
  }
}

/**
 * Returns the sealed text that identifies the database's key; undefined before the first start. Concurrent calls wait
 * until the transaction ends.
 */
async function lockKeyText(tx: Db): Promise<string | undefined> {
  await sql`lock table site_key in share row exclusive mode`.execute(tx)
  const row = await tx.selectFrom('site_key').select('sealed').executeTakeFirst()
  return row?.sealed
}

function opensSealedText(key: SiteKey, sealedText: string): boolean {
  try {
    return openSecret(key, sealedText, CONTEXT) === KNOWN_TEXT
  } catch {
    return false
  }
}
