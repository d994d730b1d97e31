import { z } from 'zod'
import { type Declaration, endpoint, type Filled, type Route, type StaffAccess } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { DESK_SEARCH_MAX, DESK_SEARCH_RULE } from './limits.ts'
import { foldQuery } from './search.ts'

/**
 * Takes the query of a call below /admin in a header, in the form of an address, instead of the address or in addition
 * to it: queries can name people, and proxies log addresses and browsers store them.
 */
export const DESK_QUERY_HEADER = 'X-Desk-Query'

/** The number of rows on a page of a list at the desk. */
export const DESK_PAGE_SIZE = 50

/**
 * The query of a list of the desk: `after` is the `next` of the page before, `sort` one of `sorts` ('' is the first), and
 * the list's own filters. A filter that is left out is ''.
 */
function deskQuery<const Sorts extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sorts,
  filters: Filters,
) {
  return z.object({
    after: z.string().max(500).default(''),
    sort: z.enum(sorts, 'This list cannot be sorted like that.').default(sorts[0] as never),
    ...filters,
  })
}

/**
 * A filter that a person types, folded as a search is (TEXT-3). The database has no text with a zero character.
 */
export const textFilter = z
  .string()
  .overwrite(foldQuery)
  .trim()
  .max(DESK_SEARCH_MAX, DESK_SEARCH_RULE)
  .refine((text) => !text.includes('\0'), 'Search for letters and digits.')
  .default('')

/** A filter with a fixed set of values; '' is any. */
export const choiceFilter = <const Values extends readonly string[]>(values: Values) =>
  z.enum(['', ...values], 'Choose one of the values.').default('')

/** A day in Manila, or '' for none. */
export const dayFilter = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2})?$/, 'Enter a day such as 2026-12-31.')
  .default('')

/** A page of a list: `next` is the `after` of the page behind it, null on the last one. */
export const deskList = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), next: z.string().nullable() })

type Call = Omit<Declaration, keyof Route | 'access' | 'output'> & { method?: 'POST'; access?: StaffAccess }
type Reading = Call & { output: z.ZodType }
type Writing = Call & { output?: z.ZodType }
type List = Call & { sorts: readonly [string, ...string[]]; filters: z.ZodRawShape; row: z.ZodType }

/**
 * Declares the calls of an area of the desk. `read` and `write` are the access of its reading and writing calls by
 * default, `codes` the fields of their audit entries that are not personal.
 */
export function deskCalls<const Read extends StaffAccess, const Write extends StaffAccess = Read>(
  area: string,
  { read, write, codes = [] }: { read: Read; write?: Write; codes?: readonly string[] },
) {
  const declare = (declaration: Omit<Declaration, 'area'>): unknown =>
    endpoint({ area: `desk: ${area}`, codes, ...declaration })
  return {
    /** A call that reads. If its input does not fit into a query, it is a POST. */
    read: <const D extends Reading>(path: string, call: D) =>
      declare({ method: 'GET', path, access: read, ...call }) as Filled<{ access: Read }, D>,

    /** A list, page by page. */
    list: <const D extends List>(path: string, { sorts, filters, row, ...call }: D) =>
      declare({
        method: 'GET',
        path,
        access: read,
        input: { query: deskQuery(sorts, filters) },
        output: deskList(row),
        ...call,
      }) as Filled<
        {
          access: Read
          input: { query: ReturnType<typeof deskQuery<D['sorts'], D['filters']>> }
          output: ReturnType<typeof deskList<D['row']>>
        },
        D
      >,

    /** A call that writes, once for each Idempotency-Key. It answers with a message by default. */
    write: <const D extends Writing>(path: string, call: D) =>
      declare({
        method: 'POST',
        path,
        access: write ?? read,
        idempotent: true,
        output: messageSchema,
        ...call,
      }) as Filled<{ access: Write; idempotent: true; output: typeof messageSchema }, D>,
  }
}
