-- Whether the player's characters are left out of activity, titles and drawn pictures (ACTIVITY-4).
alter table accounts add column left_out boolean not null default false;

-- Cached pages show neither a player who was left out nor one who was blocked.
create trigger accounts_left_out_changed after update of left_out on accounts
  for each statement execute function notify_content_changed();
create trigger account_blocks_changed after insert or update or delete on account_blocks
  for each statement execute function notify_content_changed();
