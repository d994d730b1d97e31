-- What two volunteers may edit at once has a version.
alter table banners
  add column shown_from timestamptz,
  add column shown_until timestamptz,
  add column version integer not null default 1;
alter table downloads add column version integer not null default 1;
alter table media add column version integer not null default 1;
alter table club_areas
  add column position integer not null default 0,
  add column visible boolean not null default true,
  add column version integer not null default 1;
