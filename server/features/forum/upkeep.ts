import { sql } from 'kysely'
import {
  FORUM_DELETED_RETENTION_MS,
  FORUM_UNREAD_MAX_MS,
  FORUM_VIEWS_RETENTION_MS,
  UNUSED_FORUM_PICTURE_RETENTION_MS,
} from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'

/**
 * Deletes old views, the read marks of topics without new posts, pictures that no post shows, and the texts, revisions and
 * pictures of posts that were deleted or rejected over 30 days ago.
 */
export async function sweepForum(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const subtractMs = (ms: number) => new Date(now.getTime() - ms)
  const day = toManilaDay(subtractMs(FORUM_VIEWS_RETENTION_MS))
  await sql`delete from forum_views where day < ${day}::date`.execute(db)
  await deleteOld(
    db,
    {
      table: 'forum_pictures',
      column: 'uploaded_at',
      before: subtractMs(UNUSED_FORUM_PICTURE_RETENTION_MS),
      condition: sql`post is null`,
    },
    signal,
  )
  await sql`
    delete from forum_read_marks m using forum_topics t
    where t.topic = m.topic and t.last_post_at < ${subtractMs(FORUM_UNREAD_MAX_MS)}`.execute(db)
  await sql`
    with old as (
      update forum_posts set body = '', html = ''
      where (state = 'deleted' or state = 'rejected') and html <> '' and deleted_at < ${subtractMs(FORUM_DELETED_RETENTION_MS)}
      returning post),
    pictures as (
      delete from forum_pictures f using old where f.post = old.post and not exists (
        select from forum_posts p where p.author = f.uploaded_by and p.state in ('visible', 'held')
          and position(f.url in p.html) > 0))
    delete from forum_revisions where post in (select post from old)`.execute(db)
}

/**
 * Corrects the stored counts of topics, posts, likes and votes, and each topic's last post, after rows were changed outside
 * of the site. Call this in a transaction; writers wait until it ends.
 *
 * @returns the number of corrected rows
 */
export async function recountForum(tx: Db): Promise<number> {
  await sql`lock table forum_topics, forum_posts, forum_boards, forum_members in share row exclusive mode`.execute(tx)
  const recounts = [
    sql`
        update forum_topics t set last_number = greatest(t.last_number, c.last_number), post_count = c.posts,
          last_post_at = coalesce(c.shown_at, t.created_at), last_author = c.author
        from (
          select t.topic, coalesce(max(p.number), 0) as last_number,
            count(*) filter (where p.state = 'visible')::int as posts,
            (array_agg(p.shown_at order by p.number desc) filter (where p.state = 'visible'))[1] as shown_at,
            (array_agg(p.author order by p.number desc) filter (where p.state = 'visible'))[1] as author
          from forum_topics t left join forum_posts p on p.topic = t.topic group by t.topic) c
        where c.topic = t.topic and (t.last_number, t.post_count, t.last_post_at, t.last_author)
          is distinct from (greatest(t.last_number, c.last_number), c.posts, coalesce(c.shown_at, t.created_at), c.author)`,
    sql`
        update forum_boards b set topic_count = c.topics, post_count = c.posts
        from (
          select b.category, count(t.topic)::int as topics, coalesce(sum(t.post_count), 0)::int as posts
          from forum_boards b left join forum_topics t on t.category = b.category and t.state = 'visible'
          group by b.category) c
        where c.category = b.category and (b.topic_count, b.post_count) is distinct from (c.topics, c.posts)`,
    sql`
        insert into forum_members as m (user_num, post_count)
        select * from (
          select author, count(*) filter (where state = 'visible')::int as posts from forum_posts group by author) c
        where posts > 0 or exists (select from forum_members known where known.user_num = c.author)
        on conflict (user_num) do update set post_count = excluded.post_count
        where m.post_count <> excluded.post_count`,
    sql`
        update forum_posts p set like_count = c.likes
        from (select p.post, count(l.user_num)::int as likes
          from forum_posts p left join forum_likes l on l.post = p.post group by p.post) c
        where c.post = p.post and p.like_count <> c.likes`,
    sql`
        update forum_poll_options o set votes = c.votes
        from (select o.topic, o.option, count(v.user_num)::int as votes
          from forum_poll_options o left join forum_votes v on v.topic = o.topic and v.option = o.option
          group by o.topic, o.option) c
        where c.topic = o.topic and c.option = o.option and o.votes <> c.votes`,
    sql`
        update forum_polls p set voters = c.voters
        from (select p.topic, count(distinct v.user_num)::int as voters
          from forum_polls p left join forum_votes v on v.topic = p.topic group by p.topic) c
        where c.topic = p.topic and p.voters <> c.voters`,
  ]
  let wrongCount = 0
  for (const recount of recounts) wrongCount += Number((await recount.execute(tx)).numAffectedRows ?? 0n)
  return wrongCount
}
