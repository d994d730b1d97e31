import { z } from 'zod'
import { choiceFilter, deskList, deskQuery, textFilter } from './desk-list.ts'
import { draftForm, newsTextForm } from './desk-news-fields.ts'
import { endpoint } from './endpoint.ts'

const unit = z.int().positive()
const moment = z.iso.datetime({ offset: true }).nullable()
const newsType = z.literal([0, 1, 2], 'Choose news, guide or event.')
const noNews = { status: 404, message: 'There is no such item.' } as const
const inTrash = { status: 409, message: 'This item is in the trash. Restore it first.' } as const
const changedMeanwhile = {
  status: 409,
  message: 'Someone else has changed this in the meantime.',
} as const

export const NEWS_STATES = ['draft', 'scheduled', 'published', 'hidden', 'trash'] as const
const state = z.enum(NEWS_STATES)

const textSchema = z.object(newsTextForm.shape)

const itemSchema = z
  .object({
    id: unit,
    version: z.int().meta({ description: 'Counts every change at the desk' }),
    state,
    created_at: moment.meta({ description: 'When it appears or appeared' }),
    trashed_at: moment,
    text: textSchema.meta({ description: 'The draft, or what is published where there is none' }),
    has_draft: z.boolean(),
    published: textSchema.nullable().meta({ description: 'What readers see, or saw before it was hidden' }),
    saved_at: moment,
    saved_by: z.string().nullable(),
  })
  .meta({ id: 'DeskNews' })

const changed = z.object({ message: z.string(), item: itemSchema })
const oneItem = { body: z.object({ id: unit, version: z.int() }) }

export const getDeskNews = endpoint({
  method: 'GET',
  path: '/admin/news',
  summary: 'News, events and guides, the newest first; without a state, all but the trash',
  area: 'desk: news',
  access: 'news.read',
  input: {
    query: deskQuery([''], {
      q: textFilter.meta({ description: 'Part of the subject' }),
      type: choiceFilter(['0', '1', '2']),
      state: choiceFilter([...NEWS_STATES, 'edited']).meta({
        description: 'edited: has changes that are not published',
      }),
    }),
  },
  output: deskList(
    z.object({
      id: unit,
      subject: z.string(),
      type: newsType,
      author: z.string(),
      state,
      created_at: moment,
      trashed_at: moment,
      has_draft: z.boolean(),
      saved_at: moment,
      saved_by: z.string().nullable(),
    }),
  ),
})

export const getDeskNewsItem = endpoint({
  method: 'GET',
  path: '/admin/news/{id}',
  summary: 'An item with its draft',
  area: 'desk: news',
  access: 'news.read',
  input: { params: z.object({ id: z.coerce.number().int().positive() }) },
  output: itemSchema,
  errors: { noNews },
})

export const createNews = endpoint({
  method: 'POST',
  path: '/admin/news/create',
  summary: 'Begin a draft',
  area: 'desk: news',
  access: 'news.write',
  idempotent: true,
  input: { body: z.object({ type: newsType }) },
  output: changed,
})

export const saveDraft = endpoint({
  method: 'POST',
  path: '/admin/news/draft',
  summary: 'Save a draft; what is published stays as it is',
  area: 'desk: news',
  access: 'news.write',
  input: { body: z.object(draftForm.shape) },
  fields: draftForm,
  output: changed,
  errors: { noNews, inTrash, changedMeanwhile },
})

export const discardDraft = endpoint({
  method: 'POST',
  path: '/admin/news/discard',
  summary: 'Go back to what is published; the draft becomes a revision',
  area: 'desk: news',
  access: 'news.write',
  input: oneItem,
  output: changed,
  errors: { noNews, inTrash, changedMeanwhile, neverOut: { status: 409, message: 'It has never been published.' } },
})

export const publishNews = endpoint({
  method: 'POST',
  path: '/admin/news/publish',
  summary: 'Publish the draft, now or at a later time',
  area: 'desk: news',
  access: 'news.publish',
  idempotent: true,
  input: {
    body: z.object({
      id: unit,
      version: z.int(),
      at: moment.default(null).meta({ description: 'Null: now; an item that has been out keeps its date' }),
    }),
  },
  output: changed,
  errors: {
    noNews,
    inTrash,
    changedMeanwhile,
    isOut: {
      status: 422,
      message: 'Readers can already see this item. Publish the changes now, or hide it first.',
      field: 'at',
    },
  },
})

export const hideNews = endpoint({
  method: 'POST',
  path: '/admin/news/hide',
  summary: 'Unpublish an item; its text stays at the desk',
  area: 'desk: news',
  access: 'news.publish',
  input: oneItem,
  output: changed,
  errors: { noNews, inTrash, changedMeanwhile },
})

const wasOut = {
  status: 403,
  message: 'This item was published, so only someone who may publish can do this.',
} as const

export const trashNews = endpoint({
  method: 'POST',
  path: '/admin/news/trash',
  summary: 'Move an item to the trash, where it stays for 30 days; a published one needs the permission to publish',
  area: 'desk: news',
  access: 'news.write',
  input: oneItem,
  output: changed,
  errors: { noNews, inTrash, changedMeanwhile, wasOut },
})

export const untrashNews = endpoint({
  method: 'POST',
  path: '/admin/news/untrash',
  summary: 'Restore an item from the trash; it is not shown until it is published again',
  area: 'desk: news',
  access: 'news.write',
  input: oneItem,
  output: changed,
  errors: { noNews, changedMeanwhile, wasOut },
})

const revisionRow = z.object({
  revision: unit,
  kind: z.enum(['published', 'replaced']),
  subject: z.string(),
  saved_at: z.iso.datetime(),
  saved_by: z.string().nullable(),
})

export const getRevisions = endpoint({
  method: 'GET',
  path: '/admin/news/revisions',
  summary: 'The earlier texts of an item, the newest first',
  area: 'desk: news',
  access: 'news.read',
  input: { query: deskQuery([''], { id: z.coerce.number().int().positive() }) },
  output: deskList(revisionRow),
})

export const getRevision = endpoint({
  method: 'GET',
  path: '/admin/news/revisions/{revision}',
  summary: 'An earlier text of an item',
  area: 'desk: news',
  access: 'news.read',
  input: { params: z.object({ revision: z.coerce.number().int().positive() }) },
  output: z.object({ ...revisionRow.shape, news: unit, text: textSchema }),
  errors: { noRevision: { status: 404, message: 'There is no such revision.' } },
})

export const restoreRevision = endpoint({
  method: 'POST',
  path: '/admin/news/restore',
  summary: 'Make an earlier text the draft; the current draft becomes a revision',
  area: 'desk: news',
  access: 'news.write',
  input: { body: z.object({ id: unit, version: z.int(), revision: unit }) },
  output: changed,
  errors: { noNews, inTrash, changedMeanwhile, noRevision: { status: 404, message: 'There is no such revision.' } },
})

export const previewNews = endpoint({
  method: 'POST',
  path: '/admin/news/preview',
  summary: 'An address that shows the draft in the real page for half an hour',
  area: 'desk: news',
  access: 'news.read',
  input: { body: z.object({ id: unit }) },
  output: z.object({ path: z.string() }),
  errors: { noNews },
})
