import { sql } from 'kysely'
import { type NewsText, publishNews } from '#contract/news.ts'
import { cleanHtml } from '#server/clean-html.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'

const TEXT_FIELDS = ['subject', 'type', 'author', 'content', 'picture', 'show_picture', 'patch_notes'] as const

/** Picks the fields of the text from a row. */
export const toNewsText = (row: NewsText): NewsText =>
  Object.fromEntries(TEXT_FIELDS.map((field) => [field, row[field]])) as NewsText

/** The author of a change, and its time. */
export type Editor = { userNum: number; now: Date }

type NewsRow = NewsText & {
  id: number
  published: boolean
  created_at: Date | null
  first_published_at: Date | null
  trashed_at: Date | null
}

/** An item with its public version and its draft. */
export type LockedNews = {
  news: NewsRow
  draft: NewsText & { is_open: boolean; saved_by: number | null }
  version: number
}

/**
 * Locks an item and its draft. A new draft is a copy of the item.
 *
 * @param version the version that the caller has seen; null for any
 * @throws Refusal 404; 409 for another version, and for an item in the trash unless `fromTrash`
 */
export async function lockNews(
  tx: Db,
  { id, version, fromTrash = false }: { id: number; version: number | null; fromTrash?: boolean },
  editor: Editor,
): Promise<LockedNews> {
  const news = await tx
    .selectFrom('news')
    .where('id', '=', id)
    .select([...TEXT_FIELDS, 'id', 'published', 'created_at', 'first_published_at', 'trashed_at'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (news === undefined) throw refuse(publishNews, 'newsNotFound')
  await tx
    .insertInto('news_drafts')
    .values({ news: id, is_open: false, ...toNewsText(news), saved_at: editor.now, saved_by: null })
    .onConflict((conflict) => conflict.column('news').doNothing())
    .execute()
  const draft = await tx
    .selectFrom('news_drafts')
    .where('news', '=', id)
    .select([...TEXT_FIELDS, 'version', 'is_open', 'saved_by'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (version !== null && draft.version !== version) throw refuse(publishNews, 'conflict')
  if (news.trashed_at !== null && !fromTrash) throw refuse(publishNews, 'inTrash')
  return { news, draft: draft.is_open ? draft : { ...draft, ...toNewsText(news) }, version: draft.version }
}

/** Updates the draft of a locked item, and increases its version. */
export async function writeDraft(
  tx: Db,
  { news }: Pick<LockedNews, 'news'>,
  draft: { text: NewsText; isOpen: boolean },
  editor: Editor,
): Promise<void> {
  await tx
    .updateTable('news_drafts')
    .set({
      ...toNewsText(draft.text),
      is_open: draft.isOpen,
      version: sql`version + 1`,
      saved_at: editor.now,
      saved_by: editor.userNum,
    })
    .where('news', '=', news.id)
    .execute()
}

/** Stores a text as a revision before it is replaced or when it is published. */
export async function storeRevision(
  tx: Db,
  { news }: Pick<LockedNews, 'news'>,
  { kind, text, savedBy, now }: { kind: 'published' | 'replaced'; text: NewsText; savedBy: number | null; now: Date },
): Promise<void> {
  await tx
    .insertInto('news_revisions')
    .values({ news: news.id, kind, ...toNewsText(text), saved_at: now, saved_by: savedBy })
    .execute()
}

/** Stores the open draft as a revision if another operator saved it, with `storesOwn` also if the editor did. */
export async function storeOpenDraft(
  tx: Db,
  lockedNews: LockedNews,
  editor: Editor,
  { storesOwn }: { storesOwn: boolean },
): Promise<void> {
  const { draft } = lockedNews
  if (draft.is_open && (storesOwn || (draft.saved_by !== null && draft.saved_by !== editor.userNum)))
    await storeRevision(tx, lockedNews, { kind: 'replaced', text: draft, savedBy: draft.saved_by, now: editor.now })
}

/** Returns whether readers see an item now. */
const isVisible = ({ published, created_at }: NewsRow, now: Date) =>
  published && (created_at === null || created_at <= now)

/**
 * Publishes the draft of a locked item. Without a time, a published item retains its date, and a new one appears now.
 *
 * @throws Refusal 422 for an unfinished text, and for a future time of an item that readers see
 */
export async function publishDraft(tx: Db, lockedNews: LockedNews, at: Date | null, editor: Editor): Promise<void> {
  const { news, draft } = lockedNews
  const text = { ...toNewsText(draft), content: cleanHtml(draft.content) }
  const fieldErrors = {
    ...(text.subject === '' && { subject: ['Give it a subject.'] }),
    ...(text.author === '' && { author: ['Enter the writer.'] }),
    ...(text.content.replace(/<(?!img)[^>]*>|&nbsp;|\s/g, '') === '' && { content: ['Enter some text.'] }),
  }
  if (Object.keys(fieldErrors).length > 0) throw createInputRefusal(fieldErrors)
  if (at !== null && at > editor.now && isVisible(news, editor.now)) throw refuse(publishNews, 'isOut')
  const hasAppeared = news.first_published_at !== null && (news.created_at === null || news.created_at <= editor.now)
  const created_at = at ?? (hasAppeared || isVisible(news, editor.now) ? news.created_at : editor.now)
  await tx
    .updateTable('news')
    .set({
      ...text,
      published: true,
      created_at,
      first_published_at: news.first_published_at ?? editor.now,
      ...(!isVisible(news, editor.now) && !hasAppeared && { announced_at: null }),
    })
    .where('id', '=', news.id)
    .execute()
  await storeRevision(tx, lockedNews, { kind: 'published', text, savedBy: editor.userNum, now: editor.now })
  await writeDraft(tx, lockedNews, { text, isOpen: false }, editor)
}

/** Withdraws a locked item to the desk or to the trash. An item that never appeared becomes a draft again. */
export async function withdrawNews(
  tx: Db,
  lockedNews: LockedNews,
  editor: Editor,
  target: 'desk' | 'trash',
): Promise<void> {
  const { news, draft } = lockedNews
  const hasNeverAppeared = news.created_at !== null && news.created_at > editor.now
  await tx
    .updateTable('news')
    .set({
      published: false,
      trashed_at: target === 'trash' ? editor.now : null,
      ...(hasNeverAppeared && { first_published_at: null, created_at: null }),
      ...(isVisible(news, editor.now) && { first_published_at: news.first_published_at ?? editor.now }),
    })
    .where('id', '=', news.id)
    .execute()
  await writeDraft(tx, lockedNews, { text: draft, isOpen: draft.is_open }, editor)
}
