import { sql } from 'kysely'
import { FORUM_TEXTS, getBoardPath, getForumPostPath, getForumTopicPath } from '#contract/forum.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createNotFound } from '#server/errors.ts'
import { findMentionedUsers, notifyOfApproval, notifyOfPost, notifyOfRejection } from './letters.ts'
import { findMentionNames } from './markdown.ts'
import { filterShownPictures, selectPictures } from './queries.ts'

/** Locks a topic. Every change of a topic or its posts locks the topic first, which prevents deadlocks. */
export async function lockTopic(tx: Db, topic: number) {
  return tx.selectFrom('forum_topics').where('topic', '=', topic).selectAll().forUpdate().executeTakeFirst()
}

/** Locks and returns a post with its topic. @throws Refusal 404 */
export async function lockPost(tx: Db, post: number) {
  const postRow = await tx.selectFrom('forum_posts').where('post', '=', post).select('topic').executeTakeFirst()
  const topic = postRow === undefined ? undefined : await lockTopic(tx, postRow.topic)
  // This weaker lock does not conflict with that of a concurrent report, which would deadlock.
  const row = await tx
    .selectFrom('forum_posts')
    .where('post', '=', post)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (topic === undefined || row === undefined) throw createNotFound(FORUM_TEXTS.postNotFound)
  return { topic, post: row, isOpening: row.title !== '' }
}

/** Opens a case for moderators, or finds the open case of the post. @returns its number */
export async function openCase(
  tx: Db,
  { post, kind, now }: { post: number; kind: 'held' | 'report' | 'staff'; now: Date },
) {
  const { rows } = await sql<{ case_num: number }>`
    insert into forum_cases (post, kind, opened_at) values (${post}, ${kind}, ${now})
    on conflict (post) where state = 'open' do update set version = forum_cases.version + 1
    returning case_num`.execute(tx)
  const [openedCase] = rows
  if (openedCase === undefined) throw new Error('A case was not opened.')
  return openedCase.case_num
}

/** Returns the title of a post's topic. For an opening post it is the requested title. */
const getTopicTitle = ({ topic, post }: { topic: { title: string }; post: { title: string } }) =>
  post.title || topic.title

/** Counts the visible posts of a topic except this one. */
export const countOtherPosts = (topic: { post_count: number }, post: { state: string }): number =>
  topic.post_count - (post.state === 'visible' ? 1 : 0)

type CaseOutcome = 'approved' | 'rejected' | 'deleted' | 'dismissed'

/** Closes the open case of a post, if it has one. @param by the moderator; null if no moderator decided */
export async function closeCase(
  tx: Db,
  { post, outcome, by, now }: { post: number; outcome: CaseOutcome; by: number | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('forum_cases')
    .set((eb) => ({ state: 'closed', outcome, closed_at: now, closed_by: by, version: eb('version', '+', 1) }))
    .where('post', '=', post)
    .where('state', '=', 'open')
    .execute()
}

/**
 * Publishes a held post, and closes its case. An opening post publishes its topic with its title and picture. Notifies the
 * author and, of a post that was never visible, watchers and mentioned players. A visible post stays unchanged.
 *
 * @returns the post as it was before
 * @throws Refusal 404
 */
export async function approvePost(
  tx: Db,
  deps: Pick<Deps, 'limits' | 'now'>,
  decision: { post: number; by: number | null },
) {
  const now = deps.now()
  const lockedPost = await lockPost(tx, decision.post)
  const { topic, post, isOpening } = lockedPost
  await closeCase(tx, { post: post.post, outcome: 'approved', by: decision.by, now })
  if (post.state === 'visible') return lockedPost
  if (isOpening) {
    const [picture] = filterShownPictures(post.html, await selectPictures(tx, post))
    await tx
      .updateTable('forum_topics')
      .set((eb) => ({
        state: 'visible',
        title: post.title,
        picture: picture?.small_url ?? null,
        version: eb('version', '+', 1),
      }))
      .where('topic', '=', topic.topic)
      .execute()
  }
  const isNew = post.number === null
  const { number } = await tx
    .updateTable('forum_posts')
    .set((eb) => ({
      state: 'visible',
      held_for: [],
      reason: '',
      deleted_at: null,
      shown_at: post.shown_at ?? now,
      version: eb('version', '+', 1),
    }))
    .where('post', '=', post.post)
    .returning('number')
    .executeTakeFirstOrThrow()
  if (number === null) throw new Error('A visible post has no number.')
  const { category } = topic
  const title = getTopicTitle(lockedPost)
  const link = getForumPostPath(category, topic.topic, number)
  await notifyOfApproval(tx, { author: post.author, title, link, now })
  if (isNew) {
    const mentionedUsers = [...(await findMentionedUsers(tx, findMentionNames(post.body))).values()]
    await notifyOfPost(tx, deps, { topic: topic.topic, category, title, number, author: post.author }, mentionedUsers)
  }
  return lockedPost
}

/**
 * Rejects a held or visible post, and sends its author a letter with the reason. A topic without replies is deleted with its
 * opening post; otherwise readers see that a moderator removed the post.
 *
 * @returns the post as it was before
 * @throws Refusal 404
 */
export async function rejectPost(
  tx: Db,
  { now }: { now: Date },
  decision: { post: number; reason: string; by: number | null },
) {
  const lockedPost = await lockPost(tx, decision.post)
  const { topic, post, isOpening } = lockedPost
  await closeCase(tx, { post: post.post, outcome: 'rejected', by: decision.by, now })
  if (post.state === 'rejected') return lockedPost
  if (isOpening && countOtherPosts(topic, post) === 0)
    await tx
      .updateTable('forum_topics')
      .set((eb) => ({ state: 'rejected', version: eb('version', '+', 1) }))
      .where('topic', '=', topic.topic)
      .execute()
  await tx
    .updateTable('forum_posts')
    .set((eb) => ({ state: 'rejected', reason: decision.reason, deleted_at: now, version: eb('version', '+', 1) }))
    .where('post', '=', post.post)
    .execute()
  await notifyOfRejection(tx, {
    author: post.author,
    title: getTopicTitle(lockedPost),
    reason: decision.reason,
    body: post.body,
    now,
  })
  return lockedPost
}

/** Returns the path of a post. A post without a number has the path of its topic, or of the board of a hidden topic. */
export function getPostPath(topic: { topic: number; category: number; state: string }, number: number | null): string {
  if (topic.state !== 'visible') return getBoardPath(topic.category)
  return number === null
    ? getForumTopicPath(topic.category, topic.topic)
    : getForumPostPath(topic.category, topic.topic, number)
}
