-- Which process runs a job until when, when the job is due next, and how it last went. All times here are the
-- database's, so the clocks of processes do not matter.
create table jobs (
  name text primary key,
  due_at timestamptz not null,
  holder text,
  leased_until timestamptz,
  started_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure text
);

-- Mails with a smaller priority are sent first. A mail that carries a link names it by the hash of its token: the link's
-- lifetime starts when the mail is sent.
alter table mail_outbox
  add column priority smallint not null default 1,
  add column link_hash text,
  add column link_good_ms bigint,
  add check ((link_hash is null) = (link_good_ms is null));

drop index mail_outbox_due_idx;
create index mail_outbox_queue_idx on mail_outbox (priority, next_attempt_at)
  where sent_at is null and given_up_at is null;
create index mail_outbox_link_idx on mail_outbox (link_hash)
  where link_hash is not null and sent_at is null and given_up_at is null;

-- What the clean-ups look for.
create index mail_outbox_sent_idx on mail_outbox (sent_at) where sent_at is not null;
create index mailed_links_end_idx on mailed_links (ends_at);
create index account_events_age_idx on account_events (created_at);
create index sessions_end_idx on sessions (ends_at);
create index sessions_seen_idx on sessions (last_seen_at);

create index receipts_due_age_idx on receipts_due (created_at);
