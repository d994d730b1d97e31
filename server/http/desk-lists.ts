import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { CallAnswer, Endpoint } from '#contract/endpoint.ts'
import { createRuleBroken } from '../errors.ts'

/** The type of the rows that a call declares. */
export type RowOf<E extends Endpoint> = CallAnswer<E> extends { rows: (infer Row)[] } ? Row : never

type Condition = RawBuilder<unknown> | false

/** Combines the conditions of a list with `and`. The condition of an unused filter is false. */
export const combineConditions = (conditions: readonly Condition[]) =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== false)], sql` and `)

/** Parses a number that an operator typed. Returns -1, which no row has, for other text. */
export const parseTypedNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the condition and order for rows after `after`, by the column with their numbers. @throws Refusal 422 */
export function createNumberOrder(
  column: string,
  after: string,
  isAscending = false,
): { condition: Condition; order: RawBuilder<unknown> } {
  const number = sql.ref(column)
  const lastRow = after === '' ? null : parseCursor(after)
  return isAscending
    ? { condition: lastRow !== null && sql`${number} > ${lastRow}`, order: number }
    : { condition: lastRow !== null && sql`${number} < ${lastRow}`, order: sql`${number} desc` }
}

/** Returns the condition for rows with an assignee: '' for all rows, `none`, `me`, or a user ID. */
export function createAssigneeCondition(column: string, assignee: string, callerNum: number): Condition {
  const assigneeColumn = sql.ref(column)
  if (assignee === '') return false
  if (assignee === 'none') return sql`${assigneeColumn} is null`
  if (assignee === 'me') return sql`${assigneeColumn} = ${callerNum}`
  return sql`${assigneeColumn} = (select user_num from accounts where lower(user_id) = lower(${assignee}))`
}

/** Creates the refusal of an `after` that is not the `next` of a page. */
export const createCursorError = () =>
  createRuleBroken('This list cannot continue from there. Please start at its first page.')

/** Parses a `next` that is a number. @throws Refusal 422 for anything else */
export function parseCursor(after: string): number {
  if (!/^\d{1,15}$/.test(after)) throw createCursorError()
  return Number(after)
}

/** Parses a `next` of two numbers, such as `12.345`. @throws Refusal 422 for anything else */
export function parseCursorPair(after: string): [number, number] {
  const [firstNumber = '', secondNumber = '', ...moreParts] = after.split('.')
  return [parseCursor(firstNumber), moreParts.length === 0 ? parseCursor(secondNumber) : parseCursor('')]
}

type Page<Row> = { rows: Row[]; next: string | null }

/**
 * Returns a page of a list.
 *
 * @param rows the rows from the cursor on, with at least one more than fits on the page if there are more
 * @param toCursor returns the cursor of a row, after which the next page begins
 * @param toOutput maps a database row to a row of the response; the row itself by default
 */
export function cutPage<Row>(rows: Row[], toCursor: (row: Row) => number | string): Page<Row>
export function cutPage<Row, Output>(
  rows: Row[],
  toCursor: (row: Row) => number | string,
  toOutput: (row: Row) => Output,
): Page<Output>
export function cutPage<Row>(
  rows: Row[],
  toCursor: (row: Row) => number | string,
  toOutput: (row: Row) => unknown = (row) => row,
): Page<unknown> {
  const pageRows = rows.slice(0, DESK_PAGE_SIZE)
  const lastRow = pageRows.at(-1)
  return {
    rows: pageRows.map(toOutput),
    next: rows.length > DESK_PAGE_SIZE && lastRow !== undefined ? String(toCursor(lastRow)) : null,
  }
}
