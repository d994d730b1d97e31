-- Campaigns can be changed after they were made, and captions of films are uploaded. An old process beside this schema
-- makes campaigns of version 1 and keeps pictures, as before.
alter table voucher_campaigns add column version integer not null default 1;

alter table files
  drop constraint files_type_check,
  alter column width drop not null,
  alter column height drop not null,
  add constraint files_type_check check (type in ('image/webp', 'image/jpeg', 'text/vtt')),
  add constraint files_size_check check ((type = 'text/vtt') = (width is null) and (width is null) = (height is null));
