-- The oldest code that can run on this schema, by its newest migration. A migration that takes away what older code
-- still uses raises it (docs/decisions/028).
create table schema_compatibility (
  only_row boolean primary key default true check (only_row),
  oldest_code text not null
);

insert into schema_compatibility (oldest_code) values ('012-one-idempotency');

-- The ledger is append-only: a mistake is corrected by another entry. To clean up a copy of a database, its owner can
-- run `alter table ledger disable trigger ledger_append_only`.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'Ledger entries cannot be changed or deleted.' using errcode = 'restrict_violation';
end
$$;

create trigger ledger_append_only before update or delete or truncate on ledger
  for each statement execute function refuse_ledger_change();

-- A code is in the history of top-ups once. Rows from before that repeat one, which only changes made by hand can have
-- left, are marked and stay.
alter table topups add column is_repeated boolean not null default false;

update topups t set is_repeated = true
where exists (
  select from topups earlier
  where earlier.code = t.code
    and (earlier.created_at, earlier.user_num, earlier.ordinal) < (t.created_at, t.user_num, t.ordinal)
);

create unique index topups_code_key on topups (code) where not is_repeated;

-- Ceilings, as in contract/limits.ts. They hold for new and changed rows; what was entered before stays as it is.
alter table shop_items add constraint shop_items_price_ceiling check (price <= 999999999) not valid;
alter table vouchers add constraint vouchers_value_ceiling check (r_coin <= 999999999 and milleage <= 999999999) not valid;
