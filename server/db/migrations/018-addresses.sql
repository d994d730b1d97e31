-- Pictures are files of this site, because a picture of another site would tell that site who reads a page. Links lead
-- to this site or over https. The constraints hold for new and changed rows; what was entered before stays as it is,
-- and pages leave it out.
create function is_own_path(address text) returns boolean language sql immutable strict parallel safe as $$
  select address ~ '^/([^/\\[:cntrl:]][^[:cntrl:]]*)?$'
$$;

create function is_link(address text) returns boolean language sql immutable strict parallel safe as $$
  select is_own_path(address) or address ~ '^https://[^/[:cntrl:][:space:]][^[:cntrl:][:space:]]*$'
$$;

-- Whether each entry of a list has an address in `url` that is a path of this site, or also a link.
create function have_own_paths(entries jsonb) returns boolean language sql immutable strict parallel safe as $$
  select coalesce(bool_and(coalesce(is_own_path(entry->>'url'), false)), true) from jsonb_array_elements(entries) as entry
$$;

create function have_links(entries jsonb) returns boolean language sql immutable strict parallel safe as $$
  select coalesce(bool_and(coalesce(is_link(entry->>'url'), false)), true) from jsonb_array_elements(entries) as entry
$$;

alter table news add constraint news_picture_is_own check (is_own_path(picture)) not valid;
alter table banners add constraint banners_picture_is_own check (is_own_path(picture)) not valid;
alter table banners add constraint banners_picture_phone_is_own check (is_own_path(picture_phone)) not valid;
alter table banners add constraint banners_href_is_link check (is_link(href)) not valid;
alter table downloads add constraint downloads_link_address_is_link check (is_link(link_address)) not valid;
alter table media add constraint media_picture_is_own check (is_own_path(picture)) not valid;
alter table media add constraint media_previews_are_own check (have_own_paths(previews)) not valid;
alter table media add constraint media_files_are_links check (have_links(files)) not valid;
alter table media add constraint media_captions_are_own check (have_own_paths(captions)) not valid;
alter table club_areas add constraint club_areas_picture_is_own check (is_own_path(picture)) not valid;
alter table shop_items add constraint shop_items_image_url_is_own check (is_own_path(image_url)) not valid;
