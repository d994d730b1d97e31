import { DESK_PAGE_SIZE } from '#contract/desk-list.ts'
import { ruleBroken } from '../errors.ts'

/** The number that the `next` of a list's page says. @throws Refusal 422 for anything else */
export function cursorNumber(after: string): number {
  if (!/^\d{1,15}$/.test(after)) throw ruleBroken('This list cannot go on from there. Please start at its first page.')
  return Number(after)
}

/** The two numbers of a `next` such as `12.345`. @throws Refusal 422 for anything else */
export function cursorPair(after: string): [number, number] {
  const [first = '', second = '', ...more] = after.split('.')
  return [cursorNumber(first), more.length === 0 ? cursorNumber(second) : cursorNumber('')]
}

/** A page of a list, of which one row more than fits was read. @param cursorOf what the page behind a row is found by */
export function cutPage<Row>(
  rows: Row[],
  cursorOf: (row: Row) => number | string,
): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, DESK_PAGE_SIZE)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > DESK_PAGE_SIZE && last !== undefined ? String(cursorOf(last)) : null }
}
