-- Who can still spend most. The job that counts the figures keeps it, because an index on balances would make every
-- purchase slower.
create table largest_balances (
  currency text not null check (currency in ('r_coin', 'milleage')),
  place smallint not null,
  user_num bigint not null references accounts (user_num) on delete cascade,
  primary key (currency, place)
);
create index largest_balances_player_idx on largest_balances (user_num);
