import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { ruleBroken } from '../errors.ts'

/** The refusal of an `after` that is not the `next` of a page. */
export const wrongCursor = () => ruleBroken('This list cannot continue from there. Please start at its first page.')

/** The number that the `next` of a list's page says. @throws Refusal 422 for anything else */
export function cursorNumber(after: string): number {
  if (!/^\d{1,15}$/.test(after)) throw wrongCursor()
  return Number(after)
}

/** The two numbers of a `next` such as `12.345`. @throws Refusal 422 for anything else */
export function cursorPair(after: string): [number, number] {
  const [first = '', second = '', ...more] = after.split('.')
  return [cursorNumber(first), more.length === 0 ? cursorNumber(second) : cursorNumber('')]
}

type Page<Row> = { rows: Row[]; next: string | null }

/**
 * A page of a list, of which one row more than fits was read.
 *
 * @param cursorOf what the page behind a row is found by
 * @param show makes of a row of the database one of the answer; the row itself unless given
 */
export function cutPage<Row>(rows: Row[], cursorOf: (row: Row) => number | string): Page<Row>
export function cutPage<Row, Shown>(
  rows: Row[],
  cursorOf: (row: Row) => number | string,
  show: (row: Row) => Shown,
): Page<Shown>
export function cutPage<Row>(
  rows: Row[],
  cursorOf: (row: Row) => number | string,
  show: (row: Row) => unknown = (row) => row,
): Page<unknown> {
  const fitting = rows.slice(0, DESK_PAGE_SIZE)
  const last = fitting.at(-1)
  return {
    rows: fitting.map(show),
    next: rows.length > DESK_PAGE_SIZE && last !== undefined ? String(cursorOf(last)) : null,
  }
}
