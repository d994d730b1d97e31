import { sql } from 'kysely'
import { z } from 'zod'
import { flag, headedSections, list, wholeNumber } from '#content/files.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { HOLD_REASONS, type HoldReason, REPORT_REASONS, type ReportReason } from '#contract/forum.ts'
import type { Db } from '#server/db/open.ts'
import { findMentionNames, type KnownPicture, renderMarkdown } from '#server/features/forum/markdown.ts'
import { recountForum } from '#server/features/forum/upkeep.ts'
import { readMedia } from './media.ts'
import { GALLERY, galleryFile } from './media-sizes.ts'
import { readTable, readTexts, timeSpan } from './read.ts'
import { type Random, seededRandom, subtractMs, type World } from './world.ts'

const SEED = 20_261_122
/** The cast: members 0 to 20 are regulars, the others are new. */
const CAST_SIZE = 24
/** The number of players whose characters are stronger than those of the cast. */
const STRONGER_PLAYERS = 60

/**
 * A topic has one post under each heading, the opening post first. The heading names the writer: a member of the cast
 * by number, or juan, maria or gm. In a text, `{3}` is the name of that member's main character.
 */
const topicHead = z.strictObject({
  title: z.string(),
  category: wholeNumber,
  age: timeSpan,
  views: wholeNumber,
  pinned: flag,
  locked: flag,
  /** Whether the topic waits for a moderator, like the first topic of a new player. */
  held: flag,
  /** The number of the gallery's picture that replaces `{picture}` in the opening post. */
  picture: wholeNumber.optional(),
  /** A question, and each answer with its number of votes. */
  poll: z.string().optional(),
  poll_options: list.default([]),
  poll_days: wholeNumber.default(0),
  body: headedSections,
})

/**
 * More posts for the topics, to be held or reported. They follow the other replies, although they can be older. A post
 * with a reason in `held_for` is held.
 */
const lastPostRow = z.strictObject({
  topic: z.string(),
  by: z.string(),
  age: timeSpan,
  held_for: list.pipe(z.array(z.enum(Object.keys(HOLD_REASONS) as HoldReason[]))).default([]),
  body: z.string(),
})

/** Reports of a player's first post. Reports of the same post are one case, which is closed if it has an outcome. */
const reportRow = z.strictObject({
  post_by: z.string(),
  reporter: z.string(),
  reported: timeSpan,
  reason: z.enum(Object.keys(REPORT_REASONS) as ReportReason[]),
  words: z.string().default(''),
  outcome: z.enum(['dismissed']).optional(),
  /** The time at which the moderator wrote the note and, with an outcome, closed the case. */
  noted: timeSpan.default(0),
  note: z.string().default(''),
})

type CastMember = { user_num: number; cha_name: string }

/**
 * Selects players with strong, visible characters, below the `STRONGER_PLAYERS` strongest. Leaves out staff, blocked
 * players, juan and maria.
 */
async function selectCast(tx: Db, { juan, maria }: World): Promise<CastMember[]> {
  const { rows } = await sql<CastMember>`
    select user_num, cha_name from (
      select distinct on (a.user_num) a.user_num, c.cha_name, c.cha_level
      from characters c join accounts a on a.user_num = c.user_num
      where a.user_type = 1 and a.blocked_at is null and a.user_num not in (${juan}, ${maria})
        and not exists (select from hidden_characters h where h.cha_num = c.cha_num)
      order by a.user_num, c.cha_level desc, c.cha_num) strongest
    order by cha_level desc, user_num offset ${sql.lit(STRONGER_PLAYERS)} limit ${sql.lit(CAST_SIZE)}`.execute(tx)
  return rows
}

type UserLookup = (writer: string) => number

/** Inserts the forum: topics, replies, likes, a poll, pictures, held posts and reported posts. */
export async function insertForum(tx: Db, world: World): Promise<void> {
  const { now, gm } = world
  const random = seededRandom(SEED)
  const castMembers = await selectCast(tx, world)
  const findUserNum = (writer: string) =>
    writer === 'juan' || writer === 'maria' || writer === 'gm'
      ? world[writer]
      : (castMembers[Number(writer)]?.user_num ?? 0)
  const getName = (nth: string) => castMembers[Number(nth)]?.cha_name ?? 'kaibigan'
  // Triggers are off during the insert, and the counters are set at the end, which is faster.
  await sql`alter table forum_posts disable trigger user`.execute(tx)
  await sql`alter table forum_likes disable trigger user`.execute(tx)

  const topics = await insertTopics(tx, { now, findUserNum, getName })
  const posts = await insertPosts(tx, topics, { now, random, findUserNum, getName })
  await insertPictures(tx, topics, posts, now)
  await insertPolls(tx, topics, { cast: castMembers, now })
  await insertCases(tx, posts, { findUserNum, gm, now })
  const likeRows = posts.flatMap(({ post, author, state, isLast, created_at }) => {
    if (state === 'held' || isLast) return []
    const likingMembers = castMembers.filter(({ user_num }) => user_num !== author && random() < 0.14)
    return likingMembers.map(({ user_num }) => ({ post, user_num, liked_at: created_at }))
  })
  await tx.insertInto('forum_likes').values(likeRows).execute()
  const watchRows = posts
    .filter(({ title, state }) => title !== '' && state === 'visible')
    .map(({ topic, author, created_at }) => ({ topic, user_num: author, watched_at: created_at }))
  await tx.insertInto('forum_watches').values(watchRows).execute()
  const termRows = ['cheap gold', 'account for sale', 'power leveling'].map((term) => ({
    word: term,
    action: 'hold' as const,
    added_by: gm,
    added_at: now,
  }))
  await tx.insertInto('forum_watched_words').values(termRows).execute()
  await sql`alter table forum_posts enable trigger user`.execute(tx)
  await sql`alter table forum_likes enable trigger user`.execute(tx)
  await recountForum(tx)
}

type ForumLookups = { now: Date; findUserNum: UserLookup; getName: (nth: string) => string }

/** Inserts the topics. @returns the topics with their numbers, posts and pictures */
async function insertTopics(tx: Db, { now, findUserNum, getName }: ForumLookups) {
  const pictures = readMedia().filter(({ kind }) => kind === 'gallery')
  const topics = readTexts('forum/*.md', topicHead).map(({ title, picture, body: posts, ...topic }) => ({
    ...topic,
    title: title.replace(/\{(\d+)\}/g, (_, nth) => getName(nth)),
    writtenTitle: title,
    picture: picture === undefined ? undefined : describePicture(picture, pictures[picture - 1]?.alt ?? ''),
    posts,
  }))
  const rows = topics.map(({ category, title, age, views, pinned, locked, held: isHeld, picture, posts }) => ({
    category,
    title,
    author: findUserNum(posts[0]?.title ?? ''),
    state: isHeld ? ('held' as const) : ('visible' as const),
    pinned,
    locked,
    picture: picture?.small ?? null,
    created_at: subtractMs(now, age),
    last_post_at: subtractMs(now, age),
    views,
  }))
  const numbers = await tx.insertInto('forum_topics').values(rows).returning('topic').execute()
  return topics.map((topic, index) => ({ ...topic, topic: numbers[index]?.topic ?? 0 }))
}

type Topic = Awaited<ReturnType<typeof insertTopics>>[number]

/** Returns the fields of a gallery picture in a post. */
function describePicture(number: number, alt: string) {
  const [width] = GALLERY.webp
  return {
    url: galleryFile(number, width, 'webp'),
    small: galleryFile(number, GALLERY.avif[0], 'avif'),
    width,
    height: Math.round(width / GALLERY.ratio),
    alt,
  }
}

/**
 * Inserts the topics' posts, and then those of `forum-posts.csv`. A topic's first post has the topic's age; its replies
 * are spread over the first nine tenths of the time since then, but at most over 30 hours.
 */
async function insertPosts(
  tx: Db,
  topics: Topic[],
  { now, random, findUserNum, getName }: ForumLookups & { random: Random },
) {
  const pictures = new Map<string, KnownPicture>(
    topics.flatMap(({ picture }) => (picture === undefined ? [] : [[picture.url, picture]])),
  )
  const renderBody = (text: string) => {
    const body = text.replace(/\{(\d+)\}/g, (_, nth) => `@${getName(nth)}`)
    return { body, html: renderMarkdown(body, 'localhost', { pictures, mentions: new Set(findMentionNames(body)) }) }
  }
  const createHeldFields = (held_for: HoldReason[]) => ({
    number: null,
    state: 'held' as const,
    held_for,
    shown_at: null,
  })
  const postRows = topics.flatMap(({ topic, title, age, held: isHeld, picture, posts }) => {
    const replyPeriodMs = Math.min(age * 0.9, 30 * HOUR_MS)
    return posts.map(({ title: writer, text }, index) => {
      const share = index === 0 ? 0 : (index - 0.7 * random()) / (posts.length - 1)
      const at = isHeld ? subtractMs(now, 40 * MINUTE_MS) : subtractMs(now, age - share * replyPeriodMs)
      const shownText = picture === undefined ? text : text.replace('{picture}', `![${picture.alt}](${picture.url})`)
      return {
        topic,
        number: index + 1,
        author: findUserNum(writer),
        state: 'visible' as const,
        title: index === 0 ? title : '',
        ...renderBody(shownText),
        held_for: [],
        created_at: at,
        shown_at: at,
        ...(isHeld && createHeldFields(['first posts'])),
      }
    })
  })
  const lastPosts = readTable('tables/forum-posts.csv', lastPostRow).map(
    ({ topic: title, by: writer, age, held_for, body }) => {
      const { topic = 0, posts = [] } = topics.find(({ writtenTitle }) => writtenTitle === title) ?? {}
      const at = subtractMs(now, age)
      return {
        topic,
        number: posts.length + 1,
        author: findUserNum(writer),
        state: 'visible' as const,
        title: '',
        ...renderBody(body),
        held_for: [],
        created_at: at,
        shown_at: at,
        ...(held_for.length > 0 && createHeldFields(held_for)),
      }
    },
  )
  const posts = await tx
    .insertInto('forum_posts')
    .values([...postRows, ...lastPosts])
    .returning(['post', 'topic', 'author', 'state', 'title', 'created_at'])
    .execute()
  return posts.map((post, index) => ({ ...post, isLast: index >= postRows.length }))
}

type Posts = Awaited<ReturnType<typeof insertPosts>>

async function insertPictures(tx: Db, topics: Topic[], posts: Posts, now: Date): Promise<void> {
  const rows = topics.flatMap(({ picture, topic }) => {
    const opening = posts.find((post) => post.topic === topic)
    if (picture === undefined || opening === undefined) return []
    const { url, small, width, height } = picture
    return [{ url, small_url: small, width, height, uploaded_by: opening.author, post: opening.post, uploaded_at: now }]
  })
  await tx.insertInto('forum_pictures').values(rows).execute()
}

/** Inserts the polls with their votes. Each voter is a player of the demo world. */
async function insertPolls(
  tx: Db,
  topics: Topic[],
  { cast: castMembers, now }: { cast: CastMember[]; now: Date },
): Promise<void> {
  const { rows: voters } = await sql<{ user_num: number }>`
    select user_num from accounts where user_type = 1 and user_num > ${castMembers.at(-1)?.user_num ?? 0}
    order by user_num limit 200`.execute(tx)
  for (const { topic, poll: question, poll_options, poll_days, age } of topics) {
    if (question === undefined) continue
    const closes_at = subtractMs(now, age - poll_days * DAY_MS)
    await tx.insertInto('forum_polls').values({ topic, question, choices_max: 1, closes_at }).execute()
    const optionCounts = poll_options.map((option, index) => {
      const [words = '', votes] = option.split(' = ')
      return { topic, option: index + 1, words, votes: Number(votes) }
    })
    const options = optionCounts.map(({ votes: _, ...option }) => option)
    await tx.insertInto('forum_poll_options').values(options).execute()
    const chosenOptions = optionCounts.flatMap(({ option, votes }) => Array.from({ length: votes }, () => option))
    const votes = chosenOptions.flatMap((option, nth) => {
      const voter = voters[nth]
      return voter === undefined ? [] : [{ topic, user_num: voter.user_num, option }]
    })
    await tx.insertInto('forum_votes').values(votes).execute()
  }
}

/** Inserts the moderators' cases: the reported posts, with a silence that has ended, and the held posts. */
async function insertCases(
  tx: Db,
  posts: Posts,
  { findUserNum, gm, now }: { findUserNum: UserLookup; gm: number; now: Date },
) {
  const reportsByPost = Map.groupBy(readTable('tables/forum-reports.csv', reportRow), ({ post_by }) => post_by)
  for (const [writer, reports] of reportsByPost) {
    const reportedPost = posts.find(({ author, state }) => author === findUserNum(writer) && state === 'visible')
    const [firstReport] = reports
    if (reportedPost === undefined || firstReport === undefined) continue
    const { post } = reportedPost
    const { outcome, note } = firstReport
    const written_at = subtractMs(now, firstReport.noted)
    const caseFields = { post, kind: 'report' as const, report_count: reports.length, assignee: gm }
    const was = { post_was: 'visible', topic_was: 'visible' } as const
    const closedFields = outcome && { state: 'closed' as const, outcome, closed_at: written_at, closed_by: gm, ...was }
    const { case_num } = await tx
      .insertInto('forum_cases')
      .values({ ...caseFields, ...closedFields, opened_at: subtractMs(now, firstReport.reported) })
      .returning('case_num')
      .executeTakeFirstOrThrow()
    const rows = reports.map(({ reporter, reported, reason, words }) => ({
      post,
      user_num: findUserNum(reporter),
      case_num,
      reason,
      words,
      reported_at: subtractMs(now, reported),
    }))
    await tx.insertInto('forum_reports').values(rows).execute()
    await tx.insertInto('forum_case_notes').values({ case_num, body: note, written_by: gm, written_at }).execute()
  }
  const silence = {
    user_num: findUserNum('23'),
    reason: 'Insulting other players in three topics. Please calm down.',
    starts_at: subtractMs(now, 9 * DAY_MS),
    ends_at: subtractMs(now, 6 * DAY_MS),
    silenced_by: gm,
  }
  await tx.insertInto('forum_silences').values(silence).execute()
  const heldPosts = posts
    .filter(({ state }) => state === 'held')
    .map(({ post, created_at }) => ({ post, kind: 'held' as const, opened_at: created_at }))
  await tx.insertInto('forum_cases').values(heldPosts).execute()
}
