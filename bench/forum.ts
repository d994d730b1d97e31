/**
 * What the forum costs as it grows: a board with 1,000,000 topics against one with 1,000, and the last page of a topic of
 * 100,000 posts against its first. Then cached forum pages of the demo world against bare node:http (0.8 of its
 * requests/s). Making the worlds takes some minutes.
 *
 * `node bench/forum.ts [PART OF AN ADDRESS] [--rounds 7]`
 */
import { sql } from 'kysely'
import { ensureBuilt } from '#scripts/build.ts'
import type { Db } from '#server/db/open.ts'
import { compareWithBare } from './against-bare.ts'
import { type Asked, compareWorlds } from './two-worlds.ts'

const POSTS = 100_000
/** A number that no topic of the demo world has. */
const LONG_TOPIC = 9_000_000
const LAST_PAGE = POSTS / 20

/** Adds topics to the board of suggestions, and one long topic to the board of clubs. */
async function growForum(db: Db, topics: number): Promise<void> {
  await sql`alter table forum_topics disable trigger user`.execute(db)
  await sql`alter table forum_posts disable trigger user`.execute(db)
  const writers = sql`select array_agg(user_num order by user_num) as who from accounts where user_type = 1`
  await sql`
    insert into forum_topics (category, title, author, state, created_at, last_post_at, last_author, last_number, post_count)
    select 700, 'Mungkahi ' || n, who[1 + n % 500], 'visible', now() - n * interval '7 minutes',
      now() - n * interval '1 minute', who[1 + n % 700], 1 + n % 90, 1 + n % 90
    from (${writers}) writers, generate_series(1, ${topics}::int) n`.execute(db)
  await sql`
    insert into forum_topics (topic, category, title, author, state, created_at, last_post_at, last_author, last_number, post_count)
    select ${LONG_TOPIC}::int, 600, 'Isang mahabang usapan', who[1], 'visible', now() - interval '1 year', now(), who[2],
      ${POSTS}::int, ${POSTS}::int from (${writers}) writers`.execute(db)
  await sql`
    insert into forum_posts (topic, number, author, state, title, body, html, created_at, shown_at)
    select ${LONG_TOPIC}::int, n, who[1 + n % 500], 'visible', case n when 1 then 'Isang mahabang usapan' else '' end,
      'Bilang ' || n, '<p>Bilang ' || n || ' sa mahabang usapan natin.</p>', now() - interval '1 year', now() - interval '1 year'
    from (${writers}) writers, generate_series(1, ${POSTS}::int) n`.execute(db)
  await sql`
    update forum_boards b set topic_count = c.topics, post_count = c.posts
    from (select category, count(*)::int as topics, sum(post_count)::int as posts from forum_topics group by category) c
    where c.category = b.category`.execute(db)
  await sql`alter table forum_topics enable trigger user`.execute(db)
  await sql`alter table forum_posts enable trigger user`.execute(db)
}

const ofLong = (page: number) => `/api/forum/topics/${LONG_TOPIC}?page=${page}`

const ASKED: Asked[] = [
  [ofLong(1), ofLong(LAST_PAGE), 1.2],
  [`/forum/600/${LONG_TOPIC}?page=1`, `/forum/600/${LONG_TOPIC}?page=${LAST_PAGE}`, 1.2],
  '/api/forum/boards',
  '/api/forum/boards/700',
  '/api/forum/boards/700?page=50',
  '/forum/700',
  '/api/search?q=mungkahi&kind=forum',
  '/api/search?q=usapan',
]

await ensureBuilt(console.log)
await compareWorlds(ASKED, {
  small: { name: 'forum_small', grow: (db) => growForum(db, 1000) },
  large: { name: 'forum_large', grow: (db) => growForum(db, 1_000_000) },
})
await compareWithBare(['/forum', '/forum/100', '/forum/100/1', '/api/forum/boards/100'])
process.exit(0)
