import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'
import { wholeNumber } from './paging.ts'

/** A news item as it travels (SPEC §3). `type`: 0 general, 1 guide, 2 event. */
export const newsItemSchema = z
  .object({
    id: z.int(),
    subject: z.string(),
    content: z.string().meta({ description: 'Sanitised HTML' }),
    type: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    created_at: z.iso.datetime({ offset: true }).nullable(),
    author: z.string(),
    img_thumbnail: z.string().nullable(),
    IsShowThumbnail: z.union([z.literal(0), z.literal(1)]),
  })
  .meta({ id: 'NewsItem' })

export type NewsItem = z.infer<typeof newsItemSchema>

export const getNewsAll = endpoint({
  method: 'get',
  path: '/getnewsall/{type}/{count}/{paged}/{latestflag}',
  summary: 'News, newest first',
  tags: ['news'],
  request: {
    params: z.object({
      type: wholeNumber.meta({ description: '0 every type, 1 guides, 2 events' }),
      count: wholeNumber.meta({ description: '1 to 50' }),
      paged: wholeNumber.meta({ description: '0 the first `count`, n ≥ 1 page n' }),
      latestflag: wholeNumber.meta({ description: '1 only the newest `count`' }),
    }),
  },
  responses: {
    200: jsonAnswer(
      'The items, and how many there are in all',
      z.object({ data: z.array(newsItemSchema), total: z.int(), last_page: z.int() }),
    ),
    422: errorAnswer('Not a number'),
  },
})

export const getSpecificNews = endpoint({
  method: 'get',
  path: '/getspecificnews/{id}',
  summary: 'One news item, as a list of one; an unknown id gives an empty list',
  tags: ['news'],
  request: { params: z.object({ id: wholeNumber }) },
  responses: {
    200: jsonAnswer('The item', z.object({ data: z.array(newsItemSchema) })),
    422: errorAnswer('Not a number'),
  },
})
