import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { lineField, pictureField, recordIdField } from './fields.ts'
import { NEWS_AUTHOR_MAX, NEWS_CACHE_MS, NEWS_CONTENT_MAX, NEWS_SUBJECT_MAX } from './limits.ts'
import { idParam, wholeNumberParam } from './paging.ts'
import { moment, offsetMoment, positiveId } from './scalars.ts'

const news = declareCalls('news', 'public')

const desk = declareDeskCalls('news', { read: 'news.read', write: 'news.write', notPersonal: ['state', 'type'] })

/** The tags that a news text may contain. The site removes all other tags. */
export const NEWS_TAGS = {
  /** The tags that the editor can show and create. */
  editor: [
    ...[
      'p',
      'br',
      'hr',
      'h2',
      'h3',
      'h4',
      'strong',
      'b',
      'em',
      'i',
      'u',
      's',
      'small',
      'sub',
      'sup',
      'mark',
      'code',
      'pre',
    ],
    ...['ul', 'ol', 'li', 'blockquote', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  /** Further allowed tags; the editor shows texts with them as HTML. */
  html: ['dl', 'dt', 'dd', 'figure', 'figcaption', 'caption', 'tfoot'],
} as const

/** A news item in calls (NEWS-6). `type`: 0 general, 1 guide, 2 event. */
export const newsItemSchema = z
  .object({
    id: z.int(),
    subject: z.string(),
    content: z.string().meta({ description: 'Sanitised HTML' }),
    type: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    created_at: offsetMoment.nullable(),
    author: z.string(),
    img_thumbnail: z.string().nullable(),
    IsShowThumbnail: z.union([z.literal(0), z.literal(1)]),
  })
  .meta({ id: 'NewsItem' })

export type NewsItem = z.infer<typeof newsItemSchema>

export const getNewsAll = news.get('/getnewsall/{type}/{count}/{paged}/{latestflag}', {
  summary: 'News, newest first',
  cache: { freshMs: NEWS_CACHE_MS, stored: true },
  input: {
    params: z.object({
      type: wholeNumberParam('Type').meta({ description: '0: every type, 1: guides, 2: events' }),
      count: wholeNumberParam('Count').meta({ description: '1 to 50' }),
      paged: wholeNumberParam('Page').meta({ description: '0: the first `count` items, n ≥ 1: page n' }),
      latestflag: wholeNumberParam('The latest flag').meta({ description: '1: only the newest `count` items' }),
    }),
    query: z.object({ only: z.literal('patch-notes').optional().meta({ description: 'Only patch notes' }) }),
  },
  output: z.object({ data: z.array(newsItemSchema), total: z.int(), last_page: z.int() }),
})

export const getSpecificNews = news.get('/getspecificnews/{id}', {
  summary: 'One news item in a list; the list is empty for an unknown id',
  cache: { freshMs: NEWS_CACHE_MS, stored: true },
  input: { params: z.object({ id: wholeNumberParam('Id') }) },
  output: z.object({ data: z.array(newsItemSchema) }),
})

/** The text of an item; a draft may be incomplete. */
export const newsTextForm = f.object({
  subject: lineField(NEWS_SUBJECT_MAX),
  type: f.literal([0, 1, 2], 'Choose news, guide or event.'),
  author: lineField(NEWS_AUTHOR_MAX),
  content: f
    .string('Write a text.')
    .check(
      f.maxLength(NEWS_CONTENT_MAX, 'This text is too long. Write a second part.'),
      f.regex(/^\P{Cs}*$/u, 'This text has broken characters.'),
    ),
  picture: pictureField,
  show_picture: f.boolean('Choose whether the picture is shown.'),
  patch_notes: f.boolean('Choose whether these are patch notes.'),
})

/** The kinds of items. */
export const NEWS_TYPES = { 0: 'News', 1: 'Guide', 2: 'Event' } as const

export const newsTextFields = describeFields(newsTextForm, {
  subject: 'Subject',
  type: { label: 'Kind', options: NEWS_TYPES },
  author: { label: 'Writer', hint: 'as readers see it' },
  content: { label: 'Text as HTML', kind: 'long', rows: 18 },
  picture: { label: 'Picture of the item', use: 'news' },
  show_picture: 'Show the picture above the text',
  patch_notes: 'These are patch notes: readers can list them alone',
})

export type NewsText = f.output<typeof newsTextForm>

export const draftForm = f.object({
  id: recordIdField,
  version: f.number('Load the page again.').check(f.int()),
  ...newsTextForm.shape,
  /** Saves the text even if another operator has saved one; that text becomes an earlier version. */
  replace: f._default(f.boolean(), false),
})

const newsType = z.literal([0, 1, 2], 'Choose news, guide or event.')
const revisionNotFound = { status: 404, message: 'There is no such version.' } as const
const newsNotFound = { status: 404, message: 'There is no such item.' } as const
const inTrash = { status: 409, message: 'This item is in the trash. Restore it first.' } as const
const conflict = {
  status: 409,
  message: 'Someone else has changed this in the meantime.',
} as const

export const NEWS_STATES = ['draft', 'scheduled', 'published', 'hidden', 'trash'] as const
const state = z.enum(NEWS_STATES)

const textSchema = z.object(newsTextForm.shape)

const itemSchema = z
  .object({
    id: positiveId,
    version: z.int().meta({ description: 'Increases with every change at the desk' }),
    state,
    created_at: offsetMoment.nullable().meta({ description: 'When it appears or appeared' }),
    trashed_at: offsetMoment.nullable(),
    text: textSchema.meta({ description: 'The draft, or the published text if there is no draft' }),
    has_draft: z.boolean(),
    published: textSchema.nullable().meta({
      description:
        'The text that readers see, will see at the scheduled time, or saw before the item was hidden; null if it was never published',
    }),
    saved_at: offsetMoment.nullable(),
    saved_by: z.string().nullable(),
  })
  .meta({ id: 'DeskNews' })

const changeOutput = z.object({ message: z.string(), item: itemSchema })
const itemInput = { body: z.object({ id: positiveId, version: z.int() }) }

export const getDeskNews = desk.list('/admin/news', {
  summary: 'News, events and guides, newest first; without a state, all except those in the trash',
  sorts: [''],
  filters: {
    q: textFilter.meta({ description: 'Part of the subject' }),
    type: choiceFilter(['0', '1', '2']),
    state: choiceFilter([...NEWS_STATES, 'edited']).meta({
      description: 'edited: has changes that are not published',
    }),
  },
  row: z.object({
    id: positiveId,
    subject: z.string(),
    type: newsType,
    author: z.string(),
    state,
    created_at: offsetMoment.nullable(),
    trashed_at: offsetMoment.nullable(),
    has_draft: z.boolean(),
    saved_at: offsetMoment.nullable(),
    saved_by: z.string().nullable(),
  }),
})

export const getDeskNewsItem = desk.read('/admin/news/{id}', {
  summary: 'An item with its draft',
  input: { params: z.object({ id: idParam(newsNotFound.message) }) },
  output: itemSchema,
  errors: { newsNotFound },
})

export const createNews = desk.write('/admin/news/create', {
  title: 'Create news',
  summary: 'Create an item with an empty draft',
  input: { body: z.object({ type: newsType }) },
  output: changeOutput,
})

export const saveDraft = desk.write('/admin/news/draft', {
  title: 'Save news draft',
  summary: 'Save a draft; the published text does not change',
  idempotent: false,
  fields: draftForm,
  output: changeOutput,
  errors: { newsNotFound, inTrash, conflict },
})

export const discardDraft = desk.write('/admin/news/discard', {
  title: 'Discard news draft',
  summary: 'Go back to the published text; the draft becomes an earlier version',
  idempotent: false,
  input: itemInput,
  output: changeOutput,
  errors: {
    newsNotFound,
    inTrash,
    conflict,
    neverOut: { status: 409, message: 'This item was never published, so it has no published text.' },
  },
})

export const publishNews = desk.write('/admin/news/publish', {
  title: 'Publish news',
  summary: 'Publish the draft, now or at a later time',
  access: 'news.publish',
  input: {
    body: z.object({
      id: positiveId,
      version: z.int(),
      at: z.iso
        .datetime({ offset: true })
        .nullable()
        .default(null)
        .meta({ description: 'Null: now; an item that was published before keeps its date' }),
    }),
  },
  output: changeOutput,
  errors: {
    newsNotFound,
    inTrash,
    conflict,
    isOut: {
      status: 422,
      message: 'Readers can already see this item. Publish the changes now, or hide it first.',
      field: 'at',
    },
  },
})

export const hideNews = desk.write('/admin/news/hide', {
  title: 'Unpublish news',
  summary: 'Unpublish an item; its text stays at the desk',
  access: 'news.publish',
  idempotent: false,
  input: itemInput,
  output: changeOutput,
  errors: { newsNotFound, inTrash, conflict },
})

const wasOut = {
  status: 403,
  message: 'This item was published or scheduled, so only an operator who may publish news can do this.',
} as const

export const trashNews = desk.write('/admin/news/trash', {
  title: 'Move news to trash',
  summary:
    'Move an item to the trash, where it stays for 30 days; an item that was ever published or is scheduled needs the permission to publish',
  idempotent: false,
  input: itemInput,
  output: changeOutput,
  errors: { newsNotFound, inTrash, conflict, wasOut },
})

export const untrashNews = desk.write('/admin/news/untrash', {
  title: 'Restore news from trash',
  summary:
    'Restore an item from the trash; it is not shown until it is published again. If it was published before, this needs the permission to publish',
  idempotent: false,
  input: itemInput,
  output: changeOutput,
  errors: { newsNotFound, conflict, wasOut },
})

const revisionRow = z.object({
  revision: positiveId,
  kind: z.enum(['published', 'replaced']),
  subject: z.string(),
  saved_at: moment,
  saved_by: z.string().nullable(),
})

export const getRevisions = desk.list('/admin/news/revisions', {
  summary: 'The earlier versions of an item, the newest first',
  sorts: [''],
  filters: { id: z.coerce.number().int().positive() },
  row: revisionRow,
})

export const getRevision = desk.read('/admin/news/revisions/{revision}', {
  summary: 'An earlier version of an item',
  input: { params: z.object({ revision: idParam(revisionNotFound.message) }) },
  output: z.object({ ...revisionRow.shape, news: positiveId, text: textSchema }),
  errors: { revisionNotFound },
})

export const restoreRevision = desk.write('/admin/news/restore', {
  title: 'Restore news version',
  summary: 'Make an earlier version the draft; the current draft becomes an earlier version',
  idempotent: false,
  input: { body: z.object({ id: positiveId, version: z.int(), revision: positiveId }) },
  output: changeOutput,
  errors: { newsNotFound, inTrash, conflict, revisionNotFound },
})

export const previewNews = desk.read('/admin/news/preview', {
  title: 'Preview news',
  summary: 'An address that shows the draft in the real page for ten minutes',
  method: 'POST',
  input: { body: z.object({ id: positiveId }) },
  output: z.object({ path: z.string() }),
  errors: { newsNotFound },
})
