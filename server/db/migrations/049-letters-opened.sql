-- How often a letter was opened is counted in the order of opening, which no other index and no walk through the whole table
-- can give: where one letter has nearly all rows, the planner thinks that either would find its first ones at once.
create index letter_states_opened_idx on letter_states (letter, read_at);
drop index letter_states_letter_idx;
