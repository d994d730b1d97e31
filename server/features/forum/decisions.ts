import { type Selectable, sql } from 'kysely'
import type { Decision } from '#contract/desk-forum.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { approvePost, closeCase, countOtherPosts, lockPost, openCase, rejectPost } from './cases.ts'

type DecisionDeps = Pick<Deps, 'db' | 'now' | 'limits'>

/**
 * Locks topics, then boards, then authors, each in the order of their numbers, for decisions about several topics. A
 * concurrent writer locks in the same order, which prevents deadlocks.
 */
async function lockTopicsTogether(
  tx: Db,
  topics: readonly number[],
  related: { boards?: number[]; authors?: number[] } = {},
) {
  const { rows } = await sql<{ category: number }>`
    select category from forum_topics where topic = any(${topics}::bigint[]) order by topic for update`.execute(tx)
  const boards = [...rows.map(({ category }) => category), ...(related.boards ?? [])]
  await sql`
    select from forum_boards where category = any(${boards}::int[]) order by category for no key update`.execute(tx)
  await sql`
    select from forum_members where user_num = any(${related.authors ?? []}::bigint[]) order by user_num
    for no key update`.execute(tx)
}

/** A post as a moderator read it. `case_num` is its open case, if it had one. */
type PostReference = { post: number; version: number; case_num: number | null }
type SkipReason = 'decided' | 'changed' | 'gone' | 'held' | 'nothing' | 'topicGone'
type DecidedPost = { post: number; author: number; case_num: number; previousState: string }

/**
 * Decides about posts. Skips posts that changed since the moderator read them, or that another moderator has decided about.
 *
 * @param mayDecide returns whether the moderator may decide about a board
 * @returns the decided posts, and the reason for each skipped one; `isForeign` if the moderator may not decide about a board
 */
export async function decidePosts(
  deps: DecisionDeps,
  { posts, decision, reason, by }: { posts: PostReference[]; decision: Decision; reason: string; by: number },
  mayDecide: (category: number) => boolean,
): Promise<{ decidedPosts: DecidedPost[]; skipReasons: SkipReason[]; isForeign: boolean }> {
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
  await lockTopicsTogether(
    tx,
    postRows.map(({ topic }) => topic),
    { authors: postRows.map(({ author }) => author) },
  )
  const decidedPosts: DecidedPost[] = []
  const skipReasons: SkipReason[] = []
  for (const { post, author } of postRows) {
    const postReference = posts.find((reference) => reference.post === post)
    if (postReference === undefined) continue
    const lockedPost = await lockPost(tx, post)
    if (!mayDecide(lockedPost.topic.category)) return { decidedPosts, skipReasons, isForeign: true }
    const currentCase = await tx
      .selectFrom('forum_cases')
      .where('post', '=', post)
      .where('state', '=', 'open')
      .select('case_num')
      .forUpdate()
      .executeTakeFirst()
    const skipReason = findSkipReason(lockedPost, {
      reference: postReference,
      caseNum: currentCase?.case_num ?? null,
      decision,
    })
    if (skipReason !== null) {
      skipReasons.push(skipReason)
      continue
    }
    const now = deps.now()
    const case_num = currentCase?.case_num ?? (await openCase(tx, { post, kind: 'staff', now }))
    if (decision === 'approve') await approvePost(tx, deps, { post, by })
    else if (decision === 'reject') await rejectPost(tx, { now }, { post, reason, by })
    else if (decision === 'delete') await deleteAsModerator(tx, lockedPost, { by, now })
    else await closeCase(tx, { post, outcome: 'dismissed', by, now })
    await tx
      .updateTable('forum_cases')
      .set({
        post_was: lockedPost.post.state,
        topic_was: lockedPost.topic.state,
        held_was: lockedPost.post.held_for,
        ...(lockedPost.isOpening && { title_was: lockedPost.topic.title, picture_was: lockedPost.topic.picture }),
      })
      .where('case_num', '=', case_num)
      .execute()
    decidedPosts.push({ post, author, case_num, previousState: lockedPost.post.state })
  }
  return { decidedPosts, skipReasons, isForeign: false }
}

type LockedPost = Awaited<ReturnType<typeof lockPost>>

/** Returns the reason why a decision does not apply to the post's current state; null if it does. */
function findSkipReason(
  { topic, post, isOpening }: LockedPost,
  { reference, caseNum, decision }: { reference: PostReference; caseNum: number | null; decision: Decision },
): SkipReason | null {
  if (caseNum !== reference.case_num) return caseNum === null ? 'decided' : 'changed'
  if (post.version !== reference.version) return 'changed'
  const isReadable = post.state === 'visible' || post.state === 'held'
  if (decision === 'dismiss') {
    if (caseNum === null) return 'nothing'
    return post.state === 'held' ? 'held' : null
  }
  if (!isReadable) return 'gone'
  if (decision !== 'approve') return null
  if (caseNum === null && post.state === 'visible') return 'nothing'
  return post.state === 'held' && !isOpening && topic.state !== 'visible' ? 'topicGone' : null
}

/** Deletes a post without notifying its author. A topic without replies is deleted with its opening post. */
async function deleteAsModerator(
  tx: Db,
  { topic, post, isOpening }: LockedPost,
  { by, now }: { by: number; now: Date },
): Promise<void> {
  await closeCase(tx, { post: post.post, outcome: 'deleted', by, now })
  if (isOpening && countOtherPosts(topic, post) === 0)
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

const STATE_BY_OUTCOME = { approved: 'visible', rejected: 'rejected', deleted: 'deleted' } as const

/**
 * Returns whether the decision of a closed case can be undone: it is the last decision about its post, and the post has not
 * changed since and still has its text.
 */
export function isUndoable(
  decidedCase: {
    case_num: number
    state: string
    outcome: keyof typeof STATE_BY_OUTCOME | 'dismissed' | null
    post_was: string | null
  },
  post: { state: string; html: string },
  newestCase: number,
): boolean {
  if (
    decidedCase.state !== 'closed' ||
    decidedCase.outcome === null ||
    decidedCase.post_was === null ||
    decidedCase.case_num !== newestCase
  )
    return false
  if (decidedCase.outcome === 'dismissed') return true
  return post.state === STATE_BY_OUTCOME[decidedCase.outcome] && post.html !== ''
}

/**
 * Undoes decisions: restores posts and topics, and reopens the cases. Sends the author of a rejected post a letter. Skips
 * posts that changed since.
 */
export async function undoDecisions(
  deps: DecisionDeps,
  cases: readonly number[],
  mayDecide: (category: number) => boolean,
): Promise<{ undonePosts: DecidedPost[]; isForeign: boolean }> {
  const { db: tx, now } = deps
  const caseRows = await tx
    .selectFrom('forum_cases as c')
    .innerJoin('forum_posts as p', 'p.post', 'c.post')
    .where('c.case_num', 'in', cases)
    .select(['c.case_num', 'p.post', 'p.topic', 'p.author'])
    .orderBy('p.author')
    .orderBy('p.post')
    .execute()
  await lockTopicsTogether(
    tx,
    caseRows.map(({ topic }) => topic),
    { authors: caseRows.map(({ author }) => author) },
  )
  const undonePosts: DecidedPost[] = []
  for (const { case_num, post: postNum, author } of caseRows) {
    const { post, topic, isOpening } = await lockPost(tx, postNum)
    if (!mayDecide(topic.category)) return { undonePosts, isForeign: true }
    const postCases = await tx
      .selectFrom('forum_cases')
      .where('post', '=', postNum)
      .selectAll()
      .orderBy('case_num')
      .forUpdate()
      .execute()
    const caseRow = postCases.find((row) => row.case_num === case_num)
    if (
      caseRow === undefined ||
      !isUndoable(caseRow, post, postCases.at(-1)?.case_num ?? 0) ||
      caseRow.post_was === null
    )
      continue
    await reopenCase(tx, case_num)
    undonePosts.push({ post: postNum, author, case_num, previousState: post.state })
    if (post.state === caseRow.post_was) continue
    await restorePost(tx, { post, topic, isOpening }, caseRow)
    if (caseRow.outcome === 'rejected')
      await sendLetter(tx, {
        kind: 'forum',
        to: author,
        subject: 'About your post that was not accepted',
        body: `A moderator undid the decision not to accept your post in “${topic.title}”. ${
          caseRow.post_was === 'visible' ? 'It is in the forum again.' : 'It waits for a moderator’s decision again.'
        }`,
        now: now(),
      })
  }
  return { undonePosts, isForeign: false }
}

/** Opens a decided case again and forgets its decision. */
async function reopenCase(tx: Db, caseNum: number): Promise<void> {
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
    .where('case_num', '=', caseNum)
    .execute()
}

/** Restores the state of a post, and of its topic if the post opens it, from before the decision of a case. */
async function restorePost(
  tx: Db,
  { post, topic, isOpening }: Awaited<ReturnType<typeof lockPost>>,
  caseRow: Selectable<Schema['forum_cases']>,
): Promise<void> {
  // A topic with replies stays visible without its first post.
  const otherPostCount = countOtherPosts(topic, post)
  const state =
    otherPostCount === 0 || caseRow.topic_was === 'visible' ? (caseRow.topic_was ?? topic.state) : topic.state
  const { title_was: title, picture_was: picture } = caseRow
  // The approval had changed the topic's title to the requested one.
  const restoresTitle = caseRow.outcome === 'approved' && title !== null
  if (isOpening && (state !== topic.state || restoresTitle))
    await tx
      .updateTable('forum_topics')
      .set((eb) => ({ state, ...(restoresTitle && { title, picture }), version: eb('version', '+', 1) }))
      .where('topic', '=', topic.topic)
      .execute()
  await tx
    .updateTable('forum_posts')
    .set((eb) => ({
      state: caseRow.post_was ?? post.state,
      title: post.title,
      held_for: caseRow.held_was,
      reason: '',
      deleted_at: null,
      deleted_by: null,
      version: eb('version', '+', 1),
    }))
    .where('post', '=', post.post)
    .execute()
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
 * Moves, pins, closes, deletes or restores topics. Skips topics that changed since the moderator read them. Deleting a topic
 * also deletes its held posts and closes its open cases.
 *
 * @returns the topics before the change, their new versions, and the reason for each skipped topic; `isForeign` if the
 *   moderator may not decide about a board
 */
export async function changeTopics(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  { topics, reason, by, ...changes }: TopicChange,
  mayDecide: (category: number) => boolean,
) {
  await lockTopicsTogether(
    tx,
    topics.map(({ topic }) => topic),
    { boards: changes.category === null ? [] : [changes.category] },
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
  const changedTopics: { before: (typeof rows)[number]; version: number }[] = []
  const skipReasons: ('changed' | 'same' | 'empty')[] = []
  const newValues = Object.entries(changes).filter(([, value]) => value !== null)
  for (const row of rows) {
    if (!mayDecide(row.category)) return { changedTopics, skipReasons, isForeign: true }
    if (row.version !== topics.find(({ topic }) => topic === row.topic)?.version) skipReasons.push('changed')
    else if (newValues.every(([name, value]) => row[name as keyof typeof row] === value)) skipReasons.push('same')
    else if (changes.state === 'visible' && row.post_count === 0) skipReasons.push('empty')
    else {
      const { version } = await tx
        .updateTable('forum_topics')
        .set((eb) => ({ ...Object.fromEntries(newValues), version: eb('version', '+', 1) }))
        .where('topic', '=', row.topic)
        .returning('version')
        .executeTakeFirstOrThrow()
      changedTopics.push({ before: row, version })
      if (changes.state === 'deleted') await closeTopicCases(tx, row, { reason, by, now: now() })
    }
  }
  return { changedTopics, skipReasons, isForeign: false }
}

/** Closes the cases of a deleted topic, deletes its held posts, and sends its author the reason, if there is one. */
async function closeTopicCases(
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
