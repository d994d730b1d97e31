-- The ID that an account of the game has now where it is not the one that was linked. Until somebody decides whether it is still
-- the player's, nothing of it is changed and no new one is made.
alter table game_accounts add column found_user_id text not null default '';
