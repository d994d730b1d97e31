-- The time when each operator first opened the desk. Where an operator needs another one's approval, only owners and
-- approvers with a row exist: one who never opened the desk cannot hold up the colleagues. Changes to an account do not
-- delete the row; the loss of the last role does.
create table staff_openings (
  user_num bigint primary key references accounts (user_num) on delete cascade,
  opened_at timestamptz not null
);

-- Everybody who works here today has counted so far.
insert into staff_openings (user_num, opened_at) select user_num, min(granted_at) from staff_members group by user_num;
