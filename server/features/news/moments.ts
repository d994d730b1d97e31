import { sql } from 'kysely'
import { NEWS_TRASH_KEPT_MS } from '#contract/limits.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'

/** Whether news has appeared that has not been announced, by the database's clock. */
export async function hasUnannouncedNews(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from news where published and announced_at is null and created_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/** Notes what has appeared. The change ends the life of kept pages, so scheduled news is shown at its moment. */
export async function announceNews(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('news')
    .set({ announced_at: now })
    .where('published', '=', true)
    .where('announced_at', 'is', null)
    .where('created_at', '<=', now)
    .execute()
}

/** Deletes what has been in the trash for 30 days, with its drafts and revisions, and the addresses of old previews. */
export async function sweepNews(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - NEWS_TRASH_KEPT_MS)
  await deleteOld(db, { table: 'news', column: 'trashed_at', before }, signal)
  await deleteOld(db, { table: 'news_previews', column: 'ends_at', before: now }, signal)
}
