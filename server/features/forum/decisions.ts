import { sql } from 'kysely'
import type { Decision } from '#contract/desk-forum.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { approvePost, closeCase, countOthers, lockPost, openCase, rejectPost } from './cases.ts'

type DecisionDeps = Pick<Deps, 'db' | 'now' | 'limits'>

/**
 * Locks topics, then boards, then authors, each in the order of their numbers, for decisions about several topics. A
 * concurrent writer locks in the same order, which prevents deadlocks.
 */
async function lockTogether(tx: Db, topics: readonly number[], others: { boards?: number[]; authors?: number[] } = {}) {
  const { rows } = await sql<{ category: number }>`
    select category from forum_topics where topic = any(${topics}::bigint[]) order by topic for update`.execute(tx)
  const boards = [...rows.map(({ category }) => category), ...(others.boards ?? [])]
  await sql`
    select from forum_boards where category = any(${boards}::int[]) order by category for no key update`.execute(tx)
  await sql`
    select from forum_members where user_num = any(${others.authors ?? []}::bigint[]) order by user_num
    for no key update`.execute(tx)
}

/** A post as a moderator read it. `case_num` is its open case, if it had one. */
type PostReference = { post: number; version: number; case_num: number | null }
type Skip = 'decided' | 'changed' | 'gone' | 'held' | 'nothing' | 'topicGone'
type Decided = { post: number; author: number; case_num: number; was: string }

/**
 * Decides about posts as a moderator read them. Posts that a colleague decided about, or that changed since, are
 * skipped.
 *
 * @param isMine whether the moderator may decide about a board
 * @returns the decided posts, and the reason for each skipped one; `foreign` if the moderator may not decide about a board
 */
export async function decidePosts(
  deps: DecisionDeps,
  { posts, decision, reason, by }: { posts: PostReference[]; decision: Decision; reason: string; by: number },
  isMine: (category: number) => boolean,
): Promise<{ decided: Decided[]; skipped: Skip[]; isForeign: boolean }> {
  const tx = deps.db
  const postRows = await tx
    .selectFrom('forum_posts')
    .where(
      'post',
      'in',
      posts.map(({ post }) => post),
    )
    .select(['post', 'topic', 'author'])
    .orderBy('author')
    .orderBy('post')
    .execute()
  await lockTogether(
    tx,
    postRows.map(({ topic }) => topic),
    { authors: postRows.map(({ author }) => author) },
  )
  const decided: Decided[] = []
  const skipped: Skip[] = []
  for (const { post, author } of postRows) {
    const decidedPost = posts.find((one) => one.post === post)
    if (decidedPost === undefined) continue
    const before = await lockPost(tx, post)
    if (!isMine(before.topic.category)) return { decided, skipped, isForeign: true }
    const open = await tx
      .selectFrom('forum_cases')
      .where('post', '=', post)
      .where('state', '=', 'open')
      .select('case_num')
      .forUpdate()
      .executeTakeFirst()
    const skip = findSkip(before, { seen: decidedPost, open: open?.case_num ?? null, decision })
    if (skip !== null) {
      skipped.push(skip)
      continue
    }
    const now = deps.now()
    const case_num = open?.case_num ?? (await openCase(tx, { post, kind: 'staff', now }))
    if (decision === 'approve') await approvePost(tx, deps, { post, by })
    else if (decision === 'reject') await rejectPost(tx, { now }, { post, reason, by })
    else if (decision === 'delete') await deleteAsModerator(tx, before, { by, now })
    else await closeCase(tx, { post, outcome: 'dismissed', by, now })
    await tx
      .updateTable('forum_cases')
      .set({
        post_was: before.post.state,
        topic_was: before.topic.state,
        held_was: before.post.held_for,
        ...(before.isOpening && { title_was: before.topic.title, picture_was: before.topic.picture }),
      })
      .where('case_num', '=', case_num)
      .execute()
    decided.push({ post, author, case_num, was: before.post.state })
  }
  return { decided, skipped, isForeign: false }
}

type LockedPost = Awaited<ReturnType<typeof lockPost>>

/** Returns the reason why a decision does not apply to the post's current state; null if it does. */
function findSkip(
  { topic, post, isOpening }: LockedPost,
  { seen, open, decision }: { seen: PostReference; open: number | null; decision: Decision },
): Skip | null {
  if (open !== seen.case_num) return open === null ? 'decided' : 'changed'
  if (post.version !== seen.version) return 'changed'
  const isThere = post.state === 'visible' || post.state === 'held'
  if (decision === 'dismiss') {
    if (open === null) return 'nothing'
    return post.state === 'held' ? 'held' : null
  }
  if (!isThere) return 'gone'
  if (decision !== 'approve') return null
  if (open === null && post.state === 'visible') return 'nothing'
  return post.state === 'held' && !isOpening && topic.state !== 'visible' ? 'topicGone' : null
}

/** Deletes a post without notifying its author. A topic without replies is deleted with its opening post. */
async function deleteAsModerator(
  tx: Db,
  { topic, post, isOpening }: LockedPost,
  { by, now }: { by: number; now: Date },
): Promise<void> {
  await closeCase(tx, { post: post.post, outcome: 'deleted', by, now })
  if (isOpening && countOthers(topic, post) === 0)
    await tx
      .updateTable('forum_topics')
      .set((eb) => ({ state: 'deleted', version: eb('version', '+', 1) }))
      .where('topic', '=', topic.topic)
      .execute()
  await tx
    .updateTable('forum_posts')
    .set((eb) => ({ state: 'deleted', deleted_at: now, deleted_by: by, version: eb('version', '+', 1) }))
    .where('post', '=', post.post)
    .execute()
}

const STATE_AFTER = { approved: 'visible', rejected: 'rejected', deleted: 'deleted' } as const

/**
 * Whether the decision of a closed case can be undone: it is the last about its post, and the post has not changed since and
 * still has its text.
 */
export function isUndoable(
  one: {
    case_num: number
    state: string
    outcome: keyof typeof STATE_AFTER | 'dismissed' | null
    post_was: string | null
  },
  post: { state: string; html: string },
  newest: number,
): boolean {
  if (one.state !== 'closed' || one.outcome === null || one.post_was === null || one.case_num !== newest) return false
  if (one.outcome === 'dismissed') return true
  return post.state === STATE_AFTER[one.outcome] && post.html !== ''
}

/**
 * Undoes decisions: restores posts and topics, and reopens the cases. Sends the author of a rejected post a letter. Skips
 * posts that changed since.
 */
export async function undoDecisions(
  deps: DecisionDeps,
  cases: readonly number[],
  isMine: (category: number) => boolean,
): Promise<{ undone: Decided[]; isForeign: boolean }> {
  const { db: tx, now } = deps
  const caseRows = await tx
    .selectFrom('forum_cases as c')
    .innerJoin('forum_posts as p', 'p.post', 'c.post')
    .where('c.case_num', 'in', cases)
    .select(['c.case_num', 'p.post', 'p.topic', 'p.author'])
    .orderBy('p.author')
    .orderBy('p.post')
    .execute()
  await lockTogether(
    tx,
    caseRows.map(({ topic }) => topic),
    { authors: caseRows.map(({ author }) => author) },
  )
  const undone: Decided[] = []
  for (const { case_num, post: number, author } of caseRows) {
    const { post, topic, isOpening } = await lockPost(tx, number)
    if (!isMine(topic.category)) return { undone, isForeign: true }
    const of = await tx
      .selectFrom('forum_cases')
      .where('post', '=', number)
      .selectAll()
      .orderBy('case_num')
      .forUpdate()
      .execute()
    const one = of.find((row) => row.case_num === case_num)
    if (one === undefined || !isUndoable(one, post, of.at(-1)?.case_num ?? 0) || one.post_was === null) continue
    await tx
      .updateTable('forum_cases')
      .set((eb) => ({
        state: 'open',
        outcome: null,
        closed_at: null,
        closed_by: null,
        post_was: null,
        topic_was: null,
        version: eb('version', '+', 1),
      }))
      .where('case_num', '=', case_num)
      .execute()
    undone.push({ post: number, author, case_num, was: post.state })
    if (post.state === one.post_was) continue
    // A topic with replies stays visible without its first post.
    const others = countOthers(topic, post)
    const state = others === 0 || one.topic_was === 'visible' ? (one.topic_was ?? topic.state) : topic.state
    const { title_was: title, picture_was: picture } = one
    // The approval had changed the topic's title to the requested one.
    const isTitled = one.outcome === 'approved' && title !== null
    if (isOpening && (state !== topic.state || isTitled))
      await tx
        .updateTable('forum_topics')
        .set((eb) => ({ state, ...(isTitled && { title, picture }), version: eb('version', '+', 1) }))
        .where('topic', '=', topic.topic)
        .execute()
    await tx
      .updateTable('forum_posts')
      .set((eb) => ({
        state: one.post_was ?? post.state,
        title: post.title,
        held_for: one.held_was,
        reason: '',
        deleted_at: null,
        deleted_by: null,
        version: eb('version', '+', 1),
      }))
      .where('post', '=', number)
      .execute()
    if (one.outcome === 'rejected')
      await sendLetter(tx, {
        kind: 'forum',
        to: author,
        subject: 'About your post that was not accepted',
        body: `A moderator took back that your post in “${topic.title}” was not accepted. ${
          one.post_was === 'visible' ? 'It is in the forum again.' : 'It waits to be read again.'
        }`,
        now: now(),
      })
  }
  return { undone, isForeign: false }
}

type TopicChange = {
  topics: readonly { topic: number; version: number }[]
  category: number | null
  pinned: boolean | null
  locked: boolean | null
  state: 'visible' | 'deleted' | null
  reason: string
  by: number
}

/**
 * Moves, pins, closes, deletes or restores topics as a moderator read them. Deleting a topic also deletes its held posts and
 * closes its open cases.
 *
 * @returns the topics before the change, their new versions, and the reason for each skipped topic; `isForeign` if the
 *   moderator may not decide about a board
 */
export async function changeTopics(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  { topics, reason, by, ...to }: TopicChange,
  isMine: (category: number) => boolean,
) {
  await lockTogether(
    tx,
    topics.map(({ topic }) => topic),
    { boards: to.category === null ? [] : [to.category] },
  )
  const rows = await tx
    .selectFrom('forum_topics')
    .where(
      'topic',
      'in',
      topics.map(({ topic }) => topic),
    )
    .selectAll()
    .orderBy('topic')
    .execute()
  const changed: { before: (typeof rows)[number]; version: number }[] = []
  const skipped: ('changed' | 'same' | 'empty')[] = []
  const newValues = Object.entries(to).filter(([, value]) => value !== null)
  for (const row of rows) {
    if (!isMine(row.category)) return { changed, skipped, isForeign: true }
    if (row.version !== topics.find(({ topic }) => topic === row.topic)?.version) skipped.push('changed')
    else if (newValues.every(([name, value]) => row[name as keyof typeof row] === value)) skipped.push('same')
    else if (to.state === 'visible' && row.post_count === 0) skipped.push('empty')
    else {
      const { version } = await tx
        .updateTable('forum_topics')
        .set((eb) => ({ ...Object.fromEntries(newValues), version: eb('version', '+', 1) }))
        .where('topic', '=', row.topic)
        .returning('version')
        .executeTakeFirstOrThrow()
      changed.push({ before: row, version })
      if (to.state === 'deleted') await clearTopic(tx, row, { reason, by, now: now() })
    }
  }
  return { changed, skipped, isForeign: false }
}

/** Closes the cases of a deleted topic's posts, and sends the authors the reason, if there is one. */
async function clearTopic(
  tx: Db,
  topic: { topic: number; title: string; author: number },
  { reason, by, now }: { reason: string; by: number; now: Date },
): Promise<void> {
  await sql`
    update forum_cases c set state = 'closed', outcome = 'deleted', closed_at = ${now}, closed_by = ${by},
      version = c.version + 1
    from forum_posts p where p.topic = ${topic.topic} and c.post = p.post and c.state = 'open'`.execute(tx)
  await tx
    .updateTable('forum_posts')
    .set((eb) => ({ state: 'deleted', deleted_at: now, deleted_by: by, version: eb('version', '+', 1) }))
    .where('topic', '=', topic.topic)
    .where('state', '=', 'held')
    .execute()
  if (reason === '' || topic.author === by) return
  await sendLetter(tx, {
    kind: 'forum',
    to: topic.author,
    subject: 'Your topic was deleted',
    body: `A moderator deleted your topic “${topic.title}”.\n\nReason: ${reason}`,
    now,
  })
}
