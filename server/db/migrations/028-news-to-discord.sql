-- News that has yet to be posted to the operators' Discord channel, kept with the news so that a post survives a crash.
alter table news add column post_due boolean not null default false;

create index news_post_due_idx on news (id) where post_due;
