-- The final standings of a league (WAR-8): for titles, activity and the pages of clubs.
create table league_places (
  league bigint not null references leagues (league) on delete cascade,
  -- The club's name at that time.
  name text not null,
  club bigint,
  place integer not null check (place >= 1),
  points integer not null,
  primary key (league, name)
);

create index league_places_club_idx on league_places (club) where club is not null;

-- A league that was made final is in the feed of activity.
alter table activity
  add column league bigint references leagues (league) on delete cascade,
  drop constraint activity_kind_check,
  add constraint activity_kind_check check (
    kind in ('level', 'first', 'record', 'area', 'tournament', 'club', 'news', 'event', 'league')),
  add constraint activity_is_about_a_league check ((kind = 'league') = (league is not null));
create unique index activity_leagues_idx on activity (league) where league is not null;
