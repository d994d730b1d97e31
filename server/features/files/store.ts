import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { StoredFile } from '#contract/media.ts'
import type { Db } from '#server/db/open.ts'
import type { Picture } from '#server/http/pictures.ts'

const ENDINGS = { 'image/webp': 'webp', 'image/jpeg': 'jpg', 'text/vtt': 'vtt' } as const

/** A hash in an address of a kept file; null for any other address. */
export const hashIn = (address: string): string | null =>
  /^\/files\/([0-9a-f]{64})\.(webp|jpg|vtt)$/.exec(address)?.[1] ?? null

type NewFile = { content: Buffer; type: keyof typeof ENDINGS; width: number | null; height: number | null }

/** Keeps a file once. @returns its address: the hash is its name, so what is at an address never changes */
async function storeFile(tx: Db, { content, ...file }: NewFile, now: Date): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex')
  await tx
    .insertInto('files')
    .values({ hash, content, ...file, uploaded_at: now })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ uploaded_at: now }))
    .execute()
  return `/files/${hash}.${ENDINGS[file.type]}`
}

/** Keeps captions, which are WebVTT. @returns where they are */
export const storeCaptions = (tx: Db, content: Buffer, now: Date): Promise<string> =>
  storeFile(tx, { content, type: 'text/vtt', width: null, height: null }, now)

/** Keeps pictures, each once. One that is there already counts as uploaded now. @returns where they are, in their order */
export async function storePictures(tx: Db, pictures: readonly Picture[], now: Date): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  for (const { content, width, height, type } of pictures) {
    const url = await storeFile(tx, { content, width, height, type }, now)
    stored.push({ url, type, width, height })
  }
  return stored
}

/** The type and bytes of a kept file. */
export function selectFile(db: Db, hash: string) {
  return db.selectFrom('files').where('hash', '=', hash).select(['type', 'content']).executeTakeFirst()
}

/** The size of the file at an address of `/files/` in bytes; null for any other address, and when it is gone. */
export async function storedFileBytes(db: Db, address: string): Promise<number | null> {
  const hash = hashIn(address)
  if (hash === null) return null
  const found = await db
    .selectFrom('files')
    .where('hash', '=', hash)
    .select(sql<number>`length(content)`.as('bytes'))
    .executeTakeFirst()
  return found?.bytes ?? null
}

/** How long a picture stays that nothing shows. */
const UNUSED_KEPT_MS = 30 * 24 * 3_600_000

/**
 * Tables in which no address of a file can stand, or that must not keep one: they are large, or they only tell what
 * was. Every other table of the schema is searched, so that a new one cannot lose its files.
 */
const NOT_SEARCHED = [
  ...['files', 'ticket_screenshots', 'audit_log', 'audit_personal', 'idempotency_keys', 'mail_outbox', 'jobs'],
  ...['accounts', 'account_events', 'sessions', 'attempts', 'known_places', 'mailed_links', 'whitelisted_addresses'],
  ...['ledger', 'purchases', 'deliveries', 'refunds', 'topups', 'vouchers', 'cart_lines', 'receipts_due'],
  ...['characters', 'ranking_archive', 'kept_lists'],
  // Pictures shown in posts are listed in `forum_pictures`.
  ...['forum_posts', 'forum_revisions', 'forum_topics', 'forum_likes', 'forum_views', 'forum_read_marks'],
]

/** Removes files that were uploaded more than 30 days ago and whose address is in no table. */
export async function sweepFiles(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNUSED_KEPT_MS)
  const { rows: old } = await sql<{ hash: string }>`select hash from files where uploaded_at < ${before}`.execute(db)
  if (old.length === 0) return
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = to_regnamespace(current_schema()) and c.relkind = 'r'
      and c.relname not like 'kysely_migration%' and c.relname <> all(${NOT_SEARCHED}::text[])
    order by c.relname`.execute(db)
  const mentions = tables.map(
    ({ name }) => sql`
      select found[1] from ${sql.table(name)} as searched,
        regexp_matches(searched::text, '/files/([0-9a-f]{64})[.]', 'g') as found
      where searched::text like '%/files/%'`,
  )
  await sql`delete from files where uploaded_at < ${before}
    and hash not in (${sql.join(mentions, sql` union all `)})`.execute(db)
}
