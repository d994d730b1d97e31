-- The usual price belongs to an item's number in the game, or to a service with its choices (docs/decisions/012). Item
-- prices therefore name the service.
alter table item_prices add column service text;
alter table item_prices add column service_choices text[] not null default '{}';

update item_prices p set service = i.service, service_choices = i.service_choices
  from shop_items i where i.product_num = p.product_num and i.service is not null;

create index item_prices_of_service_idx on item_prices (service, ended_at) where service is not null;

-- As `usual_price`, for services too. Two services count as the same if they share a choice, or if one has no choices.
create function usual_price_of(item shop_items, moment timestamptz)
returns table (usual bigint, only_r_coin boolean) language sql stable as $$
  select max(p.price), bool_and(p.section = 2) from item_prices p
  where ((item.service is null and p.service is null and p.game_num = coalesce(item.game_product_num, item.product_num))
      or (p.service = item.service
        and (p.service_choices = '{}' or item.service_choices = '{}' or p.service_choices && item.service_choices)))
    and coalesce(p.ended_at, 'infinity') > moment - interval '30 days'
    and p.changed_at is distinct from now()
$$;

create or replace function keep_item_price() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update item_prices set ended_at = now() where product_num = old.product_num and ended_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into item_prices (product_num, price, sale_price, sale_starts_at, sale_ends_at, section, game_num, usual, changed_by,
      service, service_choices)
    values (new.product_num, new.price, new.sale_price, new.sale_starts_at, new.sale_ends_at, new.section,
      coalesce(new.game_product_num, new.product_num), (select u.usual from usual_price_of(new, now()) u), new.priced_by,
      new.service, new.service_choices);
  end if;
  return null;
end
$$;

create trigger shop_items_new_service after update of service, service_choices on shop_items for each row
  when ((old.service, old.service_choices) is distinct from (new.service, new.service_choices)
    and (old.price, old.sale_price, old.sale_starts_at, old.sale_ends_at, old.section)
      is not distinct from (new.price, new.sale_price, new.sale_starts_at, new.sale_ends_at, new.section))
  execute function keep_item_price();
