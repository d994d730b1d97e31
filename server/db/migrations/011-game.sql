-- The bridge, and what it tells of the game: accounts, characters, restores.

-- A bridge is the agent beside the game's database, identified by its public keys (docs/decisions/030).
create table bridges (
  bridge bigint generated always as identity primary key,
  name text not null,
  -- Ed25519, for its requests (BRIDGE-7).
  sign_key text not null unique,
  -- X25519, for what only it may read.
  seal_key text not null,
  paired_at timestamptz not null,
  paired_by bigint references accounts (user_num),
  revoked_at timestamptz,
  revoked_by bigint references accounts (user_num),
  seen_at timestamptz,
  version text not null default '',
  system text not null default '',
  preset text not null default '',
  password_form text not null default '',
  clock_off_ms bigint not null default 0,
  -- What keeps it from working, in its own words.
  problem text not null default '',
  -- The copy of the game's database that it last worked on.
  epoch text,
  findings jsonb not null default '[]',
  checked_at timestamptz,
  -- When somebody at the desk asked it to check the game again; empty once it was told.
  check_asked_at timestamptz
);

alter table deliveries add foreign key (handed_by) references bridges (bridge);

-- A code that pairs a bridge, by its SHA-256: good once and for ten minutes, and ended by ten wrong ones (BRIDGE-9).
create table bridge_codes (
  bridge_code bigint generated always as identity primary key,
  code_hash text not null unique,
  -- The form that passwords have in the game, as it was chosen with the code. Without one, the bridge's first start sets it.
  password_form text,
  made_at timestamptz not null,
  made_by bigint references accounts (user_num),
  -- The owner who agreed, where there is another one.
  approved_by bigint references accounts (user_num),
  ends_at timestamptz not null,
  failures integer not null default 0,
  used_at timestamptz
);

-- BRIDGE-7
create table bridge_nonces (
  bridge bigint not null references bridges (bridge),
  nonce text not null,
  used_at timestamptz not null,
  primary key (bridge, nonce)
);

create index bridge_nonces_used_idx on bridge_nonces (used_at);

-- Which agent works: one of all bridges (BRIDGE-14). It has the session lock in the game's database.
create table bridge_lease (
  only_row boolean primary key default true check (only_row),
  bridge bigint not null references bridges (bridge),
  instance text not null,
  taken_at timestamptz not null,
  seen_at timestamptz not null
);

-- The last known state of the game's shop database. The agent keeps `epoch` and `counter` there and tells them with every request;
-- when the epoch changes or the counter falls, the database was restored or is another one (docs/decisions/033). Then
-- `restored_at` is set, and nothing is delivered or refunded until an operator has confirmed it, who gives it the epoch
-- `next_epoch`.
create table game_copy (
  only_row boolean primary key default true check (only_row),
  epoch text not null,
  counter bigint not null,
  restored_at timestamptz,
  found_epoch text,
  found_counter bigint,
  -- How far the bridge has looked for units that were delivered and are no longer there.
  looked_through bigint,
  looked_at timestamptz,
  next_epoch text,
  confirmed_at timestamptz,
  confirmed_by bigint references accounts (user_num),
  -- Those that were restored without the agent's own table beside them; such a restore ends only when somebody has confirmed it.
  tables text[] not null default '{}',
  -- The moment that the restored copy is from, as far as the agent can tell.
  as_of timestamptz,
  -- Rows of units that had been taken out of the game, came back and were taken out again.
  removed integer not null default 0
);

-- The same of the database of accounts. Without a row, no agent has told of it yet.
create table game_user_copy (like game_copy including all, foreign key (confirmed_by) references accounts (user_num));

-- The same of the database of characters, once services are sold.
create table game_character_copy (like game_copy including all, foreign key (confirmed_by) references accounts (user_num));

-- Which account of the game belongs to an account of the site. Written only where it is proven: the bridge made the game's
-- account itself, or the player logged in with its old password. Deliveries travel along a link, never by name.
create table game_links (
  user_num bigint primary key references accounts (user_num),
  game_user_num bigint not null unique,
  proof text not null check (proof in ('created', 'password')),
  linked_at timestamptz not null
);

-- The last day in Manila on which a character of the account was on line, by the bridge's reports (REWARD-4).
create table last_played (
  user_num bigint primary key references accounts (user_num) on delete cascade,
  played_on date not null
);

create index last_played_day_idx on last_played (played_on);

-- Characters follow the link of their account of the game (BRIDGE-10).
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

-- What a player's account in the game has to be told, and what it was told (docs/decisions/031).
create table game_accounts (
  user_num bigint primary key references accounts (user_num),
  -- 'creating' until the bridge has made the game's account, 'taken' when the game has an account of this ID already, 'linked'
  -- while there is a link, and 'gone' when the game no longer has the account.
  state text not null check (state in ('creating', 'taken', 'linked', 'gone')),
  game_user_id text not null default '',
  -- The ID that the account has now where it is not the one that was linked. Until somebody decides whether it is still the
  -- player's, nothing of it is changed and no new one is made (docs/decisions/031).
  found_user_id text not null default '',
  -- Versions only grow; the game's side refuses an older one.
  password_version bigint not null default 0,
  second_version bigint not null default 0,
  -- Whether the game may know the password that the account has here now: it was sealed for a bridge, or came from the game.
  knows_password boolean not null default false,
  -- The bridge that has written the present password, and in which form.
  confirmed_by bigint references bridges (bridge),
  confirmed_form text not null default '',
  -- When the game has to be told of the block.
  block_due_at timestamptz,
  handed_by bigint references bridges (bridge),
  -- How often it was handed out.
  attempt integer not null default 0,
  retry_at timestamptz,
  -- Why the game refuses it.
  problem text not null default '',
  detail text not null default '',
  changed_at timestamptz not null
);

create index game_accounts_block_idx on game_accounts (block_due_at) where block_due_at is not null;
create index game_accounts_odd_idx on game_accounts (changed_at desc, user_num desc)
  where state in ('taken', 'gone') or problem <> '';

-- A block, its end or its removal reaches the game, unless it comes from there. The moment lies in the past on every clock.
create function note_game_block() returns trigger language plpgsql as $$
begin
  if not coalesce((
    select in_game and lifted_by is null from account_blocks where user_num = new.user_num order by block desc limit 1), false)
  then
    update game_accounts set block_due_at = 'epoch' where user_num = new.user_num;
  end if;
  return null;
end
$$;

create trigger accounts_game_block after update of blocked_at, blocked_until on accounts for each row
  when (old.blocked_at is distinct from new.blocked_at or old.blocked_until is distinct from new.blocked_until)
  execute function note_game_block();

create function forget_known_password() returns trigger language plpgsql as $$
begin
  update game_accounts set knows_password = false where user_num = new.user_num and knows_password;
  return null;
end
$$;

create trigger accounts_forget_known_password after update of password_hash on accounts for each row
  when (old.password_hash <> new.password_hash) execute function forget_known_password();

-- The password in the game's form, sealed for one bridge; nothing but that bridge can read it. Not part of backups.
create table game_forms (
  user_num bigint not null references accounts (user_num),
  purpose text not null check (purpose in ('password', 'second-password')),
  bridge bigint not null references bridges (bridge),
  form text not null,
  version bigint not null,
  sealed text not null,
  -- False for passwords that are the game's alone: a random one, or one that staff have set for the game.
  is_site_password boolean not null default true,
  made_at timestamptz not null,
  primary key (user_num, purpose)
);

create index game_forms_made_idx on game_forms (made_at);

-- A bridge writes passwords into the game's database, so the one that staff have here never goes there (BRIDGE-15,
-- docs/decisions/031).
create function seal_only_players_passwords() returns trigger language plpgsql as $$
declare
  is_staff boolean;
begin
  if not new.is_site_password then
    return new;
  end if;
  -- Locked, so that nobody becomes staff before this is committed.
  select user_type >= 11 into is_staff from accounts where user_num = new.user_num for share;
  if is_staff then
    return null;
  end if;
  if new.purpose = 'password' then
    update game_accounts set knows_password = true where user_num = new.user_num and not knows_password;
  end if;
  return new;
end
$$;

create trigger game_forms_of_players before insert or update on game_forms for each row
  execute function seal_only_players_passwords();

-- The same, of a login that waits for its second factor.
create table game_form_drafts (
  challenge_hash text primary key references login_challenges (challenge_hash) on delete cascade,
  bridge bigint not null references bridges (bridge),
  form text not null,
  version bigint not null,
  sealed text not null,
  made_at timestamptz not null
);

-- Who becomes staff has nothing sealed any more, and the next seal is a random password; who is a player again gets theirs sealed.
create function part_staff_from_game() returns trigger language plpgsql as $$
begin
  delete from game_forms where user_num = new.user_num;
  delete from game_form_drafts d using login_challenges c
    where c.challenge_hash = d.challenge_hash and c.user_num = new.user_num;
  update game_accounts set confirmed_by = null, confirmed_form = '' where user_num = new.user_num;
  return null;
end
$$;

create trigger accounts_part_staff_from_game after update of user_type on accounts for each row
  when ((old.user_type >= 11) <> (new.user_type >= 11)) execute function part_staff_from_game();

-- Whether players are being moved in: only while an owner has opened it.
create table game_import (
  only_row boolean primary key default true check (only_row),
  opened_at timestamptz not null,
  opened_by bigint not null references accounts (user_num),
  closes_at timestamptz not null
);

-- Accounts of the game that were moved in.
create table game_imports (
  game_user_num bigint primary key,
  bridge bigint not null references bridges (bridge),
  user_id text not null,
  form text not null,
  -- argon2id of the password in the game's form, until its player comes and an account with argon2id of the password takes its
  -- place.
  form_hash text not null,
  game_user_type integer not null,
  blocked boolean not null,
  blocked_until timestamptz,
  imported_at timestamptz not null,
  user_num bigint unique references accounts (user_num)
);

create unique index game_imports_user_id_key on game_imports (lower(user_id));
create index game_imports_staff_idx on game_imports (game_user_num) where game_user_type <> 1;

-- Balances of accounts in the game, each taken over once.
create table game_balances (
  bridge bigint not null references bridges (bridge),
  game_user_num bigint not null unique,
  -- What two operators have seen, and what was taken later; never more. It is booked when the player has an account here.
  amount bigint not null,
  -- 'seen' by the import, 'impossible' or of staff, 'approved' by two operators, 'taken' out of the game, or 'refused' by it.
  state text not null check (state in ('seen', 'impossible', 'staff', 'approved', 'taken', 'refused')),
  handed_by bigint references bridges (bridge),
  problem text not null default '',
  changed_at timestamptz not null,
  user_num bigint references accounts (user_num),
  ledger_entry bigint references ledger (entry),
  -- What a restore has brought back into the game of a balance that was taken over, and when that was seen: it is taken out
  -- there once more and booked nowhere.
  back_amount bigint,
  back_at timestamptz,
  -- How much of it was no longer in the game by then.
  spent bigint not null default 0,
  primary key (bridge, game_user_num)
);

create index game_balances_state_idx on game_balances (state, amount desc);
create index game_balances_back_idx on game_balances (game_user_num) where back_amount is not null;

-- What the site has of each block of 64 characters, as the agent's hash: only blocks that differ travel.
create table character_blocks (
  block bigint primary key,
  hash text not null
);

-- The same of clubs, whose blocks are told whole (CLUB-1).
create table club_blocks (
  block bigint primary key,
  hash text not null
);

-- How far the characters of the game have come (docs/decisions/032).
create table game_sync (
  only_row boolean primary key default true check (only_row),
  bridge bigint not null references bridges (bridge),
  -- When the first reading began, which removed the characters of the demo world (BRIDGE-11).
  began_at timestamptz,
  -- When the last values that came whole were read, and the same of a reading whose values are still coming.
  values_at timestamptz,
  running_at timestamptz,
  active_at timestamptz not null,
  took_ms integer not null default 0,
  sent_bytes bigint not null default 0,
  changed integer not null default 0,
  -- The measures for which the game has no column (BRIDGE-6).
  lacks text[] not null default '{}',
  counts jsonb not null default '{}',
  -- What kept the last reading from coming, and when the bridge last told, whether or not it could read.
  problem text not null default '',
  reported_at timestamptz,
  -- Read with every minute: who plays, and who owns the clubs' areas.
  online integer,
  online_at timestamptz,
  online_groups jsonb not null default '[]',
  -- Who plays, for the line on a character's page: only while the setting show_who_plays is on (STATUS-4).
  online_characters bigint[] not null default '{}'
);

-- How many play, a row a minute, for two days.
create table online_counts (
  counted_at timestamptz primary key,
  players integer not null check (players >= 0)
);

-- What is done to characters: a service that was bought, with its unit in the outbox, or the undoing of one by staff, which has
-- no purchase (SERVICE-3, docs/decisions/040).
create table service_orders (
  service_order bigint generated always as identity primary key,
  delivery bigint unique references deliveries (delivery),
  undo_of bigint references service_orders (service_order),
  -- Who asked for the undoing.
  ordered_by bigint references accounts (user_num),
  user_num bigint not null references accounts (user_num),
  product_num bigint not null references shop_items (product_num),
  service text not null,
  -- The number stays when the character is gone, so it is no foreign key.
  cha_num bigint not null,
  cha_name text not null,
  choice text not null default '' check (length(choice) <= 60),
  -- What the player was shown that it would change: the name, the school or the class; empty for what the site does not know.
  was text not null default '',
  ordered_at timestamptz not null,
  -- A refused undoing has no money to give back.
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refunded', 'refused')),
  -- Why it is refunded or refused, as a code and in the words of the game's database.
  reason text not null default '',
  detail text not null default '',
  -- When the game was found to have the character on line, so the player was asked to log out.
  online_at timestamptz,
  handed_by bigint references bridges (bridge),
  handed_at timestamptz,
  attempt integer not null default 0,
  retry_at timestamptz,
  -- The columns of the game that were changed, as they were and as they are.
  before jsonb,
  after jsonb,
  done_at timestamptz,
  -- A game server had written the old values back, and it was done once more.
  again_at timestamptz,
  -- From then on nobody looks at it again: the player has logged out since, or a day has passed.
  settled_at timestamptz,
  -- A restore of the game's database has lost what was done.
  lost_at timestamptz,
  constraint service_orders_bought_or_undoing check ((delivery is null) = (undo_of is not null)),
  constraint service_orders_done_whole check ((state = 'done') <= (done_at is not null))
);

-- One at a time for a character; two that wait never want the same name.
create unique index service_orders_waiting_key on service_orders (cha_num) where state = 'waiting';
create unique index service_orders_name_key on service_orders (lower(choice)) where state = 'waiting' and service = 'name';
create unique index service_orders_undo_key on service_orders (undo_of) where state in ('waiting', 'done');
create index service_orders_of_character_idx on service_orders (cha_num, service);
create index service_orders_freed_idx on service_orders (lower(was), done_at) where service = 'name' and state = 'done';
create index service_orders_unsettled_idx on service_orders (service_order) where state = 'done' and settled_at is null;
create index service_orders_of_account_idx on service_orders (user_num, service_order);
create index service_orders_of_state_idx on service_orders (state, service_order);

-- Money that goes back, by whatever way, ends the order.
create function end_service_order() returns trigger language plpgsql as $$
begin
  update service_orders set state = 'refunded', reason = case reason when '' then 'desk' else reason end,
    settled_at = coalesce(settled_at, new.refunded_at) where delivery = new.delivery;
  return null;
end
$$;

create trigger deliveries_service_refunded after update of state on deliveries
  for each row when (new.is_service and new.state = 'refunded' and old.state <> 'refunded')
  execute function end_service_order();

-- What is delivered again at the desk waits again.
create function repeat_service_order() returns trigger language plpgsql as $$
begin
  update service_orders set state = 'waiting', lost_at = null, done_at = null, again_at = null, settled_at = null, retry_at = null
  where delivery = new.delivery;
  return null;
end
$$;

create trigger deliveries_service_again after update of state on deliveries
  for each row when (new.is_service and new.state = 'queued' and old.state <> 'queued')
  execute function repeat_service_order();

-- Why a service cannot be done to a character of an account, as far as the site knows; null if nothing speaks against it. The
-- codes are those of contract/services.ts, and so is the form of a name. The game is asked again when it is done.
create function service_problem(account bigint, item bigint, wanted bigint, chosen text, moment timestamptz)
returns text language sql stable as $$
  select case
      when c.cha_num is null then 'noCharacter'
      when cardinality(i.service_classes) > 0 and not c.cha_class = any(i.service_classes) then 'wrongClass'
      when cardinality(i.service_schools) > 0 and not c.cha_school = any(i.service_schools) then 'wrongSchool'
      when exists (
        select from service_orders o where o.cha_num = wanted
          and (o.state = 'waiting' or (o.state = 'done' and o.service = i.service and o.settled_at is null))) then 'busy'
      when i.service_pause_hours > 0 and exists (
        select from service_orders o where o.cha_num = wanted and o.service = i.service and o.state = 'done' and o.undo_of is null
          and o.done_at > moment - make_interval(hours => i.service_pause_hours)) then 'tooSoon'
      when i.service = 'name' then case
        when chosen !~ '^[A-Za-z0-9]{2,16}$' then 'badName'
        when chosen = c.cha_name then 'sameChoice'
        when exists (select from characters x where search_fold(x.cha_name) = search_fold(chosen) and x.cha_num <> wanted)
          or exists (
            select from service_orders o where o.service = 'name' and o.state = 'waiting' and lower(o.choice) = lower(chosen))
          then 'nameTaken'
        when exists (
          select from service_orders o where o.service = 'name' and o.state = 'done' and lower(o.was) = lower(chosen)
            and o.done_at > moment - interval '30 days' and o.cha_num <> wanted) then 'nameTaken'
        end
      when i.service = 'school' then case
        when chosen <> all (
          case when cardinality(i.service_choices) > 0 then i.service_choices else array['0', '1', '2'] end) then 'badChoice'
        when chosen = c.cha_school::text then 'sameChoice'
        end
      when cardinality(i.service_choices) > 0 then case when chosen <> all (i.service_choices) then 'badChoice' end
      when chosen <> '' then 'badChoice'
    end
  from shop_items i
  left join characters c on c.cha_num = wanted and c.user_num = account and c.kept_out in ('', 'staff')
  where i.product_num = item and i.kind = 'service'
$$;

-- What of a character a service changes, as the site knows it.
create function service_was(service text, c characters) returns text language sql immutable as $$
  select case service when 'name' then c.cha_name when 'school' then c.cha_school::text when 'gender' then c.cha_class else '' end
$$;

-- How many played in each hour of the last 30 days, in all and by school and class (STATUS-3): the sum of all counts, how many
-- there were, and the highest. A code that the site does not know is 'other'. `downs` counts the reports that the game could
-- not be read.
create table online_hours (
  hour timestamptz not null,
  kind text not null check (kind in ('all', 'school', 'class')),
  code text not null,
  players bigint not null default 0,
  counts integer not null default 0,
  most integer not null default 0,
  downs integer not null default 0,
  primary key (hour, kind, code)
);

-- The newest kills and wars of clubs, where the bridge reads the game's logs (STATUS-5). Characters and clubs are the game's
-- numbers, which the site may not know.
create table game_kills (
  num bigint primary key,
  happened_at timestamptz not null,
  killer bigint not null,
  victim bigint not null
);

create table game_wars (
  num bigint primary key,
  happened_at timestamptz not null,
  winner bigint not null,
  loser bigint not null,
  region bigint not null
);
