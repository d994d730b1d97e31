-- A unit that was picked up can be paid back and stays picked up: its state is still 'claimed', and refunded_at says since when
-- (docs/decisions/013). The primary key of refunds allows one refund for each unit, whatever its state.
create or replace function check_delivery() returns trigger language plpgsql as $$
begin
  if old.state = 'refunded' and (new.state <> 'refunded' or new.handed_at is distinct from old.handed_at) then
    raise exception 'Unit % is refunded.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_stays';
  end if;
  if old.state = 'claimed' and old.refunded_at is not null
    and (new.state <> 'claimed' or new.refunded_at is distinct from old.refunded_at) then
    raise exception 'Unit % was picked up and is refunded.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_stays';
  end if;
  if (new.state = 'refunded' and old.state <> 'refunded' or new.refunded_at is not null and old.refunded_at is null)
    and not exists (select from refunds where delivery = new.delivery) then
    raise exception 'Unit % has no refund.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_has_refund';
  end if;
  return new;
end
$$;

drop trigger deliveries_refunded on deliveries;
create trigger deliveries_refunded before update of state, handed_at, refunded_at on deliveries
  for each row execute function check_delivery();
