-- Deciding about posts: what a decision can be taken back to, who deleted a post, and cases that moderators open themselves.

alter table forum_posts add column deleted_by bigint references accounts (user_num);

alter table forum_cases drop constraint forum_cases_kind_check;
alter table forum_cases add constraint forum_cases_kind_check check (kind in ('held', 'report', 'staff'));
-- How the post and its topic were before the decision; null where it cannot be taken back.
alter table forum_cases add column post_was text check (post_was in ('visible', 'held', 'rejected', 'deleted'));
alter table forum_cases add column topic_was text check (topic_was in ('visible', 'held', 'rejected', 'deleted'));
alter table forum_cases add column held_was text[] not null default '{}';

-- The post that a silence is for.
alter table forum_silences add column post bigint references forum_posts (post) on delete set null;
create index forum_silences_post_idx on forum_silences (post) where post is not null;

create index forum_topics_hidden_idx on forum_topics (topic) where state <> 'visible';
