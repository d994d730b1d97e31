-- The short links, /s/{mark}, that operators use in posts outside the site. Each page has one link, so the visits from all
-- posts about the page are counted together.
create table share_links (
  mark text primary key check (mark ~ '^[a-z0-9]{6}$'),
  kind text not null check (kind in ('news', 'event', 'month')),
  -- The number of the news item or event, or the month.
  page text not null,
  -- The title that the page had when an operator last made a post about it.
  title text not null,
  made_at timestamptz not null,
  unique (kind, page)
);

-- How often a short link was followed on a day, counted when it happens. Nothing about the visitor is stored.
create table share_visits (
  day date not null,
  mark text not null references share_links (mark) on delete cascade,
  visits integer not null,
  primary key (day, mark)
);
