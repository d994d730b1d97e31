import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOARD_SILENCE_HOURS_MAX } from '#contract/desk-forum.ts'
import { DAY_MS } from '#contract/durations.ts'
import { FORUM_TEXTS } from '#contract/forum.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { assertRefused, eraseNow } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { createForumPlayer, openTopic, postReply, readTopic, TYPING_TIME } from '#test/forum-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { createForm, createPictureFile, sendForm } from '#test/ticket-helpers.ts'
import { recountForum, sweepForum } from './upkeep.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
await changeSettings(site, { require_staff_factor: false })
const owner = await createOperator(site, 'owner')
const moderator = await createOperator(site, 'moderator')
const otherModerator = await createOperator(site, 'moderator')
const ana = await createForumPlayer(site)
const ben = await createForumPlayer(site)
type Operator = typeof moderator

const readDesk = async (path: string, operator: Operator = moderator) => {
  const answer = await operator.get(`/api/admin/forum/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const callDesk = (path: string, body: object, operator: Operator = moderator) =>
  operator.post(`/api/admin/forum/${path}`, body)
const callDeskOk = async (path: string, body: object, operator: Operator = moderator) => {
  const answer = await callDesk(path, body, operator)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
/** Returns a post as the desk shows it. */
const readPost = (post: number, operator: Operator = moderator) => readDesk(`post?post=${post}`, operator)
/** Returns how a decision refers to a post: with its version and its open case. */
const readReference = async (post: number) => {
  const { post: row, open } = await readPost(post)
  return { post, version: row.version, case_num: open?.case_num ?? null }
}
const decide = async (decision: string, post: number, reason = '') =>
  callDeskOk('decide', { decision, reason, posts: [await readReference(post)] })
const selectLetters = (userNum: number) =>
  db.selectFrom('letters').where('to_num', '=', userNum).selectAll().orderBy('letter').execute()
const readState = async (post: number) =>
  (await db.selectFrom('forum_posts').where('post', '=', post).select('state').executeTakeFirstOrThrow()).state
const createHeldReply = async (topic: number, body = 'Bago po ako.') => {
  const author = await createForumPlayer(site, { posts: 0 })
  return { author, ...(await postReply(site, author, topic, body)) }
}
const createReportedPost = async (reason = 'spam') => {
  const { topic } = await openTopic(site, ana)
  const postAnswer = await postReply(site, ben, topic, 'Bili na kayo!')
  await ana.post('/api/forum/posts/report', { post: postAnswer.post, reason, words: 'Benta ito' })
  return { topic, ...postAnswer }
}
const readLastAudit = () =>
  db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').limit(1).executeTakeFirstOrThrow()

test('lists held and reported posts with their reasons in the queue until they are decided', async () => {
  const { topic } = await openTopic(site, ana, { title: 'Tanong sa boss' })
  const heldReply = await createHeldReply(topic)
  const { post } = await createReportedPost('scam')
  const openCases = (await readDesk('cases?state=open')).rows
  assert.deepEqual(
    openCases.map(({ kind, held_for, reasons, post: postNum }: Record<string, unknown>) => [
      postNum,
      kind,
      held_for,
      reasons,
    ]),
    [
      [heldReply.post, 'held', ['first posts'], []],
      [post, 'report', [], ['scam']],
    ],
  )
  assert.deepEqual(
    [openCases[0].title, openCases[0].excerpt, openCases[0].author_name],
    ['Tanong sa boss', 'Bago po ako.', heldReply.author.name],
  )
  const deskPost = await readPost(post)
  assert.deepEqual(
    [deskPost.open.reports[0].words, deskPost.earlier.length, deskPost.author.posts],
    ['Benta ito', 1, 21],
  )
  await decide('approve', heldReply.post)
  await decide('dismiss', post)
  assert.deepEqual((await readDesk('cases?state=open')).rows, [])
  assert.deepEqual(
    (await readDesk('cases?state=closed&sort=-case')).rows.map(({ outcome, closed_by }: Record<string, string>) => [
      outcome,
      closed_by,
    ]),
    [
      ['dismissed', moderator.user.UserID],
      ['approved', moderator.user.UserID],
    ],
  )
  assert.deepEqual([(await readTopic(site, topic)).posts.length, await readState(post)], [2, 'visible'])
  const entry = await readLastAudit()
  assert.deepEqual(
    [entry.action, entry.target_kind, entry.target_id, entry.player],
    ['/admin/forum/decide', 'forum post', String(post), ben.userNum],
  )
})

test('a rejection requires a reason, which is sent to the author’s mailbox', async () => {
  const { post } = await createReportedPost()
  const lettersBefore = (await selectLetters(ben.userNum)).length
  assertRefused(await callDesk('decide', { decision: 'reject', posts: [await readReference(post)] }), 422)
  await decide('reject', post, 'No selling of accounts here.')
  const newLetters = (await selectLetters(ben.userNum)).slice(lettersBefore)
  assert.equal(newLetters.length, 1)
  assert.match(newLetters[0]?.body ?? '', /Reason: No selling of accounts here\./)
})

test('the second of two moderators who decide on a post gets a conflict, and one letter is sent', async () => {
  const { post } = await createReportedPost()
  const lettersBefore = (await selectLetters(ben.userNum)).length
  const reference = await readReference(post)
  const answers = await Promise.all([
    callDesk('decide', { decision: 'reject', reason: 'Spam.', posts: [reference] }),
    callDesk('decide', { decision: 'reject', reason: 'Advertising.', posts: [reference] }, otherModerator),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.match(answers.find(({ status }) => status === 409)?.text ?? '', /decided about this in the meantime/)
  assert.equal((await selectLetters(ben.userNum)).length - lettersBefore, 1)
  assert.equal((await readPost(post)).closed.length, 1)
})

test('skips a decision about a text that its author changed while the moderator read it', async () => {
  const { topic } = await openTopic(site, ana)
  const { post, author } = await createHeldReply(topic)
  const reference = await readReference(post)
  assert.equal((await author.post('/api/forum/posts/edit', { post, body: 'Ibang-iba na ito.' })).status, 200)
  assertRefused(await callDesk('decide', { decision: 'approve', posts: [reference] }), 409)
  assert.equal(await readState(post), 'held')
  assert.equal((await readPost(post)).post.before.length, 1)
})

test('a post that a moderator deletes leaves a tombstone, and its author gets no letter', async () => {
  const { topic, post } = await createReportedPost()
  const lettersBefore = (await selectLetters(ben.userNum)).length
  await decide('delete', post)
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'removed')
  assert.equal((await selectLetters(ben.userNum)).length, lettersBefore)
  assertRefused(
    await callDesk('decide', { decision: 'delete', posts: [{ ...(await readReference(post)), case_num: null }] }),
    409,
  )
})

test('refuses to dismiss the case of a held post, and to approve a reply of a rejected topic', async () => {
  const { topic } = await openTopic(site, ana)
  const { post } = await createHeldReply(topic)
  assertRefused(await callDesk('decide', { decision: 'dismiss', posts: [await readReference(post)] }), 409)
  await db.updateTable('forum_topics').set({ state: 'rejected' }).where('topic', '=', topic).execute()
  assertRefused(await callDesk('decide', { decision: 'approve', posts: [await readReference(post)] }), 409)
  await decide('delete', post)
})

test('decides about many posts at once, and skips those that another moderator has decided', async () => {
  const { topic } = await openTopic(site, ana)
  const secondTopic = await openTopic(site, ben, { category: 400 })
  const heldReplies = [
    await createHeldReply(topic),
    await createHeldReply(secondTopic.topic),
    await createHeldReply(topic),
  ]
  const references = await Promise.all(heldReplies.map(({ post }) => readReference(post)))
  await callDeskOk('decide', { decision: 'delete', posts: references.slice(2) }, otherModerator)
  const answer = await callDeskOk('decide', { decision: 'approve', posts: references })
  assert.deepEqual([answer.decided, answer.skipped, answer.cases.length], [2, 1, 2])
  assert.match(answer.message, /^2 posts approved\. 1 was left out/)
  assert.equal((await readLastAudit()).target_kind, 'forum posts')
  assert.equal((await readTopic(site, topic)).posts.length, 2)
  await callDeskOk('undo', { cases: answer.cases })
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'waiting')
})

test('has no deadlock if moderators decide on the same posts in different orders', async () => {
  const [firstTopic, secondTopic] = [await openTopic(site, ana), await openTopic(site, ben, { category: 700 })]
  const references = []
  for (const { topic } of [firstTopic, secondTopic, firstTopic, secondTopic])
    references.push(await readReference((await createHeldReply(topic)).post))
  const answers = await Promise.all([
    callDesk('decide', { decision: 'approve', posts: references }),
    callDesk('decide', { decision: 'approve', posts: references.toReversed() }, otherModerator),
    // Posting locks rows of the same topics; postReply asserts that it succeeds.
    postReply(site, ana, secondTopic.topic).then(() => ({ status: 200 })),
    postReply(site, ben, firstTopic.topic).then(() => ({ status: 200 })),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 409])
})

test('a report during a decision opens a new case or joins the case that is being decided', async () => {
  const { post } = await createReportedPost()
  const thirdPlayer = await createForumPlayer(site)
  const reference = await readReference(post)
  const [decision, reportResponse] = await Promise.all([
    callDesk('decide', { decision: 'dismiss', posts: [reference] }),
    thirdPlayer.post('/api/forum/posts/report', { post, reason: 'insult', words: '' }),
  ])
  assert.deepEqual([decision.status, reportResponse.status], [200, 200])
  const { open, closed } = await readPost(post)
  assert.equal((open?.reports.length ?? 0) + closed[0].reports.length, 2)
})

test('undoing a decision restores the post and its case; undoing a rejection sends a letter', async () => {
  const { topic } = await openTopic(site, ana)
  const { post, author } = await createHeldReply(topic)
  const undoDecision = async () => callDeskOk('undo', { cases: [(await readPost(post)).closed[0].case_num] })
  await decide('approve', post)
  await undoDecision()
  let deskPost = await readPost(post)
  assert.deepEqual([deskPost.post.state, deskPost.post.held_for, deskPost.open.kind], ['held', ['first posts'], 'held'])
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'waiting')
  await decide('reject', post, 'Off topic.')
  await undoDecision()
  const subjects = (await selectLetters(author.userNum)).map(({ subject }) => subject)
  assert.match(subjects.join('|'), /not accepted: .*\|About your post that was not accepted/)
  await decide('delete', post)
  const { case_num } = (await readPost(post)).closed[0]
  const answers = await Promise.all([
    callDesk('undo', { cases: [case_num] }),
    callDesk('undo', { cases: [case_num] }, otherModerator),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  await decide('approve', post)
  assert.equal((await author.post('/api/forum/posts/delete', { post })).status, 200)
  deskPost = await readPost(post)
  assert.equal(deskPost.closed[0].can_undo, false)
  assertRefused(await callDesk('undo', { cases: [deskPost.closed[0].case_num] }), 409)
})

test('undoing the rejection of an opening post restores its topic', async () => {
  const { topic, post } = await openTopic(site, ben, { category: 600, title: 'Club namin' })
  await ana.post('/api/forum/posts/report', { post, reason: 'other', words: '' })
  const { cases } = await decide('reject', post, 'Twice the same.')
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${topic}`), 404)
  await callDeskOk('undo', { cases })
  assert.equal((await readTopic(site, topic)).topic.posts, 1)
})

test('shows a held change of a title at the desk, and hides it again when its approval is undone', async () => {
  const author = await createForumPlayer(site, { posts: 2, days: 1 })
  const { topic, post } = await openTopic(site, author, { title: 'Lumang pamagat' })
  await postReply(site, ben, topic)
  await author.post('/api/forum/posts/edit', { post, title: 'Bagong pamagat', body: 'https://evil.example/x' })
  const readTitles = async () => {
    const shownPost = await readPost(post)
    return [(await readTopic(site, topic)).topic.title, shownPost.post.title, shownPost.topic.title]
  }
  assert.deepEqual(await readTitles(), ['Lumang pamagat', 'Bagong pamagat', 'Lumang pamagat'])
  assert.equal((await readDesk('cases?state=open&sort=-case')).rows[0].title, 'Bagong pamagat')
  const { cases } = await decide('approve', post)
  assert.deepEqual(await readTitles(), ['Bagong pamagat', 'Bagong pamagat', 'Bagong pamagat'])
  await callDeskOk('undo', { cases })
  assert.deepEqual(await readTitles(), ['Lumang pamagat', 'Bagong pamagat', 'Lumang pamagat'])
  assert.equal((await readPost(post)).post.before.length, 1)
  await decide('reject', post, 'Advertising.')
  assert.match((await selectLetters(author.userNum)).at(-1)?.subject ?? '', /Bagong pamagat/)
  assert.deepEqual(await readTitles(), ['Lumang pamagat', 'Bagong pamagat', 'Lumang pamagat'])
})

test('shows a poll at the desk with its topic and the opening post, not with a reply', async () => {
  const author = await createForumPlayer(site, { posts: 0 })
  const poll = { question: 'Anong araw?', options: ['Sabado', 'Linggo'], choices_max: 1, days: null }
  const { topic, post, held } = await openTopic(site, author, { poll })
  assert.equal(held, true)
  for (const shownPoll of [(await readPost(post)).poll, (await readDesk(`topic?topic=${topic}`)).poll])
    assert.deepEqual(
      [shownPoll.question, ...shownPoll.options.map(({ words }: { words: string }) => words)],
      ['Anong araw?', 'Sabado', 'Linggo'],
    )
  await decide('approve', post)
  assert.equal((await readPost((await postReply(site, ben, topic)).post)).poll, null)
})

test('a silenced player cannot write until a moderator lifts the silence, and gets two letters', async () => {
  const silencedPlayer = await createForumPlayer(site)
  const { topic } = await openTopic(site, ana)
  const { post } = await postReply(site, silencedPlayer, topic, 'AAAA')
  const silence = (operator: Operator) => callDesk('silence', { post, hours: 24, reason: 'Flooding.' }, operator)
  const answers = await Promise.all([silence(moderator), silence(otherModerator)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const response = await silencedPlayer.post('/api/forum/posts', { topic, body: 'Hoy', ...TYPING_TIME })
  assertRefused(response, 403)
  const { silences } = (await readPost(post)).author
  const until = formatManilaMinute(Date.parse(silences[0].ends_at))
  assert.equal(response.json().message, `You cannot write until ${until}. Flooding.`)
  assert.match((await selectLetters(silencedPlayer.userNum))[0]?.body ?? '', new RegExp(`^Until ${until} \\(Manila\\)`))
  assert.deepEqual([silences.length, silences[0].is_on], [1, true])
  assert.equal((await readDesk(`silences?state=on&q=${silencedPlayer.user.UserID}`)).rows[0].post, post)
  await callDeskOk('silence/lift', { silence: silences[0].silence })
  assertRefused(await callDesk('silence/lift', { silence: silences[0].silence }), 409)
  await postReply(site, silencedPlayer, topic)
  assert.deepEqual(
    (await selectLetters(silencedPlayer.userNum)).map(({ subject }) => subject),
    ['You cannot write in the forum for a while', 'You can write in the forum again'],
  )
  assertRefused(await callDesk('silence', { post, hours: 9000, reason: 'Insults' }), 422)
  const staffPost = await postReply(site, otherModerator, topic)
  assertRefused(await callDesk('silence', { post: staffPost.post, hours: 24, reason: 'Insults' }), 422)
})

/** The board of the local moderators. */
const LOCAL_BOARD = 400

/** Creates a moderator of one board, a reported topic on this board and a reported post on another board. */
async function createLocalModerator() {
  const localModerator = await createOperator(site, 'moderator')
  await callDeskOk('moderators/save', { user_num: localModerator.user.UserNum, boards: [LOCAL_BOARD] }, owner)
  const otherBoardPost = await createReportedPost()
  const localTopic = await openTopic(site, ben, { category: LOCAL_BOARD })
  await ana.post('/api/forum/posts/report', { post: localTopic.post, reason: 'insult', words: '' })
  return { localModerator, otherBoardPost, ...localTopic }
}

test('only an owner sets the boards of a moderator', async () => {
  const boardModerator = await createOperator(site, 'moderator')
  const setBoards = (by: Operator, user: Operator['user'], boards: number[]) =>
    callDesk('moderators/save', { user_num: user.UserNum, boards }, by)
  assertRefused(await setBoards(moderator, boardModerator.user, [LOCAL_BOARD]), 403)
  assertRefused(await setBoards(owner, owner.user, [LOCAL_BOARD]), 422)
  assert.equal((await setBoards(owner, boardModerator.user, [LOCAL_BOARD])).status, 200)
  assert.deepEqual((await readDesk('boards', boardModerator)).mine, [LOCAL_BOARD])
  assert.equal((await setBoards(owner, boardModerator.user, [])).status, 200)
  assert.equal((await readDesk('boards', boardModerator)).mine, null)
})

test('a moderator of one board sees and counts only the cases of this board', async () => {
  const { localModerator, otherBoardPost, topic } = await createLocalModerator()
  const rows = (await readDesk('cases?state=open', localModerator)).rows
  assert.ok(rows.length > 0 && rows.every(({ category }: { category: number }) => category === LOCAL_BOARD))
  const countReports = async (operator: Operator) =>
    (await operator.get('/api/admin/today')).json().needs.find(({ kind }: { kind: string }) => kind === 'reports').count
  assert.equal(
    await countReports(localModerator),
    rows.filter(({ kind }: { kind: string }) => kind === 'report').length,
  )
  assert.ok((await countReports(moderator)) > (await countReports(localModerator)))
  const countWaiting = async (operator: Operator) => (await operator.get('/api/admin/me')).json().waiting.forum
  assert.equal(await countWaiting(localModerator), rows.length)
  assert.ok((await countWaiting(moderator)) > rows.length)

  const mayModerate = async (topicNum: number, operator: Operator) =>
    (await operator.get(`/api/forum/mine/topics/${topicNum}`)).json().may_moderate
  assert.deepEqual(
    [await mayModerate(topic, localModerator), await mayModerate(otherBoardPost.topic, localModerator)],
    [true, false],
  )
  assert.equal(await mayModerate(topic, ana as unknown as Operator), false)
})

test('a moderator of one board acts only on this board, and silences for a week at most', async () => {
  const { localModerator, otherBoardPost, topic, post } = await createLocalModerator()
  const otherReference = await readReference(otherBoardPost.post)
  const version = 1
  const refusals: [string, object][] = [
    ['decide', { decision: 'delete', posts: [await readReference(post), otherReference] }],
    ['note', { post: otherBoardPost.post, body: 'Akin?' }],
    ['assign', { case_num: otherReference.case_num, from: null, to: localModerator.user.UserNum }],
    ['silence', { post: otherBoardPost.post, hours: 24, reason: 'Insults' }],
    ['topics/change', { topics: [{ topic: otherBoardPost.topic, version }], locked: true }],
    ['topics/change', { topics: [{ topic, version }], category: 100 }],
    ['words/save', { word: 'droga', action: 'hold' }],
    ['words/delete', { word: 'droga' }],
  ]
  for (const [path, body] of refusals) assertRefused(await callDesk(path, body, localModerator), 403)
  assertRefused(await localModerator.get(`/api/admin/forum/post?post=${otherBoardPost.post}`), 403)
  assertRefused(await localModerator.get(`/api/admin/forum/topic?topic=${otherBoardPost.topic}`), 403)
  const board = (await readDesk('boards')).rows.find(({ category }: { category: number }) => category === LOCAL_BOARD)
  assertRefused(await callDesk('boards/save', { ...board, name: 'Akin' }, localModerator), 403)
  assert.equal(await readState(post), 'visible')
  const assignment = { case_num: otherReference.case_num, from: null, to: localModerator.user.UserNum }
  assertRefused(await callDesk('assign', assignment), 422)
  const silence = { post, hours: BOARD_SILENCE_HOURS_MAX, reason: 'Insults.' }
  assertRefused(await callDesk('silence', { ...silence, hours: BOARD_SILENCE_HOURS_MAX + 1 }, localModerator), 422)
  await callDeskOk('silence', silence, localModerator)
  const { cases } = await callDeskOk(
    'decide',
    { decision: 'delete', posts: [await readReference(post)] },
    localModerator,
  )
  assertRefused(await callDesk('undo', { cases: [...cases, otherReference.case_num] }, localModerator), 403)
  await callDeskOk('undo', { cases }, localModerator)
  const [activeSilence] = (await readDesk('silences?state=on')).rows
  await callDeskOk('silence/lift', { silence: activeSilence.silence }, localModerator)
})

test('assigns a case to one of two concurrent moderators, and only to staff of the forum', async () => {
  const { post } = await createReportedPost()
  const { case_num } = (await readPost(post)).open
  const assignments = [moderator, otherModerator].map((operator) =>
    callDesk('assign', { case_num, from: null, to: operator.user.UserNum }, operator),
  )
  const answers = await Promise.all(assignments)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { assignee_num } = (await readPost(post)).open
  assertRefused(await callDesk('assign', { case_num, from: assignee_num, to: ana.userNum }), 422)
  await callDeskOk('assign', { case_num, from: assignee_num, to: owner.user.UserNum })
  assert.equal((await readDesk('cases?assignee=me', owner)).rows.length, 1)
  await decide('dismiss', post)
})

test('stores a note in the open case of a post or in a new case, but not in the audit log', async () => {
  const { post } = await createReportedPost()
  await callDeskOk('note', { post, body: 'Second time this week.' })
  assert.equal((await readPost(post)).open.notes[0].body, 'Second time this week.')
  const entry = await readLastAudit()
  assert.doesNotMatch(JSON.stringify(entry.changes), /Second time/)
  const unreportedTopic = await openTopic(site, ana)
  await callDeskOk('note', { post: unreportedTopic.post, body: 'Keep an eye on this.' })
  assert.equal((await readPost(unreportedTopic.post)).open.kind, 'staff')
  await decide('dismiss', unreportedTopic.post)
  await decide('dismiss', post)
})

test('moves, pins, locks, deletes and restores topics, and keeps every count correct', async () => {
  const { topic, post } = await openTopic(site, ana, { category: 200, title: 'Maling board' })
  await postReply(site, ben, topic)
  const heldReply = await createHeldReply(topic)
  await ben.post('/api/forum/posts/report', { post, reason: 'other', words: '' })
  const changeTopic = async (fields: object, operator: Operator = moderator) => {
    const { topic: row } = await readDesk(`topic?topic=${topic}`)
    return callDesk('topics/change', { topics: [{ topic, version: row.version }], ...fields }, operator)
  }
  const changeTopicOk = async (fields: object) => assert.equal((await changeTopic(fields)).status, 200)
  await changeTopicOk({ category: 100, pinned: true, locked: true })
  const updatedTopic = await readTopic(site, topic)
  assert.deepEqual(
    [updatedTopic.topic.category, updatedTopic.topic.pinned, updatedTopic.topic.locked],
    [100, true, true],
  )
  assertRefused(await ben.post('/api/forum/posts', { topic, body: 'Huli', ...TYPING_TIME }), 403, FORUM_TEXTS.locked)
  assertRefused(await changeTopic({ pinned: true }), 409)
  assertRefused(await changeTopic({ category: 101 }), 422)
  assertRefused(await callDesk('topics/change', { topics: [{ topic, version: 0 }], pinned: false }), 409)
  await changeTopicOk({ locked: false })
  await changeTopicOk({ state: 'deleted', reason: 'Twice the same topic.' })
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${topic}`), 404)
  assert.match((await selectLetters(ana.userNum)).at(-1)?.body ?? '', /Reason: Twice the same topic\./)
  assert.equal(await readState(heldReply.post), 'deleted')
  const openCases = (await readDesk('cases?state=open')).rows as { post: number }[]
  assert.ok(!openCases.some((row) => row.post === post || row.post === heldReply.post))
  await changeTopicOk({ state: 'visible' })
  assert.equal((await readTopic(site, topic)).topic.posts, 2)
  const findTopics = async (query: string) =>
    (await readDesk(`topics?${query}`)).rows.map((row: { topic: number }) => row.topic)
  assert.deepEqual(await findTopics('q=maling'), [topic])
  assert.deepEqual(await findTopics(`q=${topic}&mark=pinned`), [topic])
  assert.ok((await findTopics(`q=${ana.user.UserID}&board=100`)).includes(topic))
  const loneTopic = await openTopic(site, ben)
  await ben.post('/api/forum/posts/delete', { post: loneTopic.post })
  const { topic: row } = await readDesk(`topic?topic=${loneTopic.topic}`)
  assertRefused(
    await callDesk('topics/change', { topics: [{ topic: loneTopic.topic, version: row.version }], state: 'visible' }),
    409,
  )
  // The test players were inserted with posts that the counts lack.
  await db.transaction().execute(recountForum)
  assert.equal(await db.transaction().execute(recountForum), 0)
})

test('reports a conflict to the second of two moderators who change a topic', async () => {
  const { topic } = await openTopic(site, ana)
  const moveTopic = (category: number, operator: Operator) =>
    callDesk('topics/change', { topics: [{ topic, version: 1 }], category }, operator)
  const answers = await Promise.all([moveTopic(200, moderator), moveTopic(300, otherModerator)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('a changed board or watched word applies from the next post', async () => {
  const readBoard = async () =>
    (await readDesk('boards')).rows.find(({ category }: { category: number }) => category === 700)
  const boardBefore = await readBoard()
  await callDeskOk('boards/save', { ...boardBefore, name: 'Ideas', level_needed: 60, hold_first: 0 })
  assertRefused(await callDesk('boards/save', { ...boardBefore, name: 'Again' }), 409)
  assertRefused(
    await ana.post('/api/forum/topics', { category: 700, title: 'Idea', body: 'Idea', ...TYPING_TIME }),
    403,
  )
  assertRefused(await callDesk('boards/save', { ...(await readBoard()), level_needed: 0 }), 422)
  assertRefused(await callDesk('boards/save', { ...(await readBoard()), emblem: 'dragon' }), 422)
  await callDeskOk('boards/save', { ...(await readBoard()), emblem: 'plan' })
  // A call without an emblem leaves it unchanged.
  const { emblem: _, ...boardValues } = await readBoard()
  await callDeskOk('boards/save', boardValues)
  assert.equal((await readBoard()).emblem, 'plan')
  await callDeskOk('words/save', { word: '  Gintó-Shop ', action: 'refuse' })
  const { rows } = await readDesk('words')
  const { word } = rows.at(-1)
  assertRefused(
    await ana.post('/api/forum/topics', { category: 100, title: 'Bili', body: 'Punta sa ginto shop', ...TYPING_TIME }),
    422,
    FORUM_TEXTS.refusedWord,
  )
  await callDeskOk('words/delete', { word })
  assertRefused(await callDesk('words/delete', { word }), 404)
  await openTopic(site, ana, { title: 'Bili', body: 'Punta sa ginto shop' })
})

const readStatus = async (url: string, headers: Record<string, string> = {}) => (await site.get(url, headers)).status
const uploadPicture = async (player = ana, width = 900) => {
  const form = createForm({ picture: await createPictureFile('kuha.png', { width, height: 600 }) })
  const answer = await sendForm(site, '/api/forum/pictures', form, player.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().url as string
}

test('serves a picture only while a post shows it, except to moderators', async () => {
  const url = await uploadPicture()
  assert.equal(await readStatus(url), 200)
  const { topic } = await openTopic(site, ana)
  const { post } = await postReply(site, ana, topic, `![Kuha ko](${url})`)
  const response = await site.get(url)
  assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-cache'])
  assert.equal(await readStatus(url, { 'If-None-Match': response.headers.get('etag') ?? '' }), 304)

  const { cases } = await decide('reject', post, 'Bastos ang larawan.')
  const picture = `/api/admin/forum/picture?post=${post}&url=${url}`
  assert.deepEqual(
    [await readStatus(url), await readStatus(url, { 'If-None-Match': response.headers.get('etag') ?? '' })],
    [404, 404],
  )
  assert.deepEqual([await readStatus(picture, moderator.headers), await readStatus(picture, ben.headers)], [200, 403])
  await callDeskOk('undo', { cases })
  assert.equal(await readStatus(url), 200)

  await decide('delete', post)
  assert.equal(await readStatus(url), 404)
  const secondReply = await postReply(site, ana, topic, `Ulit: ![Kuha ko](${url})`)
  assert.equal(await readStatus(url), 200)
  await sweepForum(db, new Date(site.clock.now().getTime() + 31 * DAY_MS))
  assert.equal(await readStatus(url), 200)
  await ana.post('/api/forum/posts/edit', { post: secondReply.post, body: 'Wala nang larawan.' })
  assert.equal(await readStatus(url), 404)
  assert.equal(await readStatus(`/api/admin/forum/picture?post=${secondReply.post}&url=${url}`, moderator.headers), 200)
  assert.equal(await readStatus(`/api/admin/forum/picture?post=${topic}&url=${url}`, moderator.headers), 404)
})

test('does not serve pictures of deleted topics and erased players, except files of staff', async () => {
  const carlo = await createForumPlayer(site)
  const url = await uploadPicture(carlo, 800)
  const { topic } = await openTopic(site, carlo, { category: 300, body: `![Kuha ko](${url})` })
  await postReply(site, ben, topic)
  const smallUrl = (await readTopic(site, topic)).topic.picture
  assert.deepEqual([await readStatus(url), await readStatus(smallUrl)], [200, 200])
  const setTopicState = (state: 'visible' | 'deleted') => updateRows(db, 'forum_topics', { topic }, { state })
  await setTopicState('deleted')
  assert.deepEqual([await readStatus(url), await readStatus(smallUrl)], [404, 404])
  await setTopicState('visible')
  await eraseNow(site, carlo.userNum)
  assert.deepEqual([await readStatus(url), await readStatus(smallUrl)], [404, 404])
  // An upload of the same picture by staff makes it a picture of the site.
  const [hash = ''] = /[0-9a-f]{64}/.exec(url) ?? []
  await db.updateTable('files').set({ of_players: false }).where('hash', '=', hash).execute()
  assert.equal(await readStatus(url), 200)
})
