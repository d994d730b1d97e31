import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import type { PostingDeps } from '#server/deps.ts'
import { plainForDiscord, postToDiscord } from '#server/discord.ts'
import { readSettingsNow } from '#server/settings.ts'

/** A post that Discord does not take is tried this long. */
const POSTED_FOR_MS = DAY_MS

/** Whether news has appeared that has not been announced, by the database's clock. */
export async function hasUnannouncedNews(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from news where published and announced_at is null and created_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/**
 * Records published items and posts them to the operators' Discord channel. The record expires cached pages, so
 * scheduled news appears on time. Items that Discord refuses are posted by the next run, or by a later one on the same
 * day.
 */
export async function announceNews(deps: PostingDeps): Promise<void> {
  const { db, config } = deps
  const { news_webhook: webhook } = await readSettingsNow({ db, config })
  await db
    .updateTable('news')
    .set({ announced_at: deps.now(), post_due: webhook !== '' })
    .where('published', '=', true)
    .where('announced_at', 'is', null)
    .where('created_at', '<=', deps.now())
    .execute()
  await postDue(webhook, deps)
}

/** Posts the channel's pending items, the oldest first. Withdrawn news is left out. */
async function postDue(webhook: string, { db, log, now, signal, publicUrl }: PostingDeps): Promise<void> {
  const since = new Date(now().getTime() - POSTED_FOR_MS)
  const due = await db
    .selectFrom('news')
    .where('post_due', '=', true)
    .select(['id', 'subject', 'published', 'announced_at'])
    .orderBy('announced_at')
    .orderBy('id')
    .limit(20)
    .execute()
  for (const { id, subject, published, announced_at } of due) {
    signal.throwIfAborted()
    const isWanted = webhook !== '' && published && announced_at !== null && announced_at >= since
    try {
      if (isWanted) await postToDiscord(webhook, `**${plainForDiscord(subject)}**\n${publicUrl}/topic/${id}`, signal)
    } catch (error) {
      log.warn({ news: id, reason: (error as Error).message }, 'news not posted')
      return
    }
    await db.updateTable('news').set({ post_due: false }).where('id', '=', id).execute()
  }
}
