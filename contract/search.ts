import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { BOARDS } from './game.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { isSearchable, normalWords, SEARCH, SEARCH_KINDS } from './search-words.ts'

const parts = z
  .array(z.object({ text: z.string(), hit: z.boolean() }))
  .meta({ description: 'Plain text in parts; `hit` marks those that match the search' })

/** A search result. Properties of other kinds are null. */
export const searchHitSchema = z
  .object({
    kind: z.enum(SEARCH_KINDS),
    path: z.string().meta({ description: 'Its page on this site' }),
    title: parts,
    excerpt: parts,
    news: z.object({ type: z.int(), created_at: z.iso.datetime({ offset: true }).nullable() }).nullable(),
    item: z
      .object({ price: z.int(), section: z.int(), icon: z.string().nullable(), image_url: z.string().nullable() })
      .nullable(),
    character: z
      .object({
        ChaLevel: z.int(),
        ChaClass: z.string(),
        ChaSchool: z.int(),
        place: z
          .object({ board: z.enum(BOARDS), rank: z.int() })
          .nullable()
          .meta({ description: 'The best rank on this month’s boards, if it is in a top 100' }),
      })
      .nullable(),
    post: z
      .object({ board: z.string(), author: z.string(), at: z.iso.datetime({ offset: true }) })
      .nullable()
      .meta({ description: 'A post of the forum; the title is its topic’s' }),
  })
  .meta({ id: 'SearchHit' })

export type SearchHit = z.infer<typeof searchHitSchema>

export const getSearch = endpoint({
  method: 'GET',
  path: '/search',
  summary: 'Search news, guides, items, characters and the forum; without a kind, the first five of each',
  area: 'search',
  access: 'public',
  cache: { freshMs: 30_000 },
  input: {
    query: z.object({
      q: z
        .string(SEARCH.lengthRule)
        .regex(/^\P{Cc}*$/u, SEARCH.lengthRule)
        .transform(normalWords)
        .refine(isSearchable, SEARCH.lengthRule)
        .meta({
          description: '2 to 80 characters; "quoted words" must be adjacent, -word leaves out results with that word',
        }),
      kind: z.enum(SEARCH_KINDS, SEARCH.kindRule).optional(),
      page: wholeNumberNamed('Page').optional().meta({ description: 'Of one kind, 20 per page' }),
    }),
  },
  output: z.object({
    data: z.array(searchHitSchema),
    counts: z
      .object(
        Object.fromEntries(SEARCH_KINDS.map((kind) => [kind, z.int()])) as Record<
          (typeof SEARCH_KINDS)[number],
          z.ZodInt
        >,
      )
      .meta({ description: 'Up to 80 guides, news, items and posts each, and up to 400 characters' }),
    total: z.int(),
    page: z.int(),
    ...pagingFields,
  }),
})
