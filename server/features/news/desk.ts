import { formatDays } from '#contract/durations.ts'
import { NEWS_TRASH_RETENTION_MS } from '#contract/limits.ts'
import type { NewsText } from '#contract/news.ts'
import * as calls from '#contract/news.ts'
import { formatCount } from '#contract/numbers.ts'
import { cleanHtml } from '#server/clean-html.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import { createPreview } from '#server/preview.ts'
import { selectDeskNews, selectDeskNewsItem, selectRevisions } from './desk-queries.ts'
import {
  type Editor,
  type LockedNews,
  lockNews,
  publishDraft,
  storeOpenDraft,
  toNewsText,
  withdrawNews,
  writeDraft,
} from './drafts.ts'

type WriteContext = { deps: Deps } & Pick<DeskTools, 'staff' | 'record'>

const toEditor = ({ deps, staff }: WriteContext): Editor => ({ userNum: staff.userNum, now: deps.now() })

async function loadItem({ db, now }: Deps, id: number) {
  const item = await selectDeskNewsItem(db, id, now())
  if (item === undefined) throw refuse(calls.getDeskNewsItem, 'newsNotFound')
  return item
}

/** Describes a text for the audit log, with the length of its content instead of the content. */
const toAuditValues = ({ content, ...text }: NewsText) => ({
  ...text,
  content: `${formatCount(content.length)} characters`,
})

/** Runs `work` on a locked item, records the change of its state in the audit log, and returns the item. */
async function runOnItem(context: WriteContext, lockedNews: LockedNews, message: string, work: () => Promise<void>) {
  const { id } = lockedNews.news
  const before = await loadItem(context.deps, id)
  await work()
  const item = await loadItem(context.deps, id)
  context.record({
    target: ['news', id],
    before: {
      state: before.state,
      created_at: before.created_at,
      ...(before.published && toAuditValues(before.published)),
    },
    after: { state: item.state, created_at: item.created_at, ...(item.published && toAuditValues(item.published)) },
  })
  return { message, item }
}

/** Returns whether an item is visible or scheduled, or was visible before. */
const wasPublished = ({ news }: LockedNews) => news.first_published_at !== null || news.published

/** The calls of the desk about news, events and guides. */
export const newsDeskCalls: MountedCall[] = [
  mount(calls.getDeskNews, (filters, { deps }) => selectDeskNews(deps.browseDb, filters, deps.now())),

  mount(calls.getRevisions, async ({ id, after }, { deps }) => selectRevisions(deps.db, { news: id, after })),

  mount(calls.getRevision, async ({ revision }, { deps }) => {
    const [storedRevision] = (await selectRevisions(deps.db, { revision })).rows
    if (storedRevision === undefined) throw refuse(calls.getRevision, 'revisionNotFound')
    return storedRevision
  }),

  mount(calls.getDeskNewsItem, ({ id }, { deps }) => loadItem(deps, id)),

  mount(calls.createNews, async ({ type }, context) => {
    const { deps, staff, record } = context
    const editor = toEditor(context)
    const latestDraft = await deps.db
      .selectFrom('news_drafts')
      .where('saved_by', '=', staff.userNum)
      .where('author', 'not in', ['', staff.userId])
      .orderBy('saved_at', 'desc')
      .select('author')
      .limit(1)
      .executeTakeFirst()
    const author = latestDraft?.author ?? staff.staffName
    const text = {
      subject: 'Untitled',
      type,
      author,
      content: '',
      picture: null,
      show_picture: true,
      patch_notes: false,
    }
    const { id } = await deps.db
      .insertInto('news')
      .values({ ...text, published: false, created_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lockedNews = await lockNews(deps.db, { id, version: null }, editor)
    await writeDraft(deps.db, lockedNews, { text: { ...text, subject: '' }, isOpen: true }, editor)
    record({ target: ['news', id], after: { state: 'draft', type } })
    return { message: 'Draft created.', item: await loadItem(deps, id) }
  }),

  mount(calls.saveDraft, async ({ id, version, replace, ...text }, context) => {
    const { deps, record } = context
    const editor = toEditor(context)
    const lockedNews = await lockNews(deps.db, { id, version: replace ? null : version }, editor)
    await storeOpenDraft(deps.db, lockedNews, editor, { storesOwn: replace })
    const cleaned = { ...text, content: cleanHtml(text.content) }
    await writeDraft(deps.db, lockedNews, { text: cleaned, isOpen: true }, editor)
    record({ target: ['news', id], before: toAuditValues(toNewsText(lockedNews.draft)), after: toAuditValues(cleaned) })
    return { message: 'Saved.', item: await loadItem(deps, id) }
  }),

  mount(calls.discardDraft, async ({ id, version }, context) => {
    const editor = toEditor(context)
    const lockedNews = await lockNews(context.deps.db, { id, version }, editor)
    if (!wasPublished(lockedNews)) throw refuse(calls.discardDraft, 'neverOut')
    await storeOpenDraft(context.deps.db, lockedNews, editor, { storesOwn: true })
    await writeDraft(context.deps.db, lockedNews, { text: lockedNews.news, isOpen: false }, editor)
    context.record({ target: ['news', id], before: { draft: true }, after: { draft: false } })
    return {
      message: 'Your changes are discarded. You can restore them from the earlier versions.',
      item: await loadItem(context.deps, id),
    }
  }),

  mount(calls.publishNews, async ({ id, version, at }, context) => {
    const editor = toEditor(context)
    const lockedNews = await lockNews(context.deps.db, { id, version }, editor)
    const moment = at === null ? null : new Date(at)
    const isScheduled = moment !== null && moment > editor.now
    return runOnItem(context, lockedNews, isScheduled ? 'Scheduled.' : 'Published.', () =>
      publishDraft(context.deps.db, lockedNews, moment, editor),
    )
  }),

  mount(calls.hideNews, async ({ id, version }, context) => {
    const editor = toEditor(context)
    const lockedNews = await lockNews(context.deps.db, { id, version }, editor)
    return runOnItem(context, lockedNews, 'Readers no longer see it.', () =>
      withdrawNews(context.deps.db, lockedNews, editor, 'desk'),
    )
  }),

  mount(calls.trashNews, async ({ id, version }, context) => {
    const editor = toEditor(context)
    const lockedNews = await lockNews(context.deps.db, { id, version }, editor)
    if (wasPublished(lockedNews) && !context.staff.permissions.has('news.publish'))
      throw refuse(calls.trashNews, 'wasOut')
    return runOnItem(context, lockedNews, `In the trash for ${formatDays(NEWS_TRASH_RETENTION_MS)}.`, () =>
      withdrawNews(context.deps.db, lockedNews, editor, 'trash'),
    )
  }),

  mount(calls.untrashNews, async ({ id, version }, context) => {
    const editor = toEditor(context)
    const lockedNews = await lockNews(context.deps.db, { id, version, fromTrash: true }, editor)
    if (wasPublished(lockedNews) && !context.staff.permissions.has('news.publish'))
      throw refuse(calls.untrashNews, 'wasOut')
    return runOnItem(context, lockedNews, 'Restored from the trash.', () =>
      withdrawNews(context.deps.db, lockedNews, editor, 'desk'),
    )
  }),

  mount(calls.restoreRevision, async ({ id, version, revision }, context) => {
    const { deps, record } = context
    const editor = toEditor(context)
    const lockedNews = await lockNews(deps.db, { id, version }, editor)
    const [storedRevision] = (await selectRevisions(deps.db, { news: id, revision })).rows
    if (storedRevision === undefined) throw refuse(calls.restoreRevision, 'revisionNotFound')
    await storeOpenDraft(deps.db, lockedNews, editor, { storesOwn: true })
    await writeDraft(deps.db, lockedNews, { text: storedRevision.text, isOpen: true }, editor)
    record({ target: ['news', id], after: { draft: `revision ${revision}` } })
    return { message: 'The earlier version is now your draft.', item: await loadItem(deps, id) }
  }),

  mount(calls.previewNews, async ({ id }, { deps, record }) => {
    await loadItem(deps, id)
    record({ target: ['news', id], after: { preview: 'opened' } })
    return { path: await createPreview(deps, { kind: 'news', name: String(id) }) }
  }),
]
