import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { FORUM_LATEST_MAX, FORUM_TEXTS, TOMBSTONES } from '#contract/forum.ts'
import { FORUM_BOOKMARKS_MAX, FORUM_UNREAD_MAX_MS } from '#contract/limits.ts'
import { runCommand } from '#server/commands.ts'
import { assertRefused, eraseNow } from '#test/account-helpers.ts'
import { insertRows, updateRows } from '#test/factories.ts'
import { createForumPlayer, openTopic, postReply, readTopic, TYPING_TIME } from '#test/forum-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { createForm, createPictureFile, sendForm } from '#test/ticket-helpers.ts'
import { approvePost, rejectPost } from './cases.ts'
import { recountForum, sweepForum } from './upkeep.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site
const ana = await createForumPlayer(site)
const ben = await createForumPlayer(site)

const readBoard = async (category: number, query = '') => {
  site.cache.clear()
  return (await site.get(`/api/forum/boards/${category}${query}`)).json()
}
const readBoardCounts = async (category: number) =>
  db
    .selectFrom('forum_boards')
    .where('category', '=', category)
    .select(['topic_count', 'post_count'])
    .executeTakeFirstOrThrow()
const selectLetters = (userNum: number) =>
  db
    .selectFrom('letters')
    .where('to_num', '=', userNum)
    .where('kind', '=', 'forum')
    .selectAll()
    .orderBy('letter')
    .execute()
const approveHeldPost = (post: number) => db.transaction().execute((tx) => approvePost(tx, site, { post, by: null }))
const rejectWithReason = (post: number, reason: string) =>
  db.transaction().execute((tx) => rejectPost(tx, { now: site.clock.now() }, { post, reason, by: null }))

/** Advances the clock without ending sessions. */
const advanceTime = async (ms: number) => {
  site.clock.advance(ms)
  const now = site.clock.now()
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, ends_at: new Date(now.getTime() + DAY_MS) })
    .execute()
}

test('the forum has the seven boards of FORUM-1', async () => {
  const { boards } = (await site.get('/api/forum/boards')).json()
  assert.deepEqual(
    boards.map(({ category }: { category: number }) => category),
    [100, 200, 300, 400, 500, 600, 700],
  )
  assertRefused(await site.get('/api/forum/boards/800'), 404, FORUM_TEXTS.boardNotFound)
  assertRefused(await site.get('/api/forum/boards/99999999999'), 404, FORUM_TEXTS.boardNotFound)
  assertRefused(await site.get('/api/forum/topics/99999999999'), 404, FORUM_TEXTS.topicNotFound)
})

test('a topic and its replies are numbered from 1, and authors appear as their main character', async () => {
  await insertRows(db, 'characters', {
    user_num: ana.userNum,
    cha_name: 'Bunso',
    cha_level: 3,
    cha_class: '1',
    cha_school: 2,
  })
  const countsBefore = await readBoardCounts(100)
  const { topic, path } = await openTopic(site, ana, { title: 'Boss sa gabi', body: '**Sino** sasama?' })
  assert.equal(path, `/forum/100/${topic}`)
  assert.equal((await postReply(site, ben, topic, 'Ako!')).path, `/forum/100/${topic}#post-2`)
  const topicPage = await readTopic(site, topic)
  assert.deepEqual(
    topicPage.posts.map((post: { number: number; html: string; author: { name: string } }) => [
      post.number,
      post.html,
      post.author.name,
    ]),
    [
      [1, '<p><strong>Sino</strong> sasama?</p>', ana.name],
      [2, '<p>Ako!</p>', ben.name],
    ],
  )
  assert.deepEqual(
    [topicPage.topic.posts, topicPage.topic.last_author, topicPage.topic.author.ChaLevel],
    [2, ben.name, 50],
  )
  assert.doesNotMatch(JSON.stringify(topicPage), new RegExp(`${ana.user.UserID}|${ben.user.UserID}`))
  const countsAfter = await readBoardCounts(100)
  assert.deepEqual(
    [countsAfter.topic_count - countsBefore.topic_count, countsAfter.post_count - countsBefore.post_count],
    [1, 2],
  )
})

test('concurrent replies get different numbers, and every count is correct', async () => {
  const { topic } = await openTopic(site, ana)
  const writers = await Promise.all([1, 2, 3, 4].map(() => createForumPlayer(site)))
  await Promise.all(writers.map((writer) => postReply(site, writer, topic)))
  const { posts, topic: row } = await readTopic(site, topic)
  assert.deepEqual(
    posts.map(({ number }: { number: number }) => number),
    [1, 2, 3, 4, 5],
  )
  assert.equal(row.posts, 5)
})

test('stores a reply once when it is sent again with the same idempotency key', async () => {
  const { topic } = await openTopic(site, ana)
  const sendReply = () =>
    ben.post('/api/forum/posts', { topic, body: 'Isa lang.', ...TYPING_TIME }, { 'Idempotency-Key': `forum ${topic}` })
  const [firstAnswer, secondAnswer] = await Promise.all([sendReply(), sendReply()])
  assert.deepEqual([firstAnswer.status, secondAnswer.status, firstAnswer.text], [200, 200, secondAnswer.text])
  assert.equal((await readTopic(site, topic)).posts.length, 2)
})

test('a post never moves to another page, because deleted posts count among the 20 of a page', async () => {
  const { topic } = await openTopic(site, ana)
  const replies = []
  for (let n = 2; n <= 21; n++) replies.push(await postReply(site, n % 2 === 0 ? ben : ana, topic, `Bilang ${n}`))
  const deletedReply = replies.find(({ number }) => number === 4)
  assert.equal((await ben.post('/api/forum/posts/delete', { post: deletedReply?.post })).status, 200)
  const [firstPage, secondPage] = [await readTopic(site, topic), await readTopic(site, topic, 99)]
  assert.deepEqual(
    [firstPage.posts.length, firstPage.last_page, secondPage.page, secondPage.posts[0].number],
    [20, 2, 2, 21],
  )
  const tombstone = firstPage.posts[3]
  assert.deepEqual([tombstone.tombstone, tombstone.html, tombstone.number], ['deleted', '', 4])
  assert.equal(firstPage.topic.posts, 20)
  assert.ok(TOMBSTONES.deleted.length > 0)
})

test('writing requires a confirmed email, a character of the board’s level and a writable board', async () => {
  const post = { category: 200, title: 'Tanong', body: 'Paano?', ...TYPING_TIME }
  const unconfirmed = await createForumPlayer(site, { confirmed: false })
  assertRefused(await unconfirmed.post('/api/forum/topics', post), 403, FORUM_TEXTS.confirmEmail)
  const playerWithoutCharacter = await createForumPlayer(site, { level: null })
  assertRefused(await playerWithoutCharacter.post('/api/forum/topics', post), 403)
  await db.updateTable('forum_boards').set({ level_needed: 51 }).where('category', '=', 200).execute()
  assertRefused(await ana.post('/api/forum/topics', post), 403, 'You need a character of level 51 to write here.')
  const boardAccess = (await ana.get('/api/forum/mine/boards/200')).json()
  assert.deepEqual(
    [boardAccess.may_write, boardAccess.missing],
    [false, 'You need a character of level 51 to write here.'],
  )
  const highLevelPlayer = await createForumPlayer(site, { level: 51 })
  assert.equal((await highLevelPlayer.post('/api/forum/topics', post)).status, 200)
  await db.updateTable('forum_boards').set({ level_needed: 1, read_only: true }).where('category', '=', 200).execute()
  assertRefused(await highLevelPlayer.post('/api/forum/topics', post), 403, FORUM_TEXTS.readOnly)
  await db.updateTable('forum_boards').set({ read_only: false }).where('category', '=', 200).execute()
})

test('a silenced player cannot write until the silence ends', async () => {
  const silencedPlayer = await createForumPlayer(site)
  const { topic } = await openTopic(site, ana)
  const now = site.clock.now()
  await insertRows(db, 'forum_silences', {
    user_num: silencedPlayer.userNum,
    reason: 'Flooding.',
    starts_at: now,
    ends_at: new Date(now.getTime() + DAY_MS),
    silenced_by: null,
    lifted_at: null,
    lifted_by: null,
  })
  const response = await silencedPlayer.post('/api/forum/posts', { topic, body: 'Hoy', ...TYPING_TIME })
  assertRefused(response, 403)
  assert.match(response.json().message, /^You cannot write until .*Flooding\.$/)
  await advanceTime(DAY_MS)
  await postReply(site, silencedPlayer, topic)
})

test('refuses replies and edits in a locked topic, and does not find a deleted one', async () => {
  const { topic, post } = await openTopic(site, ana)
  await db.updateTable('forum_topics').set({ locked: true }).where('topic', '=', topic).execute()
  assertRefused(await ben.post('/api/forum/posts', { topic, body: 'Huli', ...TYPING_TIME }), 403, FORUM_TEXTS.locked)
  assertRefused(await ana.post('/api/forum/posts/edit', { post, body: 'Iba' }), 403, FORUM_TEXTS.locked)
  await db.updateTable('forum_topics').set({ state: 'deleted' }).where('topic', '=', topic).execute()
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${topic}`), 404, FORUM_TEXTS.topicNotFound)
  assertRefused(
    await ben.post('/api/forum/posts', { topic, body: 'Huli', ...TYPING_TIME }),
    404,
    FORUM_TEXTS.topicNotFound,
  )
  assertRefused(await ben.get(`/api/forum/mine/topics/${topic}`), 404)
})

test('holds a player’s first post, visible to its author only, until a moderator approves it', async () => {
  const newPlayer = await createForumPlayer(site, { posts: 0 })
  const countsBefore = await readBoardCounts(400)
  const heldTopic = await openTopic(site, newPlayer, { category: 400, title: 'Bagong salta', body: 'Hello po!' })
  assert.deepEqual([heldTopic.held, heldTopic.message, heldTopic.path], [true, FORUM_TEXTS.held, '/forum/400'])
  assertRefused(await site.get(`/api/forum/topics/${heldTopic.topic}`), 404)
  assert.deepEqual(await readBoardCounts(400), countsBefore)
  assert.equal((await newPlayer.get('/api/forum/mine/boards/400')).json().waiting[0].title, 'Bagong salta')
  assert.equal((await ana.get('/api/forum/mine/boards/400')).json().waiting.length, 0)
  const openCase = await db
    .selectFrom('forum_cases')
    .where('post', '=', heldTopic.post)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.deepEqual([openCase.kind, openCase.state], ['held', 'open'])
  // The second approval changes nothing.
  for (let times = 0; times < 2; times++) await approveHeldPost(heldTopic.post)
  assert.equal((await readTopic(site, heldTopic.topic)).posts[0].number, 1)
  assert.deepEqual(
    (await selectLetters(newPlayer.userNum)).map(({ subject, link }) => [subject, link]),
    [['Your post is now in the forum: Bagong salta', `/forum/400/${heldTopic.topic}#post-1`]],
  )
  const countsAfter = await readBoardCounts(400)
  assert.deepEqual(
    [countsAfter.topic_count, countsAfter.post_count],
    [countsBefore.topic_count + 1, countsBefore.post_count + 1],
  )
  assert.equal((await postReply(site, newPlayer, heldTopic.topic)).held, false)
})

test('a held reply gets its number when it appears, so no number is missing', async () => {
  const { topic } = await openTopic(site, ana)
  const newPlayer = await createForumPlayer(site, { posts: 0 })
  const heldReply = await postReply(site, newPlayer, topic, 'Pwede po ba?')
  assert.deepEqual([heldReply.held, heldReply.number], [true, null])
  await postReply(site, ben, topic)
  assert.equal((await newPlayer.get(`/api/forum/mine/topics/${topic}`)).json().waiting[0].html, '<p>Pwede po ba?</p>')
  await approveHeldPost(heldReply.post)
  const { posts } = await readTopic(site, topic)
  assert.deepEqual(
    posts.map((post: { number: number; html: string }) => [post.number, post.html]),
    [
      [1, '<p>Kita-kits mamaya.</p>'],
      [2, '<p>Sige!</p>'],
      [3, '<p>Pwede po ba?</p>'],
    ],
  )
})

test('a rejection sends the author the reason, and leaves a tombstone of a visible post', async () => {
  const newPlayer = await createForumPlayer(site, { posts: 0 })
  const { topic } = await openTopic(site, ana)
  const heldReply = await postReply(site, newPlayer, topic, 'Bili kayo ng gold')
  await rejectWithReason(heldReply.post, 'No trading.')
  const [letter] = await selectLetters(newPlayer.userNum)
  assert.match(letter?.body ?? '', /Reason: No trading\.\n\nWhat you wrote:\nBili kayo ng gold/)
  assert.equal((await readTopic(site, topic)).posts.length, 1)
  const visibleReply = await postReply(site, ben, topic)
  await rejectWithReason(visibleReply.post, 'Rude.')
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'removed')
})

test('keeps a topic with a reply when its held opening post is rejected', async () => {
  const newPlayer = await createForumPlayer(site, { posts: 2, days: 1 })
  const { topic, post } = await openTopic(site, newPlayer)
  await postReply(site, ben, topic)
  await newPlayer.post('/api/forum/posts/edit', { post, body: 'https://example.com/scam' })
  await rejectWithReason(post, 'A scam.')
  const { posts } = await readTopic(site, topic)
  assert.deepEqual([posts.length, posts[0].tombstone], [2, 'removed'])
})

test('holds or refuses new players’ posts with links, watched words or fast typing', async () => {
  const createNewcomer = () => createForumPlayer(site, { posts: 2, days: 1 })
  const { topic } = await openTopic(site, ana)
  await insertRows(db, 'forum_watched_words', [
    { word: 'gold seller', action: 'hold', added_by: null, added_at: site.clock.now() },
    { word: 'bawal', action: 'refuse', added_by: null, added_at: site.clock.now() },
  ])
  const replyAndReadHoldReasons = async (body: string, fields = {}) => {
    const { post } = await postReply(site, await createNewcomer(), topic, body, fields)
    const row = await db.selectFrom('forum_posts').where('post', '=', post).select('held_for').executeTakeFirstOrThrow()
    return row.held_for
  }
  assert.deepEqual(await replyAndReadHoldReasons('Magandang gabi sa lahat!'), [])
  assert.deepEqual(await replyAndReadHoldReasons('Tingnan https://example.com/x'), ['links'])
  assert.deepEqual(await replyAndReadHoldReasons('Nasa https://play.example.ph/news ang sagot'), [])
  assert.deepEqual(await replyAndReadHoldReasons('Legit GÓLD-seller ako'), ['words'])
  assert.deepEqual(await replyAndReadHoldReasons('marigold sellers'), [])
  assert.deepEqual(await replyAndReadHoldReasons('Ang bilis', { typing_ms: 200 }), ['typing'])
  assert.equal((await postReply(site, ben, topic, 'gold seller https://example.com', { typing_ms: 1 })).held, false)
  for (const writer of [await createNewcomer(), ben])
    assertRefused(
      await writer.post('/api/forum/posts', { topic, body: 'BAWAL!', ...TYPING_TIME }),
      422,
      FORUM_TEXTS.refusedWord,
    )
  const threeLinks = 'https://a.example https://b.example https://c.example'
  assertRefused(
    await (await createNewcomer()).post('/api/forum/posts', { topic, body: threeLinks, ...TYPING_TIME }),
    422,
  )
})

test('limits the hourly posts of a new player, also concurrent ones', async () => {
  await changeSettings(site, { forum_new_hourly: 2 })
  const busyPlayer = await createForumPlayer(site, { posts: 2, days: 1 })
  const { topic } = await openTopic(site, ana)
  const sendReply = () => busyPlayer.post('/api/forum/posts', { topic, body: 'Isa pa', ...TYPING_TIME })
  const answers = await Promise.all([sendReply(), sendReply(), sendReply(), sendReply()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 429, 429])
  const response = answers.find(({ status }) => status === 429)
  assert.ok(Number(response?.headers.get('Retry-After')) > 3000)
  await advanceTime(HOUR_MS + 1)
  assert.equal((await sendReply()).status, 200)
  await changeSettings(site, { forum_new_hourly: null as never })
})

test('only the author edits a post, and readers see its earlier versions', async () => {
  const { topic, post } = await openTopic(site, ana, { title: 'Lumang pamagat', body: 'Luma' })
  assertRefused(await ben.post('/api/forum/posts/edit', { post, body: 'Akin na' }), 403, FORUM_TEXTS.notYours)
  const response = await ana.post('/api/forum/posts/edit', { post, body: 'Bago', title: 'Bagong pamagat' })
  assert.equal(response.status, 200, response.text)
  const topicPage = await readTopic(site, topic)
  assert.deepEqual([topicPage.topic.title, topicPage.posts[0].html], ['Bagong pamagat', '<p>Bago</p>'])
  assert.ok(topicPage.posts[0].edited_at !== null)
  const { revisions } = (await site.get(`/api/forum/posts/${post}/history`)).json()
  assert.deepEqual(
    revisions.map(({ title, html }: { title: string; html: string }) => [title, html]),
    [['Lumang pamagat', '<p>Luma</p>']],
  )
  assert.equal((await ben.get(`/api/forum/posts/${post}/source`)).json().body, 'Bago')
})

test('a link added by a new player hides the post until a moderator has read it', async () => {
  const newPlayer = await createForumPlayer(site, { posts: 2, days: 1 })
  const { topic } = await openTopic(site, ana)
  const { post } = await postReply(site, newPlayer, topic, 'Mabait')
  const response = await newPlayer.post('/api/forum/posts/edit', { post, body: 'https://example.com/scam' })
  assert.equal(response.json().held, true)
  const topicPage = await readTopic(site, topic)
  assert.deepEqual([topicPage.posts[1].tombstone, topicPage.posts[1].html, topicPage.topic.posts], ['waiting', '', 1])
  await approveHeldPost(post)
  assert.equal((await readTopic(site, topic)).topic.posts, 2)
  assert.equal((await selectLetters(ana.userNum)).filter(({ link }) => link.includes(`/${topic}#post-2`)).length, 1)
})

test('a topic without replies is deleted with its opening post; one with replies stays', async () => {
  const [loneTopic, answeredTopic] = [await openTopic(site, ana), await openTopic(site, ana)]
  await postReply(site, ben, answeredTopic.topic)
  assert.equal((await ana.post('/api/forum/posts/delete', { post: loneTopic.post })).json().path, '/forum/100')
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${loneTopic.topic}`), 404)
  assert.equal((await readTopic(site, answeredTopic.topic)).topic.replies, 1)
  await ana.post('/api/forum/posts/delete', { post: answeredTopic.post })
  assert.equal((await readTopic(site, answeredTopic.topic)).topic.replies, 1)
  const topicPage = await readTopic(site, answeredTopic.topic)
  assert.deepEqual([topicPage.posts[0].tombstone, topicPage.posts.length, topicPage.topic.posts], ['deleted', 2, 1])
  assertRefused(await ana.post('/api/forum/posts/edit', { post: answeredTopic.post, body: 'Balik' }), 404)
  assertRefused(await ben.get(`/api/forum/posts/${answeredTopic.post}/source`), 404)
})

test('counts a like once per player, removes it on request, and refuses a like of one’s own post', async () => {
  const { topic, post } = await openTopic(site, ana)
  const sendLike = (like: boolean) => ben.post('/api/forum/posts/like', { post, like })
  await Promise.all([sendLike(true), sendLike(true), sendLike(true)])
  assert.equal((await sendLike(true)).json().likes, 1)
  assert.deepEqual((await ben.get(`/api/forum/mine/topics/${topic}`)).json().liked, [post])
  assert.equal((await sendLike(false)).json().likes, 0)
  assertRefused(await ana.post('/api/forum/posts/like', { post, like: true }), 422, FORUM_TEXTS.likeOwn)
})

test('sends watchers one letter until they visit the topic again, and one for a mention', async () => {
  const watcher = await createForumPlayer(site)
  const { topic } = await openTopic(site, ana, { title: 'Raid bukas' })
  assert.deepEqual((await watcher.post('/api/forum/topics/watch', { topic, watch: true })).json(), { watching: true })
  await postReply(site, ben, topic)
  await postReply(site, ben, topic)
  assert.deepEqual(
    (await selectLetters(watcher.userNum)).map(({ subject, link }) => [subject, link]),
    [['New reply: Raid bukas', `/forum/100/${topic}#post-2`]],
  )
  await watcher.post('/api/forum/topics/visit', { topic, number: 3 })
  await postReply(site, ben, topic, `Oy @${watcher.name}, sama ka`)
  const subjects = (await selectLetters(watcher.userNum)).map(({ subject }) => subject)
  assert.deepEqual(subjects.slice(1), [`${ben.name} mentioned you: Raid bukas`])
  await watcher.post('/api/forum/topics/watch', { topic, watch: false })
  await watcher.post('/api/forum/topics/visit', { topic, number: 4 })
  await postReply(site, ben, topic)
  assert.equal((await selectLetters(watcher.userNum)).length, 2)
  assert.equal((await selectLetters(ben.userNum)).filter(({ link }) => link.includes(`/${topic}#`)).length, 0)
})

test('mentions a player only by the visible name, and not in code or a quote', async () => {
  const mentionedPlayer = await createForumPlayer(site)
  const staffPlayer = await createForumPlayer(site, { level: null })
  await updateRows(db, 'accounts', { user_num: staffPlayer.userNum }, { user_type: 11, staff_name: 'GM_Ulap' })
  const { topic } = await openTopic(site, ana)
  const text = `@${mentionedPlayer.user.UserID} @${staffPlayer.user.UserID} \`@${mentionedPlayer.name}\` @GM_Ulap\n\n> @${mentionedPlayer.name}`
  await postReply(site, ben, topic, text)
  const { posts } = await readTopic(site, topic)
  assert.deepEqual(posts[1].html.match(/<mark>.*?<\/mark>/g), ['<mark>@GM_Ulap</mark>'])
  assert.deepEqual(
    [(await selectLetters(mentionedPlayer.userNum)).length, (await selectLetters(staffPlayer.userNum)).length],
    [0, 1],
  )
  const { html } = (
    await ben.post('/api/forum/preview', { body: `@${ana.user.UserID} @${mentionedPlayer.name}` })
  ).json()
  assert.equal(html, `<p>@${ana.user.UserID} <mark>@${mentionedPlayer.name}</mark></p>`)
})

test('lists topics and boards as unread until the player has visited them', async () => {
  const reader = await createForumPlayer(site)
  const readUnreadBoards = async () => (await reader.get('/api/forum/mine/boards')).json().unread as number[]
  await reader.post('/api/forum/boards/read', { category: null })
  assert.deepEqual(await readUnreadBoards(), [])
  site.clock.advance(1000)
  const { topic } = await openTopic(site, ana, { category: 600 })
  assert.deepEqual(await readUnreadBoards(), [600])
  const readUnreadTopics = async () => (await reader.get(`/api/forum/mine/boards/600?topics=${topic}`)).json().unread
  assert.deepEqual(await readUnreadTopics(), [{ topic, number: 1 }])
  await reader.post('/api/forum/topics/visit', { topic, number: 99 })
  assert.deepEqual([await readUnreadTopics(), await readUnreadBoards()], [[], []])
  site.clock.advance(1000)
  await postReply(site, ben, topic)
  assert.deepEqual(await readUnreadTopics(), [{ topic, number: 2 }])
  await reader.post('/api/forum/boards/read', { category: 600 })
  assert.deepEqual(await readUnreadBoards(), [])
  const readMarks = await db.selectFrom('forum_read_marks').where('user_num', '=', reader.userNum).selectAll().execute()
  assert.deepEqual(readMarks, [])
})

test('counts one view of a topic a day for each account, and for each browser of a guest', async () => {
  const { topic } = await openTopic(site, ana)
  const visitTopic = (send = site.post, agent = 'A') =>
    send('/api/forum/topics/visit', { topic }, { 'User-Agent': agent })
  for (const agent of ['A', 'A', 'B']) await visitTopic(site.post, agent)
  await visitTopic(ben.post)
  await visitTopic(ben.post, 'B')
  assert.equal((await readTopic(site, topic)).topic.views, 3)
  await advanceTime(DAY_MS)
  await visitTopic()
  assert.equal((await readTopic(site, topic)).topic.views, 4)
  await advanceTime(3 * DAY_MS)
  await sweepForum(db, site.clock.now())
  assert.deepEqual(await db.selectFrom('forum_views').selectAll().execute(), [])
})

test('a player has one vote in a poll, and can change it until the poll ends', async () => {
  const poll = { question: 'Anong araw?', options: ['Sabado', 'Linggo', 'Lunes'], choices_max: 2, days: 3 }
  const { topic } = await openTopic(site, ana, { poll })
  const vote = (options: number[], player = ben) => player.post('/api/forum/topics/vote', { topic, options })
  await Promise.all([vote([1]), vote([1]), vote([2])])
  assert.deepEqual(
    (await vote([2, 3])).json().poll.options.map(({ votes }: { votes: number }) => votes),
    [0, 1, 1],
  )
  await vote([2], ana)
  const pollAfter = (await readTopic(site, topic)).poll
  assert.deepEqual([pollAfter.voters, pollAfter.options[1].votes], [2, 2])
  assertRefused(await vote([1, 2, 3]), 422, FORUM_TEXTS.choicesMany)
  assertRefused(await vote([4]), 422, FORUM_TEXTS.optionUnknown)
  await advanceTime(3 * DAY_MS)
  assertRefused(await vote([1]), 409, FORUM_TEXTS.pollClosed)
  const response = await ana.post('/api/forum/topics', {
    category: 100,
    title: 'Mali',
    body: 'Mali',
    poll: { ...poll, options: ['a', 'A'] },
    ...TYPING_TIME,
  })
  assertRefused(response, 422, FORUM_TEXTS.optionsSame)
})

test('a post’s reports are collected in one case, one report for each player', async () => {
  const { topic } = await openTopic(site, ana)
  const { post } = await postReply(site, ben, topic, 'Bastos')
  const report = (player = ana) =>
    player.post('/api/forum/posts/report', { post, reason: 'insult', words: 'Bastos siya' })
  const thirdPlayer = await createForumPlayer(site)
  await Promise.all([report(), report(thirdPlayer)])
  assert.equal((await report()).json().message, FORUM_TEXTS.alreadyReported)
  assertRefused(await report(ben), 422, FORUM_TEXTS.reportOwn)
  assertRefused(await ana.post('/api/forum/posts/report', { post, reason: 'boring' }), 422)
  const cases = await db.selectFrom('forum_cases').where('post', '=', post).selectAll().execute()
  assert.deepEqual(
    cases.map(({ kind, report_count }) => [kind, report_count]),
    [['report', 2]],
  )
})

test('a post shows its writer’s own pictures, not those of other players or sites', async () => {
  const upload = async (player = ana) => {
    const form = createForm({ picture: await createPictureFile('a.png', { width: 900, height: 600 }) })
    const answer = await sendForm(site, '/api/forum/pictures', form, player.headers)
    assert.equal(answer.status, 200, answer.text)
    return answer.json() as { url: string; width: number; height: number }
  }
  const picture = await upload()
  const body = `![Kuha ko](${picture.url}) ![x](https://evil.example/a.png)`
  const { topic } = await openTopic(site, ana, { category: 300, body })
  const { posts, topic: row } = await readTopic(site, topic)
  assert.match(
    posts[0].html,
    new RegExp(`<img src="${picture.url}" alt="Kuha ko" width="900" height="600" loading="lazy"`),
  )
  assert.equal(posts[0].html.match(/<img/g)?.length, 1)
  assert.match(row.picture, /^\/files\/[0-9a-f]{64}\.webp$/)
  assert.notEqual(row.picture, picture.url)
  assert.equal((await readBoard(300)).topics[0].picture, row.picture)
  const otherReply = await postReply(site, ben, topic, body)
  assert.doesNotMatch((await readTopic(site, topic)).posts[1].html, /<img/)
  assert.equal(otherReply.number, 2)
  await advanceTime(2 * DAY_MS)
  await sweepForum(db, site.clock.now())
  assert.equal((await db.selectFrom('forum_pictures').where('url', '=', picture.url).selectAll().execute()).length, 1)
  const unconfirmed = await createForumPlayer(site, { confirmed: false })
  const form = createForm({ picture: await createPictureFile('a.png') })
  assertRefused(await sendForm(site, '/api/forum/pictures', form, unconfirmed.headers), 403, FORUM_TEXTS.confirmEmail)
})

test('a board lists pinned topics first, then by the latest post, in pages or after a cursor', async () => {
  const topicNums: number[] = []
  for (let n = 0; n < 23; n++) {
    // An hour apart, to stay below the hourly limit of posts.
    await advanceTime(HOUR_MS)
    topicNums.push((await openTopic(site, ana, { category: 700, title: `Mungkahi ${n}` })).topic)
  }
  await updateRows(db, 'forum_topics', { topic: topicNums[0] ?? 0 }, { pinned: true })
  site.clock.advance(60_000)
  await postReply(site, ben, topicNums[5] ?? 0)
  const getTopicNums = ({ topics }: { topics: { topic: number }[] }) => topics.map(({ topic }) => topic)
  const firstPage = await readBoard(700)
  assert.deepEqual(getTopicNums(firstPage).slice(0, 3), [topicNums[0], topicNums[5], topicNums[22]])
  assert.deepEqual([firstPage.total, firstPage.last_page, firstPage.older], [23, 2, null])
  const secondPage = await readBoard(700, '?page=9')
  assert.deepEqual([secondPage.page, getTopicNums(secondPage)], [2, [topicNums[3], topicNums[2], topicNums[1]]])
  const { rows } = await sql<{ cursor: string }>`
    select (extract(epoch from last_post_at) * 1000000)::bigint || '-' || topic as cursor from forum_topics
    where topic = ${topicNums[4] ?? 0}`.execute(db)
  assert.deepEqual(getTopicNums(await readBoard(700, `?before=${rows[0]?.cursor}`)), [
    topicNums[3],
    topicNums[2],
    topicNums[1],
  ])
})

test('the search finds visible titles and posts in any language, also with a typing error', async () => {
  const { topic, post } = await openTopic(site, ana, {
    title: 'Kalamansi sa Rooftop',
    body: 'Masarap ang **sinigang** ko.',
  })
  await postReply(site, ben, topic, 'Mas masarap ang kare-kare ni nanay')
  const searchForum = async (q: string, parameters = '&kind=forum') => {
    site.cache.clear()
    const answer = await site.get(`/api/search?q=${encodeURIComponent(q)}${parameters}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json()
  }
  const findPaths = async (q: string) => (await searchForum(q)).data.map(({ path }: { path: string }) => path)
  assert.deepEqual(await findPaths('sinigang'), [`/forum/100/${topic}#post-1`])
  assert.deepEqual(await findPaths('kare nanay'), [`/forum/100/${topic}#post-2`])
  assert.deepEqual(await findPaths('kalaman'), [`/forum/100/${topic}#post-1`])
  assert.deepEqual(await findPaths('kalamnasi roftop'), [`/forum/100/${topic}#post-1`])
  const [result] = (await searchForum('kalamansi', '')).data
  assert.deepEqual([result.kind, result.post.board, result.post.author], ['forum', 'General', ana.name])
  await db.updateTable('forum_posts').set({ state: 'rejected' }).where('post', '=', post).execute()
  assert.deepEqual(await findPaths('sinigang'), [])
  await db.updateTable('forum_topics').set({ state: 'deleted' }).where('topic', '=', topic).execute()
  assert.deepEqual(await findPaths('kare nanay'), [])
})

test('corrects counts that were changed in the database', async () => {
  // The test players were inserted with posts that the counts lack.
  await db.transaction().execute(recountForum)
  assert.equal(await db.transaction().execute(recountForum), 0)
  await sql`update forum_boards set post_count = 999 where category = 100`.execute(db)
  await sql`update forum_topics set post_count = 0 where category = 700 and pinned`.execute(db)
  const context = { db, now: site.clock.now(), site: { appName: 'x', publicUrl: 'https://x.example' } }
  const answer = await runCommand(context as never, ['forum', 'recount'])
  assert.match(answer.lines.join(), /^2 counts were wrong/)
  assert.equal(await db.transaction().execute(recountForum), 0)
})

test('an erasure leaves only tombstones of the player’s posts', async () => {
  const erasedPlayer = await createForumPlayer(site)
  const { topic } = await openTopic(site, erasedPlayer, { title: 'Paalam', body: 'Ako si Juan' })
  const otherTopic = await openTopic(site, ana)
  await postReply(site, erasedPlayer, otherTopic.topic, 'Lihim ko ito')
  await erasedPlayer.post('/api/forum/posts/like', { post: otherTopic.post, like: true })
  await eraseNow(site, erasedPlayer.userNum, { renameCharacters: true })
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${topic}`), 404)
  const topicPage = await readTopic(site, otherTopic.topic)
  assert.deepEqual(
    [topicPage.posts[1].tombstone, topicPage.posts[1].author.name, topicPage.posts[0].likes],
    ['deleted', 'Former player', 0],
  )
  const { rows } = await sql`select from forum_posts where body like '%Lihim%' or html like '%Lihim%'`.execute(db)
  assert.equal(rows.length, 0)
  assert.equal(await db.transaction().execute(recountForum), 0)
})

test('an erasure keeps other players’ posts, closes cases, and clears titles, polls and letters', async () => {
  const erasedPlayer = await createForumPlayer(site)
  const watcher = await createForumPlayer(site)
  const poll = { question: 'Lihim ba?', options: ['Oo', 'Hindi'], choices_max: 1, days: null }
  const { topic, post } = await openTopic(site, erasedPlayer, { title: 'Lihim ni Lakan', poll })
  await watcher.post('/api/forum/topics/watch', { topic, watch: true })
  await postReply(site, ben, topic, 'Sagot ko')
  await erasedPlayer.post('/api/forum/posts/delete', { post })
  const loneTopic = await openTopic(site, erasedPlayer)
  const heldReply = await postReply(site, await createForumPlayer(site, { posts: 0 }), loneTopic.topic, 'Bago po')
  const otherTopic = await openTopic(site, ana)
  const mentionReply = await postReply(site, erasedPlayer, otherTopic.topic, `Oy @${watcher.name}`)
  const report = { post: mentionReply.post, reason: 'insult', words: '' }
  assert.equal((await ben.post('/api/forum/posts/report', report)).status, 200)
  await eraseNow(site, erasedPlayer.userNum, { renameCharacters: true })
  const topicPage = await readTopic(site, topic)
  assert.deepEqual(
    [topicPage.topic.title, topicPage.posts[1].html, topicPage.poll],
    ['Erased', '<p>Sagot ko</p>', null],
  )
  const watcherLetters = await selectLetters(watcher.userNum)
  assert.equal(watcherLetters.length, 2)
  assert.doesNotMatch(JSON.stringify(watcherLetters), new RegExp(`${erasedPlayer.name}|Lihim`))
  const { rows } = await sql<{ state: string }>`
    select c.state from forum_cases c where c.post in (${mentionReply.post}, ${heldReply.post}) order by c.case_num`.execute(
    db,
  )
  assert.deepEqual(rows, [{ state: 'closed' }, { state: 'closed' }])
  assertRefused(await site.get(`/api/forum/topics/${loneTopic.topic}`), 404)
  const remainingTexts = await sql`
    select from forum_posts where title like 'Lihim%' union all select from forum_topics where title like 'Lihim%'`.execute(
    db,
  )
  assert.equal(remainingTexts.rows.length, 0)
  assert.equal(await db.transaction().execute(recountForum), 0)
})

test('clears the text of a deleted or rejected post after 30 days', async () => {
  const { topic } = await openTopic(site, ana)
  const { post } = await postReply(site, ben, topic, 'Burahin')
  await ben.post('/api/forum/posts/delete', { post })
  const rejectedReply = await postReply(site, ben, topic, 'Tanggihan')
  await rejectWithReason(rejectedReply.post, 'Rude.')
  const readTexts = async () =>
    (
      await db
        .selectFrom('forum_posts')
        .where('post', 'in', [post, rejectedReply.post])
        .select('body')
        .orderBy('post')
        .execute()
    ).map(({ body }) => body)
  await sweepForum(db, site.clock.now())
  assert.deepEqual(await readTexts(), ['Burahin', 'Tanggihan'])
  await sweepForum(db, new Date(site.clock.now().getTime() + 31 * DAY_MS))
  assert.deepEqual(await readTexts(), ['', ''])
})

test('shows a board’s emblem and its last writers, latest first', async () => {
  const { topic } = await openTopic(site, ana, { category: 700 })
  site.clock.advance(1000)
  await openTopic(site, ben, { category: 700 })
  site.clock.advance(1000)
  await postReply(site, ana, topic)
  site.cache.clear()
  const { boards } = (await site.get('/api/forum/boards')).json()
  const { emblem, last, last_writers } = boards.at(-1)
  assert.equal(emblem, 'bulb')
  assert.deepEqual(
    last_writers.map(({ name }: { name: string }) => name),
    [last.author, ben.name],
  )
  const { topics } = await readBoard(700)
  assert.deepEqual(topics[0].last_writer.name, topics[0].last_author)
})

test('lists topics by their replies in 24 hours as hot, and the latest posts of every board', async () => {
  await advanceTime(2 * DAY_MS)
  const readActivity = async () => {
    site.cache.clear()
    return (await site.get('/api/forum/activity')).json()
  }
  assert.deepEqual((await readActivity()).hot, [])
  const quietTopic = await openTopic(site, ana, { category: 200 })
  const busyTopic = await openTopic(site, ana, { category: 400, title: 'Sino gising?' })
  site.clock.advance(1000)
  for (const writer of [ben, ana]) await postReply(site, writer, busyTopic.topic)
  await postReply(site, ben, quietTopic.topic)
  const { hot, latest } = await readActivity()
  assert.deepEqual(
    hot.map((row: { topic: number; board: string; replies_today: number }) => [
      row.topic,
      row.board,
      row.replies_today,
    ]),
    [
      [busyTopic.topic, 'Friends', 2],
      [quietTopic.topic, 'Strategy', 1],
    ],
  )
  // Both topics have a reply of the same time, so either can be the first.
  assert.deepEqual(
    [latest.length, latest[0].last_number],
    [FORUM_LATEST_MAX, latest[0].topic === busyTopic.topic ? 3 : 2],
  )
  await advanceTime(DAY_MS + 1000)
  assert.deepEqual((await readActivity()).hot, [])
  await db.updateTable('forum_topics').set({ state: 'deleted' }).where('topic', '=', busyTopic.topic).execute()
  assert.ok((await readActivity()).latest.every((row: { topic: number }) => row.topic !== busyTopic.topic))
})

const bookmarkTopic = (reader: typeof ana, topic: number, bookmark = true) =>
  reader.post('/api/forum/topics/bookmark', { topic, bookmark })

test('a bookmark stays until it is removed or its topic is deleted', async () => {
  const reader = await createForumPlayer(site)
  const { topic } = await openTopic(site, ana, { category: 400 })
  const setBookmark = (topic: number, bookmark = true) => bookmarkTopic(reader, topic, bookmark)
  const readBookmarks = async () => (await reader.get('/api/forum/mine/bookmarks')).json().topics
  assertRefused(await setBookmark(999_999), 404, FORUM_TEXTS.topicNotFound)
  await Promise.all([setBookmark(topic), setBookmark(topic)])
  const [firstBookmark, ...otherBookmarks] = await readBookmarks()
  assert.deepEqual(
    [firstBookmark.topic, firstBookmark.board, firstBookmark.unread, otherBookmarks],
    [topic, 'Friends', 1, []],
  )
  assert.equal((await reader.get(`/api/forum/mine/topics/${topic}`)).json().bookmarked, true)
  assert.deepEqual((await ben.get('/api/forum/mine/bookmarks')).json().topics, [])
  await updateRows(db, 'forum_topics', { topic }, { state: 'deleted' })
  assert.deepEqual(await readBookmarks(), [])
  assert.equal((await setBookmark(topic, false)).json().bookmarked, false)
  await updateRows(db, 'forum_topics', { topic }, { state: 'visible' })
  assert.deepEqual(await readBookmarks(), [])
})

test('limits the bookmarks of a player, also concurrent ones', async () => {
  const reader = await createForumPlayer(site)
  const topics = [await openTopic(site, ana, { category: 400 }), await openTopic(site, ben, { category: 400 })]
  const now = site.clock.now()
  await sql`
    with many as (
      insert into forum_topics (category, title, author, state, created_at, last_post_at)
      select 400, 'One of many', ${ana.userNum}, 'deleted', ${now}, ${now} from generate_series(1, ${FORUM_BOOKMARKS_MAX - 1})
      returning topic)
    insert into forum_bookmarks (user_num, topic, bookmarked_at) select ${reader.userNum}, topic, ${now} from many`.execute(
    db,
  )
  const answers = await Promise.all(topics.map(({ topic }) => bookmarkTopic(reader, topic)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
})

test('a topic without posts for 90 days counts as read, and its read marks are deleted', async () => {
  const reader = await createForumPlayer(site)
  const visitedTopic = await openTopic(site, ana, { category: 500 })
  const unvisitedTopic = await openTopic(site, ana, { category: 500 })
  await reader.post('/api/forum/topics/visit', { topic: visitedTopic.topic, number: 1 })
  const readUnreadTopics = async () =>
    (await reader.get(`/api/forum/mine/boards/500?topics=${visitedTopic.topic},${unvisitedTopic.topic}`)).json().unread
  assert.deepEqual(await readUnreadTopics(), [{ topic: unvisitedTopic.topic, number: 1 }])
  const selectReadMarks = () =>
    db.selectFrom('forum_read_marks').where('user_num', '=', reader.userNum).select('topic').execute()
  await advanceTime(FORUM_UNREAD_MAX_MS - 1000)
  await sweepForum(db, site.clock.now())
  assert.deepEqual([(await readUnreadTopics()).length, await selectReadMarks()], [1, [{ topic: visitedTopic.topic }]])
  await advanceTime(2000)
  await sweepForum(db, site.clock.now())
  assert.deepEqual([await readUnreadTopics(), await selectReadMarks()], [[], []])
})
