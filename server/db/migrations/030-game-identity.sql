-- Which database it is, and where, as its agent states it; and one that was found instead and that no owner has confirmed (BRIDGE-24).
alter table game_copy add column identity jsonb not null default '{}', add column found_identity jsonb;
alter table game_user_copy add column identity jsonb not null default '{}', add column found_identity jsonb;
alter table game_character_copy add column identity jsonb not null default '{}', add column found_identity jsonb;

-- Why the site last refused an agent that signed well, when, and how often since it was accepted.
alter table bridges
  add column refusal text not null default '',
  add column refused_at timestamptz,
  add column refusals integer not null default 0;

-- Units that the game has and that this site does not know, because it was restored from a backup older than they are (BRIDGE-26).
create table unknown_units (
  unit bigint not null,
  mark text not null,
  game_user_num bigint not null,
  product_num bigint not null,
  price bigint not null,
  claimed boolean not null,
  found_at timestamptz not null,
  primary key (unit, mark)
);
