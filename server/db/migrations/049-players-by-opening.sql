-- The desk lists players by the date on which they opened their account, then by number.
create index accounts_opened_idx on accounts (created_at, user_num);
-- The new index begins with the same column.
drop index accounts_created_idx;
