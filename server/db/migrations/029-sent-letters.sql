-- The desk's list of what people wrote, past any number of letters from the site itself.
create index letters_sent_idx on letters (letter desc) where sent_by is not null;
