-- A bridge is the agent beside the game's database, known by its public keys: `sign_key` (Ed25519) for its requests,
-- `seal_key` (X25519) for what only it may read. `epoch` is the copy of the game's database that it last worked on.
create table bridges (
  bridge bigint generated always as identity primary key,
  name text not null,
  sign_key text not null unique,
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
  epoch text,
  findings jsonb not null default '[]',
  checked_at timestamptz
);

-- A code that pairs a bridge, by its SHA-256: good once and for ten minutes, and ended by ten wrong ones.
create table bridge_codes (
  bridge_code bigint generated always as identity primary key,
  code_hash text not null unique,
  made_at timestamptz not null,
  made_by bigint references accounts (user_num),
  ends_at timestamptz not null,
  failures integer not null default 0,
  used_at timestamptz
);

create table bridge_nonces (
  bridge bigint not null references bridges (bridge),
  nonce text not null,
  used_at timestamptz not null,
  primary key (bridge, nonce)
);

create index bridge_nonces_used_idx on bridge_nonces (used_at);

-- Which agent works: one of all bridges. It has the session lock in the game's database.
create table bridge_lease (
  only_row boolean primary key default true check (only_row),
  bridge bigint not null references bridges (bridge),
  instance text not null,
  taken_at timestamptz not null,
  seen_at timestamptz not null
);

-- What is known of the game's database. The agent keeps `epoch` and `counter` there and tells them with every request; when
-- the epoch changes or the counter falls, the database was restored or is another one. Then `restored_at` is set, and
-- nothing is delivered or refunded until an operator has confirmed it, who gives it the epoch `next_epoch`.
-- `looked_through` is how far the bridge has looked for units that were delivered and are no longer there.
create table game_copy (
  only_row boolean primary key default true check (only_row),
  epoch text not null,
  counter bigint not null,
  restored_at timestamptz,
  found_epoch text,
  found_counter bigint,
  looked_through bigint,
  looked_at timestamptz,
  next_epoch text,
  confirmed_at timestamptz,
  confirmed_by bigint references accounts (user_num)
);

-- Which account of the game belongs to an account of the site. Written only where it is proven: the bridge made the game's
-- account itself, or the player logged in with its old password. Deliveries travel along a link, never by name.
create table game_links (
  user_num bigint primary key references accounts (user_num),
  game_user_num bigint not null unique,
  proof text not null check (proof in ('created', 'password')),
  linked_at timestamptz not null
);

-- The number of an item in the game, where it differs from its number here.
alter table shop_items add column game_product_num integer check (game_product_num > 0);

-- `deliver_to` is another account that the unit goes to. `attempt` counts how often the unit was handed out, `retry_at` is
-- when a failed one is handed out again. `cancel_handed_at` is when a bridge was asked to take the unit out of the game: from
-- then on only its answer decides. `refund_refused` says why it could not. `in_game` is what is odd about the row in the
-- game: its flag says cancelled, it is gone, or a restore has lost it.
alter table deliveries
  add column deliver_to bigint references accounts (user_num),
  add column handed_by bigint references bridges (bridge),
  add column attempt integer not null default 0,
  add column retry_at timestamptz,
  add column failure_code text not null default '',
  add column pur_key text,
  add column cancel_handed_at timestamptz,
  add column refund_refused text not null default '',
  add column in_game text not null default '' check (in_game in ('', 'cancelled', 'gone', 'lost', 'back'));

create index deliveries_handed_idx on deliveries (delivery) where handed_by is not null and state = 'queued';
create index deliveries_odd_idx on deliveries (queued_at, delivery) where in_game <> '';
