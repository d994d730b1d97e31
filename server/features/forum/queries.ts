import { sql } from 'kysely'
import type { z } from 'zod'
import { DAY_MS } from '#contract/durations.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import {
  FORUM_BOARD_PAGES_MAX,
  FORUM_HOT_MAX,
  FORUM_LAST_WRITERS_MAX,
  FORUM_LATEST_MAX,
  FORUM_PAGE_SIZE,
  type ForumAuthor,
  type getActivity,
  type getForum,
  type topicRowSchema,
} from '#contract/forum.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { STAFF_NAME } from '#contract/messages.ts'
import { isErasing } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import { isHidden } from '../rankings/queries.ts'
import { findPictures } from './markdown.ts'

export type PostState = 'visible' | 'held' | 'rejected' | 'deleted'

const BOARD_COLUMNS = ['category', 'name', 'description', 'is_gallery', 'level_needed', 'read_only', 'emblem'] as const

/** The number of a board's newest topics that are searched for its last writers. */
const SEARCHED_TOPICS_MAX = 10

/** Selects every board in order, with its newest visible post and the last writers in its newest topics. */
export async function selectBoards(db: Db) {
  const { rows } = await sql<
    Omit<CallAnswer<typeof getForum>['boards'][number], 'last' | 'last_writers'> & {
      topic: number | null
      title: string
      number: number
      at: Date
      author: number | null
      writers: number[]
    }
  >`
    select b.category, b.name, b.description, b.is_gallery, b.level_needed, b.read_only, b.emblem,
      b.topic_count as topics, b.post_count as posts,
      t.topic, t.title, t.last_number as number, t.last_post_at as at, t.last_author as author,
      array(
        select last_author from (
          select n.last_author, n.last_post_at from forum_topics n
          where n.category = b.category and n.state = 'visible' and n.last_author is not null
          order by n.last_post_at desc limit ${sql.lit(SEARCHED_TOPICS_MAX)}) n
        group by last_author order by max(last_post_at) desc limit ${sql.lit(FORUM_LAST_WRITERS_MAX)}) as writers
    from forum_boards b left join lateral (
      select * from forum_topics t where t.category = b.category and t.state = 'visible'
      order by t.last_post_at desc limit 1) t on true
    order by b.position, b.category`.execute(db)
  return rows
}

/** A row from the database, with the account of a topic's last writer. */
export type WithLastAuthor<Row> = Omit<Row, 'last_writer'> & { last_author: number | null }

/** Replaces the accounts of the last writers in rows by their visible names. */
export async function addLastWriters<Row extends { last_author: number | null }>(db: Db, rows: Row[]) {
  const findAuthor = await selectAuthors(
    db,
    rows.map((row) => row.last_author),
  )
  return rows.map(({ last_author, ...row }) => ({ ...row, last_writer: findAuthor(last_author) }))
}

/**
 * Selects the topics with the most replies within 24 hours, and the topics with the newest posts. Reads only the posts of a
 * day and the newest topics of each board.
 */
export async function selectActivity(db: Db, now: Date) {
  const from = new Date(now.getTime() - DAY_MS)
  const repliesToday = sql`(
    select topic, count(*)::int as replies from forum_posts
    where state = 'visible' and title = '' and shown_at > ${from} group by topic)`
  const columns = sql`t.topic, t.category, b.name as board, t.title, t.last_number, t.last_post_at, t.last_author,
    coalesce(r.replies, 0) as replies_today`
  const { rows: hot } = await sql<WithLastAuthor<CallAnswer<typeof getActivity>['hot'][number]>>`
    select ${columns}
    from ${repliesToday} r
    join forum_topics t on t.topic = r.topic and t.state = 'visible' join forum_boards b on b.category = t.category
    order by r.replies desc, t.last_post_at desc, t.topic limit ${sql.lit(FORUM_HOT_MAX)}`.execute(db)
  const { rows: latest } = await sql<WithLastAuthor<CallAnswer<typeof getActivity>['hot'][number]>>`
    select ${columns}
    from (
      select n.* from forum_boards o cross join lateral (
        select * from forum_topics n where n.category = o.category and n.state = 'visible'
        order by n.last_post_at desc limit ${sql.lit(FORUM_LATEST_MAX)}) n
      order by n.last_post_at desc, n.topic limit ${sql.lit(FORUM_LATEST_MAX)}) t
    join forum_boards b on b.category = t.category left join ${repliesToday} r on r.topic = t.topic
    order by t.last_post_at desc, t.topic`.execute(db)
  return { hot, latest }
}

/** Selects a board with its number of visible topics. */
export function selectBoard(db: Db, category: number) {
  return db
    .selectFrom('forum_boards')
    .where('category', '=', category)
    .select([...BOARD_COLUMNS, 'topic_count'])
    .executeTakeFirst()
}

export type TopicRow = Omit<z.input<typeof topicRowSchema>, 'posts' | 'author' | 'last_author' | 'last_writer'> & {
  author: number
  last_author: number | null
  state: PostState
  post_count: number
}

const TOPIC_COLUMNS = sql`t.topic, t.category, t.title, t.author, t.state, t.pinned, t.locked, t.picture, t.post_count, t.last_number,
  t.views, t.created_at, t.last_post_at, t.last_author,
  exists (select from forum_polls p where p.topic = t.topic) as has_poll,
  t.post_count - (
    select count(*)::int from forum_posts o where o.topic = t.topic and o.title <> '' and o.state = 'visible') as replies`

/** The time of a topic's last post in microseconds since 1970. */
const lastPostMicroseconds = sql`(extract(epoch from t.last_post_at) * 1000000)::bigint`

/**
 * Selects the topics of a page of a board: pinned ones first, then by their newest post. A numbered page reads the index
 * from its beginning, so the number of pages is limited; `before`, a cursor from `older`, selects the topics that follow it.
 */
export async function selectTopics(
  db: Db,
  category: number,
  { page, before }: { page: number; before: string | undefined },
): Promise<{ rows: TopicRow[]; older: string | null }> {
  const [microseconds = '', topic = ''] = before?.split('-') ?? []
  const pageClause =
    before === undefined
      ? sql`order by t.pinned desc, t.last_post_at desc, t.topic desc offset ${(page - 1) * FORUM_PAGE_SIZE}`
      : sql`and not t.pinned and (t.last_post_at, t.topic) <
          (timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${topic}::bigint)
          order by t.last_post_at desc, t.topic desc`
  const { rows } = await sql<TopicRow & { microseconds: number }>`
    select ${TOPIC_COLUMNS}, ${lastPostMicroseconds} as microseconds from forum_topics t
    where t.category = ${category} and t.state = 'visible' ${pageClause} limit ${sql.lit(FORUM_PAGE_SIZE + 1)}`.execute(
    db,
  )
  const pageRows = rows.slice(0, FORUM_PAGE_SIZE)
  const lastRow = pageRows.at(-1)
  const isLastPage = rows.length <= FORUM_PAGE_SIZE || lastRow === undefined || lastRow.pinned
  const canContinue = before !== undefined || page === FORUM_BOARD_PAGES_MAX
  return { rows: pageRows, older: isLastPage || !canContinue ? null : `${lastRow.microseconds}-${lastRow.topic}` }
}

/** Selects a topic in any state. */
export async function selectTopic(db: Db, topic: number): Promise<TopicRow | undefined> {
  const { rows } = await sql<TopicRow>`select ${TOPIC_COLUMNS} from forum_topics t where t.topic = ${topic}`.execute(db)
  return rows[0]
}

export type PostRow = {
  post: number
  topic: number
  number: number
  author: number
  state: PostState
  html: string
  shown_at: Date
  edited_at: Date | null
  deleted_by: number | null
  like_count: number
}

/** Selects the posts of a page by their numbers, so every page is equally fast. */
export function selectPosts(db: Db, topic: number, page: number): Promise<PostRow[]> {
  return db
    .selectFrom('forum_posts')
    .where('topic', '=', topic)
    .where('number', '>', (page - 1) * FORUM_PAGE_SIZE)
    .where('number', '<=', page * FORUM_PAGE_SIZE)
    .select(['post', 'topic', 'number', 'author', 'state', 'html', 'shown_at', 'edited_at', 'deleted_by', 'like_count'])
    .orderBy('number')
    .$castTo<PostRow>()
    .execute()
}

/** Selects the pictures in a text that its author uploaded, in their order. */
export async function selectPictures(db: Db, { author, body }: { author: number; body: string }) {
  const urls = findPictures(body)
  if (urls.length === 0) return []
  const pictures = await db
    .selectFrom('forum_pictures')
    .where('uploaded_by', '=', author)
    .where('url', 'in', urls)
    .select(['url', 'width', 'height', 'small_url'])
    .execute()
  return pictures.sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url))
}

/** Returns the pictures that a rendered text shows. The first becomes the picture of its topic. */
export const filterShownPictures = <Picture extends { url: string }>(html: string, pictures: readonly Picture[]) =>
  pictures.filter(({ url }) => html.includes(`src="${url}"`))

/** Selects the poll of a topic with its answers. */
export async function selectPoll(db: Db, topic: number) {
  const poll = await db.selectFrom('forum_polls').where('topic', '=', topic).selectAll().executeTakeFirst()
  if (poll === undefined) return null
  const options = await db
    .selectFrom('forum_poll_options')
    .where('topic', '=', topic)
    .select(['option', 'words', 'votes'])
    .orderBy('option')
    .execute()
  const { question, choices_max, closes_at, voters } = poll
  return { question, choices_max, closes_at, voters, options }
}

/** The visible name of a player without a character, or whose account waits for its erasure (UNDO-3). */
const FORMER_PLAYER = 'Former player'

const UNKNOWN_AUTHOR: ForumAuthor = {
  name: FORMER_PLAYER,
  ChaNum: null,
  ChaLevel: null,
  ChaClass: null,
  ChaSchool: null,
  is_staff: false,
  posts: 0,
}

/**
 * Selects the visible names of accounts: the name of the character with the highest level, or for staff without a character
 * their name for players. `ChaNum` is null if the character has no page.
 *
 * @returns a function that returns the author of an account
 */
export async function selectAuthors(db: Db, userNums: Iterable<number | null>) {
  const accountNums = [...new Set([...userNums].filter((userNum) => userNum !== null))]
  const authors = new Map<number, ForumAuthor>()
  const { rows } = await sql<{
    user_num: number
    staff_name: string
    is_erasing: boolean
    is_staff: boolean
    posts: number
    cha_num: number | null
    cha_name: string | null
    cha_level: number | null
    cha_class: string | null
    cha_school: number | null
  }>`
    select a.user_num, a.staff_name, ${isErasing('a')} as is_erasing, a.user_type >= ${sql.lit(ADMIN_USER_TYPE)} as is_staff,
      coalesce(m.post_count, 0) as posts, c.cha_name, c.cha_level, c.cha_class, c.cha_school,
      case when a.blocked_at is null and c.kept_out = '' and not ${isHidden('c')} then c.cha_num end as cha_num
    from accounts a left join forum_members m on m.user_num = a.user_num left join lateral (
      select * from characters c where c.user_num = a.user_num order by c.cha_level desc, c.cha_num limit 1) c on true
    where a.user_num = any(${accountNums}::bigint[])`.execute(db)
  for (const row of rows)
    if (!row.is_erasing)
      authors.set(row.user_num, {
        name: row.cha_name ?? (row.is_staff ? row.staff_name || STAFF_NAME : FORMER_PLAYER),
        ChaNum: row.cha_num,
        ChaLevel: row.cha_level,
        ChaClass: row.cha_class,
        ChaSchool: row.cha_school,
        is_staff: row.is_staff,
        posts: row.posts,
      })
  return (userNum: number | null) => (userNum === null ? UNKNOWN_AUTHOR : (authors.get(userNum) ?? UNKNOWN_AUTHOR))
}
