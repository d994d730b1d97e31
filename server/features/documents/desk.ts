import { isDeepStrictEqual } from 'node:util'
import { readDefaults } from '#content/documents.ts'
import * as calls from '#contract/desk-documents.ts'
import { checkValues, createEmptyValues, type DocumentValues } from '#contract/document-fields.ts'
import { DOCUMENT_NAMES, FREE_PAGE } from '#contract/documents.ts'
import { formatManilaDate } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createInputRefusal, refuse, refuseViolations } from '#server/errors.ts'
import { type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import { approveOutsideLinks } from '#server/http/outside-links.ts'
import { createPreview } from '#server/preview.ts'
import {
  cleanTexts,
  FREE_PREFIX,
  fitToVersion,
  getDocumentFields,
  getDocumentPath,
  getDocumentTitle,
} from './published.ts'
import {
  lockDocument,
  selectDocument,
  selectDocuments,
  selectPublishedBefore,
  selectRevision,
  selectRevisions,
  updateDocument,
} from './queries.ts'

type EditContext = { deps: Deps } & Pick<DeskTools, 'staff' | 'record'>
type LockedDocument = NonNullable<Awaited<ReturnType<typeof lockDocument>>>

const toEditor = ({ deps, staff }: EditContext) => ({ userNum: staff.userNum, now: deps.now() })

type DocumentRow = NonNullable<Awaited<ReturnType<typeof selectDocument>>>

const toRow = ({ name, is_free, is_open, draft, published, saved_at, saved_by }: DocumentRow) => ({
  name,
  title: getDocumentTitle(name, draft),
  path: getDocumentPath(name),
  is_free,
  state: published === null ? ('preparing' as const) : is_open ? ('edited' as const) : ('published' as const),
  saved_at,
  saved_by,
})

async function loadDocument(db: Db, name: string) {
  const row = await selectDocument(db, name)
  if (row === undefined) throw refuse(calls.getDeskDocument, 'documentNotFound')
  const { version, draft, published } = row
  return {
    ...toRow(row),
    version,
    text: fitToVersion(name, draft),
    published: published && fitToVersion(name, published),
  }
}

/**
 * Locks a document that no other operator has changed since the editor read it (PAGE-2).
 *
 * @param version the version that the editor saw; null accepts any version
 * @throws Refusal 404, 409
 */
async function lockVersion(tx: Db, name: string, version: number | null): Promise<LockedDocument> {
  const document = await lockDocument(tx, name)
  if (document === undefined) throw refuse(calls.publishDocument, 'documentNotFound')
  if (version !== null && document.version !== version) throw refuse(calls.publishDocument, 'conflict')
  return document
}

/** Stores a text as an earlier version. */
const insertRevision = (
  tx: Db,
  { name }: LockedDocument,
  {
    kind,
    content,
    savedBy,
    now,
  }: { kind: 'published' | 'replaced'; content: DocumentValues; savedBy: number | null; now: Date },
) =>
  tx
    .insertInto('document_revisions')
    .values({ document: name, kind, content: JSON.stringify(content), saved_at: now, saved_by: savedBy })
    .execute()

/** Stores the open draft before another text replaces it. */
async function saveRevision(context: EditContext, lockedDocument: LockedDocument): Promise<void> {
  if (lockedDocument.is_open)
    await insertRevision(context.deps.db, lockedDocument, {
      kind: 'replaced',
      content: lockedDocument.draft,
      savedBy: lockedDocument.saved_by,
      now: context.deps.now(),
    })
}

/** Stores the seeded text before operators publish for the first time. */
async function saveSeededText(context: EditContext, lockedDocument: LockedDocument): Promise<void> {
  const { db, now } = context.deps
  if (lockedDocument.published === null || (await selectPublishedBefore(db, lockedDocument.name)) !== undefined) return
  await insertRevision(db, lockedDocument, {
    kind: 'published',
    content: lockedDocument.published,
    savedBy: null,
    now: now(),
  })
}

/**
 * Requires approval of new outside links in a published page, because readers trust them; links in seeded texts are
 * exempt.
 */
function requireLinkApproval(
  context: { deps: Deps } & Parameters<typeof approveOutsideLinks>[0],
  { name, draft, published }: LockedDocument,
  after: unknown,
): Promise<void> {
  const defaultText = Object.entries(readDefaults(context.deps.config)).find(([documentName]) => documentName === name)
  return approveOutsideLinks(context, 'documents.write', {
    what: `the page “${getDocumentTitle(name, draft)}”`,
    before: [published, defaultText],
    after,
  })
}

/**
 * Sets the date of a policy to the day of publishing (PAGE-8), unless its authors wrote another date. Replaces a date that
 * an earlier publication set.
 */
function datePolicy(text: DocumentValues, { published, published_at }: LockedDocument, now: Date): DocumentValues {
  const wasSetByPublishing = published_at !== null && published?.since === formatManilaDate(published_at)
  const isAutomatic = text.since === '' || (wasSetByPublishing && text.since === published.since)
  return isAutomatic ? { ...text, since: formatManilaDate(now) } : text
}

/** Lists the fields that differ, for the audit log. */
const listChangedFields = (before: DocumentValues, after: DocumentValues) =>
  Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]))

/** The calls of the desk about documents: drafts, earlier versions, publishing, free pages (PAGE-1, PAGE-2, PAGE-6). */
export const documentDeskCalls: MountedCall[] = [
  mount(calls.getDeskDocuments, async (_, { deps }) => {
    const rows = await selectDocuments(deps.db)
    const getPosition = (name: string) =>
      name.startsWith(FREE_PREFIX)
        ? DOCUMENT_NAMES.length
        : DOCUMENT_NAMES.findIndex((documentName) => documentName === name)
    return { rows: rows.map(toRow).toSorted((a, b) => getPosition(a.name) - getPosition(b.name)), next: null }
  }),

  mount(calls.getDocumentRevisions, ({ name, after }, { deps }) => selectRevisions(deps.db, name, after)),

  mount(calls.getDocumentRevision, async ({ revision }, { deps }) => {
    const revisionRow = await selectRevision(deps.db, revision)
    if (revisionRow === undefined) throw refuse(calls.getDocumentRevision, 'revisionNotFound')
    const { content, document, ...row } = revisionRow
    const earlierRevision = await selectPublishedBefore(deps.db, document, revision)
    return {
      ...row,
      document,
      text: fitToVersion(document, content),
      before: earlierRevision ? fitToVersion(document, earlierRevision.content) : null,
    }
  }),

  mount(calls.getDeskDocument, ({ name }, { deps }) => loadDocument(deps.db, name)),

  mount(calls.saveDocument, async ({ name, version, text, replace }, context) => {
    const { db } = context.deps
    const editor = toEditor(context)
    const lockedDocument = await lockVersion(db, name, replace ? null : version)
    const values = { ...fitToVersion(name, lockedDocument.draft), ...text }
    const faults = checkValues(getDocumentFields(name), values, '', false)
    if (faults.length > 0)
      throw createInputRefusal(Object.fromEntries(faults.map(([field, message]) => [field, [message]])))
    if (replace || (lockedDocument.saved_by !== null && lockedDocument.saved_by !== editor.userNum))
      await saveRevision(context, lockedDocument)
    const draft = cleanTexts(name, values)
    await updateDocument(db, name, { draft, isOpen: !isDeepStrictEqual(draft, lockedDocument.published) }, editor)
    context.record({ target: ['document', name], after: { draft: listChangedFields(lockedDocument.draft, draft) } })
    return { message: 'Saved.', item: await loadDocument(db, name) }
  }),

  mount(calls.publishDocument, async ({ name, version }, context) => {
    const { db } = context.deps
    const editor = toEditor(context)
    const lockedDocument = await lockVersion(db, name, version)
    const text = datePolicy(
      addAnchors(cleanTexts(name, fitToVersion(name, lockedDocument.draft))),
      lockedDocument,
      editor.now,
    )
    const faults = checkValues(getDocumentFields(name), text, '', true)
    if (faults.length > 0)
      throw createInputRefusal(Object.fromEntries(faults.map(([field, message]) => [field, [message]])))
    await requireLinkApproval(context, lockedDocument, text)
    await saveSeededText(context, lockedDocument)
    await insertRevision(db, lockedDocument, {
      kind: 'published',
      content: text,
      savedBy: editor.userNum,
      now: editor.now,
    })
    await updateDocument(db, name, { draft: text, isOpen: false, published: text }, editor)
    context.record({
      target: ['document', name],
      after: { published: listChangedFields(lockedDocument.published ?? {}, text) },
    })
    return { message: 'Published. Readers see it within seconds.', item: await loadDocument(db, name) }
  }),

  mount(calls.undoDocument, async ({ name, version }, context) => {
    const { db } = context.deps
    const editor = toEditor(context)
    const lockedDocument = await lockVersion(db, name, version)
    if (lockedDocument.published === null) throw refuse(calls.undoDocument, 'notPublished')
    await saveRevision(context, lockedDocument)
    const lastRevision = await selectPublishedBefore(db, name)
    const earlierRevision = lastRevision && (await selectPublishedBefore(db, name, lastRevision.revision))
    const published = earlierRevision?.content ?? null
    await requireLinkApproval(context, lockedDocument, published)
    if (published !== null)
      await insertRevision(db, lockedDocument, {
        kind: 'published',
        content: published,
        savedBy: editor.userNum,
        now: editor.now,
      })
    await updateDocument(
      db,
      name,
      { draft: published ?? lockedDocument.draft, isOpen: published === null, published },
      editor,
    )
    context.record({
      target: ['document', name],
      after: { undone: listChangedFields(published ?? {}, lockedDocument.published) },
    })
    const message =
      published === null ? 'Readers see that the page is being prepared.' : 'Readers see the previous version.'
    return { message, item: await loadDocument(db, name) }
  }),

  mount(calls.discardDocument, async ({ name, version }, context) => {
    const { db } = context.deps
    const lockedDocument = await lockVersion(db, name, version)
    if (lockedDocument.published === null) throw refuse(calls.discardDocument, 'notPublished')
    await saveRevision(context, lockedDocument)
    await updateDocument(db, name, { draft: lockedDocument.published, isOpen: false }, toEditor(context))
    context.record({
      target: ['document', name],
      after: { discarded: listChangedFields(lockedDocument.published, lockedDocument.draft) },
    })
    return {
      message: 'Your changes are discarded. You can restore them from the earlier versions.',
      item: await loadDocument(db, name),
    }
  }),

  mount(calls.restoreDocument, async ({ name, version, revision }, context) => {
    const { db } = context.deps
    const lockedDocument = await lockVersion(db, name, version)
    const revisionRow = await selectRevision(db, revision)
    if (revisionRow?.document !== name) throw refuse(calls.restoreDocument, 'revisionNotFound')
    await saveRevision(context, lockedDocument)
    const draft = fitToVersion(name, revisionRow.content)
    await updateDocument(
      db,
      name,
      { draft, isOpen: !isDeepStrictEqual(draft, lockedDocument.published) },
      toEditor(context),
    )
    context.record({ target: ['document', name], after: { draft: `version ${revision}` } })
    return { message: 'The earlier version is now your draft.', item: await loadDocument(db, name) }
  }),

  mount(calls.previewDocument, async ({ name }, { deps, record }) => {
    const { path } = await loadDocument(deps.db, name)
    record({ target: ['document', name], after: { preview: path ?? '/' } })
    return { path: await createPreview(deps, { kind: 'document', name }) }
  }),

  mount(calls.createPage, async ({ title, address }, context) => {
    const { db } = context.deps
    const name = `${FREE_PREFIX}${address}`
    const { userNum, now } = toEditor(context)
    const draft = JSON.stringify({ ...createEmptyValues(FREE_PAGE), title })
    await db
      .insertInto('documents')
      .values({ name, is_free: true, draft, published: null, published_at: null, saved_at: now, saved_by: userNum })
      .execute()
      .catch(refuseViolations(calls.createPage, { documents_pkey: 'taken' }))
    context.record({ target: ['document', name], after: { title } })
    return { message: 'Draft created.', item: await loadDocument(db, name) }
  }),

  mount(calls.deletePage, async ({ name, version }, context) => {
    const lockedDocument = await lockVersion(context.deps.db, name, version)
    if (!lockedDocument.is_free) throw refuse(calls.deletePage, 'notFree')
    await context.deps.db.deleteFrom('documents').where('name', '=', name).execute()
    context.record({ target: ['document', name], before: { title: getDocumentTitle(name, lockedDocument.draft) } })
    return { message: 'Deleted.' }
  }),
]

const toAnchor = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)

/** Gives the parts of a document that have no ID an ID made from their title. IDs are unique within a list. */
function addAnchors(values: DocumentValues): DocumentValues {
  const addIds = (list: unknown[]) => {
    const usedIds = new Set<string>()
    return list.map((entry, index) => {
      if (typeof entry !== 'object' || entry === null || !('id' in entry)) return entry
      const { id, title, name } = entry as { id: string; title?: string; name?: string }
      const preferredId = id || toAnchor(title ?? name ?? '') || `part-${index + 1}`
      const uniqueId = usedIds.has(preferredId) ? `${preferredId}-${index + 1}` : preferredId
      usedIds.add(uniqueId)
      return { ...entry, id: uniqueId }
    })
  }
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, Array.isArray(value) ? addIds(value) : value]),
  )
}
