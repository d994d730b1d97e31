import { type RawBuilder, sql } from 'kysely'

/** Rows from one mark of a kept list to the next (005-shop.sql). */
const MARK_EVERY = 50

type Wanted = {
  /** The list's name in `kept_lists`. */
  list: string
  /** From 1; a page past the end is the last one. */
  page: number
  size: number
  /** How many rows at the beginning of the list are not shown. */
  hidden?: RawBuilder<unknown>
}

/**
 * Where a page of a kept list begins, as a query with at most one row: `total` rows are shown in all, and the page is
 * `skip` rows behind the row with the number `mark`. A list that is empty has no row. `offset 0` makes PostgreSQL compute
 * what is in a subquery once.
 */
export function placeOfPage({ list, page, size, hidden = sql`0` }: Wanted): RawBuilder<unknown> {
  return sql`
    select total, marks[skip / ${sql.lit(MARK_EVERY)} + 1] as mark, skip % ${sql.lit(MARK_EVERY)} as skip
    from (
      select total - hidden as total, marks,
        hidden + least(${page}::bigint - 1, greatest(total - hidden - 1, 0) / ${size}::int) * ${size}::int as skip
      from kept_lists, (select ${hidden} as hidden offset 0) beginning where list = ${list} offset 0) kept`
}

/** How many rows have to be read from a mark on, to have the page of this size behind it. */
export const rowsFromMark = (size: number) => MARK_EVERY - 1 + size
