-- When members of the staff opened the desk for the first time. From then on, owners and those who may approve count wherever
-- somebody else has to agree, whatever is done to their account. The row goes with their last role.
create table staff_openings (
  user_num bigint primary key references accounts (user_num) on delete cascade,
  opened_at timestamptz not null
);

-- Everybody who works here today has counted so far.
insert into staff_openings (user_num, opened_at) select user_num, min(granted_at) from staff_members group by user_num;
