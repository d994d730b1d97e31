-- Events repeat once, daily, or weekly on a set of weekdays, with exceptions (EVENT-4).
alter table events
  -- The weekdays in Manila, Sunday is 0. An empty set is the weekday of the first time, as in events of 1.0.0.
  add column weekdays integer[] not null default '{}',
  -- [{"day": "2026-12-25", "starts_at": null or a moment}]: the time that begins on this day in Manila is left out, or begins
  -- at another moment. It lasts as long as the others.
  add column exceptions jsonb not null default '[]',
  drop constraint events_repeats_check,
  drop constraint events_once_ends,
  add constraint events_repeats_check check (repeats in ('once', 'daily', 'weekly')) not valid,
  add constraint events_once_ends check (repeats <> 'once' or repeats_until is null) not valid,
  add constraint events_weekdays_check
    check (weekdays <@ array[0, 1, 2, 3, 4, 5, 6] and (repeats = 'weekly' or weekdays = '{}')) not valid,
  add constraint events_exceptions_check check (
    jsonb_typeof(exceptions) = 'array' and jsonb_array_length(exceptions) <= 60
    and (repeats <> 'once' or exceptions = '[]')) not valid,
  -- Times of one event never overlap.
  add constraint events_often_ends check (
    (repeats <> 'daily' and cardinality(weekdays) < 2) or ends_at <= starts_at + interval '24 hours') not valid;

-- False: the player wants one reminder only. The request is deleted after the next reminder.
alter table event_reminders add column every_time boolean not null default true;

-- The times of an event that end after `since` and begin up to `until`. Manila has no summer time, so a day has 24 hours.
create function event_times(e events, since timestamptz, until timestamptz)
returns table (starts_at timestamptz, ends_at timestamptz) language sql stable as $$
  select t.starts_at, t.starts_at + (e.ends_at - e.starts_at)
  from (
    select b.starts_at
    from (
      select n, e.starts_at + n * interval '24 hours' as starts_at
      from generate_series(
        case when e.repeats = 'once' then 0
          else greatest(0, floor(extract(epoch from since - e.ends_at) / 86400)::integer) end,
        case when e.repeats = 'once' then 0
          else floor(extract(epoch from until - e.starts_at) / 86400)::integer end) n
    ) b
    where (e.repeats <> 'weekly' or (case when e.weekdays = '{}' then b.n % 7 = 0
        else extract(dow from b.starts_at at time zone 'Asia/Manila')::integer = any(e.weekdays) end))
      and (e.repeats_until is null or b.starts_at <= e.repeats_until)
      and not exists (
        select from jsonb_array_elements(e.exceptions) x
        where x ->> 'day' = to_char(b.starts_at at time zone 'Asia/Manila', 'YYYY-MM-DD'))
    union all
    select (x ->> 'starts_at')::timestamptz
    from jsonb_array_elements(e.exceptions) x
    where x ->> 'starts_at' is not null
  ) t
  where t.starts_at <= until and t.starts_at + (e.ends_at - e.starts_at) > since
$$;

-- Whether a club war is on or begins within ten minutes, as in 033, for every way of repeating.
create or replace function is_club_war_near(moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from events e
    cross join lateral event_times(e, moment, moment + interval '10 minutes')
    where e.club_war and e.visible and e.cancelled_why = '')
$$;
