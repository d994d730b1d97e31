-- The service unstuck may cost nothing: its purchase then has a price of 0 and no ledger entry (SERVICE-9).
alter table shop_items drop constraint shop_items_price_check,
  add constraint shop_items_price_check check (price > 0 or (price = 0 and coalesce(service, '') = 'unstuck' and sale_price is null));

-- The service of a purchase that cost nothing; null for every other purchase.
alter table purchases add column free_service text,
  drop constraint purchases_price_check,
  add constraint purchases_price_check check (price > 0 or (price = 0 and num_nonnulls(gift, reward, free_service) = 1)),
  add constraint purchases_free_service_check check (free_service is null or (free_service = 'unstuck' and price = 0));

-- A club war keeps characters where they are if the operators say so.
alter table events add column club_war boolean not null default false;

-- Whether a club war is on or begins within ten minutes. Manila has no summer time, so a week has 168 hours.
create function is_club_war_near(moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from events e
    cross join lateral (select case e.repeats when 'weekly'
      then greatest(0, floor(extract(epoch from moment + interval '10 minutes' - e.starts_at) / 604800)) * interval '168 hours'
      else interval '0' end as later) shift
    where e.club_war and e.visible and e.cancelled_why = ''
      and e.starts_at + shift.later - interval '10 minutes' <= moment and moment < e.ends_at + shift.later
      and (e.repeats_until is null or e.starts_at + shift.later <= e.repeats_until))
$$;

-- Why a service that costs nothing now cannot be done to a character at this moment; null if nothing speaks against it. Orders
-- that were refunded do not count.
create function free_service_problem(item shop_items, wanted bigint, moment timestamptz) returns text language sql stable as $$
  select case
      when price_at(item.price, item.sale_price, item.sale_starts_at, item.sale_ends_at, moment) > 0 then null
      when exists (
        select from service_orders o
        join deliveries d on d.delivery = o.delivery
        join purchases p on p.user_num = d.user_num and p.ordinal = d.ordinal
        where o.cha_num = wanted and o.service = item.service and o.state in ('waiting', 'done')
          and p.free_service is not null and o.ordered_at > moment - interval '24 hours') then 'tooSoon'
      when exists (select from settings where name = 'free_unstuck_rests_in_wars' and value = 'true')
        and is_club_war_near(moment) then 'clubWar'
    end
$$;

create or replace function service_problem(account bigint, item bigint, wanted bigint, chosen text, moment timestamptz)
returns text language sql stable as $$
  select case
      when c.cha_num is null then 'noCharacter'
      when cardinality(i.service_classes) > 0 and not c.cha_class = any(i.service_classes) then 'wrongClass'
      when cardinality(i.service_schools) > 0 and not c.cha_school = any(i.service_schools) then 'wrongSchool'
      when exists (
        select from service_orders o where o.cha_num = wanted
          and (o.state = 'waiting' or (o.state = 'done' and o.service = i.service and o.settled_at is null))) then 'busy'
      when i.service_pause_hours > 0 and exists (
        select from service_orders o where o.cha_num = wanted and o.service = i.service and o.state = 'done' and o.undo_of is null
          and o.done_at > moment - make_interval(hours => i.service_pause_hours)) then 'tooSoon'
      when free_service_problem(i, wanted, moment) is not null then free_service_problem(i, wanted, moment)
      when i.service = 'name' then case
        when chosen !~ '^[A-Za-z0-9]{2,16}$' then 'badName'
        when chosen = c.cha_name then 'sameChoice'
        when exists (select from characters x where search_fold(x.cha_name) = search_fold(chosen) and x.cha_num <> wanted)
          or exists (
            select from service_orders o where o.service = 'name' and o.state = 'waiting' and lower(o.choice) = lower(chosen))
          then 'nameTaken'
        when exists (
          select from service_orders o where o.service = 'name' and o.state = 'done' and lower(o.was) = lower(chosen)
            and o.done_at > moment - interval '30 days' and o.cha_num <> wanted) then 'nameTaken'
        end
      when i.service = 'school' then case
        when chosen <> all (
          case when cardinality(i.service_choices) > 0 then i.service_choices else array['0', '1', '2'] end) then 'badChoice'
        when chosen = c.cha_school::text then 'sameChoice'
        end
      when cardinality(i.service_choices) > 0 then case when chosen <> all (i.service_choices) then 'badChoice' end
      when chosen <> '' then 'badChoice'
    end
  from shop_items i
  left join characters c on c.cha_num = wanted and c.user_num = account and c.kept_out in ('', 'staff')
  where i.product_num = item and i.kind = 'service'
$$;

-- As in 031; a service that cost nothing ends as 'refunded' without a refund, because no money goes back.
create or replace function check_delivery() returns trigger language plpgsql as $$
begin
  if old.state = 'refunded' and (new.state <> 'refunded' or new.handed_at is distinct from old.handed_at) then
    raise exception 'Unit % is refunded.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_stays';
  end if;
  if old.state = 'claimed' and old.refunded_at is not null
    and (new.state <> 'claimed' or new.refunded_at is distinct from old.refunded_at) then
    raise exception 'Unit % was picked up and is refunded.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_stays';
  end if;
  if (new.state = 'refunded' and old.state <> 'refunded' or new.refunded_at is not null and old.refunded_at is null)
    and not exists (select from refunds where delivery = new.delivery)
    and not exists (select from purchases p
      where p.user_num = new.user_num and p.ordinal = new.ordinal and p.free_service is not null) then
    raise exception 'Unit % has no refund.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_has_refund';
  end if;
  return new;
end
$$;
