import { formatDays } from '#contract/durations.ts'
import { NEWS_TRASH_RETENTION_MS } from '#contract/limits.ts'
import type { NewsText } from '#contract/news.ts'
import * as calls from '#contract/news.ts'
import { formatCount } from '#contract/numbers.ts'
import { cleanHtml } from '#server/clean-html.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type DeskTools, type Mounted, mount } from '#server/http/mount.ts'
import { createPreview } from '#server/preview.ts'
import { selectDeskNews, selectDeskNewsItem, selectRevisions } from './desk-queries.ts'
import {
  type Edited,
  type Editor,
  lockNews,
  publish,
  storeOpenDraft,
  takeBack,
  toNewsText,
  writeDraft,
} from './drafts.ts'

type Writing = { deps: Deps } & Pick<DeskTools, 'staff' | 'record'>

const toEditor = ({ deps, staff }: Writing): Editor => ({ userNum: staff.userNum, now: deps.now() })

async function loadItem({ db, now }: Deps, id: number) {
  const item = await selectDeskNewsItem(db, id, now())
  if (item === undefined) throw refuse(calls.getDeskNewsItem, 'newsNotFound')
  return item
}

/** Describes a text for the audit log: its length instead of the text itself. */
const toAuditValues = ({ content, ...text }: NewsText) => ({
  ...text,
  content: `${formatCount(content.length)} characters`,
})

/** Runs `work` on a locked item, records the change of its state in the audit log, and returns the item. */
async function change(context: Writing, edited: Edited, message: string, work: () => Promise<void>) {
  const { id } = edited.news
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
const wasPublished = ({ news }: Edited) => news.first_published_at !== null || news.published

/** The calls of the desk about news, events and guides. */
export const newsDeskCalls: Mounted[] = [
  mount(calls.getDeskNews, (filters, { deps }) => selectDeskNews(deps.browseDb, filters, deps.now())),

  mount(calls.getRevisions, async ({ id, after }, { deps }) => selectRevisions(deps.db, { news: id, after })),

  mount(calls.getRevision, async ({ revision }, { deps }) => {
    const [found] = (await selectRevisions(deps.db, { one: revision })).rows
    if (found === undefined) throw refuse(calls.getRevision, 'revisionNotFound')
    return found
  }),

  mount(calls.getDeskNewsItem, ({ id }, { deps }) => loadItem(deps, id)),

  mount(calls.createNews, async ({ type }, context) => {
    const { deps, staff, record } = context
    const by = toEditor(context)
    const latest = await deps.db
      .selectFrom('news_drafts')
      .where('saved_by', '=', staff.userNum)
      .where('author', 'not in', ['', staff.userId])
      .orderBy('saved_at', 'desc')
      .select('author')
      .limit(1)
      .executeTakeFirst()
    const author = latest?.author ?? staff.staffName
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
    const edited = await lockNews(deps.db, { id, version: null }, by)
    await writeDraft(deps.db, edited, { text: { ...text, subject: '' }, isOpen: true }, by)
    record({ target: ['news', id], after: { state: 'draft', type } })
    return { message: 'Draft created.', item: await loadItem(deps, id) }
  }),

  mount(calls.saveDraft, async ({ id, version, replace, ...text }, context) => {
    const { deps, record } = context
    const by = toEditor(context)
    const edited = await lockNews(deps.db, { id, version: replace ? null : version }, by)
    await storeOpenDraft(deps.db, edited, by, replace)
    const cleaned = { ...text, content: cleanHtml(text.content) }
    await writeDraft(deps.db, edited, { text: cleaned, isOpen: true }, by)
    record({ target: ['news', id], before: toAuditValues(toNewsText(edited.draft)), after: toAuditValues(cleaned) })
    return { message: 'Saved.', item: await loadItem(deps, id) }
  }),

  mount(calls.discardDraft, async ({ id, version }, context) => {
    const by = toEditor(context)
    const edited = await lockNews(context.deps.db, { id, version }, by)
    if (!wasPublished(edited)) throw refuse(calls.discardDraft, 'neverOut')
    await storeOpenDraft(context.deps.db, edited, by, true)
    await writeDraft(context.deps.db, edited, { text: edited.news, isOpen: false }, by)
    context.record({ target: ['news', id], before: { draft: true }, after: { draft: false } })
    return { message: 'Your changes are discarded. You can restore them from the earlier texts.', item: await loadItem(context.deps, id) }
  }),

  mount(calls.publishNews, async ({ id, version, at }, context) => {
    const by = toEditor(context)
    const edited = await lockNews(context.deps.db, { id, version }, by)
    const moment = at === null ? null : new Date(at)
    const isLater = moment !== null && moment > by.now
    return change(context, edited, isLater ? 'Scheduled.' : 'Published.', () =>
      publish(context.deps.db, edited, moment, by),
    )
  }),

  mount(calls.hideNews, async ({ id, version }, context) => {
    const by = toEditor(context)
    const edited = await lockNews(context.deps.db, { id, version }, by)
    return change(context, edited, 'Readers no longer see it.', () => takeBack(context.deps.db, edited, by, 'desk'))
  }),

  mount(calls.trashNews, async ({ id, version }, context) => {
    const by = toEditor(context)
    const edited = await lockNews(context.deps.db, { id, version }, by)
    if (wasPublished(edited) && !context.staff.permissions.has('news.publish')) throw refuse(calls.trashNews, 'wasOut')
    return change(context, edited, `In the trash for ${formatDays(NEWS_TRASH_RETENTION_MS)}.`, () =>
      takeBack(context.deps.db, edited, by, 'trash'),
    )
  }),

  mount(calls.untrashNews, async ({ id, version }, context) => {
    const by = toEditor(context)
    const edited = await lockNews(context.deps.db, { id, version, fromTrash: true }, by)
    if (wasPublished(edited) && !context.staff.permissions.has('news.publish'))
      throw refuse(calls.untrashNews, 'wasOut')
    return change(context, edited, 'Restored from the trash.', () => takeBack(context.deps.db, edited, by, 'desk'))
  }),

  mount(calls.restoreRevision, async ({ id, version, revision }, context) => {
    const { deps, record } = context
    const by = toEditor(context)
    const edited = await lockNews(deps.db, { id, version }, by)
    const [found] = (await selectRevisions(deps.db, { news: id, one: revision })).rows
    if (found === undefined) throw refuse(calls.restoreRevision, 'revisionNotFound')
    await storeOpenDraft(deps.db, edited, by, true)
    await writeDraft(deps.db, edited, { text: found.text, isOpen: true }, by)
    record({ target: ['news', id], after: { draft: `revision ${revision}` } })
    return { message: 'The earlier text is now your draft.', item: await loadItem(deps, id) }
  }),

  mount(calls.previewNews, async ({ id }, { deps, record }) => {
    await loadItem(deps, id)
    record({ target: ['news', id], after: { preview: 'opened' } })
    return { path: await createPreview(deps, { kind: 'news', name: String(id) }) }
  }),
]
