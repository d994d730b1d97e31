-- When a restore of the game's database was found to have lost a unit, or to have brought it back. Such marks go when the
-- bridge works with the database of before again.
alter table deliveries add column marked_at timestamptz;

-- What fallen counters leave behind is bounded like the counters themselves, so that every sum stays exact.
create or replace function keep_fallen_counts() returns trigger language plpgsql as $$
declare
  most constant bigint := 1000000000000;
  kills bigint := greatest(0, old.cha_pk_score - new.cha_pk_score);
  deaths bigint := greatest(0, old.cha_pk_death - new.cha_pk_death);
  resu bigint := greatest(0, old.cha_resu_score - new.cha_resu_score);
begin
  new.past_kills := least(most, new.past_kills + kills);
  new.past_deaths := least(most, new.past_deaths + deaths);
  new.past_resu := least(most, new.past_resu + resu);
  if new.base_kills = old.base_kills then new.base_kills := greatest(-most, old.base_kills - kills); end if;
  if new.base_deaths = old.base_deaths then new.base_deaths := greatest(-most, old.base_deaths - deaths); end if;
  if new.base_resu = old.base_resu then new.base_resu := greatest(-most, old.base_resu - resu); end if;
  return new;
end
$$;
