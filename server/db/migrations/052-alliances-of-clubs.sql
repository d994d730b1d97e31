-- The alliances of clubs as the bridge last read them (CLUB-6). Clubs and alliances come in any order, so neither refers to the other.
create table club_alliances (
  club bigint primary key,
  -- The club that leads the alliance, which is in it too.
  leader bigint not null
);

create index club_alliances_leader_idx on club_alliances (leader, club);

-- Pages show an alliance until it changes. The minute's comparison changes no row.
create trigger club_alliances_changed after insert or update or delete on club_alliances
  for each row execute function notify_content_changed();
