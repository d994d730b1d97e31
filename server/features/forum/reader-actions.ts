import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import * as calls from '#contract/forum.ts'
import { FORUM_TEXTS, type ReportReason } from '#contract/forum.ts'
import { FORUM_BOOKMARKS_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Caller, getNetwork } from '#server/http/client-address.ts'
import { openCase } from './cases.ts'
import { lockWriter } from './gate.ts'
import { selectPoll } from './queries.ts'

type ReaderDeps = Pick<Deps, 'db' | 'now'>

/** Selects a visible post in a visible topic; undefined for any other. */
function findVisiblePost(db: Db, post: number) {
  return db
    .selectFrom('forum_posts as p')
    .innerJoin('forum_topics as t', 't.topic', 'p.topic')
    .where('p.post', '=', post)
    .where('p.state', '=', 'visible')
    .where('t.state', '=', 'visible')
    .select(['p.post', 'p.author', 'p.topic'])
    .executeTakeFirst()
}

async function isVisibleTopic(db: Db, topic: number): Promise<boolean> {
  const row = await db
    .selectFrom('forum_topics')
    .where('topic', '=', topic)
    .where('state', '=', 'visible')
    .select('topic')
    .executeTakeFirst()
  return row !== undefined
}

async function hasVerifiedEmail(db: Db, userNum: number): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('email_verified_at')
    .executeTakeFirst()
  return row !== undefined && row.email_verified_at !== null
}

/** Likes a post or removes the like. @returns the number of likes @throws Refusal 403, 404, 422 */
export async function likePost(
  { db, now }: ReaderDeps,
  { post, like, userNum }: { post: number; like: boolean; userNum: number },
) {
  const visiblePost = await findVisiblePost(db, post)
  if (visiblePost === undefined) throw refuse(calls.likePost, 'postNotFound')
  if (visiblePost.author === userNum) throw refuse(calls.likePost, 'likeOwn')
  if (!(await hasVerifiedEmail(db, userNum))) throw refuse(calls.likePost, 'confirmEmail')
  if (like)
    await db
      .insertInto('forum_likes')
      .values({ post, user_num: userNum, liked_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('forum_likes').where('post', '=', post).where('user_num', '=', userNum).execute()
  const { like_count } = await db
    .selectFrom('forum_posts')
    .where('post', '=', post)
    .select('like_count')
    .executeTakeFirstOrThrow()
  return like_count
}

/** Starts or stops watching a topic. @throws Refusal 404 */
export async function watchTopic(
  { db, now }: ReaderDeps,
  { topic, watch, userNum }: { topic: number; watch: boolean; userNum: number },
): Promise<void> {
  if (!(await isVisibleTopic(db, topic))) throw refuse(calls.watchTopic, 'topicNotFound')
  if (watch)
    await db
      .insertInto('forum_watches')
      .values({ topic, user_num: userNum, watched_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('forum_watches').where('topic', '=', topic).where('user_num', '=', userNum).execute()
}

/** Bookmarks a topic, or removes its bookmark, even of a deleted topic. @throws Refusal 404, 409 */
export async function bookmarkTopic(
  { db, now }: ReaderDeps,
  { topic, bookmark, userNum }: { topic: number; bookmark: boolean; userNum: number },
): Promise<void> {
  if (!bookmark) {
    await db.deleteFrom('forum_bookmarks').where('topic', '=', topic).where('user_num', '=', userNum).execute()
    return
  }
  await db.transaction().execute(async (tx) => {
    if (!(await isVisibleTopic(tx, topic))) throw refuse(calls.bookmarkTopic, 'topicNotFound')
    // Locks the account, because concurrent calls must not exceed the limit.
    await lockWriter(tx, userNum)
    const bookmarks = await tx.selectFrom('forum_bookmarks').where('user_num', '=', userNum).select('topic').execute()
    if (bookmarks.some((row) => row.topic === topic)) return
    if (bookmarks.length >= FORUM_BOOKMARKS_MAX) throw refuse(calls.bookmarkTopic, 'bookmarksFull')
    await tx.insertInto('forum_bookmarks').values({ user_num: userNum, topic, bookmarked_at: now() }).execute()
  })
}

type PostReport = { post: number; reason: ReportReason; words: string; userNum: number }

/**
 * Reports a post. A player's second report of it changes nothing.
 *
 * @returns the message for the player
 * @throws Refusal 404, 422
 */
export function reportPost({ db, now }: ReaderDeps, { post, reason, words, userNum }: PostReport): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const visiblePost = await findVisiblePost(tx, post)
    if (visiblePost === undefined) throw refuse(calls.reportPost, 'postNotFound')
    if (visiblePost.author === userNum) throw refuse(calls.reportPost, 'reportOwn')
    const earlierReport = await tx
      .selectFrom('forum_reports')
      .where('post', '=', post)
      .where('user_num', '=', userNum)
      .select('post')
      .executeTakeFirst()
    if (earlierReport !== undefined) return FORUM_TEXTS.alreadyReported
    const case_num = await openCase(tx, { post, kind: 'report', now: now() })
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('forum_reports')
      .values({ post, user_num: userNum, case_num, reason, words, reported_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return FORUM_TEXTS.alreadyReported
    await tx
      .updateTable('forum_cases')
      .set((eb) => ({ report_count: eb('report_count', '+', 1) }))
      .where('case_num', '=', case_num)
      .execute()
    return FORUM_TEXTS.reported
  })
}

/** Votes in a poll; a new vote replaces the one before. @throws Refusal 403, 404, 409, 422 */
export async function votePoll({ db, now }: ReaderDeps, vote: { topic: number; options: number[]; userNum: number }) {
  const { topic, userNum } = vote
  const options = [...new Set(vote.options)].sort((a, b) => a - b)
  return db.transaction().execute(async (tx) => {
    if (!(await isVisibleTopic(tx, topic))) throw refuse(calls.votePoll, 'topicNotFound')
    if (!(await hasVerifiedEmail(tx, userNum))) throw refuse(calls.votePoll, 'confirmEmail')
    // Votes run one after another, because two concurrent votes of a player must not both count.
    const poll = await tx
      .selectFrom('forum_polls')
      .where('topic', '=', topic)
      .selectAll()
      .forUpdate()
      .executeTakeFirst()
    if (poll === undefined) throw refuse(calls.votePoll, 'pollNotFound')
    if (poll.closes_at !== null && poll.closes_at <= now()) throw refuse(calls.votePoll, 'pollClosed')
    if (options.length > poll.choices_max) throw refuse(calls.votePoll, 'choicesMany')
    const pollOptions = await tx.selectFrom('forum_poll_options').where('topic', '=', topic).select('option').execute()
    if (!options.every((option) => pollOptions.some((pollOption) => pollOption.option === option)))
      throw refuse(calls.votePoll, 'optionUnknown')
    const formerVotes = await tx
      .deleteFrom('forum_votes')
      .where('topic', '=', topic)
      .where('user_num', '=', userNum)
      .returning('option')
      .execute()
    await tx
      .insertInto('forum_votes')
      .values(options.map((option) => ({ topic, user_num: userNum, option })))
      .execute()
    if (formerVotes.length === 0)
      await tx
        .updateTable('forum_polls')
        .set((eb) => ({ voters: eb('voters', '+', 1) }))
        .where('topic', '=', topic)
        .execute()
    const updatedPoll = await selectPoll(tx, topic)
    if (updatedPoll === null) throw refuse(calls.votePoll, 'pollNotFound')
    return { poll: updatedPoll, votes: options }
  })
}

/** Hashes a guest's address and browser to count views. The hash is stored for two days. */
const hashGuest = ({ address, device }: Caller) =>
  `guest ${createHash('sha256')
    .update(`${getNetwork(address)} ${device}`)
    .digest('base64url')
    .slice(0, 22)}`

/**
 * Counts a view, once per person and day in Manila, and marks the topic's posts up to `number` as read for a player. The
 * next reply then notifies the player again.
 *
 * @throws Refusal 404
 */
export async function visitTopic(
  { db, now }: ReaderDeps,
  visit: { topic: number; number: number; userNum: number | null; caller: Caller },
): Promise<void> {
  const { topic, userNum } = visit
  if (!(await isVisibleTopic(db, topic))) throw refuse(calls.visitTopic, 'topicNotFound')
  const viewer = userNum === null ? hashGuest(visit.caller) : `account ${userNum}`
  await sql`
    with seen as (
      insert into forum_views (topic, day, viewer)
      values (${topic}, (${now()}::timestamptz at time zone 'Asia/Manila')::date, ${viewer})
      on conflict do nothing returning topic)
    update forum_topics t set views = t.views + 1 from seen where t.topic = seen.topic`.execute(db)
  if (userNum === null) return
  await sql`
    with visited as (select topic, last_number from forum_topics where topic = ${topic}),
    notified as (
      update forum_watches set notified = false where topic = ${topic} and user_num = ${userNum} and notified)
    insert into forum_read_marks (user_num, topic, number)
    select ${userNum}, topic, least(${visit.number}::int, last_number) from visited
    on conflict (user_num, topic) do update set number = excluded.number
    where forum_read_marks.number < excluded.number`.execute(db)
}

/** Marks all topics of a board as read, or of all boards for null. @throws Refusal 404 */
export async function markBoardRead(
  { db, now }: ReaderDeps,
  { category, userNum }: { category: number | null; userNum: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ category: number }>`
      insert into forum_board_marks (user_num, category, read_at)
      select ${userNum}, category, ${now()} from forum_boards where ${category}::int is null or category = ${category}::int
      on conflict (user_num, category) do update set read_at = excluded.read_at
      returning category`.execute(tx)
    if (rows.length === 0) throw refuse(calls.markBoardRead, 'boardNotFound')
    await sql`
      delete from forum_read_marks m using forum_topics t
      where m.user_num = ${userNum} and t.topic = m.topic
        and t.category = any(${rows.map((row) => row.category)}::smallint[])`.execute(tx)
    if (category === null)
      await tx.updateTable('forum_watches').set({ notified: false }).where('user_num', '=', userNum).execute()
  })
}
