-- Somebody who comes from the game with the old password is asked for what an account needs, before anything else: first for
-- the 'details', then the 'email' waits to be confirmed. The confirmation ends it, however it comes.
alter table accounts add column claim_step text check (claim_step in ('details', 'email'));

create function finish_claim() returns trigger language plpgsql as $$
begin
  new.claim_step := null;
  return new;
end
$$;

create trigger accounts_finish_claim before update of email_verified_at on accounts for each row
  when (new.claim_step = 'email' and new.email_verified_at is not null) execute function finish_claim();

-- What a player's account in the game has to be told, and what it was told. `state` is 'creating' until the bridge has made
-- the game's account, 'taken' when the game has an account of this ID already, 'linked' while there is a link, and 'gone' when
-- the game no longer has the account. Versions only grow; the game's side refuses an older one. `confirmed_by` is the bridge
-- that has written the present password, in the form `confirmed_form`. `block_due_at` is when the game has to be told of the
-- block. `attempt` counts how often it was handed out; `problem` is why the game refuses it.
create table game_accounts (
  user_num bigint primary key references accounts (user_num),
  state text not null check (state in ('creating', 'taken', 'linked', 'gone')),
  game_user_id text not null default '',
  password_version bigint not null default 0,
  second_version bigint not null default 0,
  confirmed_by bigint references bridges (bridge),
  confirmed_form text not null default '',
  block_due_at timestamptz,
  handed_by bigint references bridges (bridge),
  attempt integer not null default 0,
  retry_at timestamptz,
  problem text not null default '',
  detail text not null default '',
  changed_at timestamptz not null
);

create index game_accounts_block_idx on game_accounts (block_due_at) where block_due_at is not null;
create index game_accounts_odd_idx on game_accounts (changed_at desc, user_num desc)
  where state in ('taken', 'gone') or problem <> '';

-- A block, its end or its removal reaches the game. The moment lies in the past on every clock.
create function note_game_block() returns trigger language plpgsql as $$
begin
  update game_accounts set block_due_at = 'epoch' where user_num = new.user_num;
  return null;
end
$$;

create trigger accounts_game_block after update of blocked_at, blocked_until on accounts for each row
  when (old.blocked_at is distinct from new.blocked_at or old.blocked_until is distinct from new.blocked_until)
  execute function note_game_block();

-- The password in the game's form, sealed for one bridge; nothing but that bridge can read it. Not part of backups.
create table game_forms (
  user_num bigint not null references accounts (user_num),
  purpose text not null check (purpose in ('password', 'second-password')),
  bridge bigint not null references bridges (bridge),
  form text not null,
  version bigint not null,
  sealed text not null,
  made_at timestamptz not null,
  primary key (user_num, purpose)
);

create index game_forms_made_idx on game_forms (made_at);

-- The same, of a login that waits for its second factor.
create table game_form_drafts (
  challenge_hash text primary key references login_challenges (challenge_hash) on delete cascade,
  bridge bigint not null references bridges (bridge),
  form text not null,
  version bigint not null,
  sealed text not null,
  made_at timestamptz not null
);

-- Whether players are being moved in: only while an owner has opened it.
create table game_import (
  only_row boolean primary key default true check (only_row),
  opened_at timestamptz not null,
  opened_by bigint not null references accounts (user_num),
  closes_at timestamptz not null
);

-- Accounts of the game that were moved in. `form_hash` is argon2id of the password in the game's form, until its player comes
-- and an account with argon2id of the password takes its place.
create table game_imports (
  game_user_num bigint primary key,
  bridge bigint not null references bridges (bridge),
  user_id text not null,
  form text not null,
  form_hash text not null,
  game_user_type integer not null,
  blocked boolean not null,
  blocked_until timestamptz,
  imported_at timestamptz not null,
  user_num bigint unique references accounts (user_num)
);

create unique index game_imports_user_id_key on game_imports (lower(user_id));
create index game_imports_staff_idx on game_imports (game_user_num) where game_user_type <> 1;

-- Balances of accounts in the game, each taken over once. 'seen' by the import, 'impossible' or of staff, 'approved' by two
-- operators, 'taken' out of the game, or 'refused' by it. `amount` is what two operators have seen, and what was taken later;
-- never more. It is booked when the player has an account here.
create table game_balances (
  bridge bigint not null references bridges (bridge),
  game_user_num bigint not null unique,
  amount bigint not null,
  state text not null check (state in ('seen', 'impossible', 'staff', 'approved', 'taken', 'refused')),
  handed_by bigint references bridges (bridge),
  problem text not null default '',
  changed_at timestamptz not null,
  user_num bigint references accounts (user_num),
  ledger_entry bigint references ledger (entry),
  primary key (bridge, game_user_num)
);

create index game_balances_state_idx on game_balances (state, amount desc);
