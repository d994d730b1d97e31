import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { UNUSED_FILE_RETENTION_MS } from '#contract/limits.ts'
import type { StoredFile } from '#contract/media.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import type { Picture } from './pictures.ts'

const EXTENSIONS = {
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'text/vtt': 'vtt',
  'text/css': 'css',
} as const

/** Returns the hash in the address of a stored file; null for any other address. */
export const findFileHash = (address: string): string | null =>
  /^\/files\/([0-9a-f]{64})\.(webp|jpg|png|vtt|css)$/.exec(address)?.[1] ?? null

/** The owner of files: players' uploads are deleted with their posts. */
type Owner = 'site' | 'players'

type NewFile = { content: Buffer; type: keyof typeof EXTENSIONS; width: number | null; height: number | null }

/** Stores a file once. @returns its address, which contains the hash, so the content of an address never changes */
async function storeFile(tx: Db, { content, ...file }: NewFile, owner: Owner, now: Date): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex')
  await tx
    .insertInto('files')
    .values({ hash, content, ...file, of_players: owner === 'players', uploaded_at: now })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        uploaded_at: now,
        of_players: sql<boolean>`files.of_players and excluded.of_players`,
      }),
    )
    .execute()
  return `/files/${hash}.${EXTENSIONS[file.type]}`
}

/** Stores captions, which are WebVTT. @returns their address */
export const storeCaptions = (tx: Db, content: Buffer, now: Date): Promise<string> =>
  storeFile(tx, { content, type: 'text/vtt', width: null, height: null }, 'site', now)

/** Stores a stylesheet of a theme. @returns its address */
export const storeStylesheet = (tx: Db, text: string, now: Date): Promise<string> =>
  storeFile(tx, { content: Buffer.from(text), type: 'text/css', width: null, height: null }, 'site', now)

/** Stores pictures, each once, and renews the upload time of existing ones. @returns their addresses, in their order */
export async function storePictures(
  tx: Db,
  pictures: readonly Picture[],
  owner: Owner,
  now: Date,
): Promise<StoredFile[]> {
  const storedFiles: StoredFile[] = []
  for (const { content, width, height, type } of pictures) {
    const url = await storeFile(tx, { content, width, height, type }, owner, now)
    storedFiles.push({ url, type, width, height })
  }
  return storedFiles
}

/** Selects the type and bytes of a stored file, and whether players uploaded it. */
export function selectFile(db: Db, hash: string) {
  return db.selectFrom('files').where('hash', '=', hash).select(['type', 'content', 'of_players']).executeTakeFirst()
}

/** Returns the bytes of a file of the build or of a stored one, by its address; null for another address. */
export async function readSiteFile({ db, frontend }: Pick<Deps, 'db' | 'frontend'>, url: string) {
  const hash = findFileHash(url)
  if (hash !== null) return (await selectFile(db, hash))?.content ?? null
  const path = await frontend.findFile(url)
  return path === null ? null : readFile(path)
}

/**
 * Returns whether readers may see a picture that players uploaded: a post shows it, and neither the post nor its topic is
 * deleted or rejected. A picture whose post is still being written is visible too.
 */
export async function isPictureShown(db: Db, url: string): Promise<boolean> {
  const { rows } = await sql`
    select from forum_pictures f
    where (f.url = ${url} or f.small_url = ${url}) and (f.post is null or exists (
      select from forum_posts p join forum_topics t using (topic)
      where p.author = f.uploaded_by and p.state in ('visible', 'held') and t.state in ('visible', 'held')
        and position(f.url in p.html) > 0))
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns the size of the file at an address of `/files/` in bytes; null for any other address, and for a deleted file.
 */
export async function readStoredFileSize(db: Db, address: string): Promise<number | null> {
  const hash = findFileHash(address)
  if (hash === null) return null
  const row = await db
    .selectFrom('files')
    .where('hash', '=', hash)
    .select(sql<number>`length(content)`.as('bytes'))
    .executeTakeFirst()
  return row?.bytes ?? null
}

/**
 * Tables that are not searched for addresses of files: they contain none, or only record history and must not preserve
 * files. Every other table of the schema is searched, so a new table cannot lose its files.
 */
const UNSEARCHED_TABLES = [
  ...[
    'files',
    'ticket_screenshots',
    'audit_log',
    'audit_personal',
    'idempotency_keys',
    'mail_outbox',
    'jobs',
    'site_migrations',
  ],
  ...[
    'accounts',
    'account_events',
    'sessions',
    'replaced_tokens',
    'attempts',
    'known_places',
    'mailed_links',
    'whitelisted_addresses',
  ],
  ...['ledger', 'purchases', 'deliveries', 'refunds', 'topups', 'vouchers', 'cart_lines', 'receipts_due'],
  ...['characters', 'ranking_archive'],
  // Pictures shown in posts are listed in `forum_pictures`.
  ...['forum_posts', 'forum_revisions', 'forum_topics', 'forum_likes', 'forum_views', 'forum_read_marks'],
]

/** Removes files that were uploaded more than 30 days ago and whose address is in no table. */
export async function sweepFiles(db: Db, now: Date): Promise<void> {
  const cutoff = new Date(now.getTime() - UNUSED_FILE_RETENTION_MS)
  const { rows: oldFiles } = await sql<{ hash: string }>`select hash from files where uploaded_at < ${cutoff}`.execute(
    db,
  )
  if (oldFiles.length === 0) return
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = to_regnamespace(current_schema()) and c.relkind = 'r'
      and c.relname <> all(${UNSEARCHED_TABLES}::text[])
    order by c.relname`.execute(db)
  const mentionQueries = tables.map(
    ({ name }) => sql`
      select found[1] from ${sql.table(name)} as searched,
        regexp_matches(searched::text, '/files/([0-9a-f]{64})[.]', 'g') as found
      where searched::text like '%/files/%'`,
  )
  await sql`delete from files where uploaded_at < ${cutoff}
    and hash not in (${sql.join(mentionQueries, sql` union all `)})`.execute(db)
}
