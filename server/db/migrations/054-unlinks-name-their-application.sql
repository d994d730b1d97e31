-- Links that ended carry the application that their tokens are for: it may be removed or replaced before its facts are
-- deleted at Discord (DISCORD-10). Rows of an earlier version have none; the job then uses the present application.
alter table discord_unlinks
  add column client_id text check (client_id ~ '^\d{15,20}$'),
  -- The client secret.
  add column app_sealed text check (is_sealed(app_sealed));

update discord_unlinks set client_id = discord_app.client_id, app_sealed = discord_app.sealed from discord_app;

create or replace function end_discord_link() returns trigger language plpgsql as $$
begin
  insert into discord_unlinks (discord_id, seal, sealed, client_id, app_sealed)
  values (old.discord_id, old.seal, old.sealed, (select client_id from discord_app), (select sealed from discord_app));
  return null;
end
$$;
