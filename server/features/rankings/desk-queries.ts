import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { getCharacters, getMarks } from '#contract/rankings.ts'
import { isBlocked } from '#server/db/blocked.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createCursorError, cutPage, parseCursor, type RowOf } from '#server/http/desk-lists.ts'

type CharacterRow = RowOf<typeof getCharacters> & { cursor: string }
type Filters = ValidInput<typeof getCharacters>

/**
 * Selects a page of characters: the hidden ones, the matches of a number or the beginning of a name, or all by level.
 * Each filter has an index.
 */
export async function selectCharacters(db: Db, { after, q, state }: Filters, now: Date) {
  const { where, order, cursor } = buildPage(q, state, after)
  const { rows } = await sql<CharacterRow>`
    select c.cha_num, c.cha_name, c.cha_level, c.cha_class, c.cha_school, c.user_num, a.user_id, c.kept_out,
      coalesce(${isBlocked('a', now)}, false) as blocked, h.hidden_at, b.user_id as hidden_by, coalesce(h.reason, '') as reason,
      ${cursor} as cursor
    from characters c
    left join accounts a on a.user_num = c.user_num
    ${state === 'hidden' ? sql`join` : sql`left join`} hidden_characters h on h.cha_num = c.cha_num
    left join accounts b on b.user_num = h.hidden_by
    where ${where} order by ${order} limit ${DESK_PAGE_SIZE + 1}`.execute(db)
  return cutPage(rows, (row) => row.cursor)
}

function buildPage(q: string, state: Filters['state'], after: string) {
  const hasCursor = after !== ''
  const [, sortValue = '', lastNumber = ''] = /^(.{0,200})\|(\d{1,15})$/s.exec(after) ?? []
  if (hasCursor && lastNumber === '') throw createCursorError()
  const matchesQuery =
    q === '' ? sql`true` : /^\d{1,15}$/.test(q) ? sql`(c.cha_num = ${q}::bigint or ${startsWith(q)})` : startsWith(q)
  if (state === 'hidden') {
    const isAfterCursor = hasCursor
      ? sql`(h.hidden_at, h.cha_num) < (${parseMoment(sortValue)}::timestamptz, ${lastNumber}::bigint)`
      : sql`true`
    return {
      where: sql`${matchesQuery} and ${isAfterCursor}`,
      order: sql`h.hidden_at desc, h.cha_num desc`,
      cursor: sql`h.hidden_at::text || '|' || h.cha_num`,
    }
  }
  if (q !== '') {
    const isAfterCursor = hasCursor
      ? sql`search_fold(c.cha_name) ~>=~ ${sortValue} and (search_fold(c.cha_name) ~>~ ${sortValue} or c.cha_num > ${lastNumber}::bigint)`
      : sql`true`
    return {
      where: sql`${matchesQuery} and ${isAfterCursor}`,
      order: sql`search_fold(c.cha_name) using ~<~, c.cha_num`,
      cursor: sql`search_fold(c.cha_name) || '|' || c.cha_num`,
    }
  }
  const isAfterCursor = hasCursor
    ? sql`c.cha_level <= ${parseCursor(sortValue)}::int and (c.cha_level < ${parseCursor(sortValue)}::int or c.cha_num > ${lastNumber}::bigint)`
    : sql`true`
  return { where: isAfterCursor, order: sql`c.cha_level desc, c.cha_num`, cursor: sql`c.cha_level || '|' || c.cha_num` }
}

type MarkRow = Omit<RowOf<typeof getMarks>, 'picture'> & { picture: Uint8Array | null; cursor: string }

/** Selects a page of the marks of clubs, the latest change first. */
export async function selectMarks(db: Db, { after, q, state }: ValidInput<typeof getMarks>) {
  const [, moment = '', lastNumber = ''] = /^(.{0,50})\|(\d{1,15})$/s.exec(after) ?? []
  if (after !== '' && lastNumber === '') throw createCursorError()
  const { rows } = await sql<MarkRow>`
    select k.club, g.name, k.picture, k.read_at, k.hidden_at, k.read_at::text || '|' || k.club as cursor
    from club_marks k join clubs g on g.club = k.club
    where ${combineConditions([
      q !== '' && sql`search_fold(g.name) like search_fold(${`%${escapeLike(q)}%`})`,
      state === 'hidden' && sql`k.hidden_at is not null`,
      after !== '' && sql`(k.read_at, k.club) < (${parseMoment(moment)}::timestamptz, ${lastNumber}::bigint)`,
    ])}
    order by k.read_at desc, k.club desc limit ${DESK_PAGE_SIZE + 1}`.execute(db)
  const page = cutPage(rows, (row) => row.cursor)
  const toDataUrl = (picture: Uint8Array) => `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
  return {
    ...page,
    rows: page.rows.map(({ picture, ...row }) => ({
      ...row,
      club: Number(row.club),
      picture: picture && toDataUrl(picture),
    })),
  }
}

const startsWith = (text: string) => sql`search_fold(c.cha_name) like search_fold(${`${escapeLike(text)}%`})`

function parseMoment(text: string): string {
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.]*[+-]\d\d(:\d\d)?$/.test(text)) return text
  throw createCursorError()
}
