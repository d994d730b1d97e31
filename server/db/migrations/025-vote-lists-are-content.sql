-- Every process caches which addresses vote lists call; a change drops the cached ones at once.
create trigger vote_sites_changed after insert or update or delete or truncate on vote_sites
  for each statement execute function notify_content_changed();
