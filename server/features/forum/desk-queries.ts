import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type * as calls from '#contract/desk-forum.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { OWNER } from '#contract/permissions.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import {
  combineConditions,
  createAssigneeCondition,
  createNumberOrder,
  cutPage,
  parseTypedNumber,
  type RowOf,
} from '#server/http/desk-lists.ts'
import { selectStaffWith } from '#server/http/staff.ts'
import { isUndoable } from './decisions.ts'
import { selectAuthors } from './queries.ts'

const EXCERPT_LENGTH = 200
const NEIGHBORS_MAX = 3
const ROWS_MAX = 10

const pageLimit = sql.lit(DESK_PAGE_SIZE + 1)
const matchBoards = (boards: number[] | null) => boards !== null && sql`t.category = any(${boards}::int[])`
/** Returns the condition for a board's filter from the address. A value that is not a category's number matches nothing. */
const matchBoard = (board: string) => board !== '' && sql`t.category = ${/^\d{1,4}$/.test(board) ? Number(board) : 0}`
const selectAccountsByName = (q: string) => sql`(
  select user_num from accounts where lower(user_id) = lower(${q})
  union select user_num from characters where lower(cha_name) = lower(${q}))`

/** The title of a post's topic. For the first post of a topic it is the post's own title, which may wait for approval. */
const topicTitle = sql`coalesce(nullif(p.title, ''), t.title)`

type CaseRow = Omit<RowOf<typeof calls.getForumCases>, 'author_name'>

/** Selects a page of the cases. @param boards the boards of the moderator `me`; null for all */
export async function selectCases(
  db: Db,
  { after, sort, state, kind, board, assignee, q }: ValidInput<typeof calls.getForumCases>,
  { me, boards }: { me: number; boards: number[] | null },
) {
  const { condition: afterCursor, order } = createNumberOrder('c.case_num', after, sort === 'case')
  const conditions = combineConditions([
    matchBoards(boards),
    matchBoard(board),
    state !== '' && sql`c.state = ${state}`,
    kind !== '' && sql`c.kind = ${kind}`,
    createAssigneeCondition('c.assignee', assignee, me),
    q !== '' &&
      (parseTypedNumber(q) >= 0
        ? sql`c.case_num = ${parseTypedNumber(q)}`
        : sql`p.author in ${selectAccountsByName(q)}`),
    afterCursor,
  ])
  const { rows } = await sql<CaseRow>`
    select c.case_num, c.post, p.version, c.kind, c.state, c.outcome, ${topicTitle} as title,
      left(plain_text(left(p.html, 2000)), ${sql.lit(EXCERPT_LENGTH)}) as excerpt, p.title <> '' as is_topic, t.category,
      b.name as board, a.user_id as author, p.author as author_num,
      case when p.held_for = '{}' then c.held_was else p.held_for end as held_for,
      array(select distinct reason from forum_reports r where r.case_num = c.case_num order by reason) as reasons,
      c.report_count as reports,
      (select count(*)::int from forum_case_notes n where n.case_num = c.case_num) as notes,
      o.user_id as assignee, c.opened_at, c.closed_at, d.user_id as closed_by
    from forum_cases c
    join forum_posts p on p.post = c.post
    join forum_topics t on t.topic = p.topic
    join forum_boards b on b.category = t.category
    join accounts a on a.user_num = p.author
    left join accounts o on o.user_num = c.assignee
    left join accounts d on d.user_num = c.closed_by
    where ${conditions} order by ${order} limit ${pageLimit}`.execute(db)
  const findAuthor = await selectAuthors(
    db,
    rows.map((row) => row.author_num),
  )
  return cutPage(
    rows,
    ({ case_num }) => case_num,
    (row) => ({
      ...row,
      author_name: findAuthor(row.author_num).name,
    }),
  )
}

/** Selects a post with its topic and its earlier texts for a moderator; undefined if there is no such post. */
export async function selectPostForDesk(db: Db, postNum: number) {
  const post = await db.selectFrom('forum_posts').where('post', '=', postNum).selectAll().executeTakeFirst()
  const topic = post && (await selectDeskTopic(db, post.topic))
  if (post === undefined || topic === undefined) return undefined
  const revisions = await db
    .selectFrom('forum_revisions')
    .where('post', '=', postNum)
    .select(['title', 'html', 'written_at'])
    .orderBy('revision', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return { post, topic, before: revisions }
}

/** Selects a picture that a post shows, or showed before an edit. */
export async function selectPictureOfPost(db: Db, post: number, url: string) {
  const { rows } = await sql<{ type: string; content: Buffer }>`
    select f.type, f.content from files f
    where f.hash = split_part(substr(${url}, 8), '.', 1) and (
      exists (select from forum_posts where post = ${post} and position(${url} in html) > 0)
      or exists (select from forum_revisions where post = ${post} and position(${url} in html) > 0))`.execute(db)
  return rows[0]
}

type NeighborPost = { post: number; number: number | null; author: number; html: string; created_at: Date }

/** Selects the visible posts before and after a post; for a held post, which has no number, the topic's newest posts. */
export async function selectAround(db: Db, { topic, number }: { topic: number; number: number | null }) {
  const selectNear = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql<NeighborPost>`
      select post, number, author, html, created_at from forum_posts
      where topic = ${topic} and state = 'visible' and ${condition} order by number ${order} limit ${sql.lit(NEIGHBORS_MAX)}`.execute(
      db,
    )
  const earlierPosts = await selectNear(number === null ? sql`true` : sql`number < ${number}`, sql`desc`)
  const laterPosts = number === null ? { rows: [] } : await selectNear(sql`number > ${number}`, sql`asc`)
  const findAuthor = await selectAuthors(
    db,
    [...earlierPosts.rows, ...laterPosts.rows].map(({ author }) => author),
  )
  const toNeighbor = ({ author, ...row }: NeighborPost) => ({
    ...row,
    author_name: findAuthor(author).name,
  })
  return { earlier: earlierPosts.rows.toReversed().map(toNeighbor), later: laterPosts.rows.map(toNeighbor) }
}

/** Selects the cases of a post, newest first, with reports and notes. */
export async function selectCasesOfPost(db: Db, post: { post: number; state: string; html: string }) {
  const rows = await db
    .selectFrom('forum_cases as c')
    .leftJoin('accounts as o', 'o.user_num', 'c.assignee')
    .leftJoin('accounts as d', 'd.user_num', 'c.closed_by')
    .where('c.post', '=', post.post)
    .select(['c.case_num', 'c.kind', 'c.state', 'c.outcome', 'c.post_was', 'c.opened_at', 'c.closed_at'])
    .select(['o.user_id as assignee', 'c.assignee as assignee_num', 'd.user_id as closed_by'])
    .orderBy('c.case_num', 'desc')
    .limit(ROWS_MAX)
    .execute()
  const caseNums = rows.map(({ case_num }) => case_num)
  if (caseNums.length === 0) return []
  const reports = await db
    .selectFrom('forum_reports as r')
    .innerJoin('accounts as a', 'a.user_num', 'r.user_num')
    .where('r.case_num', 'in', caseNums)
    .select(['r.case_num', 'a.user_id as by', 'r.user_num as by_num', 'r.reason', 'r.words', 'r.reported_at'])
    .orderBy('r.reported_at')
    .limit(100)
    .execute()
  const notes = await db
    .selectFrom('forum_case_notes as n')
    .innerJoin('accounts as a', 'a.user_num', 'n.written_by')
    .where('n.case_num', 'in', caseNums)
    .select(['n.case_num', 'n.note', 'n.body', 'a.user_id as written_by', 'n.written_at'])
    .orderBy('n.note')
    .execute()
  const newestCase = caseNums[0] ?? 0
  return rows.map(({ post_was, ...row }) => ({
    ...row,
    can_undo: isUndoable({ ...row, post_was }, post, newestCase),
    reports: reports.filter(({ case_num }) => case_num === row.case_num),
    notes: notes.filter(({ case_num }) => case_num === row.case_num),
  }))
}

type SilenceRow = RowOf<typeof calls.getSilences>

const isActive = (now: Date) => sql`(s.lifted_at is null and s.ends_at > ${now})`
const silenceColumns = (now: Date) => sql`
  s.silence, s.reason, s.starts_at, s.ends_at, by.user_id as silenced_by, s.lifted_at, lifter.user_id as lifted_by,
  ${isActive(now)} as is_on`
const silenceJoins = sql`
  left join accounts by on by.user_num = s.silenced_by left join accounts lifter on lifter.user_num = s.lifted_by`

/** Selects a page of the silences. */
export async function selectSilences(
  db: Db,
  { after, sort, state, q }: ValidInput<typeof calls.getSilences>,
  now: Date,
) {
  const { condition: afterCursor, order } = createNumberOrder('s.silence', after, sort === 'silence')
  const conditions = combineConditions([
    state !== '' && (state === 'on' ? isActive(now) : sql`not ${isActive(now)}`),
    q !== '' && sql`s.user_num in ${selectAccountsByName(q)}`,
    afterCursor,
  ])
  const { rows } = await sql<SilenceRow>`
    select ${silenceColumns(now)}, a.user_id, a.user_num, s.post
    from forum_silences s join accounts a on a.user_num = s.user_num ${silenceJoins}
    where ${conditions} order by ${order} limit ${pageLimit}`.execute(db)
  return cutPage(rows, ({ silence }) => silence)
}

/** Selects an author's record for a moderator. @param post the post in question, whose cases are left out */
export async function selectRecord(db: Db, { author, post, now }: { author: number; post: number; now: Date }) {
  const [accountResult, outcomes, silences, cases, findAuthor] = await Promise.all([
    sql<{ user_id: string; is_staff: boolean; is_blocked: boolean; created_at: Date }>`
      select user_id, user_type >= ${sql.lit(ADMIN_USER_TYPE)} as is_staff, ${isBlocked('a', now)} as is_blocked, created_at
      from accounts a where user_num = ${author}`.execute(db),
    sql<{ outcome: NonNullable<CaseRow['outcome']>; count: number }>`
      select c.outcome, count(*)::int as count from forum_cases c join forum_posts p using (post)
      where p.author = ${author} and c.outcome is not null group by c.outcome`.execute(db),
    sql<Omit<SilenceRow, 'user_id' | 'user_num' | 'post'>>`
      select ${silenceColumns(now)} from forum_silences s ${silenceJoins}
      where s.user_num = ${author} order by s.silence desc limit ${sql.lit(ROWS_MAX)}`.execute(db),
    sql<{
      case_num: number
      post: number
      title: string
      kind: CaseRow['kind']
      outcome: CaseRow['outcome']
      at: Date
    }>`
      select c.case_num, c.post, ${topicTitle} as title, c.kind, c.outcome, coalesce(c.closed_at, c.opened_at) as at
      from forum_cases c join forum_posts p using (post) join forum_topics t using (topic)
      where p.author = ${author} and c.post <> ${post} order by c.case_num desc limit ${sql.lit(ROWS_MAX)}`.execute(db),
    selectAuthors(db, [author]),
  ])
  const [account] = accountResult.rows
  if (account === undefined) throw new Error('The author of a post does not exist.')
  const authorInfo = findAuthor(author)
  const outcomeCounts = { approved: 0, rejected: 0, deleted: 0, dismissed: 0 }
  for (const { outcome, count } of outcomes.rows) outcomeCounts[outcome] = count
  return {
    ...account,
    user_num: author,
    name: authorInfo.name,
    level: authorInfo.ChaLevel,
    posts: authorInfo.posts,
    outcomes: outcomeCounts,
    silences: silences.rows,
    cases: cases.rows,
  }
}

type TopicRow = Omit<RowOf<typeof calls.getDeskTopics>, 'author_name'>

const selectTopicRows = (conditions: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql<TopicRow>`
  select t.topic, t.version, t.title, t.category, b.name as board, t.state, t.pinned, t.locked, t.post_count as posts,
    a.user_id as author, t.author as author_num, t.created_at, t.last_post_at
  from forum_topics t join forum_boards b on b.category = t.category join accounts a on a.user_num = t.author
  where ${conditions} ${order} limit ${pageLimit}`

async function addAuthorNames(db: Db, rows: TopicRow[]) {
  const findAuthor = await selectAuthors(
    db,
    rows.map((row) => row.author_num),
  )
  return rows.map((row) => ({
    ...row,
    author_name: findAuthor(row.author_num).name,
  }))
}

/** Selects a topic for the desk. */
export async function selectDeskTopic(db: Db, topic: number) {
  const { rows } = await selectTopicRows(sql`t.topic = ${topic}`, sql``).execute(db)
  return (await addAuthorNames(db, rows))[0]
}

/** Selects a page of the topics, newest first. */
export async function selectDeskTopics(
  db: Db,
  { after, sort, state, board, mark, q }: ValidInput<typeof calls.getDeskTopics>,
  boards: number[] | null,
) {
  const { condition: afterCursor, order } = createNumberOrder('t.topic', after, sort === 'topic')
  const conditions = combineConditions([
    matchBoards(boards),
    matchBoard(board),
    state !== '' && sql`t.state = ${state}`,
    mark !== '' && (mark === 'pinned' ? sql`t.pinned` : sql`t.locked`),
    q !== '' && (parseTypedNumber(q) >= 0 ? sql`t.topic = ${parseTypedNumber(q)}` : matchTopics(q)),
    afterCursor,
  ])
  const { rows } = await selectTopicRows(conditions, sql`order by ${order}`).execute(db)
  const page = cutPage(rows, ({ topic }) => topic)
  return { ...page, rows: await addAuthorNames(db, page.rows) }
}

/** Finds topics by the text of their titles, where only visible ones have an index, or by their author. */
const matchTopics = (q: string) => sql`t.topic in (
  select topic from forum_posts
  where state = 'visible' and title <> '' and search @@ plainto_tsquery('simple', search_fold(${q}))
  union select topic from forum_topics
  where state <> 'visible' and position(search_fold(${q}) in search_fold(title)) > 0
  union select topic from forum_topics where author in ${selectAccountsByName(q)})`

/** Selects the first post of a topic, and the open cases of its posts. */
export async function selectTopicWork(db: Db, topic: number) {
  const openingPost = await db
    .selectFrom('forum_posts')
    .where('topic', '=', topic)
    .where('title', '<>', '')
    .select(['post', 'html'])
    .executeTakeFirst()
  const { rows } = await sql<{
    case_num: number
    post: number
    kind: CaseRow['kind']
    excerpt: string
    opened_at: Date
  }>`
    select c.case_num, c.post, c.kind, left(plain_text(left(p.html, 2000)), ${sql.lit(EXCERPT_LENGTH)}) as excerpt, c.opened_at
    from forum_cases c join forum_posts p using (post)
    where p.topic = ${topic} and c.state = 'open' order by c.case_num limit ${pageLimit}`.execute(db)
  const cases = rows.slice(0, DESK_PAGE_SIZE)
  return {
    opening: openingPost ?? null,
    cases,
  }
}

/** Selects the boards with their rules and their number of open cases. */
export async function selectDeskBoards(db: Db) {
  const boards = await db.selectFrom('forum_boards').selectAll().orderBy('position').orderBy('category').execute()
  const { rows } = await sql<{ category: number; waiting: number }>`
    select t.category, count(*)::int as waiting
    from forum_cases c join forum_posts p using (post) join forum_topics t using (topic)
    where c.state = 'open' group by t.category`.execute(db)
  return boards.map(({ position: _, topic_count, post_count, ...board }) => ({
    ...board,
    topics: topic_count,
    posts: post_count,
    waiting: rows.find(({ category }) => category === board.category)?.waiting ?? 0,
  }))
}

/** Selects the moderators with their boards; `boards` is null for a moderator of all boards. */
export async function selectModerators(db: Db) {
  const moderators = await selectStaffWith(db, 'forum.moderate')
  const owners = await db.selectFrom('staff_members').where('role', '=', OWNER).select('user_num').execute()
  const rows = await db.selectFrom('forum_moderators').select(['user_num', 'category']).orderBy('category').execute()
  return moderators.map((moderator) => {
    const is_owner = owners.some(({ user_num }) => user_num === moderator.user_num)
    const moderatorBoards = rows
      .filter(({ user_num }) => user_num === moderator.user_num)
      .map(({ category }) => category)
    return { ...moderator, is_owner, boards: is_owner || moderatorBoards.length === 0 ? null : moderatorBoards }
  })
}
