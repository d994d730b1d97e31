-- Roles at the desk that somebody was given and has not accepted yet. An offered role allows nothing; accepting it takes the
-- password of the account (server/features/accounts/role-offers.ts).
create table role_offers (
  user_num bigint not null references accounts (user_num) on delete cascade,
  role text not null references staff_roles (role),
  offered_by bigint references accounts (user_num),
  offered_at timestamptz not null,
  primary key (user_num, role)
);

create index role_offers_role_idx on role_offers (role);

-- As a member with the role does, an offer of Owner ends the link of the first owner.
create function end_first_owner_by_offer() returns trigger language plpgsql as $$
begin
  insert into first_owner (owned_since) values (new.offered_at)
  on conflict (only_row) do update set word_hash = null, ends_at = null, owned_since = excluded.owned_since
  where first_owner.owned_since is null;
  return null;
end
$$;

create trigger role_offers_first_owner after insert on role_offers for each row
  when (new.role = 'owner') execute function end_first_owner_by_offer();
