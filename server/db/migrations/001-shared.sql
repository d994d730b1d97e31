-- Functions that several areas use.

-- Tells every process that something visitors see has changed, so that it drops the answers that it keeps.
create function notify_content_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('content_changed', tg_table_name);
  return null;
end
$$;

-- Words as searches compare them: in small letters, with ñ and é as n and e. One sign stays one sign. Texts without accents,
-- which are nearly all, are folded in a tenth of the time.
create function search_fold(words text) returns text language sql immutable parallel safe as $$
  select case when octet_length(words) = length(words) then lower(words) else lower(translate(words,
    'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿ',
    'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOOooooooUUUUuuuuYyy')) end
$$;

-- What a reader sees of HTML: no tags, nothing that is not shown, entities as their signs, single spaces. PostgreSQL takes the
-- longest match of an expression with |, unless it is told {1,1}?; it would lose the words between two comments.
create function plain_text(html text) returns text language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(
    replace(replace(replace(replace(replace(replace(
      regexp_replace(
        regexp_replace(
          regexp_replace(html,
            '(?:<!--.*?(?:-->|$)|<(script|style|textarea|option|noscript|iframe|object|svg|math|title)\M[^>]*>.*?(?:</\1\s*>|$)){1,1}?',
            ' ', 'gi'),
          '</?(?:a|b|code|em|i|mark|s|small|span|strong|sub|sup|u)(?:\s(?:"[^"]*"|[^">])*)?>', '', 'gi'),
        '</?[a-z](?:"[^"]*"|[^">])*>', ' ', 'gi'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&nbsp;', ' '), '&amp;', '&'),
    '[[:space:][:cntrl:]]+', ' ', 'g'))
$$;

-- Pictures are files of this site, because a picture of another site would tell that site who reads a page.
create function is_own_path(address text) returns boolean language sql immutable strict parallel safe as $$
  select address ~ '^/([^/\\[:cntrl:]][^[:cntrl:]]*)?$'
$$;

-- Links lead to this site or over https.
create function is_link(address text) returns boolean language sql immutable strict parallel safe as $$
  select is_own_path(address) or address ~ '^https://[^/[:cntrl:][:space:]][^[:cntrl:][:space:]]*$'
$$;

-- Whether the `url` of each entry in a list is a path of this site.
create function have_own_paths(entries jsonb) returns boolean language sql immutable strict parallel safe as $$
  select coalesce(bool_and(coalesce(is_own_path(entry->>'url'), false)), true) from jsonb_array_elements(entries) as entry
$$;

-- Whether the `url` of each entry in a list is a link.
create function have_links(entries jsonb) returns boolean language sql immutable strict parallel safe as $$
  select coalesce(bool_and(coalesce(is_link(entry->>'url'), false)), true) from jsonb_array_elements(entries) as entry
$$;
