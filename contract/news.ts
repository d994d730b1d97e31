import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NEWS_CACHE_MS } from './limits.ts'
import { wholeNumberNamed } from './paging.ts'

/** A news item in calls (SPEC §3). `type`: 0 general, 1 guide, 2 event. */
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
  method: 'GET',
  path: '/getnewsall/{type}/{count}/{paged}/{latestflag}',
  summary: 'News, newest first',
  area: 'news',
  access: 'public',
  cache: { freshMs: NEWS_CACHE_MS, stored: true },
  input: {
    params: z.object({
      type: wholeNumberNamed('Type').meta({ description: '0: every type, 1: guides, 2: events' }),
      count: wholeNumberNamed('Count').meta({ description: '1 to 50' }),
      paged: wholeNumberNamed('Page').meta({ description: '0: the first `count` items, n ≥ 1: page n' }),
      latestflag: wholeNumberNamed('The latest flag').meta({ description: '1: only the newest `count` items' }),
    }),
  },
  output: z.object({ data: z.array(newsItemSchema), total: z.int(), last_page: z.int() }),
})

export const getSpecificNews = endpoint({
  method: 'GET',
  path: '/getspecificnews/{id}',
  summary: 'One news item in a list; the list is empty for an unknown id',
  area: 'news',
  access: 'public',
  cache: { freshMs: NEWS_CACHE_MS, stored: true },
  input: { params: z.object({ id: wholeNumberNamed('Id') }) },
  output: z.object({ data: z.array(newsItemSchema) }),
})
