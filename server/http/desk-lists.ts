import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { CallAnswer, Endpoint } from '#contract/endpoint.ts'
import { ruleBroken } from '../errors.ts'

/** The type of the rows that a call declares. */
export type RowOf<E extends Endpoint> = CallAnswer<E> extends { rows: (infer Row)[] } ? Row : never

type Condition = RawBuilder<unknown> | false

/** Combines the conditions of a list with `and`. The condition of an unused filter is false. */
export const combineConditions = (conditions: readonly Condition[]) =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== false)], sql` and `)

/** Parses a number that an operator typed. Returns -1, which no row has, for other text. */
export const numberIn = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the condition and order for rows after `after`, by the column with their numbers. @throws Refusal 422 */
export function byNumber(
  column: string,
  after: string,
  isUp = false,
): { behind: Condition; order: RawBuilder<unknown> } {
  const number = sql.ref(column)
  const last = after === '' ? null : parseCursor(after)
  return isUp
    ? { behind: last !== null && sql`${number} > ${last}`, order: number }
    : { behind: last !== null && sql`${number} < ${last}`, order: sql`${number} desc` }
}

/** Returns the condition for rows with an assignee: '' for all rows, `none`, `me`, or a user ID. */
export function isAssigned(column: string, assignee: string, me: number): Condition {
  const to = sql.ref(column)
  if (assignee === '') return false
  if (assignee === 'none') return sql`${to} is null`
  if (assignee === 'me') return sql`${to} = ${me}`
  return sql`${to} = (select user_num from accounts where lower(user_id) = lower(${assignee}))`
}

/** Creates the refusal of an `after` that is not the `next` of a page. */
export const createCursorError = () =>
  ruleBroken('This list cannot continue from there. Please start at its first page.')

/** Parses a `next` that is a number. @throws Refusal 422 for anything else */
export function parseCursor(after: string): number {
  if (!/^\d{1,15}$/.test(after)) throw createCursorError()
  return Number(after)
}

/** Parses a `next` of two numbers, such as `12.345`. @throws Refusal 422 for anything else */
export function parseCursorPair(after: string): [number, number] {
  const [first = '', second = '', ...more] = after.split('.')
  return [parseCursor(first), more.length === 0 ? parseCursor(second) : parseCursor('')]
}

type Page<Row> = { rows: Row[]; next: string | null }

/**
 * Returns a page of a list.
 *
 * @param rows the rows from the cursor on, with at least one more than fits on the page if there are more
 * @param toCursor returns the cursor of a row, after which the next page begins
 * @param show maps a database row to a row of the response; the row itself by default
 */
export function cutPage<Row>(rows: Row[], toCursor: (row: Row) => number | string): Page<Row>
export function cutPage<Row, Shown>(
  rows: Row[],
  toCursor: (row: Row) => number | string,
  show: (row: Row) => Shown,
): Page<Shown>
export function cutPage<Row>(
  rows: Row[],
  toCursor: (row: Row) => number | string,
  show: (row: Row) => unknown = (row) => row,
): Page<unknown> {
  const fitting = rows.slice(0, DESK_PAGE_SIZE)
  const last = fitting.at(-1)
  return {
    rows: fitting.map(show),
    next: rows.length > DESK_PAGE_SIZE && last !== undefined ? String(toCursor(last)) : null,
  }
}
