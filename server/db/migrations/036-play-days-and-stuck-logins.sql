-- When an account was last seen in the game on each day, and for how many minutes the bridge saw it there (server/features/bridge).
create table play_days (
  user_num bigint not null references accounts (user_num) on delete cascade,
  day date not null,
  minutes int not null default 0 check (minutes between 0 and 1440),
  seen_at timestamptz not null,
  primary key (user_num, day)
);

create index play_days_day_idx on play_days (day);

-- The last request of a player whose login the game refuses since a crash. An empty outcome waits for the bridge.
create table login_resets (
  user_num bigint primary key references accounts (user_num) on delete cascade,
  requested_at timestamptz not null,
  outcome text not null default '' check (outcome in ('', 'reset', 'clear', 'online', 'gone')),
  answered_at timestamptz
);

create index login_resets_waiting_idx on login_resets (requested_at) where outcome = '';

-- Restarts of the game server that an operator reported: the bridge frees all logins from before them.
create table game_restarts (
  restart bigint generated always as identity primary key,
  restarted_at timestamptz not null,
  reported_at timestamptz not null,
  freed int,
  answered_at timestamptz
);

-- Whether the bridge may write UserLoginState, by its own check.
alter table bridges add column frees_logins boolean not null default false;
