-- The character that a gift was addressed to; null where it was addressed to a user ID. The site's characters are replaced by
-- those of the game, so this is no foreign key.
alter table letter_gifts add column to_character bigint;

-- What the buyer of a gift reads about its recipient: the character's name or the user ID, whichever they addressed, so that
-- neither reveals the other.
create function gift_addressee(gift letter_gifts) returns text language sql stable as $$
  select case when gift.to_character is null
    then (select user_id from accounts where user_num = gift.recipient)
    else coalesce((select c.cha_name from characters c join accounts a on a.user_num = c.user_num
      where c.cha_num = gift.to_character and c.user_num = gift.recipient and a.erased_at is null), 'a character') end
$$;
