import { sql } from 'kysely'
import { OWNER } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { findStaff, type Staff } from '#server/http/staff.ts'

/** Returns a moderator's boards, by category; null for all of them. Owners moderate all. */
export async function findModeratedBoards(
  db: Db,
  { userNum, roles }: Pick<Staff, 'userNum' | 'roles'>,
): Promise<number[] | null> {
  if (roles.includes(OWNER)) return null
  const rows = await db.selectFrom('forum_moderators').where('user_num', '=', userNum).select('category').execute()
  return rows.length === 0 ? null : rows.map(({ category }) => category)
}

/** Returns the query for the opening times, as `at`, of the open cases in a moderator's boards, oldest first. */
export const selectOpenCases = ({ userNum, roles }: Pick<Staff, 'userNum' | 'roles'>, kinds: readonly string[]) => sql`
  select c.opened_at as at from forum_cases c join forum_posts p using (post) join forum_topics t using (topic)
  where c.state = 'open' and c.kind = any(${kinds}::text[]) and (${roles.includes(OWNER)}
    or not exists (select from forum_moderators m where m.user_num = ${userNum})
    or exists (select from forum_moderators m where m.user_num = ${userNum} and m.category = t.category))
  order by c.case_num`

/** Returns whether a moderator may moderate a board. */
export const includesBoard = (boards: number[] | null, category: number) => boards === null || boards.includes(category)

/** Returns whether an account may moderate a board. */
export async function mayModerate(db: Db, userNum: number, category: number): Promise<boolean> {
  const staff = await findStaff(db, userNum)
  return (
    staff?.permissions.has('forum.moderate') === true && includesBoard(await findModeratedBoards(db, staff), category)
  )
}
