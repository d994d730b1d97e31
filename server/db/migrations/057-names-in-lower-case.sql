-- The shop's search compares names in lower case. Kept with the row and in the indexes of the orders, a name is compared in
-- a third of the time. The orders by the price outside a sale have had no reader since 023.
alter table shop_items add column name_lower text not null generated always as (lower(item_name)) stored;

drop index shop_items_by_position_idx, shop_items_by_name_idx, shop_items_by_shelf_price_idx,
  shop_items_by_shelf_price_down_idx, shop_items_of_category_by_position_idx, shop_items_of_category_by_name_idx,
  shop_items_of_category_by_shelf_price_idx, shop_items_of_category_by_shelf_price_down_idx, shop_items_by_price_idx,
  shop_items_by_price_down_idx, shop_items_of_category_by_price_idx, shop_items_of_category_by_price_down_idx;

create index shop_items_by_position_idx on shop_items (position, product_num) include (name_lower) where visible;
create index shop_items_by_name_idx on shop_items (name_lower, position, product_num) where visible;
create index shop_items_by_shelf_price_idx on shop_items (shelf_price, position, product_num)
  include (name_lower) where visible;
create index shop_items_by_shelf_price_down_idx on shop_items ((-shelf_price), position, product_num)
  include (name_lower, shelf_price) where visible;
create index shop_items_of_category_by_position_idx on shop_items (category_id, position, product_num)
  include (name_lower) where visible;
create index shop_items_of_category_by_name_idx on shop_items (category_id, name_lower, position, product_num)
  where visible;
create index shop_items_of_category_by_shelf_price_idx on shop_items (category_id, shelf_price, position, product_num)
  include (name_lower) where visible;
create index shop_items_of_category_by_shelf_price_down_idx
  on shop_items (category_id, (-shelf_price), position, product_num) include (name_lower, shelf_price) where visible;

-- The lists of the shop, without those by the price outside a sale.
create or replace function keep_shop_lists() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('kept_lists shop'));
  delete from kept_lists where starts_with(list, 'shop ');
  insert into kept_lists (list, total, marks)
  select format('shop %s %s', category, sort), count(*), array_agg(product_num order by nth) filter (where nth % 50 = 1)
  from (
    select 0 as category, 'position' as sort, product_num, row_number() over (order by position, product_num) as nth
      from shop_items where visible
    union all
    select 0, 'shelf_price', product_num, row_number() over (order by shelf_price, position, product_num)
      from shop_items where visible
    union all
    select 0, '-shelf_price', product_num, row_number() over (order by -shelf_price, position, product_num)
      from shop_items where visible
    union all
    select 0, 'name', product_num, row_number() over (order by name_lower, position, product_num)
      from shop_items where visible
    union all
    select category_id, 'position', product_num, row_number() over (partition by category_id order by position, product_num)
      from shop_items where visible
    union all
    select category_id, 'shelf_price', product_num,
      row_number() over (partition by category_id order by shelf_price, position, product_num)
      from shop_items where visible
    union all
    select category_id, '-shelf_price', product_num,
      row_number() over (partition by category_id order by -shelf_price, position, product_num)
      from shop_items where visible
    union all
    select category_id, 'name', product_num,
      row_number() over (partition by category_id order by name_lower, position, product_num)
      from shop_items where visible
  ) numbered
  group by category, sort;
  return null;
end
$$;

delete from kept_lists where list like 'shop % price' or list like 'shop % -price';

-- Who writes in the forum appears by the character of the highest level.
create index characters_of_account_idx on characters (user_num, cha_level desc, cha_num);
drop index characters_account_idx;
