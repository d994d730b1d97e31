-- An edit that waits for a moderator shows nothing of itself: not its title, and not its text in the history.

-- Whether readers could see the text that an edit replaced. Of older ones that is known of no text that waited until it
-- was replaced, or that a case covers.
alter table forum_revisions add column shown boolean not null default false;
update forum_revisions r set shown = true
from (
  select r.revision, p.post, p.shown_at, coalesce(lead(r.written_at) over (partition by r.post order by r.revision), p.edited_at) as until
  from forum_revisions r join forum_posts p using (post)) old
where old.revision = r.revision and old.shown_at < old.until and not exists (
  select from forum_cases c
  where c.post = old.post and c.opened_at <= r.written_at and (c.closed_at is null or c.closed_at >= old.until));

-- The topic's title and picture before a decision about its opening post, to take it back.
alter table forum_cases add column title_was text;
alter table forum_cases add column picture_was text;

-- The text of a rejected post is kept as long as that of a deleted one; `deleted_at` is when it went.
update forum_posts p set deleted_at = coalesce(
  (select max(c.closed_at) from forum_cases c where c.post = p.post and c.outcome = 'rejected'), p.edited_at, p.created_at)
where state = 'rejected' and deleted_at is null;
create index forum_posts_rejected_idx on forum_posts (deleted_at) where state = 'rejected' and html <> '';
