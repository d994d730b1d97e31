import { sql } from 'kysely'
import type { CallAnswer } from '#contract/endpoint.ts'
import * as calls from '#contract/forum.ts'
import { FORUM_BOARD_PAGES_MAX, FORUM_PAGE_SIZE, type Tombstone } from '#contract/forum.ts'
import { FORUM_BOOKMARKS_MAX, FORUM_UNREAD_MAX_MS } from '#contract/limits.ts'
import { paginate } from '#contract/paging.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { findMissingRequirement, selectRules, selectWriter } from './gate.ts'
import { mayModerate } from './moderators.ts'
import {
  addLastWriters,
  type PostRow,
  selectActivity,
  selectAuthors,
  selectBoard,
  selectBoards,
  selectPoll,
  selectPosts,
  selectTopic,
  selectTopics,
  type TopicRow,
  type WithLastAuthor,
} from './queries.ts'

type AuthorLookup = Awaited<ReturnType<typeof selectAuthors>>

/** Lists the boards with their newest posts (FORUM-3). */
export async function listBoards({ db }: Pick<Deps, 'db'>) {
  const rows = await selectBoards(db)
  const findAuthor = await selectAuthors(
    db,
    rows.flatMap(({ author, writers }) => [author, ...writers]),
  )
  return rows.map(({ topic, title, number, at, author, writers, ...board }) => ({
    ...board,
    last_writers: writers.map(findAuthor),
    last: topic === null ? null : { topic, title, number, at, author: findAuthor(author).name },
  }))
}

/** Reads the topics with the most replies within 24 hours, and those with the newest posts (FORUM-3). */
export async function readActivity({ db, now }: Pick<Deps, 'db' | 'now'>) {
  const { hot, latest } = await selectActivity(db, now())
  const rows = await addLastWriters(db, [...hot, ...latest])
  return { hot: rows.slice(0, hot.length), latest: rows.slice(hot.length) }
}

const toTopic = ({ post_count, state: _, ...row }: TopicRow, findAuthor: AuthorLookup) => ({
  ...row,
  posts: post_count,
  author: findAuthor(row.author),
  last_author: findAuthor(row.last_author).name,
  last_writer: findAuthor(row.last_author),
})

/** Returns a page of a board; the last page for a higher number. @throws Refusal 404 */
export async function readBoard(
  { db }: Pick<Deps, 'db'>,
  { category, page: requestedPage, before }: { category: number; page: number; before: string | undefined },
) {
  const boardRow = await selectBoard(db, clampCategory(category))
  if (boardRow === undefined) throw refuse(calls.getBoard, 'boardNotFound')
  const { topic_count: total, ...board } = boardRow
  const { page, paging } = paginate(
    requestedPage,
    Math.min(total, FORUM_BOARD_PAGES_MAX * FORUM_PAGE_SIZE),
    FORUM_PAGE_SIZE,
  )
  const { rows, older } = await selectTopics(db, category, { page, before })
  const findAuthor = await selectAuthors(
    db,
    rows.flatMap((row) => [row.author, row.last_author]),
  )
  return { board, topics: rows.map((row) => toTopic(row, findAuthor)), total, page, ...paging, older }
}

/** Limits the number of a board to values that the column can hold. */
const clampCategory = (category: number) => Math.min(Math.max(category, 0), 10_000)

const TOMBSTONES: Partial<Record<PostRow['state'], Tombstone>> = {
  deleted: 'deleted',
  rejected: 'removed',
  held: 'waiting',
}

function toPost(row: PostRow, findAuthor: AuthorLookup) {
  const tombstone = row.deleted_by === null ? (TOMBSTONES[row.state] ?? null) : 'removed'
  return {
    post: row.post,
    number: row.number,
    author: findAuthor(row.author),
    tombstone,
    html: tombstone === null ? row.html : '',
    created_at: row.shown_at,
    edited_at: tombstone === null ? row.edited_at : null,
    likes: tombstone === null ? row.like_count : 0,
  }
}

/** Returns a page of a visible topic; the last page for a higher number. @throws Refusal 404 */
export async function readTopic(
  { db }: Pick<Deps, 'db'>,
  { topic, page: requestedPage }: { topic: number; page: number },
) {
  const row = await selectTopic(db, topic)
  const board = row === undefined || row.state !== 'visible' ? undefined : await selectBoard(db, row.category)
  if (row === undefined || board === undefined) throw refuse(calls.getTopic, 'topicNotFound')
  const { page, paging } = paginate(requestedPage, row.last_number, FORUM_PAGE_SIZE)
  const posts = await selectPosts(db, topic, page)
  const poll = row.has_poll ? await selectPoll(db, topic) : null
  const findAuthor = await selectAuthors(db, [row.author, row.last_author, ...posts.map((post) => post.author)])
  return {
    topic: toTopic(row, findAuthor),
    board,
    posts: posts.map((post) => toPost(post, findAuthor)),
    poll,
    page,
    ...paging,
  }
}

/** Returns the earlier texts of a visible post that readers could see, newest first. @throws Refusal 404 */
export async function readHistory({ db }: Pick<Deps, 'db'>, post: number) {
  const readablePost = await selectReadablePost(db, post, null)
  if (readablePost === undefined) throw refuse(calls.getPostHistory, 'postNotFound')
  return db
    .selectFrom('forum_revisions')
    .where('post', '=', post)
    .where('shown', '=', true)
    .select(['title', 'html', 'written_at'])
    .orderBy('revision', 'desc')
    .limit(50)
    .execute()
}

/** Selects a visible post, or a held post of the player. */
async function selectReadablePost(db: Db, post: number, userNum: number | null) {
  const row = await db
    .selectFrom('forum_posts as p')
    .innerJoin('forum_topics as t', 't.topic', 'p.topic')
    .where('p.post', '=', post)
    .select(['p.title', 'p.body', 'p.author', 'p.state', 't.state as topic_state'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isOwnPost = row.author === userNum && (row.state === 'visible' || row.state === 'held')
  return isOwnPost || (row.state === 'visible' && row.topic_state === 'visible') ? row : undefined
}

/** Returns a post in Markdown. @throws Refusal 404 */
export async function readSource({ db }: Pick<Deps, 'db'>, { post, userNum }: { post: number; userNum: number }) {
  const source = await selectReadablePost(db, post, userNum)
  if (source === undefined) throw refuse(calls.getPostSource, 'postNotFound')
  return { title: source.title, body: source.body, is_own: source.author === userNum }
}

/** The number of a board's newest topics that are checked for unread posts. */
const CHECKED_TOPICS_MAX = 100

/** Joins a player's read marks to topics `t`: `m` of the topic, `b` of the board, and the account `a`. */
const joinReadMarks = (userNum: number) => sql`
  left join forum_read_marks m on m.user_num = ${userNum} and m.topic = t.topic
  left join forum_board_marks b on b.user_num = ${userNum} and b.category = t.category
  cross join (select created_at from accounts where user_num = ${userNum}) a`
/** The SQL condition that a topic has new posts for the player (FORUM-3). */
const isUnread = (now: Date) => sql`
  t.last_post_at > greatest(coalesce(b.read_at, a.created_at), ${new Date(now.getTime() - FORUM_UNREAD_MAX_MS)}::timestamptz)
  and t.last_number > coalesce(m.number, 0)`
/** The number of the first unread post in a topic. */
const firstUnreadNumber = sql<number>`coalesce(m.number + 1,
  case when t.created_at > coalesce(b.read_at, a.created_at) then 1 else t.last_number end)`

/** Lists the boards whose newest topics have unread posts for a player. */
export async function listUnreadBoards({ db, now }: Pick<Deps, 'db' | 'now'>, userNum: number): Promise<number[]> {
  const { rows } = await sql<{ category: number }>`
    select f.category from forum_boards f where exists (
      select from (
        select * from forum_topics t where t.category = f.category and t.state = 'visible'
        order by t.last_post_at desc limit ${sql.lit(CHECKED_TOPICS_MAX)}) t ${joinReadMarks(userNum)}
      where ${isUnread(now())})
    order by f.position`.execute(db)
  return rows.map(({ category }) => category)
}

/** Returns a player's own data for the page of a board. @throws Refusal 404 */
export async function readMyBoard(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { category, topics, userNum }: { category: number; topics: number[]; userNum: number },
) {
  const rules = await selectRules(db, clampCategory(category))
  if (rules === undefined) throw refuse(calls.getMyBoard, 'boardNotFound')
  const requirement = findMissingRequirement(await selectWriter(db, userNum, now()), rules)
  const { rows } = await sql<{ topic: number; number: number }>`
    select t.topic, ${firstUnreadNumber} as number
    from forum_topics t ${joinReadMarks(userNum)}
    where t.topic = any(${topics}::bigint[]) and ${isUnread(now())}`.execute(db)
  const heldTopics = await db
    .selectFrom('forum_topics')
    .where('author', '=', userNum)
    .where('category', '=', rules.category)
    .where('state', '=', 'held')
    .select(['topic', 'title', 'created_at'])
    .orderBy('topic', 'desc')
    .limit(20)
    .execute()
  return {
    may_write: requirement === null,
    missing: requirement?.text ?? null,
    unread: rows,
    waiting: heldTopics,
  }
}

/** Returns a player's own data for a page of a topic. @throws Refusal 404 */
export async function readMyTopic(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { topic: topicNum, page: requestedPage, userNum }: { topic: number; page: number; userNum: number },
) {
  const topic = await selectTopic(db, topicNum)
  const rules = topic?.state === 'visible' ? await selectRules(db, topic.category) : undefined
  if (topic === undefined || rules === undefined) throw refuse(calls.getMyTopic, 'topicNotFound')
  const writer = await selectWriter(db, userNum, now())
  const closedText = topic.locked && !writer.isStaff ? calls.writePost.errors.locked.message : null
  const requirement = closedText ?? findMissingRequirement(writer, rules)?.text ?? null
  const { page } = paginate(requestedPage, topic.last_number, FORUM_PAGE_SIZE)
  const { rows: posts } = await sql<{ post: number; is_own: boolean; is_liked: boolean }>`
    select p.post, p.author = ${userNum} as is_own, l.post is not null as is_liked
    from forum_posts p left join forum_likes l on l.post = p.post and l.user_num = ${userNum}
    where p.topic = ${topicNum} and p.number > ${(page - 1) * FORUM_PAGE_SIZE} and p.number <= ${page * FORUM_PAGE_SIZE}
      and (p.author = ${userNum} or l.post is not null)`.execute(db)
  const watch = await db
    .selectFrom('forum_watches')
    .where('topic', '=', topicNum)
    .where('user_num', '=', userNum)
    .select('topic')
    .executeTakeFirst()
  const bookmark = await db
    .selectFrom('forum_bookmarks')
    .where('topic', '=', topicNum)
    .where('user_num', '=', userNum)
    .select('topic')
    .executeTakeFirst()
  const votes = await db
    .selectFrom('forum_votes')
    .where('topic', '=', topicNum)
    .where('user_num', '=', userNum)
    .select('option')
    .orderBy('option')
    .execute()
  const heldPosts = await db
    .selectFrom('forum_posts')
    .where('author', '=', userNum)
    .where('topic', '=', topicNum)
    .where('state', '=', 'held')
    .select(['post', 'html', 'created_at'])
    .orderBy('post')
    .limit(20)
    .execute()
  return {
    may_write: requirement === null,
    missing: requirement,
    watching: watch !== undefined,
    bookmarked: bookmark !== undefined,
    may_moderate: writer.isStaff && (await mayModerate(db, userNum, topic.category)),
    own: posts.filter((row) => row.is_own).map((row) => row.post),
    liked: posts.filter((row) => row.is_liked).map((row) => row.post),
    votes: votes.map((row) => row.option),
    waiting: heldPosts,
  }
}

/** Returns a player's bookmarks of visible topics, the newest first. */
export async function readBookmarks({ db, now }: Pick<Deps, 'db' | 'now'>, userNum: number) {
  const { rows } = await sql<WithLastAuthor<CallAnswer<typeof calls.getBookmarks>['topics'][number]>>`
    select t.topic, t.category, o.name as board, t.title, t.last_number, t.last_post_at, t.last_author, k.bookmarked_at,
      case when ${isUnread(now())} then ${firstUnreadNumber} end as unread
    from forum_bookmarks k join forum_topics t on t.topic = k.topic and t.state = 'visible'
    join forum_boards o on o.category = t.category ${joinReadMarks(userNum)}
    where k.user_num = ${userNum}
    order by k.bookmarked_at desc, t.topic desc limit ${sql.lit(FORUM_BOOKMARKS_MAX)}`.execute(db)
  return addLastWriters(db, rows)
}
