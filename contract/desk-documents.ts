import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { documentNameSchema } from './documents.ts'
import { conflict } from './errors.ts'
import { lineField } from './fields.ts'
import { idParam } from './paging.ts'
import { moment, nullableMoment, positiveId } from './scalars.ts'

const desk = declareDeskCalls('pages', { read: 'documents.write', notPersonal: ['undone'] })

const documentNotFound = { status: 404, message: 'There is no such page.' } as const

const DOCUMENT_STATE_NAMES = ['preparing', 'published', 'edited'] as const

/** The states of a document: unpublished, published, published with unpublished changes. */
export const DOCUMENT_STATES = {
  preparing: 'Being prepared',
  published: 'Published',
  edited: 'Unpublished changes',
} as const

const documentRow = z.object({
  name: z.string(),
  title: z.string(),
  path: z.string().nullable().meta({ description: 'The path of the page; null for texts that are on every page' }),
  is_free: z.boolean(),
  state: z.enum(DOCUMENT_STATE_NAMES),
  saved_at: nullableMoment,
  saved_by: z.string().nullable(),
})

const values = z.record(z.string(), z.unknown()).meta({ description: 'Its fields, as in contract/documents.ts' })

const documentSchema = documentRow
  .extend({
    version: z.int().meta({ description: 'Increases with every change at the desk' }),
    text: values.meta({ description: 'The draft, or the published text if there is no draft' }),
    published: values.nullable(),
  })
  .meta({ id: 'DeskDocument' })

const changeOutput = z.object({ message: z.string(), item: documentSchema })
const pageInput = { body: z.object({ name: documentNameSchema, version: z.int() }) }

export const getDeskDocuments = desk.list('/admin/documents', {
  summary: 'The pages of the site and the free pages',
  sorts: [''],
  filters: {},
  row: documentRow,
})

export const getDeskDocument = desk.read('/admin/documents/{name}', {
  summary: 'A page with its draft',
  input: { params: z.object({ name: documentNameSchema }) },
  output: documentSchema,
  errors: { documentNotFound },
})

export const saveDocument = desk.write('/admin/documents/draft', {
  title: 'Save page draft',
  summary: 'Save a draft; the published text does not change',
  idempotent: false,
  input: {
    body: z.object({
      name: documentNameSchema,
      version: z.int(),
      text: values.meta({ description: 'The fields that changed; the others stay as they are' }),
      replace: z
        .boolean()
        .default(false)
        .meta({ description: 'Save even if another operator has saved; their text becomes an earlier version' }),
    }),
  },
  output: changeOutput,
  errors: { documentNotFound, conflict },
})

export const publishDocument = desk.write('/admin/documents/publish', {
  title: 'Publish page',
  summary: 'Publish the draft; a new link to another site needs another owner’s approval',
  approvable: true,
  idempotent: false,
  input: pageInput,
  output: changeOutput,
  errors: { documentNotFound, conflict },
})

export const undoDocument = desk.write('/admin/documents/undo', {
  title: 'Undo page publication',
  summary: 'Publish the previous text again, or unpublish the page if there is none',
  approvable: true,
  idempotent: false,
  input: pageInput,
  output: changeOutput,
  errors: { documentNotFound, conflict, notPublished: { status: 409, message: 'This page is not published.' } },
})

export const discardDocument = desk.write('/admin/documents/discard', {
  title: 'Discard page draft',
  summary: 'Go back to the published text; the draft becomes an earlier version',
  idempotent: false,
  input: pageInput,
  output: changeOutput,
  errors: { documentNotFound, conflict, notPublished: { status: 409, message: 'This page is not published.' } },
})

const revisionRow = z.object({
  revision: positiveId,
  kind: z.enum(['published', 'replaced']),
  saved_at: moment,
  saved_by: z.string().nullable(),
})

export const getDocumentRevisions = desk.list('/admin/documents/revisions', {
  summary: 'The earlier versions of a page, the newest first',
  sorts: [''],
  filters: { name: documentNameSchema },
  row: revisionRow,
})

const revisionNotFound = { status: 404, message: 'There is no such version.' } as const

export const getDocumentRevision = desk.read('/admin/documents/revisions/{revision}', {
  summary: 'An earlier version of a page, and the text that was published before it',
  input: { params: z.object({ revision: idParam(revisionNotFound.message) }) },
  output: revisionRow.extend({ document: z.string(), text: values, before: values.nullable() }),
  errors: { revisionNotFound },
})

export const restoreDocument = desk.write('/admin/documents/restore', {
  title: 'Restore page version',
  summary: 'Make an earlier version the draft; the current draft becomes an earlier version',
  idempotent: false,
  input: { body: z.object({ name: documentNameSchema, version: z.int(), revision: positiveId }) },
  output: changeOutput,
  errors: { documentNotFound, conflict, revisionNotFound },
})

export const previewDocument = desk.read('/admin/documents/preview', {
  title: 'Preview page',
  summary: 'An address that shows the draft in the real page for ten minutes',
  method: 'POST',
  input: { body: z.object({ name: documentNameSchema }) },
  output: z.object({ path: z.string() }),
  errors: { documentNotFound },
})

const ADDRESS_RULE = 'Use lowercase letters, digits and dashes.'

/** A new free page. */
export const newPageForm = f.object({
  title: lineField(80, 'Give the page a title.'),
  address: f.string(ADDRESS_RULE).check(f.trim(), f.regex(/^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/, ADDRESS_RULE)),
})

export const newPageFields = describeFields(newPageForm, {
  title: 'Title',
  address: { label: 'Address', kind: 'id', hint: 'after /page/' },
})

export const createPage = desk.write('/admin/documents/create', {
  title: 'Create page',
  summary: 'Create a free page. Players see it at /page/{address} after its publication',
  fields: newPageForm,
  output: changeOutput,
  errors: { taken: { status: 409, message: 'There is a page at this address.', field: 'address' } },
})

export const deletePage = desk.write('/admin/documents/delete', {
  title: 'Delete page',
  summary: 'Delete a free page; a page of the site cannot be deleted',
  idempotent: false,
  input: pageInput,
  errors: {
    documentNotFound,
    conflict,
    notFree: { status: 409, message: 'This page is part of the site. It cannot be deleted.' },
  },
})
