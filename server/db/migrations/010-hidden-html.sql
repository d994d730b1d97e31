-- What is not shown ends where it ends: PostgreSQL takes the longest match of an expression with |, unless it is told
-- {1,1}?, and lost the words between two comments and after every element that is not shown.
create or replace function plain_text(html text) returns text language sql immutable strict parallel safe as $$
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

-- Computes the search column of what is there once more.
update news set content = content where content ~* '<(!--|script|style|textarea|option|noscript|iframe|object|svg|math|title)';
