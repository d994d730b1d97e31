import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { DocumentValues } from '#contract/document-fields.ts'
import type { Db } from '#server/db/open.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'

/** Selects the published text of every document. */
export async function selectPublished(db: Db): Promise<{ name: string; published: DocumentValues }[]> {
  const rows = await db
    .selectFrom('documents')
    .where('published', 'is not', null)
    .select(['name', 'published'])
    .orderBy('name')
    .execute()
  return rows.map(({ name, published }) => ({ name, published: published ?? {} }))
}

const selectDeskDocuments = (db: Db) =>
  db
    .selectFrom('documents as d')
    .leftJoin('accounts as a', 'a.user_num', 'd.saved_by')
    .select(['d.name', 'd.is_free', 'd.version', 'd.draft', 'd.is_open', 'd.published', 'd.saved_at'])
    .select('a.user_id as saved_by')

/** Selects every document for the desk's list. */
export const selectDocuments = (db: Db) => selectDeskDocuments(db).orderBy('d.name').execute()

/** Selects a document with its draft; undefined if there is no such document. */
export const selectDocument = (db: Db, name: string) =>
  selectDeskDocuments(db).where('d.name', '=', name).executeTakeFirst()

/** Locks a document until the transaction ends. */
export const lockDocument = (tx: Db, name: string) =>
  tx
    .selectFrom('documents')
    .where('name', '=', name)
    .select(['name', 'is_free', 'version', 'draft', 'is_open', 'published', 'published_at', 'saved_by'])
    .forUpdate()
    .executeTakeFirst()

/** Updates a locked document and increases its version. */
export const updateDocument = (
  tx: Db,
  name: string,
  { draft, isOpen, published }: { draft: DocumentValues; isOpen: boolean; published?: DocumentValues | null },
  editor: { userNum: number; now: Date },
) =>
  tx
    .updateTable('documents')
    .set({
      draft: JSON.stringify(draft),
      is_open: isOpen,
      version: sql`version + 1`,
      saved_at: editor.now,
      saved_by: editor.userNum,
      ...(published !== undefined && {
        published: published === null ? null : JSON.stringify(published),
        published_at: published === null ? null : editor.now,
      }),
    })
    .where('name', '=', name)
    .execute()

/** Selects a page of the earlier versions of a document, the newest first. */
export async function selectRevisions(db: Db, document: string, after: string) {
  const rows = await selectRevisionRows(db)
    .where('r.document', '=', document)
    .$if(after !== '', (query) => query.where('r.revision', '<', parseCursor(after)))
    .orderBy('r.revision', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(rows, (row) => row.revision)
}

const selectRevisionRows = (db: Db) =>
  db
    .selectFrom('document_revisions as r')
    .leftJoin('accounts as a', 'a.user_num', 'r.saved_by')
    .select(['r.revision', 'r.document', 'r.kind', 'r.saved_at', 'a.user_id as saved_by'])

/** Selects an earlier version. */
export const selectRevision = (db: Db, revision: number) =>
  selectRevisionRows(db).where('r.revision', '=', revision).select('r.content').executeTakeFirst()

/** Selects the text that was published before a version, or without a version the text published last. */
export const selectPublishedBefore = (db: Db, document: string, revision = Number.MAX_SAFE_INTEGER) =>
  db
    .selectFrom('document_revisions')
    .where('document', '=', document)
    .where('kind', '=', 'published')
    .where('revision', '<', revision)
    .select(['revision', 'content'])
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
