-- Characters as a bridge reads them from the game. A character belongs to an account of the game, `game_user_num`; the
-- account of the site is there when it is linked with that one. `kept_out` is why the game keeps a character out of
-- everything that others see; deleted and missing ones are nobody's.
alter table characters alter column user_num drop not null;
alter table characters
  add column game_user_num bigint,
  add column kept_out text not null default ''
    constraint characters_kept_out_is_known check (kept_out in ('', 'staff', 'blocked', 'deleted', 'missing')),
  add column odd_name boolean not null default false;

create index characters_game_user_idx on characters (game_user_num) where game_user_num is not null;

-- A game may have two characters whose names differ in letter case alone, or give the name of a deleted one again.
drop index characters_name_key;
create index characters_linked_name_idx on characters (lower(cha_name)) where user_num is not null;

-- Thousands of characters come at once, with all their values set.
create or replace trigger characters_first_values before insert on characters
  for each row
  when (new.base_kills is null or new.base_deaths is null or new.base_resu is null or new.start_level is null
    or new.start_mmr is null or new.start_money is null or new.start_kills is null or new.start_resu is null)
  execute function count_from_first_values();

-- Shown characters of each school, counted once for each statement, however many characters it changes.
create or replace function count_new_characters() returns trigger language plpgsql as $$
begin
  insert into school_counts (school, characters)
  select cha_school, count(*) from changed where kept_out = '' group by cha_school order by cha_school
  on conflict (school) do update set characters = school_counts.characters + excluded.characters;
  return null;
end
$$;

create or replace function count_gone_characters() returns trigger language plpgsql as $$
begin
  update school_counts set characters = characters - gone.count
  from (select cha_school, count(*) from changed where kept_out = '' group by cha_school) gone
  where school = gone.cha_school;
  return null;
end
$$;

create function count_changed_characters() returns trigger language plpgsql as $$
begin
  insert into school_counts (school, characters)
  select cha_school, sum(one) from (
    select cha_school, 1 as one from is_now where kept_out = ''
    union all select cha_school, -1 from was where kept_out = '') changed
  group by cha_school having sum(one) <> 0 order by cha_school
  on conflict (school) do update set characters = school_counts.characters + excluded.characters;
  return null;
end
$$;

drop trigger characters_counted_moved on characters;
create trigger characters_counted_changed after update on characters
  referencing old table as was new table as is_now for each statement execute function count_changed_characters();

-- Characters follow the link of their account of the game.
create function link_characters() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update characters set user_num = null where game_user_num = old.game_user_num;
  end if;
  if tg_op <> 'DELETE' then
    update characters set user_num = new.user_num
    where game_user_num = new.game_user_num and kept_out not in ('deleted', 'missing');
  end if;
  return null;
end
$$;

create trigger game_links_characters after insert or delete or update of user_num, game_user_num on game_links
  for each row execute function link_characters();

-- What the site has of each block of 64 characters, as the agent's hash: only blocks that differ travel.
create table character_blocks (
  block bigint primary key,
  hash text not null
);

-- How far the characters of the game have come. `values_at` is when the last values that came whole were read, `running_at`
-- the same of a reading whose values are still coming. `lacks` names the measures for which the game has no column.
create table game_sync (
  only_row boolean primary key default true check (only_row),
  bridge bigint not null references bridges (bridge),
  -- When the first reading began, which removed the characters of the demo world.
  began_at timestamptz,
  values_at timestamptz,
  running_at timestamptz,
  active_at timestamptz not null,
  took_ms integer not null default 0,
  sent_bytes bigint not null default 0,
  changed integer not null default 0,
  lacks text[] not null default '{}',
  counts jsonb not null default '{}',
  problem text not null default '',
  -- Read with every minute: who plays, and who owns the clubs' areas.
  online integer,
  online_at timestamptz
);

-- How many play, a row a minute, for two days.
create table online_counts (
  counted_at timestamptz primary key,
  players integer not null check (players >= 0)
);

alter table club_areas add column game_region bigint unique;

-- When the values of a closed month were read, where they came from a game.
alter table ranking_periods add column values_at timestamptz;
