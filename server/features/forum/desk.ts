import { sql } from 'kysely'
import * as calls from '#contract/desk-forum.ts'
import { BOARD_SILENCE_HOURS_MAX, SILENCE_HOURS_MAX } from '#contract/desk-forum.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { createCollection } from '#server/collections.ts'
import type { Db } from '#server/db/open.ts'
import { type RefusingCall, refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { getPostPath, openCase } from './cases.ts'
import { changeTopics, decidePosts, undoDecisions } from './decisions.ts'
import {
  selectAround,
  selectCases,
  selectCasesOfPost,
  selectDeskBoards,
  selectDeskTopic,
  selectDeskTopics,
  selectModerators,
  selectPictureOfPost,
  selectPostForDesk,
  selectRecord,
  selectSilences,
  selectTopicWork,
} from './desk-queries.ts'
import { findModeratedBoards, includesBoard } from './moderators.ts'
import { selectPoll } from './queries.ts'
import { liftSilence, silencePlayer } from './silences.ts'

const TERMS_MAX = 500

const boards = createCollection('forum_boards', { key: 'category', notFoundName: 'boardNotFound' })

const formatPosts = (count: number) => (count === 1 ? '1 post' : `${count} posts`)
const formatTopics = (count: number) => (count === 1 ? '1 topic' : `${count} topics`)
const describeSkipped = (count: number) =>
  count === 0 ? '' : ` ${count} ${count === 1 ? 'was' : 'were'} left out: changed or decided about in the meantime.`

type BoardEndpoint = RefusingCall<'notYourBoard'>

/** @throws Refusal 403 for a board that the caller does not moderate */
async function requireBoard(db: Db, staff: Staff, endpoint: BoardEndpoint, category: number): Promise<void> {
  if (!includesBoard(await findModeratedBoards(db, staff), category)) throw refuse(endpoint, 'notYourBoard')
}

/** @throws Refusal 403 for a moderator of single boards */
async function requireAllBoards(db: Db, staff: Staff, endpoint: RefusingCall<'onlySome'>): Promise<void> {
  if ((await findModeratedBoards(db, staff)) !== null) throw refuse(endpoint, 'onlySome')
}

type PostEndpoint = RefusingCall<'notYourBoard' | 'postNotFound'>

/** Returns a post with its board. @throws Refusal 403, 404 */
async function findPost(db: Db, staff: Staff, endpoint: PostEndpoint, post: number) {
  const postRow = await db
    .selectFrom('forum_posts as p')
    .innerJoin('forum_topics as t', 't.topic', 'p.topic')
    .where('p.post', '=', post)
    .select(['p.post', 'p.author', 't.category'])
    .executeTakeFirst()
  if (postRow === undefined) throw refuse(endpoint, 'postNotFound')
  await requireBoard(db, staff, endpoint, postRow.category)
  return postRow
}

const OUTCOME_TEXTS = {
  approve: 'approved',
  reject: 'rejected',
  delete: 'deleted',
  dismiss: 'closed without action',
} as const

/** Describes the target of an audit entry: one post with its author, or a count. */
function describeTarget(posts: { post: number; author: number }[]) {
  const [post] = posts
  return posts.length === 1 && post !== undefined
    ? ({ target: ['forum post', post.post], player: post.author } as const)
    : ({ target: ['forum posts', posts.length] } as const)
}

/** The calls of the desk about the forum. */
export const forumDeskCalls: MountedCall[] = [
  mount(calls.getForumCases, async (filters, { deps, staff }) => {
    const boards = await findModeratedBoards(deps.browseDb, staff)
    return selectCases(deps.browseDb, filters, { me: staff.userNum, boards })
  }),

  mount(calls.getForumPost, async ({ post: postNum }, { deps, staff }) => {
    const { db } = deps
    const postData = await selectPostForDesk(db, postNum)
    if (postData === undefined) throw refuse(calls.getForumPost, 'postNotFound')
    const { post, topic, before } = postData
    const boards = await findModeratedBoards(db, staff)
    if (!includesBoard(boards, topic.category)) throw refuse(calls.getForumPost, 'notYourBoard')
    const [poll, around, cases, author, moderators] = await Promise.all([
      post.title === '' ? null : selectPoll(db, topic.topic),
      selectAround(db, post),
      selectCasesOfPost(db, post),
      selectRecord(db, { author: post.author, post: postNum, now: deps.now() }),
      selectModerators(db),
    ])
    const isVisible = post.state === 'visible' && topic.state === 'visible'
    return {
      post: {
        post: post.post,
        version: post.version,
        number: post.number,
        state: post.state,
        is_topic: post.title !== '',
        title: post.title || topic.title,
        html: post.html,
        held_for: post.held_for,
        reason: post.reason,
        created_at: post.created_at,
        edited_at: post.edited_at,
        before,
        path: isVisible ? getPostPath(topic, post.number) : null,
      },
      topic,
      poll,
      ...around,
      open: cases.find(({ state }) => state === 'open') ?? null,
      closed: cases.filter(({ state }) => state === 'closed'),
      author,
      assignees: moderators.filter((moderator) => includesBoard(moderator.boards, topic.category)),
      silence_hours_max: boards === null ? SILENCE_HOURS_MAX : BOARD_SILENCE_HOURS_MAX,
    }
  }),

  mount(calls.getForumPicture, async ({ post, url }, { deps: { db }, staff }) => {
    await findPost(db, staff, calls.getForumPicture, post)
    const picture = await selectPictureOfPost(db, post, url)
    if (picture === undefined) throw refuse(calls.getForumPicture, 'pictureNotFound')
    return new File([new Uint8Array(picture.content)], url.slice(7), { type: picture.type })
  }),

  mount(calls.decidePosts, async ({ decision, posts: requestedPosts, reason }, { deps, staff, record }) => {
    if (decision === 'reject' && reason === '') throw refuse(calls.decidePosts, 'reasonNeeded')
    const boards = await findModeratedBoards(deps.db, staff)
    const { decidedPosts, skipReasons, isForeign } = await decidePosts(
      deps,
      { posts: requestedPosts, decision, reason, by: staff.userNum },
      (category) => includesBoard(boards, category),
    )
    if (isForeign) throw refuse(calls.decidePosts, 'notYourBoard')
    const [firstPost] = decidedPosts
    if (firstPost === undefined) throw refuse(calls.decidePosts, skipReasons[0] ?? 'postNotFound')
    const isSingle = decidedPosts.length === 1
    const outcome = OUTCOME_TEXTS[decision]
    record({
      ...describeTarget(decidedPosts),
      before: isSingle ? { state: firstPost.previousState } : {},
      after: {
        outcome,
        ...(isSingle ? { case: firstPost.case_num } : { posts: decidedPosts.map(({ post }) => post) }),
      },
      ...(reason !== '' && { reason }),
    })
    const skippedCount = requestedPosts.length - decidedPosts.length
    return {
      message: `${decision === 'dismiss' ? formatCases(decidedPosts.length) : formatPosts(decidedPosts.length)} ${outcome}.${describeSkipped(skippedCount)}`,
      decided: decidedPosts.length,
      skipped: skippedCount,
      cases: decidedPosts.map(({ case_num }) => case_num),
    }
  }),

  mount(calls.undoDecisions, async ({ cases: caseNums }, { deps, staff, record }) => {
    const boards = await findModeratedBoards(deps.db, staff)
    const { undonePosts, isForeign } = await undoDecisions(deps, caseNums, (category) =>
      includesBoard(boards, category),
    )
    if (isForeign) throw refuse(calls.undoDecisions, 'notYourBoard')
    if (undonePosts.length === 0) throw refuse(calls.undoDecisions, 'changed')
    record({
      ...describeTarget(undonePosts),
      after: { undone: undonePosts.map(({ case_num }) => case_num).join(', ') },
    })
    const message = `${formatCases(undonePosts.length)} ${undonePosts.length === 1 ? 'is' : 'are'} open again, as before the decision.${describeSkipped(caseNums.length - undonePosts.length)}`
    return { message, undone: undonePosts.length }
  }),

  mount(calls.assignForumCase, async ({ case_num, from, to }, { deps: { db: tx }, staff, record }) => {
    const caseRow = await tx
      .selectFrom('forum_cases as c')
      .innerJoin('forum_posts as p', 'p.post', 'c.post')
      .innerJoin('forum_topics as t', 't.topic', 'p.topic')
      .where('c.case_num', '=', case_num)
      .select(['c.post', 'c.state', 'c.assignee', 't.category'])
      .forUpdate('c')
      .executeTakeFirst()
    if (caseRow === undefined) throw refuse(calls.assignForumCase, 'caseNotFound')
    await requireBoard(tx, staff, calls.assignForumCase, caseRow.category)
    if (caseRow.state !== 'open') throw refuse(calls.assignForumCase, 'closed')
    if (caseRow.assignee !== from) throw refuse(calls.assignForumCase, 'claimed')
    const assignee = (await selectModerators(tx)).find(({ user_num }) => user_num === to)
    if (to !== null && (assignee === undefined || !includesBoard(assignee.boards, caseRow.category)))
      throw refuse(calls.assignForumCase, 'notModerator')
    await tx.updateTable('forum_cases').set({ assignee: to }).where('case_num', '=', case_num).execute()
    record({
      target: ['forum post', caseRow.post],
      before: { assignee: from },
      after: { assignee: to, case: case_num },
    })
    if (to === null) return { message: 'This case is assigned to no one now.' }
    return { message: to === staff.userNum ? 'This case is yours.' : `${assignee?.user_id} has this case now.` }
  }),

  mount(calls.writeCaseNote, async ({ post, body }, { deps: { db: tx, now }, staff, record }) => {
    const postRow = await findPost(tx, staff, calls.writeCaseNote, post)
    const newestCase = await tx
      .selectFrom('forum_cases')
      .where('post', '=', post)
      .select('case_num')
      .orderBy('case_num', 'desc')
      .executeTakeFirst()
    const case_num = newestCase?.case_num ?? (await openCase(tx, { post, kind: 'staff', now: now() }))
    const { note } = await tx
      .insertInto('forum_case_notes')
      .values({ case_num, body, written_by: staff.userNum, written_at: now() })
      .returning('note')
      .executeTakeFirstOrThrow()
    record({
      target: ['forum post', post],
      player: postRow.author,
      after: { note_number: note, note: body },
    })
    return { message: 'The note is saved. Only staff can read it.' }
  }),

  mount(calls.silenceAuthor, async ({ post, hours, reason }, { deps, staff, record }) => {
    const { db: tx } = deps
    const { author } = await findPost(tx, staff, calls.silenceAuthor, post)
    if ((await findModeratedBoards(tx, staff)) !== null && hours > BOARD_SILENCE_HOURS_MAX)
      throw refuse(calls.silenceAuthor, 'tooLong')
    const account = await tx
      .selectFrom('accounts')
      .where('user_num', '=', author)
      .select(['user_id', 'user_type'])
      .executeTakeFirstOrThrow()
    if (account.user_type >= ADMIN_USER_TYPE) throw refuse(calls.silenceAuthor, 'isStaff')
    const silence = await silencePlayer(deps, { userNum: author, post, hours, reason, by: staff.userNum })
    if (silence === null) throw refuse(calls.silenceAuthor, 'silenced')
    record({ target: ['player', author], player: author, after: { silence, hours, post }, reason })
    return { message: `${account.user_id} is silenced. A letter states the reason and the end.` }
  }),

  mount(calls.liftSilence, async ({ silence }, { deps, staff, record }) => {
    const { db: tx } = deps
    const silenceRow = await tx
      .selectFrom('forum_silences')
      .where('silence', '=', silence)
      .select(['user_num', 'silenced_by'])
      .executeTakeFirst()
    if (silenceRow === undefined) throw refuse(calls.liftSilence, 'silenceNotFound')
    if (silenceRow.silenced_by !== staff.userNum && (await findModeratedBoards(tx, staff)) !== null)
      throw refuse(calls.liftSilence, 'notYours')
    if (!(await liftSilence(deps, { silence, by: staff.userNum }))) throw refuse(calls.liftSilence, 'over')
    record({ target: ['player', silenceRow.user_num], player: silenceRow.user_num, after: { silence, lifted: true } })
    return { message: 'The silence is over.' }
  }),

  mount(calls.getSilences, (filters, { deps }) => selectSilences(deps.browseDb, filters, deps.now())),

  mount(calls.getDeskTopics, async (filters, { deps, staff }) =>
    selectDeskTopics(deps.browseDb, filters, await findModeratedBoards(deps.browseDb, staff)),
  ),

  mount(calls.getDeskTopic, async ({ topic: topicNum }, { deps: { db }, staff }) => {
    const topic = await selectDeskTopic(db, topicNum)
    if (topic === undefined) throw refuse(calls.getDeskTopic, 'topicNotFound')
    await requireBoard(db, staff, calls.getDeskTopic, topic.category)
    const path = topic.state === 'visible' ? getPostPath(topic, null) : null
    return { topic, path, poll: await selectPoll(db, topicNum), ...(await selectTopicWork(db, topicNum)) }
  }),

  mount(calls.changeTopics, async ({ topics: requestedTopics, reason, ...changes }, { deps, staff, record }) => {
    const boards = await findModeratedBoards(deps.db, staff)
    if (changes.category !== null) {
      const board = await deps.db
        .selectFrom('forum_boards')
        .where('category', '=', Math.min(changes.category, 10_000))
        .select('category')
        .executeTakeFirst()
      if (board === undefined) throw refuse(calls.changeTopics, 'boardNotFound')
      if (!includesBoard(boards, changes.category)) throw refuse(calls.changeTopics, 'notYourBoard')
    }
    const change = { topics: requestedTopics, reason, by: staff.userNum, ...changes }
    const { changedTopics, skipReasons, isForeign } = await changeTopics(deps, change, (category) =>
      includesBoard(boards, category),
    )
    if (isForeign) throw refuse(calls.changeTopics, 'notYourBoard')
    const [firstChange] = changedTopics
    if (firstChange === undefined) throw refuse(calls.changeTopics, skipReasons[0] ?? 'topicNotFound')
    const { category, pinned, locked, state } = firstChange.before
    const isSingle = changedTopics.length === 1
    const after = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
    const before = { category, pinned, locked, state }
    record({
      ...(isSingle
        ? { target: ['forum topic', firstChange.before.topic] as const, player: firstChange.before.author }
        : { target: ['forum topics', changedTopics.length] as const }),
      before: isSingle ? Object.fromEntries(Object.entries(before).filter(([name]) => name in after)) : {},
      after: isSingle ? after : { ...after, topics: changedTopics.map((row) => row.before.topic) },
      ...(reason !== '' && { reason }),
    })
    return {
      message: `${formatTopics(changedTopics.length)} ${describeTopicChange(changes)}.${describeSkipped(requestedTopics.length - changedTopics.length)}`,
      changed: changedTopics.map((row) => ({ topic: row.before.topic, version: row.version })),
      skipped: requestedTopics.length - changedTopics.length,
    }
  }),

  mount(calls.getDeskBoards, async (_, { deps: { db }, staff }) => ({
    rows: await selectDeskBoards(db),
    mine: await findModeratedBoards(db, staff),
  })),

  mount(calls.saveBoard, async ({ category, version, ...values }, { deps: { db: tx }, staff, record }) => {
    await requireAllBoards(tx, staff, calls.saveBoard)
    const boardRef = { id: Math.min(category, 10_000), version }
    const { before, after } = await boards.save(tx, calls.saveBoard, boardRef, values)
    record({ target: ['forum board', category], before, after })
    return { message: `${values.name} is saved.` }
  }),

  mount(calls.getBlockedTerms, async (_, { deps: { db } }) => {
    const rows = await db
      .selectFrom('forum_watched_words as w')
      .leftJoin('accounts as a', 'a.user_num', 'w.added_by')
      .select(['w.word', 'w.action', 'a.user_id as added_by', 'w.added_at'])
      .orderBy('w.word')
      .execute()
    return { rows }
  }),

  mount(calls.saveBlockedTerm, async ({ word, action }, { deps: { db: tx, now }, staff, record }) => {
    await requireAllBoards(tx, staff, calls.saveBlockedTerm)
    const { rows } = await sql<{ word: string; before: string | null; count: number }>`
      select f.word, w.action as before, (select count(*)::int from forum_watched_words) as count
      from (select search_fold(${word}::text) as word) f left join forum_watched_words w on w.word = f.word`.execute(tx)
    const [term] = rows
    if (term === undefined) throw new Error('A blocked term could not be folded.')
    if (term.before === null && term.count >= TERMS_MAX) throw refuse(calls.saveBlockedTerm, 'tooMany')
    await tx
      .insertInto('forum_watched_words')
      .values({ word: term.word, action, added_by: staff.userNum, added_at: now() })
      .onConflict((conflict) => conflict.column('word').doUpdateSet({ action }))
      .execute()
    record({
      target: ['watched word', term.word],
      before: term.before === null ? {} : { action: term.before },
      after: { action },
    })
    return { message: `“${term.word}” is watched.` }
  }),

  mount(calls.deleteBlockedTerm, async ({ word }, { deps: { db: tx }, staff, record }) => {
    await requireAllBoards(tx, staff, calls.deleteBlockedTerm)
    const deletedTerm = await tx
      .deleteFrom('forum_watched_words')
      .where('word', '=', word)
      .returningAll()
      .executeTakeFirst()
    if (deletedTerm === undefined) throw refuse(calls.deleteBlockedTerm, 'termNotFound')
    record({ target: ['watched word', word], before: { action: deletedTerm.action } })
    return { message: `“${word}” is no longer watched.` }
  }),

  mount(calls.getModerators, async (_, { deps: { db } }) => ({ rows: await selectModerators(db) })),

  mount(calls.saveModerator, async ({ user_num, boards }, { deps: { db: tx, now }, staff, record }) => {
    // Concurrent changes of one player run one after another.
    await tx.selectFrom('accounts').where('user_num', '=', user_num).select('user_num').forNoKeyUpdate().execute()
    const moderator = (await selectModerators(tx)).find((row) => row.user_num === user_num)
    if (moderator === undefined) throw refuse(calls.saveModerator, 'notModerator')
    if (moderator.is_owner) throw refuse(calls.saveModerator, 'isOwner')
    const assignedBoards = [...new Set(boards)].sort((a, b) => a - b)
    const existingBoards = (await selectDeskBoards(tx)).map(({ category }) => category)
    if (!assignedBoards.every((category) => existingBoards.includes(category)))
      throw refuse(calls.saveModerator, 'boardNotFound')
    await tx.deleteFrom('forum_moderators').where('user_num', '=', user_num).execute()
    if (assignedBoards.length > 0)
      await tx
        .insertInto('forum_moderators')
        .values(assignedBoards.map((category) => ({ user_num, category, added_by: staff.userNum, added_at: now() })))
        .execute()
    const formatBoards = (list: number[] | null) => (list === null || list.length === 0 ? 'all' : list.join(', '))
    record({
      target: ['staff', user_num],
      player: user_num,
      before: { boards: formatBoards(moderator.boards) },
      after: { boards: formatBoards(assignedBoards) },
    })
    return {
      message:
        assignedBoards.length === 0
          ? `${moderator.user_id} moderates all boards.`
          : `${moderator.user_id} moderates ${assignedBoards.length} of the boards.`,
    }
  }),
]

const formatCases = (count: number) => (count === 1 ? '1 case' : `${count} cases`)

type TopicChange = { category: number | null; pinned: boolean | null; locked: boolean | null; state: string | null }

/** Describes a change of topics as the end of a sentence. */
function describeTopicChange({ category, pinned, locked, state }: TopicChange): string {
  return [
    ...(category === null ? [] : ['moved']),
    ...(pinned === null ? [] : [pinned ? 'pinned' : 'unpinned']),
    ...(locked === null ? [] : [locked ? 'closed to replies' : 'open to replies again']),
    ...(state === null ? [] : [state === 'deleted' ? 'deleted' : 'restored']),
  ].join(' and ')
}
