import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Returns whether an item has appeared and is not announced yet, by the database's clock. */
export async function hasUnannouncedNews(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from news where published and announced_at is null and created_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/**
 * Marks items that have appeared as announced. That expires cached pages, so scheduled news appears on time, and a trigger
 * queues the posts to Discord (DISCORD-1).
 */
export async function announceNews(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('news')
    .set({ announced_at: now })
    .where('published', '=', true)
    .where('announced_at', 'is', null)
    .where('created_at', '<=', now)
    .execute()
}
