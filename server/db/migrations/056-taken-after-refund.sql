-- A unit that was paid back without the bridge, and that the player has taken in the game all the same.
alter table deliveries drop constraint deliveries_in_game_check;
alter table deliveries add constraint deliveries_in_game_check
  check (in_game in ('', 'cancelled', 'gone', 'lost', 'back', 'taken'));
