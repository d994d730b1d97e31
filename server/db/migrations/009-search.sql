-- Search over news and items by PostgreSQL's full-text search, and over characters by the beginning of their names.

-- ñ and é are found without them, in small letters; one sign stays one sign.
create function search_fold(words text) returns text language sql immutable strict parallel safe as $$
  select lower(translate(words,
    'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿ',
    'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOOooooooUUUUuuuuYyy'))
$$;

-- What a reader sees of HTML: no tags, nothing that is not shown, entities as their signs, single spaces.
create function plain_text(html text) returns text language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(
    replace(replace(replace(replace(replace(replace(
      regexp_replace(
        regexp_replace(
          regexp_replace(html,
            '<!--.*?-->|<(script|style|textarea|option|noscript|iframe|object|svg|math|title)\M[^>]*?>.*?(?:</\1\s*?>|$)',
            ' ', 'gi'),
          '</?(?:a|b|code|em|i|mark|s|small|span|strong|sub|sup|u)(?:\s(?:"[^"]*"|[^">])*)?>', '', 'gi'),
        '</?[a-z](?:"[^"]*"|[^">])*>', ' ', 'gi'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&nbsp;', ' '), '&amp;', '&'),
    '[[:space:][:cntrl:]]+', ' ', 'g'))
$$;

-- Each word twice: by its stem ('brawlers' finds 'brawler') and as it is written, for what is still being typed.
alter table news add column search tsvector generated always as (
  setweight(to_tsvector('english', search_fold(subject)), 'A')
  || setweight(to_tsvector('simple', search_fold(subject)), 'A')
  || setweight(to_tsvector('english', search_fold(left(plain_text(content), 100000))), 'C')
  || setweight(to_tsvector('simple', search_fold(left(plain_text(content), 100000))), 'C')
) stored;

create index news_search_idx on news using gin (search) where published;

alter table shop_items add column search tsvector generated always as (
  setweight(to_tsvector('english', search_fold(item_name)), 'A')
  || setweight(to_tsvector('simple', search_fold(item_name)), 'A')
  || setweight(to_tsvector('english', search_fold(description)), 'C')
  || setweight(to_tsvector('simple', search_fold(description)), 'C')
) stored;

create index shop_items_search_idx on shop_items using gin (search) where visible;

create index characters_search_idx on characters (search_fold(cha_name) text_pattern_ops);
