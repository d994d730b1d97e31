-- Public lists cost the same however long they get: every order has an index, and what would be counted is kept.

-- As before, but texts without accents, which are nearly all, are folded in a tenth of the time.
create or replace function search_fold(words text) returns text language sql immutable parallel safe as $$
  select case when octet_length(words) = length(words) then lower(words) else lower(translate(words,
    'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿ',
    'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOOooooooUUUUuuuuYyy')) end
$$;

-- The orders of the shop, within everything and within a category. Each ends in position and number, so no two items tie,
-- and has the name, so a search that walks it reads the index alone.
create index shop_items_by_position_idx on shop_items (position, product_num) include (item_name) where visible;
create index shop_items_by_price_idx on shop_items (price, position, product_num) include (item_name) where visible;
create index shop_items_by_price_down_idx on shop_items ((-price), position, product_num)
  include (item_name, price) where visible;
create index shop_items_by_name_idx on shop_items (lower(item_name), position, product_num)
  include (item_name) where visible;
create index shop_items_of_category_by_position_idx on shop_items (category_id, position, product_num)
  include (item_name) where visible;
create index shop_items_of_category_by_price_idx on shop_items (category_id, price, position, product_num)
  include (item_name) where visible;
create index shop_items_of_category_by_price_down_idx on shop_items (category_id, (-price), position, product_num)
  include (item_name, price) where visible;
create index shop_items_of_category_by_name_idx on shop_items (category_id, lower(item_name), position, product_num)
  include (item_name) where visible;

-- The pieces of a name, of one to three characters: what contains a word contains its pieces.
create function name_pieces(name text) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array(
    select distinct substr(lower(name), at, size)
    from generate_series(1, 3) size, generate_series(1, length(lower(name)) - size + 1) at))
$$;

alter table shop_items add column name_pieces tsvector not null generated always as (name_pieces(item_name)) stored;
create index shop_items_name_pieces_idx on shop_items using gin (name_pieces) where visible;

-- The best characters whose names begin with the same two letters.
create index characters_of_letters_idx on characters (left(search_fold(cha_name), 2), cha_level desc, cha_num);

-- Titles that begin with what is searched for.
create index shop_items_title_idx on shop_items (search_fold(item_name) text_pattern_ops) where visible;
create index news_title_idx on news (search_fold(subject) text_pattern_ops) where published;

-- News by the moment they appear; those without a date come last.
create index news_by_moment_idx on news (coalesce(created_at, '-infinity'), id) where published;
create index news_of_type_by_moment_idx on news (type, coalesce(created_at, '-infinity'), id) where published;

-- A list that is shown in pages: how many rows it has, and the number of every 50th row from the first on. A page is read
-- from the mark before it, so its cost does not depend on where in the list it is.
create table kept_lists (
  list text primary key,
  total integer not null,
  marks bigint[] not null
);

-- Makes the lists of the shop anew: 'shop CATEGORY ORDER', where category 0 is everything. Who changes items takes turns,
-- because each has to count what the others have changed; nobody who reads or buys waits.
create function keep_shop_lists() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('kept_lists shop'));
  delete from kept_lists where starts_with(list, 'shop ');
  insert into kept_lists (list, total, marks)
  select format('shop %s %s', category, sort), count(*), array_agg(product_num order by nth) filter (where nth % 50 = 1)
  from (
    select 0 as category, 'position' as sort, product_num, row_number() over (order by position, product_num) as nth
      from shop_items where visible
    union all
    select 0, 'price', product_num, row_number() over (order by price, position, product_num)
      from shop_items where visible
    union all
    select 0, '-price', product_num, row_number() over (order by -price, position, product_num)
      from shop_items where visible
    union all
    select 0, 'name', product_num, row_number() over (order by lower(item_name), position, product_num)
      from shop_items where visible
    union all
    select category_id, 'position', product_num, row_number() over (partition by category_id order by position, product_num)
      from shop_items where visible
    union all
    select category_id, 'price', product_num, row_number() over (partition by category_id order by price, position, product_num)
      from shop_items where visible
    union all
    select category_id, '-price', product_num, row_number() over (partition by category_id order by -price, position, product_num)
      from shop_items where visible
    union all
    select category_id, 'name', product_num,
      row_number() over (partition by category_id order by lower(item_name), position, product_num)
      from shop_items where visible
  ) numbered
  group by category, sort;
  return null;
end
$$;

create trigger shop_items_lists after insert or delete or truncate
  or update of product_num, category_id, item_name, price, position, visible on shop_items
  for each statement execute function keep_shop_lists();

-- Makes the lists of the news anew: 'news' and 'news TYPE'. They contain what appears later, which readers skip.
create function keep_news_lists() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('kept_lists news'));
  delete from kept_lists where starts_with(list, 'news');
  insert into kept_lists (list, total, marks)
  select list, count(*), array_agg(id order by nth) filter (where nth % 50 = 1)
  from (
    select 'news' as list, id, row_number() over (order by coalesce(created_at, '-infinity') desc, id desc) as nth
      from news where published
    union all
    select 'news ' || type, id,
      row_number() over (partition by type order by coalesce(created_at, '-infinity') desc, id desc)
      from news where published
  ) numbered
  group by list;
  return null;
end
$$;

create trigger news_lists after insert or delete or truncate or update of id, type, published, created_at on news
  for each statement execute function keep_news_lists();

-- How many characters each school has.
create table school_counts (
  school smallint primary key,
  characters bigint not null
);

create function count_new_characters() returns trigger language plpgsql as $$
begin
  insert into school_counts (school, characters)
  select cha_school, count(*) from changed group by cha_school order by cha_school
  on conflict (school) do update set characters = school_counts.characters + excluded.characters;
  return null;
end
$$;

create function count_gone_characters() returns trigger language plpgsql as $$
begin
  update school_counts set characters = characters - gone.count
  from (select cha_school, count(*) from changed group by cha_school) gone where school = gone.cha_school;
  return null;
end
$$;

create function count_moved_character() returns trigger language plpgsql as $$
begin
  update school_counts set characters = characters - 1 where school = old.cha_school;
  insert into school_counts (school, characters) values (new.cha_school, 1)
  on conflict (school) do update set characters = school_counts.characters + 1;
  return null;
end
$$;

create function count_characters() returns trigger language plpgsql as $$
begin
  delete from school_counts;
  insert into school_counts (school, characters) select cha_school, count(*) from characters group by cha_school;
  return null;
end
$$;

create trigger characters_counted_new after insert on characters
  referencing new table as changed for each statement execute function count_new_characters();
create trigger characters_counted_gone after delete on characters
  referencing old table as changed for each statement execute function count_gone_characters();
create trigger characters_counted_moved after update of cha_school on characters
  for each row when (old.cha_school is distinct from new.cha_school) execute function count_moved_character();
create trigger characters_counted_none after truncate on characters
  for each statement execute function count_characters();

-- What is there already: a statement fires these triggers even if it changes no row.
update shop_items set position = position where false;
update news set type = type where false;
insert into school_counts (school, characters) select cha_school, count(*) from characters group by cha_school;
