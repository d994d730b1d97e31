-- The marks of clubs as the bridge last read them (CLUB-5). Clubs and marks come in any order, so neither refers to the other.
create table club_marks (
  club bigint primary key,
  version bigint not null,
  -- The format of marks in the bridge's configuration. When it changes, the bridge reads all marks again.
  form text not null,
  -- The PNG file; null for a mark of another form, for which the site draws the shield.
  picture bytea constraint club_marks_picture_is_small check (octet_length(picture) between 1 and 4096),
  read_at timestamptz not null,
  -- An operator hid the club's mark, whichever it is.
  hidden_at timestamptz
);

create index club_marks_newest_idx on club_marks (read_at desc, club desc);

-- A change of a mark clears cached pages. The comparison with each report of the bridge only deletes the rows of clubs that
-- no longer have a mark, so a report without changes clears nothing.
create trigger club_marks_changed after insert or update or delete on club_marks
  for each row execute function notify_content_changed();
