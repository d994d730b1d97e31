-- Linked roles of Discord (DISCORD-6): the operators' application, and which account belongs to which account of Discord.
create table discord_app (
  only_row boolean primary key default true check (only_row),
  client_id text not null check (client_id ~ '^\d{15,20}$'),
  -- The client secret.
  sealed text not null check (is_sealed(sealed)),
  changed_at timestamptz not null
);

-- A player on the way to Discord and back. The state is good once, in the session that began it.
create table discord_states (
  state_hash text primary key,
  user_num bigint not null references accounts (user_num) on delete cascade,
  session_id bigint not null references sessions (session_id) on delete cascade,
  -- The code verifier of PKCE.
  sealed text not null check (is_sealed(sealed)),
  ends_at timestamptz not null
);

create index discord_states_account_idx on discord_states (user_num);
create index discord_states_session_idx on discord_states (session_id);
create index discord_states_end_idx on discord_states (ends_at);

create table discord_links (
  user_num bigint primary key references accounts (user_num) on delete cascade,
  discord_id text not null constraint discord_links_discord_key unique check (discord_id ~ '^\d{1,20}$'),
  discord_name text not null check (length(discord_name) <= 40),
  -- Part of the context that the tokens are sealed with.
  seal uuid not null,
  -- Access token and refresh token.
  sealed text not null check (is_sealed(sealed)),
  tokens_until timestamptz not null,
  linked_at timestamptz not null,
  -- When the player's level, rank and other facts for linked roles are sent next, and when they were sent last.
  due_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz
);

create index discord_links_due_idx on discord_links (due_at);

-- Links that ended: their facts are still to be deleted at Discord and their tokens to be revoked, within seven days. No
-- account of the site is named. A new link of the same account of Discord replaces the row: revoking one token revokes all.
create table discord_unlinks (
  unlink bigint generated always as identity primary key,
  discord_id text not null,
  seal uuid not null,
  sealed text not null check (is_sealed(sealed)),
  due_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz not null default clock_timestamp()
);

create index discord_unlinks_discord_idx on discord_unlinks (discord_id);
create index discord_unlinks_due_idx on discord_unlinks (due_at);
create index discord_unlinks_age_idx on discord_unlinks (ended_at);

create function end_discord_link() returns trigger language plpgsql as $$
begin
  insert into discord_unlinks (discord_id, seal, sealed) values (old.discord_id, old.seal, old.sealed);
  return null;
end
$$;

create trigger discord_links_end after delete on discord_links for each row execute function end_discord_link();

-- A change that hides a player, or shows them again, makes their facts due at once.
create function send_discord_facts() returns trigger language plpgsql as $$
begin
  update discord_links set due_at = clock_timestamp() where user_num = new.user_num;
  return null;
end
$$;

create trigger accounts_send_discord_facts
  after update of blocked_at, blocked_until, erasure_due_at, left_out, user_type on accounts
  for each row when (
    (old.blocked_at, old.blocked_until, old.erasure_due_at, old.left_out, old.user_type)
    is distinct from (new.blocked_at, new.blocked_until, new.erasure_due_at, new.left_out, new.user_type))
  execute function send_discord_facts();

create function send_hidden_discord_facts() returns trigger language plpgsql as $$
begin
  update discord_links set due_at = clock_timestamp()
  where user_num in (
    select user_num from characters where cha_num = case when tg_op = 'DELETE' then old.cha_num else new.cha_num end);
  return null;
end
$$;

create trigger hidden_characters_send_discord_facts after insert or delete on hidden_characters
  for each row execute function send_hidden_discord_facts();

-- A month's end changes ranks and divisions.
create function send_all_discord_facts() returns trigger language plpgsql as $$
begin
  update discord_links set due_at = clock_timestamp();
  return null;
end
$$;

create trigger ranking_periods_send_discord_facts after update of closed_at on ranking_periods
  for each row when (old.closed_at is null and new.closed_at is not null) execute function send_all_discord_facts();
