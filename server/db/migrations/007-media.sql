-- What a picture, a wallpaper and a movie consist of. Addresses are of this site or foreign; sizes in pixels.
alter table media add column visible boolean not null default true;

-- What is to be seen, for those who cannot see it.
alter table media add column alt text not null default '';

-- The picture as it is shown, in several sizes and formats: [{url, type, width, height}].
alter table media add column previews jsonb not null default '[]' check (jsonb_typeof(previews) = 'array');

-- What is downloaded or played: a wallpaper's resolutions, a movie's formats: [{url, type, width, height}].
alter table media add column files jsonb not null default '[]' check (jsonb_typeof(files) = 'array');

-- A movie's captions: [{url, language, label}].
alter table media add column captions jsonb not null default '[]' check (jsonb_typeof(captions) = 'array');

-- How long a movie plays.
alter table media add column seconds integer check (seconds > 0);

create index media_shown_idx on media (kind, position, id) where visible;
