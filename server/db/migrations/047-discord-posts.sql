-- Messages for the operators' Discord channels (DISCORD-1). Triggers queue them in the transaction of their cause, and a job
-- sends them (server/features/discord). The columns post_due, begin_due and end_due of earlier versions have no use any more.
create table discord_posts (
  post bigint generated always as identity primary key,
  -- The setting {channel}_webhook has the address.
  channel text not null check (channel in (
    'news', 'events', 'wars', 'months', 'tournaments', 'forum', 'tickets', 'appeals', 'deliveries', 'alert')),
  -- Identifies the object, such as '17' or '17 cancelled'; the job writes the text from the object when it sends.
  subject text not null check (length(subject) between 1 and 60),
  -- Counts the requests, so a change while a message is being sent is sent too.
  version integer not null default 1,
  requested_at timestamptz not null default clock_timestamp(),
  -- The next attempt; null when nothing is to be sent.
  due_at timestamptz default clock_timestamp(),
  attempts integer not null default 0,
  -- Discord's id of the message, and the SHA-256 of the address that it was posted to.
  message text check (message ~ '^\d{1,20}$'),
  posted_to text check (posted_to ~ '^[0-9a-f]{64}$'),
  posted_at timestamptz,
  failure text not null default '' check (length(failure) <= 200),
  constraint discord_posts_subject_key unique (channel, subject),
  constraint discord_posts_address_check check ((message is null) = (posted_to is null))
);

create index discord_posts_due_idx on discord_posts (due_at, post) where due_at is not null;
create index discord_posts_posted_idx on discord_posts (channel, posted_at desc) where posted_at is not null;
create index discord_posts_age_idx on discord_posts (requested_at);

-- News and events had one channel.
insert into settings (name, value, version, changed_at)
select n.name, s.value, 1, s.changed_at
from settings s cross join (values ('events_webhook')) n (name)
where s.name = 'news_webhook' and s.value is not null
on conflict (name) do nothing;

create function has_discord_webhook(to_channel text) returns boolean language sql stable as $$
  select exists (select from settings where name = to_channel || '_webhook' and value is not null and value <> '""')
$$;

-- Posts about an object, or changes its message. Without a webhook there is nothing to send.
create function queue_discord_post(to_channel text, about text) returns void language sql as $$
  insert into discord_posts (channel, subject)
  select to_channel, about where has_discord_webhook(to_channel)
  on conflict (channel, subject) do update
  set version = discord_posts.version + 1, requested_at = clock_timestamp(), due_at = clock_timestamp(), attempts = 0
$$;

-- Changes the message about an object, if there is one (DISCORD-3).
create function edit_discord_post(about_channel text, about text) returns void language sql as $$
  update discord_posts
  set version = version + 1, requested_at = clock_timestamp(), due_at = clock_timestamp(), attempts = 0
  where channel = about_channel and subject = about and (message is not null or due_at is not null)
$$;

create function queue_news_post() returns trigger language plpgsql as $$
begin
  if old.announced_at is null and new.announced_at is not null then
    perform queue_discord_post('news', new.id::text);
  else
    perform edit_discord_post('news', new.id::text);
  end if;
  return null;
end
$$;

create trigger news_queue_post after update of announced_at, subject, picture, show_picture, published on news
  for each row when (
    (old.announced_at, old.subject, old.picture, old.show_picture, old.published)
    is distinct from (new.announced_at, new.subject, new.picture, new.show_picture, new.published))
  execute function queue_news_post();

-- Queues a post when an event is planned, when it is cancelled, and an hour before each time (EVENT-8).
create function queue_event_posts() returns trigger language plpgsql as $$
declare
  to_channel text := case when new.club_war and has_discord_webhook('wars') then 'wars' else 'events' end;
begin
  if tg_op = 'INSERT' then
    if new.visible and new.cancelled_why = '' then perform queue_discord_post(to_channel, new.event::text); end if;
    return null;
  end if;
  if new.visible and not old.visible and new.cancelled_why = '' then
    perform queue_discord_post(to_channel, new.event::text);
  elsif (old.title, old.picture, old.starts_at, old.ends_at, old.repeats, old.weekdays, old.repeats_until, old.exceptions,
      old.visible, old.cancelled_why)
    is distinct from (new.title, new.picture, new.starts_at, new.ends_at, new.repeats, new.weekdays, new.repeats_until,
      new.exceptions, new.visible, new.cancelled_why) then
    perform edit_discord_post('events', new.event::text);
    perform edit_discord_post('wars', new.event::text);
  end if;
  if new.visible and old.cancelled_why = '' and new.cancelled_why <> '' then
    perform queue_discord_post(to_channel, new.event || ' cancelled');
  end if;
  if new.reminded_of is not null and new.reminded_of is distinct from old.reminded_of then
    perform queue_discord_post(to_channel, new.event || ' soon ' || extract(epoch from new.reminded_of)::bigint);
  end if;
  return null;
end
$$;

create trigger events_queue_posts after insert or update on events for each row execute function queue_event_posts();

-- A result that is taken back deletes its message.
create function queue_war_result() returns trigger language plpgsql as $$
declare
  event_id bigint := case when tg_op = 'DELETE' then old.event else new.event end;
  at_time bigint := extract(epoch from case when tg_op = 'DELETE' then old.starts_at else new.starts_at end);
begin
  if tg_op = 'DELETE' then
    perform edit_discord_post('wars', event_id || ' result ' || at_time);
  elsif exists (select from events where event = event_id and club_war and visible) then
    perform queue_discord_post('wars', event_id || ' result ' || at_time);
  end if;
  return null;
end
$$;

create trigger event_results_queue_post after insert or update or delete on event_results
  for each row execute function queue_war_result();

-- One message for the areas that change hands on one day in Manila.
create function queue_area_post() returns trigger language plpgsql as $$
begin
  perform queue_discord_post('wars', 'areas ' || to_char(new.since at time zone 'Asia/Manila', 'YYYY-MM-DD'));
  return null;
end
$$;

create trigger area_holders_queue_post after insert on area_holders for each row execute function queue_area_post();

create function queue_month_post() returns trigger language plpgsql as $$
begin
  perform queue_discord_post('months', new.period);
  return null;
end
$$;

create trigger ranking_periods_queue_post after update of closed_at on ranking_periods
  for each row when (old.closed_at is null and new.closed_at is not null) execute function queue_month_post();

create function queue_tournament_posts() returns trigger language plpgsql as $$
begin
  if old.state = 'draft' and new.state = 'announced' then
    perform queue_discord_post('tournaments', new.tournament::text);
  elsif (old.name, old.starts_at, old.registration_until, old.state)
    is distinct from (new.name, new.starts_at, new.registration_until, new.state) then
    perform edit_discord_post('tournaments', new.tournament::text);
  end if;
  if new.state = 'finalised' and old.state <> 'finalised' then
    perform queue_discord_post('tournaments', new.tournament || ' final');
  end if;
  return null;
end
$$;

create trigger tournaments_queue_posts after update on tournaments for each row execute function queue_tournament_posts();

-- The setting forum_webhook_board has the board. A topic that readers no longer see loses its message.
create function queue_topic_post() returns trigger language plpgsql as $$
declare
  is_posted boolean := new.state = 'visible'
    and exists (select from settings where name = 'forum_webhook_board' and value = to_jsonb(new.category));
begin
  if is_posted and (tg_op = 'INSERT' or old.state <> 'visible' or old.category <> new.category) then
    perform queue_discord_post('forum', new.topic::text);
  else
    perform edit_discord_post('forum', new.topic::text);
  end if;
  return null;
end
$$;

create trigger forum_topics_queue_post after insert or update of title, picture, state, category on forum_topics
  for each row execute function queue_topic_post();

-- To staff: numbers alone, nothing about a player.
create function queue_ticket_post() returns trigger language plpgsql as $$
begin
  perform queue_discord_post('tickets', new.number);
  return null;
end
$$;

create trigger tickets_queue_post after insert on tickets for each row execute function queue_ticket_post();

create function queue_appeal_post() returns trigger language plpgsql as $$
begin
  perform queue_discord_post('appeals', new.appeal::text);
  return null;
end
$$;

create trigger block_appeals_queue_post after insert on block_appeals for each row execute function queue_appeal_post();

-- One message an hour: when the game's database fails, every unit fails.
create function queue_delivery_post() returns trigger language plpgsql as $$
begin
  perform queue_discord_post('deliveries', to_char(new.failed_at at time zone 'Asia/Manila', 'YYYY-MM-DD HH24'));
  return null;
end
$$;

create trigger deliveries_queue_post after update of failed_at on deliveries
  for each row when (old.failed_at is null and new.failed_at is not null) execute function queue_delivery_post();

create function queue_alert_posts() returns trigger language plpgsql as $$
begin
  if old.told_at is null and new.told_at is not null then perform queue_discord_post('alert', new.alert::text); end if;
  if old.over_at is null and new.over_at is not null and new.told_at is not null then
    perform queue_discord_post('alert', new.alert || ' over');
  end if;
  return null;
end
$$;

create trigger alerts_queue_posts after update of told_at, over_at on alerts for each row execute function queue_alert_posts();

-- Messages that an earlier version had not posted yet.
insert into discord_posts (channel, subject)
select 'news', id::text from news where post_due and has_discord_webhook('news')
union all
select 'events', event || case post_due
  when 'planned' then '' when 'cancelled' then ' cancelled' else ' soon ' || extract(epoch from reminded_of)::bigint end
from events
where post_due <> '' and has_discord_webhook('events') and (post_due <> 'soon' or reminded_of is not null)
union all
select 'alert', alert || case when begin_due then '' else ' over' end
from alerts where (begin_due or end_due) and has_discord_webhook('alert');
