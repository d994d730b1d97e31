import { sql } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { HoldReason } from '#contract/forum-messages.ts'
import type { Db } from '#server/db/open.ts'
import { type KnownPicture, namesIn, renderMarkdown } from '#server/features/forum/markdown.ts'
import { recountForum } from '#server/features/forum/upkeep.ts'
import {
  caseNote,
  type DemoTopic,
  decidedCases,
  forumTopics,
  heldReply,
  heldTopic,
  reportedPost,
} from './content/forum.ts'
import { gallery } from './content/media.ts'
import { GALLERY, galleryFile } from './content/media-sizes.ts'
import { seededRandom } from './random.ts'

const SEED = 20_261_122
/** The cast: members 0 to 20 are regulars, the others are new. */
const CAST = 24
/** They are good, but not the best of the server. */
const STRONGER = 60

type Writers = { juan: number; maria: number; gm: number }
type Member = { user_num: number; cha_name: string }

/** The players with the strongest characters who are neither blocked nor staff. */
async function selectCast(tx: Db, { juan, maria }: Writers): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select user_num, cha_name from (
      select distinct on (a.user_num) a.user_num, c.cha_name, c.cha_level
      from characters c join accounts a on a.user_num = c.user_num
      where a.user_type = 1 and a.blocked_at is null and a.user_num not in (${juan}, ${maria})
        and not exists (select from hidden_characters h where h.cha_num = c.cha_num)
      order by a.user_num, c.cha_level desc, c.cha_num) strongest
    order by cha_level desc, user_num offset ${sql.lit(STRONGER)} limit ${sql.lit(CAST)}`.execute(tx)
  return rows
}

type NewPost = {
  topic: number
  number: number | null
  author: number
  state: 'visible' | 'held'
  title: string
  body: string
  html: string
  held_for: HoldReason[]
  created_at: Date
  shown_at: Date | null
}

/** Fills the forum: topics, replies, likes, a poll, pictures, something that waits and something that was reported. */
export async function insertForum(tx: Db, { now, ...writers }: Writers & { now: Date }): Promise<void> {
  const random = seededRandom(SEED)
  const cast = await selectCast(tx, writers)
  const userOf = (by: number | keyof Writers) => (typeof by === 'string' ? writers[by] : (cast[by]?.user_num ?? 0))
  const named = (text: string) =>
    text.replace(/\{(\d+)\}/g, (_, nth) => `@${cast[Number(nth)]?.cha_name ?? 'kaibigan'}`)
  // A demo world is filled once and counted at the end, which is faster than counting row by row.
  await sql`alter table forum_posts disable trigger user`.execute(tx)
  await sql`alter table forum_likes disable trigger user`.execute(tx)

  const topics = await tx
    .insertInto('forum_topics')
    .values(
      [...forumTopics, { ...heldTopic, hoursAgo: 1, views: 0, posts: [] }].map((topic) => {
        const created_at = new Date(now.getTime() - topic.hoursAgo * HOUR_MS)
        const isHeld = topic.posts.length === 0
        return {
          category: topic.category,
          title: named(topic.title).replace('@', ''),
          author: userOf(topic.posts[0]?.[0] ?? heldTopic.by),
          state: isHeld ? ('held' as const) : ('visible' as const),
          pinned: 'pinned' in topic,
          locked: 'locked' in topic,
          picture: 'picture' in topic && topic.picture ? pictureOf(topic.picture).small : null,
          created_at,
          last_post_at: created_at,
          views: topic.views,
        }
      }),
    )
    .returning(['topic', 'title'])
    .execute()
  const numberOf = (title: string) => topics.find((row) => row.title === named(title).replace('@', ''))?.topic ?? 0

  const pictures = new Map<string, KnownPicture>(
    forumTopics.flatMap(({ picture }) => (picture === undefined ? [] : [[pictureOf(picture).url, pictureOf(picture)]])),
  )
  const toHtml = (body: string) => renderMarkdown(body, 'localhost', { pictures, mentions: new Set(namesIn(body)) })
  const posts: NewPost[] = forumTopics.flatMap((topic) =>
    writePosts(topic, { topic: numberOf(topic.title), now, random, userOf, named, toHtml }),
  )
  const extra = (topic: number, by: number, body: string, more: Partial<NewPost>): NewPost => ({
    topic,
    number: null,
    author: userOf(by),
    state: 'held',
    title: '',
    body,
    html: toHtml(body),
    held_for: [],
    created_at: new Date(now.getTime() - 40 * MINUTE_MS),
    shown_at: null,
    ...more,
  })
  const reportedTopic = numberOf(reportedPost.topic)
  posts.push(
    extra(numberOf(heldTopic.title), heldTopic.by, heldTopic.body, {
      title: heldTopic.title,
      held_for: ['first posts'],
    }),
    extra(numberOf(heldReply.topic), heldReply.by, heldReply.body, { held_for: ['first posts', 'links'] }),
    extra(reportedTopic, reportedPost.by, reportedPost.body, {
      number: posts.filter(({ topic }) => topic === reportedTopic).length + 1,
      state: 'visible',
      created_at: new Date(now.getTime() - 5 * HOUR_MS),
      shown_at: new Date(now.getTime() - 5 * HOUR_MS),
    }),
  )
  const inserted = await tx
    .insertInto('forum_posts')
    .values(posts)
    .returning(['post', 'topic', 'author', 'state', 'title', 'created_at'])
    .execute()

  await insertPictures(tx, inserted, numberOf, now)
  await insertPolls(tx, { numberOf, cast, now })
  await insertDecided(tx, { inserted, userOf, now })
  await insertCases(tx, { inserted, reportedTopic, userOf, now })
  const likes = inserted
    .filter(({ state, author }) => state === 'visible' && author !== userOf(reportedPost.by))
    .flatMap(({ post, author, created_at }) => {
      const fans = cast.filter(({ user_num }) => user_num !== author && random() < 0.14)
      return fans.map(({ user_num }) => ({ post, user_num, liked_at: created_at }))
    })
  await tx.insertInto('forum_likes').values(likes).execute()
  const watches = inserted
    .filter(({ title, state }) => title !== '' && state === 'visible')
    .map(({ topic, author, created_at }) => ({ topic, user_num: author, watched_at: created_at }))
  await tx.insertInto('forum_watches').values(watches).execute()
  await tx
    .insertInto('forum_watched_words')
    .values(
      ['cheap gold', 'account for sale', 'power leveling'].map((word) => ({
        word,
        action: 'hold' as const,
        added_by: writers.gm,
        added_at: now,
      })),
    )
    .execute()
  await sql`alter table forum_posts enable trigger user`.execute(tx)
  await sql`alter table forum_likes enable trigger user`.execute(tx)
  await recountForum(tx)
}

/** A picture of the gallery as a post shows it. */
function pictureOf(number: number) {
  const [width] = GALLERY.webp
  return {
    url: `/art/${galleryFile(number, width, 'webp')}`,
    small: `/art/${galleryFile(number, GALLERY.avif[0], 'avif')}`,
    width,
    height: Math.round(width / GALLERY.ratio),
    alt: gallery[number - 1]?.alt ?? '',
  }
}

type PostContext = {
  topic: number
  now: Date
  random: () => number
  userOf: (by: number | keyof Writers) => number
  named: (text: string) => string
  toHtml: (body: string) => string
}

/** The posts of a topic: the first at its moment, the others within two thirds of the time since. */
function writePosts(content: DemoTopic, { topic, now, random, userOf, named, toHtml }: PostContext): NewPost[] {
  const begin = now.getTime() - content.hoursAgo * HOUR_MS
  const span = Math.min(content.hoursAgo * HOUR_MS * 0.9, 30 * HOUR_MS)
  const replies = content.posts.length - 1
  return content.posts.map(([by, text], index) => {
    const share = index === 0 ? 0 : (index - 0.7 * random()) / replies
    const at = new Date(begin + share * span)
    const picture = content.picture === undefined ? undefined : pictureOf(content.picture)
    const shown = picture === undefined ? text : text.replace('{picture}', `![${picture.alt}](${picture.url})`)
    const body = named(shown)
    return {
      topic,
      number: index + 1,
      author: userOf(by),
      state: 'visible' as const,
      title: index === 0 ? named(content.title).replace('@', '') : '',
      body,
      html: toHtml(body),
      held_for: [],
      created_at: at,
      shown_at: at,
    }
  })
}

type Inserted = { post: number; topic: number; author: number; state: string; title: string; created_at: Date }[]

async function insertPictures(tx: Db, posts: Inserted, numberOf: (title: string) => number, now: Date): Promise<void> {
  const rows = forumTopics.flatMap(({ picture, title }) => {
    const opening = posts.find((post) => post.topic === numberOf(title) && post.title !== '')
    if (picture === undefined || opening === undefined) return []
    const { url, small, width, height } = pictureOf(picture)
    return [{ url, small_url: small, width, height, uploaded_by: opening.author, post: opening.post, uploaded_at: now }]
  })
  await tx.insertInto('forum_pictures').values(rows).execute()
}

/** The polls with their votes: each of the many voters is a player of the demo world. */
async function insertPolls(
  tx: Db,
  { numberOf, cast, now }: { numberOf: (title: string) => number; cast: Member[]; now: Date },
): Promise<void> {
  const { rows: voters } = await sql<{ user_num: number }>`
    select user_num from accounts where user_type = 1 and user_num > ${cast.at(-1)?.user_num ?? 0}
    order by user_num limit 200`.execute(tx)
  for (const { title, poll, hoursAgo } of forumTopics) {
    if (poll === undefined) continue
    const topic = numberOf(title)
    const closes_at = new Date(now.getTime() - hoursAgo * HOUR_MS + poll.days * 24 * HOUR_MS)
    await tx.insertInto('forum_polls').values({ topic, question: poll.question, choices_max: 1, closes_at }).execute()
    const options = poll.options.map(([words], index) => ({ topic, option: index + 1, words }))
    await tx.insertInto('forum_poll_options').values(options).execute()
    const chosen = poll.options.flatMap(([, votes], index) => Array.from({ length: votes }, () => index + 1))
    const votes = chosen.flatMap((option, nth) => {
      const voter = voters[nth]
      return voter === undefined ? [] : [{ topic, user_num: voter.user_num, option }]
    })
    await tx.insertInto('forum_votes').values(votes).execute()
  }
}

/** What waits for a moderator: the reported post, then those that are held. */
async function insertCases(
  tx: Db,
  {
    inserted,
    reportedTopic,
    userOf,
    now,
  }: { inserted: Inserted; reportedTopic: number; userOf: PostContext['userOf']; now: Date },
): Promise<void> {
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  const reported = inserted.find(({ topic, author }) => topic === reportedTopic && author === userOf(reportedPost.by))
  if (reported !== undefined) {
    const { post } = reported
    const { case_num } = await tx
      .insertInto('forum_cases')
      .values({
        post,
        kind: 'report',
        report_count: reportedPost.reports.length,
        assignee: userOf('gm'),
        opened_at: before(3),
      })
      .returning('case_num')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('forum_reports')
      .values(
        reportedPost.reports.map(({ by, reason, words }, index) => ({
          post,
          user_num: userOf(by),
          case_num,
          reason,
          words,
          reported_at: before(3 - index),
        })),
      )
      .execute()
    await tx
      .insertInto('forum_case_notes')
      .values({ case_num, body: caseNote, written_by: userOf('gm'), written_at: before(1) })
      .execute()
  }
  const held = inserted.filter(({ state }) => state === 'held')
  await tx
    .insertInto('forum_cases')
    .values(held.map(({ post, created_at }) => ({ post, kind: 'held' as const, opened_at: created_at })))
    .execute()
}

/** What moderators have decided so far, and a silence that is over. */
async function insertDecided(
  tx: Db,
  { inserted, userOf, now }: { inserted: Inserted; userOf: PostContext['userOf']; now: Date },
): Promise<void> {
  const gm = userOf('gm')
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  for (const [index, { by, kind, outcome, reason, words, note }] of decidedCases.entries()) {
    const post = inserted.find(({ author, state }) => author === userOf(by) && state === 'visible')
    if (post === undefined) continue
    const hours = 20 * (decidedCases.length - index)
    const { case_num } = await tx
      .insertInto('forum_cases')
      .values({
        post: post.post,
        kind,
        state: 'closed',
        outcome,
        report_count: 1,
        assignee: gm,
        opened_at: before(hours + 2),
        closed_at: before(hours),
        closed_by: gm,
        post_was: 'visible',
        topic_was: 'visible',
      })
      .returning('case_num')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('forum_reports')
      .values({ post: post.post, user_num: userOf(20), case_num, reason, words, reported_at: before(hours + 2) })
      .execute()
    await tx
      .insertInto('forum_case_notes')
      .values({ case_num, body: note, written_by: gm, written_at: before(hours) })
      .execute()
  }
  await tx
    .insertInto('forum_silences')
    .values({
      user_num: userOf(reportedPost.by),
      reason: 'Insulting other players in three topics. Please calm down.',
      starts_at: before(9 * 24),
      ends_at: before(6 * 24),
      silenced_by: gm,
      lifted_at: null,
      lifted_by: null,
    })
    .execute()
}
