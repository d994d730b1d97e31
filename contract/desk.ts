import { z } from 'zod'
import {
  type Declaration,
  type DeclaredWithDefaults,
  declareEndpoint,
  type EndpointIdentity,
  type StaffAccess,
} from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { DESK_SEARCH_MAX, DESK_SEARCH_RULE } from './limits.ts'
import { foldQuery } from './search.ts'

/**
 * The header with the query of a call below /admin, in the syntax of an address. Queries can contain personal data, and
 * proxies and browsers record addresses.
 */
export const DESK_QUERY_HEADER = 'X-Desk-Query'

/** The number of rows on a page of a list at the desk. */
export const DESK_PAGE_SIZE = 50

/**
 * Returns the schema of a list's query at the desk. `after` is the `next` of the previous page, and `sort` is one of
 * `sorts`; the first one is the default. A filter that is not used is ''.
 */
function listQuerySchema<const Sorts extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sorts,
  filters: Filters,
) {
  return z.object({
    after: z.string().max(500).default(''),
    sort: z.enum(sorts, 'This list cannot be sorted like that.').default(sorts[0] as never),
    ...filters,
  })
}

/** A typed filter, folded like a search (TEXT-3). The database cannot store a NUL character. */
export const textFilter = z
  .string()
  .overwrite(foldQuery)
  .trim()
  .max(DESK_SEARCH_MAX, DESK_SEARCH_RULE)
  .refine((text) => !text.includes('\0'), 'Search for letters and digits.')
  .default('')

/** A filter with a fixed set of values; '' means any. */
export const choiceFilter = <const Values extends readonly string[]>(values: Values) =>
  z.enum(['', ...values], 'Choose one of the values.').default('')

/** A day in Manila, or '' for none. */
export const dayFilter = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2})?$/, 'Enter a day such as 2026-12-31.')
  .default('')

/** A page of a list. `next` is the `after` of the following page, null on the last one. */
export const listPageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), next: z.string().nullable() })

type DeskCall = Omit<Declaration, keyof EndpointIdentity | 'access' | 'output'> & {
  method?: 'POST'
  access?: StaffAccess
}
type ReadingCall = DeskCall & { output: z.ZodType }
type WritingCall = DeskCall & { output?: z.ZodType }
type ListCall = DeskCall & { sorts: readonly [string, ...string[]]; filters: z.ZodRawShape; row: z.ZodType }

/**
 * Declares the calls of an area of the desk. `read` and `write` are the default access of reading and writing calls.
 * `notPersonal` are the fields of audit entries whose texts the program defines.
 */
export function declareDeskCalls<const Read extends StaffAccess, const Write extends StaffAccess = Read>(
  area: string,
  { read, write, notPersonal = [] }: { read: Read; write?: Write; notPersonal?: readonly string[] },
) {
  const declare = (declaration: Omit<Declaration, 'area'>): unknown =>
    declareEndpoint({ area: `desk: ${area}`, notPersonal, ...declaration })
  return {
    /** A reading call. If its input does not fit into a query, it is a POST. */
    read: <const D extends ReadingCall>(path: string, call: D) =>
      declare({ method: 'GET', path, access: read, ...call }) as DeclaredWithDefaults<{ access: Read }, D>,

    /** A paged list. */
    list: <const D extends ListCall>(path: string, { sorts, filters, row, ...call }: D) =>
      declare({
        method: 'GET',
        path,
        access: read,
        input: { query: listQuerySchema(sorts, filters) },
        output: listPageSchema(row),
        ...call,
      }) as DeclaredWithDefaults<
        {
          access: Read
          input: { query: ReturnType<typeof listQuerySchema<D['sorts'], D['filters']>> }
          output: ReturnType<typeof listPageSchema<D['row']>>
        },
        D
      >,

    /** A writing call, which takes effect once per Idempotency-Key. By default it returns a message. */
    write: <const D extends WritingCall>(path: string, call: D) =>
      declare({
        method: 'POST',
        path,
        access: write ?? read,
        idempotent: true,
        output: messageSchema,
        ...call,
      }) as DeclaredWithDefaults<{ access: Write; idempotent: true; output: typeof messageSchema }, D>,
  }
}
