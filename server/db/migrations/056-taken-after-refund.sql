-- A unit that was paid back without the bridge, and that the player has taken in the game all the same.
alter table deliveries drop constraint deliveries_in_game_check;
alter table deliveries add constraint deliveries_in_game_check
  check (in_game in ('', 'cancelled', 'gone', 'lost', 'back', 'taken'));

-- So far such a unit was noted as gone, with a sentence.
update deliveries set in_game = 'taken', refund_refused = ''
where state = 'refunded' and in_game = 'gone' and starts_with(refund_refused, 'The player has taken the item in the game although');
