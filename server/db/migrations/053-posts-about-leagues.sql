-- Posts about a league that was made final: a short link for the desk's Post it (SHARE-4), and a message for the channel
-- of club wars on Discord (DISCORD-1).
alter table share_links
  drop constraint share_links_kind_check,
  add constraint share_links_kind_check check (kind in ('news', 'event', 'month', 'league'));

create function queue_league_post() returns trigger language plpgsql as $$
begin
  perform queue_discord_post('wars', 'league ' || new.league);
  return null;
end
$$;

create trigger leagues_queue_post after update of state on leagues
  for each row when (new.state = 'finalised' and old.state <> 'finalised') execute function queue_league_post();
