-- Every account has its word from the beginning, so reading a page writes nothing. 80 random bits: the version and the
-- variant of a UUID are left out.
create function new_account_word() returns text language sql volatile as $$
  select substr(u, 1, 12) || substr(u, 18, 8) from replace(gen_random_uuid()::text, '-', '') u
$$;

insert into account_words (user_num, word)
  select user_num, new_account_word() from accounts where erased_at is null
  on conflict (user_num) do nothing;

create function give_account_word() returns trigger language plpgsql as $$
begin
  insert into account_words (user_num, word) values (new.user_num, new_account_word()) on conflict (user_num) do nothing;
  return null;
end
$$;

create trigger accounts_word after insert on accounts for each row execute function give_account_word();
