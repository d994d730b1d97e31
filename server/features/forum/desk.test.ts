import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { FORUM_TEXTS } from '#contract/forum.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { eraseAccount } from '#server/features/players/erasures.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { newOperator } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { forumPlayer, openTopic, readTopic, reply, TYPED } from '#test/forum-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { createForm, pictureFile, sendForm } from '#test/ticket-helpers.ts'
import { recountForum, sweepForum } from './upkeep.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
await changeSettings(site, { require_staff_factor: false })
const owner = await newOperator(site, 'owner')
const mod = await newOperator(site, 'moderator')
const other = await newOperator(site, 'moderator')
const ana = await forumPlayer(site)
const ben = await forumPlayer(site)
type Operator = typeof mod

const read = async (path: string, who: Operator = mod) => {
  const answer = await who.get(`/api/admin/forum/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const act = (path: string, body: object, who: Operator = mod) => who.post(`/api/admin/forum/${path}`, body)
const done = async (path: string, body: object, who: Operator = mod) => {
  const answer = await act(path, body, who)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
/** Returns a post as the desk shows it. */
const page = (post: number, who: Operator = mod) => read(`post?post=${post}`, who)
const seen = async (post: number) => {
  const { post: row, open } = await page(post)
  return { post, version: row.version, case_num: open?.case_num ?? null }
}
const decide = async (decision: string, post: number, reason = '') =>
  done('decide', { decision, reason, posts: [await seen(post)] })
const letters = (userNum: number) =>
  db.selectFrom('letters').where('to_num', '=', userNum).selectAll().orderBy('letter').execute()
const readState = async (post: number) =>
  (await db.selectFrom('forum_posts').where('post', '=', post).select('state').executeTakeFirstOrThrow()).state
const heldReply = async (topic: number, body = 'Bago po ako.') => {
  const author = await forumPlayer(site, { posts: 0 })
  return { author, ...(await reply(site, author, topic, body)) }
}
const reported = async (reason = 'spam') => {
  const { topic } = await openTopic(site, ana)
  const made = await reply(site, ben, topic, 'Bili na kayo!')
  await ana.post('/api/forum/posts/report', { post: made.post, reason, words: 'Benta ito' })
  return { topic, ...made }
}
const audit = () => db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').limit(1).executeTakeFirstOrThrow()

test('lists held and reported posts with their reasons in the queue until they are decided', async () => {
  const { topic } = await openTopic(site, ana, { title: 'Tanong sa boss' })
  const held = await heldReply(topic)
  const { post } = await reported('scam')
  const open = (await read('cases?state=open')).rows
  assert.deepEqual(
    open.map(({ kind, held_for, reasons, post: of }: Record<string, unknown>) => [of, kind, held_for, reasons]),
    [
      [held.post, 'held', ['first posts'], []],
      [post, 'report', [], ['scam']],
    ],
  )
  assert.deepEqual(
    [open[0].title, open[0].excerpt, open[0].author_name],
    ['Tanong sa boss', 'Bago po ako.', held.author.name],
  )
  const shown = await page(post)
  assert.deepEqual([shown.open.reports[0].words, shown.earlier.length, shown.author.posts], ['Benta ito', 1, 21])
  await decide('approve', held.post)
  await decide('dismiss', post)
  assert.deepEqual((await read('cases?state=open')).rows, [])
  assert.deepEqual(
    (await read('cases?state=closed&sort=-case')).rows.map(({ outcome, closed_by }: Record<string, string>) => [
      outcome,
      closed_by,
    ]),
    [
      ['dismissed', mod.user.UserID],
      ['approved', mod.user.UserID],
    ],
  )
  assert.deepEqual([(await readTopic(site, topic)).posts.length, await readState(post)], [2, 'visible'])
  const entry = await audit()
  assert.deepEqual(
    [entry.action, entry.target_kind, entry.target_id, entry.player],
    ['/admin/forum/decide', 'forum post', String(post), ben.userNum],
  )
})

test('a rejection sends its reason to the author’s mailbox, and a rejection without one is refused', async () => {
  const { post } = await reported()
  const before = (await letters(ben.userNum)).length
  assertRefused(await act('decide', { decision: 'reject', posts: [await seen(post)] }), 422)
  await decide('reject', post, 'No selling of accounts here.')
  const news = (await letters(ben.userNum)).slice(before)
  assert.equal(news.length, 1)
  assert.match(news[0]?.body ?? '', /Reason: No selling of accounts here\./)
})

test('reports a conflict to the second of two moderators who decide on a post, and sends one letter', async () => {
  const { post } = await reported()
  const before = (await letters(ben.userNum)).length
  const read = await seen(post)
  const answers = await Promise.all([
    act('decide', { decision: 'reject', reason: 'Spam.', posts: [read] }),
    act('decide', { decision: 'reject', reason: 'Advertising.', posts: [read] }, other),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.match(answers.find(({ status }) => status === 409)?.text ?? '', /decided about this in the meantime/)
  assert.equal((await letters(ben.userNum)).length - before, 1)
  assert.equal((await page(post)).closed.length, 1)
})

test('skips a decision about a text that its author changed while the moderator read it', async () => {
  const { topic } = await openTopic(site, ana)
  const { post, author } = await heldReply(topic)
  const before = await seen(post)
  assert.equal((await author.post('/api/forum/posts/edit', { post, body: 'Ibang-iba na ito.' })).status, 200)
  assertRefused(await act('decide', { decision: 'approve', posts: [before] }), 409)
  assert.equal(await readState(post), 'held')
  assert.equal((await page(post)).post.before.length, 1)
})

test('a post that a moderator deletes leaves a tombstone, and its author gets no letter', async () => {
  const { topic, post } = await reported()
  const before = (await letters(ben.userNum)).length
  await decide('delete', post)
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'removed')
  assert.equal((await letters(ben.userNum)).length, before)
  assertRefused(await act('decide', { decision: 'delete', posts: [{ ...(await seen(post)), case_num: null }] }), 409)
})

test('refuses to close a held post without action, and to approve a reply of a deleted topic', async () => {
  const { topic } = await openTopic(site, ana)
  const { post } = await heldReply(topic)
  assertRefused(await act('decide', { decision: 'dismiss', posts: [await seen(post)] }), 409)
  await db.updateTable('forum_topics').set({ state: 'rejected' }).where('topic', '=', topic).execute()
  assertRefused(await act('decide', { decision: 'approve', posts: [await seen(post)] }), 409)
  await decide('delete', post)
})

test('decides about many posts at once; skips and counts those that another moderator has decided', async () => {
  const { topic } = await openTopic(site, ana)
  const second = await openTopic(site, ben, { category: 400 })
  const held = [await heldReply(topic), await heldReply(second.topic), await heldReply(topic)]
  const rows = await Promise.all(held.map(({ post }) => seen(post)))
  await done('decide', { decision: 'delete', posts: rows.slice(2) }, other)
  const answer = await done('decide', { decision: 'approve', posts: rows })
  assert.deepEqual([answer.decided, answer.skipped, answer.cases.length], [2, 1, 2])
  assert.match(answer.message, /^2 posts approved\. 1 was left out/)
  assert.equal((await audit()).target_kind, 'forum posts')
  assert.equal((await readTopic(site, topic)).posts.length, 2)
  await done('undo', { cases: answer.cases })
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'waiting')
})

test('has no deadlock if moderators decide on the same posts in different orders', async () => {
  const [first, second] = [await openTopic(site, ana), await openTopic(site, ben, { category: 700 })]
  const rows = []
  for (const { topic } of [first, second, first, second]) rows.push(await seen((await heldReply(topic)).post))
  const answers = await Promise.all([
    act('decide', { decision: 'approve', posts: rows }),
    act('decide', { decision: 'approve', posts: rows.toReversed() }, other),
    reply(site, ana, second.topic).then(() => ({ status: 0 })),
    reply(site, ben, first.topic).then(() => ({ status: 0 })),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [0, 0, 200, 409])
})

test('a report during a decision opens a new case or is added to the old one', async () => {
  const { post } = await reported()
  const third = await forumPlayer(site)
  const row = await seen(post)
  const [decided, report] = await Promise.all([
    act('decide', { decision: 'dismiss', posts: [row] }),
    third.post('/api/forum/posts/report', { post, reason: 'insult', words: '' }),
  ])
  assert.deepEqual([decided.status, report.status], [200, 200])
  const { open, closed } = await page(post)
  assert.equal((open?.reports.length ?? 0) + closed[0].reports.length, 2)
})

test('undoing a decision restores the post, reopens its case, and notifies the author of a rejected one', async () => {
  const { topic } = await openTopic(site, ana)
  const { post, author } = await heldReply(topic)
  const undo = async () => done('undo', { cases: [(await page(post)).closed[0].case_num] })
  await decide('approve', post)
  await undo()
  let now = await page(post)
  assert.deepEqual([now.post.state, now.post.held_for, now.open.kind], ['held', ['first posts'], 'held'])
  assert.equal((await readTopic(site, topic)).posts[1].tombstone, 'waiting')
  await decide('reject', post, 'Off topic.')
  await undo()
  const subjects = (await letters(author.userNum)).map(({ subject }) => subject)
  assert.match(subjects.join('|'), /not accepted: .*\|About your post that was not accepted/)
  await decide('delete', post)
  const { case_num } = (await page(post)).closed[0]
  const answers = await Promise.all([act('undo', { cases: [case_num] }), act('undo', { cases: [case_num] }, other)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  await decide('approve', post)
  assert.equal((await author.post('/api/forum/posts/delete', { post })).status, 200)
  now = await page(post)
  assert.equal(now.closed[0].can_undo, false)
  assertRefused(await act('undo', { cases: [now.closed[0].case_num] }), 409)
})

test('restores a topic with its opening post', async () => {
  const { topic, post } = await openTopic(site, ben, { category: 600, title: 'Club namin' })
  await ana.post('/api/forum/posts/report', { post, reason: 'other', words: '' })
  const { cases } = await decide('reject', post, 'Twice the same.')
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${topic}`), 404)
  await done('undo', { cases })
  assert.equal((await readTopic(site, topic)).topic.posts, 1)
})

test('shows a held change of a title at the desk; undoing its approval hides the change again', async () => {
  const author = await forumPlayer(site, { posts: 2, days: 1 })
  const { topic, post } = await openTopic(site, author, { title: 'Lumang pamagat' })
  await reply(site, ben, topic)
  await author.post('/api/forum/posts/edit', { post, title: 'Bagong pamagat', body: 'https://evil.example/x' })
  const titles = async () => {
    const desk = await page(post)
    return [(await readTopic(site, topic)).topic.title, desk.post.title, desk.topic.title]
  }
  assert.deepEqual(await titles(), ['Lumang pamagat', 'Bagong pamagat', 'Lumang pamagat'])
  assert.equal((await read('cases?state=open&sort=-case')).rows[0].title, 'Bagong pamagat')
  const { cases } = await decide('approve', post)
  assert.deepEqual(await titles(), ['Bagong pamagat', 'Bagong pamagat', 'Bagong pamagat'])
  await done('undo', { cases })
  assert.deepEqual(await titles(), ['Lumang pamagat', 'Bagong pamagat', 'Lumang pamagat'])
  assert.equal((await page(post)).post.before.length, 1)
  await decide('reject', post, 'Advertising.')
  assert.match((await letters(author.userNum)).at(-1)?.subject ?? '', /Bagong pamagat/)
  assert.deepEqual(await titles(), ['Lumang pamagat', 'Bagong pamagat', 'Lumang pamagat'])
})

test('shows the poll of a topic with its first post at the desk', async () => {
  const author = await forumPlayer(site, { posts: 0 })
  const poll = { question: 'Anong araw?', options: ['Sabado', 'Linggo'], choices_max: 1, days: null }
  const { topic, post, held } = await openTopic(site, author, { poll })
  assert.equal(held, true)
  for (const shown of [(await page(post)).poll, (await read(`topic?topic=${topic}`)).poll])
    assert.deepEqual(
      [shown.question, ...shown.options.map(({ words }: { words: string }) => words)],
      ['Anong araw?', 'Sabado', 'Linggo'],
    )
  await decide('approve', post)
  assert.equal((await page((await reply(site, ben, topic)).post)).poll, null)
})

test('a silenced player cannot write until the silence ends or is lifted, and gets a letter about each', async () => {
  const loud = await forumPlayer(site)
  const { topic } = await openTopic(site, ana)
  const { post } = await reply(site, loud, topic, 'AAAA')
  const silence = (who: Operator) => act('silence', { post, hours: 24, reason: 'Flooding.' }, who)
  const answers = await Promise.all([silence(mod), silence(other)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const refused = await loud.post('/api/forum/posts', { topic, body: 'Hoy', ...TYPED })
  assertRefused(refused, 403)
  const { silences } = (await page(post)).author
  const until = formatManilaMinute(Date.parse(silences[0].ends_at))
  assert.equal(refused.json().message, `You cannot write until ${until}. Flooding.`)
  assert.match((await letters(loud.userNum))[0]?.body ?? '', new RegExp(`^Until ${until} \\(Manila\\)`))
  assert.deepEqual([silences.length, silences[0].is_on], [1, true])
  assert.equal((await read(`silences?state=on&q=${loud.user.UserID}`)).rows[0].post, post)
  await done('silence/lift', { silence: silences[0].silence })
  assertRefused(await act('silence/lift', { silence: silences[0].silence }), 409)
  await reply(site, loud, topic)
  assert.deepEqual(
    (await letters(loud.userNum)).map(({ subject }) => subject),
    ['You cannot write in the forum for a while', 'You can write in the forum again'],
  )
  assertRefused(await act('silence', { post, hours: 9000, reason: 'Insults' }), 422)
  const byStaff = await db
    .insertInto('forum_posts')
    .values({
      topic,
      author: other.user.UserNum,
      state: 'visible',
      body: 'a',
      html: 'a',
      created_at: site.clock.now(),
      shown_at: site.clock.now(),
      number: null,
      edited_at: null,
      edited_by: null,
      deleted_at: null,
    })
    .returning('post')
    .executeTakeFirstOrThrow()
  assertRefused(await act('silence', { post: byStaff.post, hours: 24, reason: 'Insults' }), 422)
})

test('limits a moderator of some boards to these boards', async () => {
  const local = await newOperator(site, 'moderator')
  assertRefused(await act('moderators/save', { user_num: local.user.UserNum, boards: [400] }), 403)
  await done('moderators/save', { user_num: local.user.UserNum, boards: [400] }, owner)
  assertRefused(await act('moderators/save', { user_num: owner.user.UserNum, boards: [400] }, owner), 422)
  const foreign = await reported()
  const { topic, post } = await openTopic(site, ben, { category: 400 })
  await ana.post('/api/forum/posts/report', { post, reason: 'insult', words: '' })
  const rows = (await read('cases?state=open', local)).rows
  assert.ok(rows.length > 0 && rows.every(({ category }: { category: number }) => category === 400))
  const needs = async (who: Operator) =>
    (await who.get('/api/admin/today')).json().needs.find(({ kind }: { kind: string }) => kind === 'reports').count
  assert.equal(await needs(local), rows.filter(({ kind }: { kind: string }) => kind === 'report').length)
  assert.ok((await needs(mod)) > (await needs(local)))
  const waiting = async (who: Operator) => (await who.get('/api/admin/me')).json().waiting.forum
  assert.equal(await waiting(local), rows.length)
  assert.ok((await waiting(mod)) > rows.length)

  const mayModerate = async (of: number, who: Operator) =>
    (await who.get(`/api/forum/mine/topics/${of}`)).json().may_moderate
  assert.deepEqual([await mayModerate(topic, local), await mayModerate(foreign.topic, local)], [true, false])
  assert.equal(await mayModerate(topic, ana as unknown as Operator), false)
  const row = await seen(foreign.post)
  const version = 1
  const there = { topic: foreign.topic, version }
  const refusals: [string, object][] = [
    ['decide', { decision: 'delete', posts: [await seen(post), row] }],
    ['note', { post: foreign.post, body: 'Akin?' }],
    ['assign', { case_num: row.case_num, from: null, to: local.user.UserNum }],
    ['silence', { post: foreign.post, hours: 24, reason: 'Insults' }],
    ['topics/change', { topics: [there], locked: true }],
    ['topics/change', { topics: [{ topic, version }], category: 100 }],
    ['words/save', { word: 'droga', action: 'hold' }],
    ['words/delete', { word: 'droga' }],
  ]
  for (const [path, body] of refusals) assertRefused(await act(path, body, local), 403)
  assertRefused(await local.get(`/api/admin/forum/post?post=${foreign.post}`), 403)
  assertRefused(await local.get(`/api/admin/forum/topic?topic=${foreign.topic}`), 403)
  const board = (await read('boards')).rows.find(({ category }: { category: number }) => category === 400)
  assertRefused(await act('boards/save', { ...board, name: 'Akin' }, local), 403)
  assert.equal(await readState(post), 'visible')
  assertRefused(await act('silence', { post, hours: 720, reason: 'Insults' }, local), 422)
  assertRefused(await act('assign', { case_num: row.case_num, from: null, to: local.user.UserNum }), 422)
  await done('silence', { post, hours: 168, reason: 'Insults.' }, local)
  const { cases } = await done('decide', { decision: 'delete', posts: [await seen(post)] }, local)
  assertRefused(await act('undo', { cases: [...cases, row.case_num] }, local), 403)
  await done('undo', { cases }, local)
  const [given] = (await read('silences?state=on')).rows
  await done('silence/lift', { silence: given.silence }, local)
  await done('moderators/save', { user_num: local.user.UserNum, boards: [] }, owner)
  assert.equal((await read('boards', local)).mine, null)
})

test('lets one moderator claim a case, assigns it to moderators only, and stores notes of staff', async () => {
  const { post } = await reported()
  const { case_num } = (await page(post)).open
  const claims = [mod, other].map((who) => act('assign', { case_num, from: null, to: who.user.UserNum }, who))
  const answers = await Promise.all(claims)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { assignee_num } = (await page(post)).open
  assertRefused(await act('assign', { case_num, from: assignee_num, to: ana.userNum }), 422)
  await done('assign', { case_num, from: assignee_num, to: owner.user.UserNum })
  assert.equal((await read('cases?assignee=me', owner)).rows.length, 1)
  await done('note', { post, body: 'Second time this week.' })
  assert.equal((await page(post)).open.notes[0].body, 'Second time this week.')
  const entry = await audit()
  assert.doesNotMatch(JSON.stringify(entry.changes), /Second time/)
  const calm = await openTopic(site, ana)
  await done('note', { post: calm.post, body: 'Keep an eye on this.' })
  assert.equal((await page(calm.post)).open.kind, 'staff')
  await decide('dismiss', calm.post)
  await decide('dismiss', post)
})

test('updates every count when topics are moved, pinned, closed, deleted and restored', async () => {
  const { topic, post } = await openTopic(site, ana, { category: 200, title: 'Maling board' })
  await reply(site, ben, topic)
  const held = await heldReply(topic)
  await ben.post('/api/forum/posts/report', { post, reason: 'other', words: '' })
  const change = async (fields: object, who: Operator = mod) => {
    const { topic: row } = await read(`topic?topic=${topic}`)
    return act('topics/change', { topics: [{ topic, version: row.version }], ...fields }, who)
  }
  const changed = async (fields: object) => assert.equal((await change(fields)).status, 200)
  await changed({ category: 100, pinned: true, locked: true })
  const shown = await readTopic(site, topic)
  assert.deepEqual([shown.topic.category, shown.topic.pinned, shown.topic.locked], [100, true, true])
  assertRefused(await ben.post('/api/forum/posts', { topic, body: 'Huli', ...TYPED }), 403, FORUM_TEXTS.locked)
  assertRefused(await change({ pinned: true }), 409)
  assertRefused(await change({ category: 101 }), 422)
  assertRefused(await act('topics/change', { topics: [{ topic, version: 0 }], pinned: false }), 409)
  await changed({ locked: false })
  await changed({ state: 'deleted', reason: 'Twice the same topic.' })
  site.cache.clear()
  assertRefused(await site.get(`/api/forum/topics/${topic}`), 404)
  assert.match((await letters(ana.userNum)).at(-1)?.body ?? '', /Reason: Twice the same topic\./)
  assert.equal(await readState(held.post), 'deleted')
  const open = (await read('cases?state=open')).rows as { post: number }[]
  assert.ok(!open.some((row) => row.post === post || row.post === held.post))
  await changed({ state: 'visible' })
  assert.equal((await readTopic(site, topic)).topic.posts, 2)
  const found = async (query: string) => (await read(`topics?${query}`)).rows.map((row: { topic: number }) => row.topic)
  assert.deepEqual(await found('q=maling'), [topic])
  assert.deepEqual(await found(`q=${topic}&mark=pinned`), [topic])
  assert.ok((await found(`q=${ana.user.UserID}&board=100`)).includes(topic))
  const alone = await openTopic(site, ben)
  await ben.post('/api/forum/posts/delete', { post: alone.post })
  const { topic: row } = await read(`topic?topic=${alone.topic}`)
  assertRefused(
    await act('topics/change', { topics: [{ topic: alone.topic, version: row.version }], state: 'visible' }),
    409,
  )
  // The test players were inserted with posts that the counts lack.
  await db.transaction().execute(recountForum)
  assert.equal(await db.transaction().execute(recountForum), 0)
})

test('reports a conflict to the second of two moderators who change a topic', async () => {
  const { topic } = await openTopic(site, ana)
  const move = (category: number, who: Operator) =>
    act('topics/change', { topics: [{ topic, version: 1 }], category }, who)
  const answers = await Promise.all([move(200, mod), move(300, other)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('applies changed rules and watched words from the next post', async () => {
  const board = async () => (await read('boards')).rows.find(({ category }: { category: number }) => category === 700)
  const before = await board()
  await done('boards/save', { ...before, name: 'Ideas', level_needed: 60, hold_first: 0 })
  assertRefused(await act('boards/save', { ...before, name: 'Again' }), 409)
  assertRefused(await ana.post('/api/forum/topics', { category: 700, title: 'Idea', body: 'Idea', ...TYPED }), 403)
  assertRefused(await act('boards/save', { ...(await board()), level_needed: 0 }), 422)
  assertRefused(await act('boards/save', { ...(await board()), emblem: 'dragon' }), 422)
  await done('boards/save', { ...(await board()), emblem: 'plan' })
  const { emblem: _, ...others } = await board()
  await done('boards/save', others)
  assert.equal((await board()).emblem, 'plan')
  await done('words/save', { word: '  Gintó-Shop ', action: 'refuse' })
  const { rows } = await read('words')
  const { word } = rows.at(-1)
  assertRefused(
    await ana.post('/api/forum/topics', { category: 100, title: 'Bili', body: 'Punta sa ginto shop', ...TYPED }),
    422,
    FORUM_TEXTS.refusedWord,
  )
  await done('words/delete', { word })
  assertRefused(await act('words/delete', { word }), 404)
  await openTopic(site, ana, { title: 'Bili', body: 'Punta sa ginto shop' })
})

const status = async (url: string, headers: Record<string, string> = {}) => (await site.get(url, headers)).status
const uploadPicture = async (player = ana, width = 900) => {
  const form = createForm({ picture: await pictureFile('kuha.png', { width, height: 600 }) })
  const answer = await sendForm(site, '/api/forum/pictures', form, player.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().url as string
}

test('serves a picture only while a post shows it; moderators always see it', async () => {
  const url = await uploadPicture()
  assert.equal(await status(url), 200)
  const { topic } = await openTopic(site, ana)
  const { post } = await reply(site, ana, topic, `![Kuha ko](${url})`)
  const shown = await site.get(url)
  assert.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'no-cache'])
  assert.equal(await status(url, { 'If-None-Match': shown.headers.get('etag') ?? '' }), 304)

  const { cases } = await decide('reject', post, 'Bastos ang larawan.')
  const picture = `/api/admin/forum/picture?post=${post}&url=${url}`
  assert.deepEqual(
    [await status(url), await status(url, { 'If-None-Match': shown.headers.get('etag') ?? '' })],
    [404, 404],
  )
  assert.deepEqual([await status(picture, mod.headers), await status(picture, ben.headers)], [200, 403])
  await done('undo', { cases })
  assert.equal(await status(url), 200)

  await decide('delete', post)
  assert.equal(await status(url), 404)
  const second = await reply(site, ana, topic, `Ulit: ![Kuha ko](${url})`)
  assert.equal(await status(url), 200)
  await sweepForum(db, new Date(site.clock.now().getTime() + 31 * DAY_MS))
  assert.equal(await status(url), 200)
  await ana.post('/api/forum/posts/edit', { post: second.post, body: 'Wala nang larawan.' })
  assert.equal(await status(url), 404)
  assert.equal(await status(`/api/admin/forum/picture?post=${second.post}&url=${url}`, mod.headers), 200)
  assert.equal(await status(`/api/admin/forum/picture?post=${topic}&url=${url}`, mod.headers), 404)
})

test('deletes the pictures of erased accounts and deleted topics with their small copies; those of staff remain', async () => {
  const carlo = await forumPlayer(site)
  const url = await uploadPicture(carlo, 800)
  const { topic } = await openTopic(site, carlo, { category: 300, body: `![Kuha ko](${url})` })
  await reply(site, ben, topic)
  const small = (await readTopic(site, topic)).topic.picture
  assert.deepEqual([await status(url), await status(small)], [200, 200])
  const change = (state: string) => updateRows(db, 'forum_topics', { topic: topic }, { state: state as 'visible' })
  await change('deleted')
  assert.deepEqual([await status(url), await status(small)], [404, 404])
  await change('visible')
  await db
    .transaction()
    .execute((tx) => eraseAccount(tx, { userNum: carlo.userNum, renameCharacters: false, now: site.clock.now() }))
  assert.deepEqual([await status(url), await status(small)], [404, 404])
  // An upload of the same picture by staff makes it a picture of the site.
  await db.updateTable('files').set({ of_players: false }).where('hash', '=', url.slice(7, 71)).execute()
  assert.equal(await status(url), 200)
})
