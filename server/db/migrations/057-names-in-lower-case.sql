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

-- Who writes in the forum appears by the character of the highest level.
create index characters_of_account_idx on characters (user_num, cha_level desc, cha_num);
drop index characters_account_idx;
