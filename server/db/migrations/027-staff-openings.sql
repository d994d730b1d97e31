-- The time when each operator first opened the desk. From then on, owners and approvers count wherever another
-- operator's approval is needed, independent of changes to their account. The row is deleted with their last role.
create table staff_openings (
  user_num bigint primary key references accounts (user_num) on delete cascade,
  opened_at timestamptz not null
);

-- Everybody who works here today has counted so far.
insert into staff_openings (user_num, opened_at) select user_num, min(granted_at) from staff_members group by user_num;
