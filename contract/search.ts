import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { BOARDS, type Board } from './game.ts'
import { pagingFields, wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'

const search = declareCalls('search', 'public')

/** The kinds of results, in the order of the tabs. */
export const SEARCH_KINDS = ['guides', 'news', 'items', 'characters', 'forum'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

const SEARCH_QUERY_MIN = 2
export const SEARCH_QUERY_MAX = 80
export const SEARCH_PAGE_SIZE = 20
/** The number of results per kind while no kind is chosen. */
export const SEARCH_RESULTS_PER_KIND = 5
/** The maximum number of counted and shown results per kind, which bounds the work of a search. */
export const SEARCH_COUNT_MAX: Readonly<Record<SearchKind, number>> = {
  guides: 80,
  news: 80,
  items: 80,
  characters: 400,
  forum: 80,
}

export const SEARCH_TEXTS = {
  heading: 'Search',
  lengthRule: `Search takes ${SEARCH_QUERY_MIN} to ${SEARCH_QUERY_MAX} characters.`,
  kindRule: `Kind must be ${SEARCH_KINDS.slice(0, -1).join(', ')} or ${SEARCH_KINDS.at(-1)}.`,
} as const

/** A part of a text, and whether it matches the query. */
export type TextPart = { text: string; hit: boolean }

/** A character's rank on one of this month's boards. */
export type SearchRank = { board: Board; rank: number }

/** Folds a typed query: full-width letters and digits become plain ones, and invisible characters are removed. */
export const foldQuery = (query: string) => query.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')

/** Folds a query, replaces each run of spaces by one space, and removes spaces at the ends. */
export function trimQuery(input: string): string {
  return foldQuery(input).replace(/\s+/g, ' ').trim()
}

/** Returns a trimmed query in lower case, because searches ignore case. */
export function normalizeQuery(input: string): string {
  return trimQuery(input).toLowerCase()
}

/** Whether the call accepts the length of a trimmed query. */
export function isSearchable(query: string): boolean {
  return query.length >= SEARCH_QUERY_MIN && query.length <= SEARCH_QUERY_MAX
}

const textPartsSchema = z
  .array(z.object({ text: z.string(), hit: z.boolean() }))
  .meta({ description: 'Plain text in parts; `hit` marks a part that matches the search' })

/** A search result. Properties of other kinds are null. */
const searchHitSchema = z
  .object({
    kind: z.enum(SEARCH_KINDS),
    path: z.string().meta({ description: 'Its page on this site' }),
    title: textPartsSchema,
    excerpt: textPartsSchema,
    news: z.object({ type: z.int(), created_at: offsetMoment.nullable() }).nullable(),
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
      .object({ board: z.string(), author: z.string(), at: offsetMoment })
      .nullable()
      .meta({ description: 'A post of the forum; the title is its topic’s' }),
  })
  .meta({ id: 'SearchHit' })

export type SearchHit = z.infer<typeof searchHitSchema>

export const getSearch = search.get('/search', {
  summary: 'Search news, guides, items, characters and the forum; without a kind, the first five of each',
  cache: { freshMs: 30_000 },
  input: {
    query: z.object({
      q: z
        .string(SEARCH_TEXTS.lengthRule)
        .regex(/^\P{Cc}*$/u, SEARCH_TEXTS.lengthRule)
        .transform(normalizeQuery)
        .refine(isSearchable, SEARCH_TEXTS.lengthRule)
        .meta({
          description: '2 to 80 characters; "quoted words" must be adjacent, -word leaves out results with that word',
        }),
      kind: z.enum(SEARCH_KINDS, SEARCH_TEXTS.kindRule).optional(),
      page: wholeNumberParam('Page').optional().meta({ description: 'A page of one kind, 20 results per page' }),
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
      .meta({
        description:
          'The number of results of each kind, counted up to 400 for `characters` and up to 80 for every other kind',
      }),
    total: z.int(),
    page: z.int(),
    ...pagingFields,
  }),
})
