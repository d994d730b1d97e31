import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { hasVisibleCharacter } from '#contract/fields.ts'
import * as calls from '#contract/forum.ts'
import { FORUM_PICTURES_MAX, FORUM_TEXTS, getBoardPath, type HoldReason } from '#contract/forum.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { readSettingsNow } from '#server/settings.ts'
import { closeCase, countOtherPosts, getPostPath, lockPost, lockTopic, openCase } from './cases.ts'
import {
  type BoardRules,
  checkHourlyLimit,
  findHoldReasons,
  lockWriter,
  requireWriter,
  selectRules,
  selectWriter,
} from './gate.ts'
import { findMentionedUsers, notifyOfPost } from './letters.ts'
import { countLinks, extractAllText, findMentionNames, type KnownPicture, renderMarkdown } from './markdown.ts'
import { filterShownPictures, selectPictures } from './queries.ts'

type WriteAnswer = { message: string; held: boolean; path: string }

/**
 * Renders a text as HTML with its writer's uploaded pictures and its mentions.
 *
 * @returns the HTML, its pictures, and the mentioned accounts
 */
export async function renderText(
  db: Db,
  deps: Pick<Deps, 'publicUrl'>,
  { body, author }: { body: string; author: number },
) {
  const uploadedPictures = await selectPictures(db, { author, body })
  const pictures = new Map<string, KnownPicture>(uploadedPictures.map((picture) => [picture.url, picture]))
  const mentionedUsers = await findMentionedUsers(db, findMentionNames(body))
  const html = renderMarkdown(body, new URL(deps.publicUrl).host, {
    pictures,
    mentions: new Set(mentionedUsers.keys()),
  })
  return {
    html,
    pictures: filterShownPictures(html, uploadedPictures),
    mentionedAccounts: [...mentionedUsers.values()],
  }
}

/** `poll` contains the question, then the answers. */
type PostText = { title: string; body: string; poll?: readonly string[]; typingMs: number | null }

/** Checks a text by the rules of a board. @returns the HTML, and the reasons to hold it for a moderator */
async function checkText(deps: Deps, { text, rules, userNum }: { text: PostText; rules: BoardRules; userNum: number }) {
  const { db: tx } = deps
  const now = deps.now()
  const settings = await readSettingsNow(deps)
  await lockWriter(tx, userNum)
  const writer = await selectWriter(tx, userNum, now)
  requireWriter(writer, rules)
  if (text.typingMs === null) await deps.limits.consume('forumEdits', userNum, tx)
  else if (deps.config.rateLimit) await checkHourlyLimit(tx, writer, settings, now)
  const renderedText = await renderText(tx, deps, { body: text.body, author: userNum })
  if (renderedText.pictures.length > FORUM_PICTURES_MAX) throw refuse(calls.writePost, 'tooManyPictures')
  const { html } = renderedText
  if (!html.includes('<img') && !hasVisibleCharacter(html.replace(/<[^>]*>/g, '')))
    throw createInputRefusal({ body: [FORUM_TEXTS.bodyRequired] })
  const lines = [text.title, ...(text.poll ?? [])].join('\n')
  const fullText = `${lines}\n${extractAllText(html)}`
  const links = countLinks(html, { ownHost: new URL(deps.publicUrl).host, lines })
  const holdReasons = await findHoldReasons(tx, {
    writer,
    rules,
    settings,
    text: { text: fullText, links, typingMs: text.typingMs },
    now,
  })
  return { ...renderedText, holdReasons }
}

type NewPost = {
  topic: number
  author: number
  title: string
  body: string
  html: string
  holdReasons: HoldReason[]
  pictures: readonly { url: string }[]
  now: Date
}

/** Inserts a post, visible or with a case for moderators. @returns its number in the topic; null for a held one */
async function insertPost(tx: Db, { pictures, holdReasons, now, ...values }: NewPost) {
  const isHeld = holdReasons.length > 0
  const { post, number } = await tx
    .insertInto('forum_posts')
    .values({
      ...values,
      state: isHeld ? 'held' : 'visible',
      held_for: holdReasons,
      created_at: now,
      shown_at: isHeld ? null : now,
    })
    .returning(['post', 'number'])
    .executeTakeFirstOrThrow()
  await linkPictures(tx, { post, author: values.author, pictures })
  if (isHeld) await openCase(tx, { post, kind: 'held', now })
  return number
}

/** Links pictures to the post that shows them, for as long as the post exists. */
async function linkPictures(
  tx: Db,
  { post, author, pictures }: { post: number; author: number; pictures: readonly { url: string }[] },
): Promise<void> {
  if (pictures.length === 0) return
  const urls = pictures.map(({ url }) => url)
  await tx
    .updateTable('forum_pictures')
    .set({ post })
    .where('uploaded_by', '=', author)
    .where('url', 'in', urls)
    .where('post', 'is', null)
    .execute()
}

type NewTopic = {
  category: number
  title: string
  body: string
  typing_ms: number
  poll?: { question: string; options: string[]; choices_max: number; days: number | null } | null | undefined
}

/**
 * Opens a topic, in the transaction of the call.
 *
 * @throws Refusal 403 without the board's requirements, 404, 422, 429
 */
export async function writeTopic(deps: Deps, input: NewTopic, userNum: number): Promise<WriteAnswer> {
  const { db: tx } = deps
  const now = deps.now()
  const { category, title, body, poll } = input
  const rules = await selectRules(tx, category)
  if (rules === undefined) throw refuse(calls.writeTopic, 'boardNotFound')
  const pollTexts = poll ? [poll.question, ...poll.options] : []
  const text = { title, body, poll: pollTexts, typingMs: input.typing_ms }
  const { html, holdReasons, pictures, mentionedAccounts } = await checkText(deps, { text, rules, userNum })
  const isHeld = holdReasons.length > 0
  const { topic } = await tx
    .insertInto('forum_topics')
    .values({
      category,
      title,
      author: userNum,
      state: isHeld ? 'held' : 'visible',
      picture: pictures[0]?.small_url ?? null,
      created_at: now,
      last_post_at: now,
      last_author: userNum,
    })
    .returning('topic')
    .executeTakeFirstOrThrow()
  if (poll) await insertPoll(tx, topic, poll, now)
  const number = await insertPost(tx, { topic, author: userNum, title, body, html, holdReasons, pictures, now })
  await tx.insertInto('forum_watches').values({ topic, user_num: userNum, watched_at: now }).execute()
  if (number !== null)
    await notifyOfPost(tx, deps, { topic, category, title, number, author: userNum }, mentionedAccounts)
  const path = getPostPath({ topic, category, state: isHeld ? 'held' : 'visible' }, null)
  return { message: isHeld ? FORUM_TEXTS.held : FORUM_TEXTS.posted, held: isHeld, path }
}

async function insertPoll(tx: Db, topic: number, poll: NonNullable<NewTopic['poll']>, now: Date): Promise<void> {
  const { question, choices_max, days, options } = poll
  const closes_at = days === null ? null : new Date(now.getTime() + days * DAY_MS)
  await tx.insertInto('forum_polls').values({ topic, question, choices_max, closes_at }).execute()
  await tx
    .insertInto('forum_poll_options')
    .values(options.map((words, index) => ({ topic, option: index + 1, words })))
    .execute()
}

/**
 * Replies in a topic, in the transaction of the call.
 *
 * @throws Refusal 403 without the board's requirements or in a locked topic, 404, 422, 429
 */
export async function writePost(
  deps: Deps,
  { topic: topicNum, body, typing_ms }: { topic: number; body: string; typing_ms: number },
  userNum: number,
): Promise<WriteAnswer> {
  const { db: tx } = deps
  const now = deps.now()
  const topicRow = await tx
    .selectFrom('forum_topics')
    .where('topic', '=', topicNum)
    .select('category')
    .executeTakeFirst()
  const rules = topicRow === undefined ? undefined : await selectRules(tx, topicRow.category)
  if (rules === undefined) throw refuse(calls.writePost, 'topicNotFound')
  const text = { title: '', body, typingMs: typing_ms }
  const { html, holdReasons, pictures, mentionedAccounts } = await checkText(deps, { text, rules, userNum })
  const topic = await lockTopic(tx, topicNum)
  if (topic === undefined || topic.state !== 'visible') throw refuse(calls.writePost, 'topicNotFound')
  if (topic.locked && !(await isStaff(tx, userNum))) throw refuse(calls.writePost, 'locked')
  const number = await insertPost(tx, {
    topic: topicNum,
    author: userNum,
    title: '',
    body,
    html,
    holdReasons,
    pictures,
    now,
  })
  if (number !== null)
    await notifyOfPost(tx, deps, { ...topic, topic: topicNum, number, author: userNum }, mentionedAccounts)
  const path = getPostPath(topic, number ?? topic.last_number)
  return { message: number === null ? FORUM_TEXTS.held : FORUM_TEXTS.posted, held: number === null, path }
}

/**
 * Changes a player's own post and stores its earlier text. A change that a moderator has to approve hides the post until
 * then, and leaves the title and picture of a visible topic unchanged. Call this in the transaction of the call.
 *
 * @throws Refusal 403, 404, 422, 429
 */
export async function editPost(
  deps: Deps,
  input: { post: number; body: string; title?: string | undefined },
  userNum: number,
): Promise<WriteAnswer> {
  const { db: tx } = deps
  const now = deps.now()
  await lockWriter(tx, userNum)
  const { topic, post, isOpening } = await lockOwnPost(tx, calls.editPost, { post: input.post, userNum })
  const title = isOpening ? (input.title ?? post.title) : ''
  const rules = await selectRules(tx, topic.category)
  if (rules === undefined) throw refuse(calls.editPost, 'postNotFound')
  const path = getPostPath(topic, post.number)
  if (input.body === post.body && title === post.title)
    return { message: FORUM_TEXTS.edited, held: post.state === 'held', path }
  const text = { title, body: input.body, typingMs: null }
  const { html, holdReasons, pictures } = await checkText(deps, { text, rules, userNum })
  await tx
    .insertInto('forum_revisions')
    .values({
      post: post.post,
      title: post.title,
      body: post.body,
      html: post.html,
      written_by: post.edited_by ?? post.author,
      written_at: post.edited_at ?? post.created_at,
      shown: post.state === 'visible',
    })
    .execute()
  const isHeld = post.state === 'held' || holdReasons.length > 0
  await tx
    .updateTable('forum_posts')
    .set((eb) => ({
      title,
      body: input.body,
      html,
      state: isHeld ? 'held' : 'visible',
      held_for: holdReasons.length > 0 ? holdReasons : post.held_for,
      edited_at: now,
      edited_by: userNum,
      version: eb('version', '+', 1),
    }))
    .where('post', '=', post.post)
    .execute()
  await linkPictures(tx, { post: post.post, author: userNum, pictures })
  if (isHeld) await openCase(tx, { post: post.post, kind: 'held', now })
  if (isOpening && !(isHeld && topic.state === 'visible'))
    await tx
      .updateTable('forum_topics')
      .set((eb) => ({ title, picture: pictures[0]?.small_url ?? null, version: eb('version', '+', 1) }))
      .where('topic', '=', topic.topic)
      .execute()
  return { message: isHeld ? FORUM_TEXTS.held : FORUM_TEXTS.edited, held: isHeld, path }
}

/**
 * Deletes a player's own post. A post that readers have seen leaves a tombstone with its number; a topic without
 * replies is deleted with its opening post.
 *
 * @throws Refusal 403, 404
 */
export function deletePost(deps: Deps, input: { post: number; userNum: number }) {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.now()
    const { topic, post, isOpening } = await lockOwnPost(tx, calls.deletePost, input)
    const deletesTopic = isOpening && countOtherPosts(topic, post) === 0
    await tx
      .updateTable('forum_posts')
      .set((eb) => ({ state: 'deleted', deleted_at: now, version: eb('version', '+', 1) }))
      .where('post', '=', post.post)
      .execute()
    if (deletesTopic)
      await tx
        .updateTable('forum_topics')
        .set((eb) => ({ state: 'deleted', version: eb('version', '+', 1) }))
        .where('topic', '=', topic.topic)
        .execute()
    await closeCase(tx, { post: post.post, outcome: 'deleted', by: null, now })
    return {
      message: FORUM_TEXTS.deleted,
      path: deletesTopic ? getBoardPath(topic.category) : getPostPath(topic, post.number),
    }
  })
}

/** Locks a player's own post that they may still change. @throws Refusal 403, 404 */
async function lockOwnPost(
  tx: Db,
  endpoint: typeof calls.editPost | typeof calls.deletePost,
  { post, userNum }: { post: number; userNum: number },
) {
  const lockedPost = await lockPost(tx, post)
  if (lockedPost.post.state !== 'visible' && lockedPost.post.state !== 'held') throw refuse(endpoint, 'postNotFound')
  if (lockedPost.post.author !== userNum)
    throw refuse(endpoint, lockedPost.post.state === 'visible' ? 'notYours' : 'postNotFound')
  if (lockedPost.topic.state !== 'visible' && lockedPost.topic.state !== 'held') throw refuse(endpoint, 'postNotFound')
  if (lockedPost.topic.locked && !(await isStaff(tx, userNum))) throw refuse(endpoint, 'locked')
  return lockedPost
}

async function isStaff(db: Db, userNum: number): Promise<boolean> {
  const { rows } = await sql<{ is_staff: boolean }>`
    select user_type >= ${sql.lit(ADMIN_USER_TYPE)} as is_staff from accounts where user_num = ${userNum}`.execute(db)
  return rows[0]?.is_staff === true
}
