-- Time played is one more source of rewards (REWARD-12). Minutes count only while the game's log has new rows or its online
-- characters change.
insert into reward_sources (source) values ('playtime');

alter table game_sync
  add column life_at timestamptz,
  add column online_mark text not null default '';
