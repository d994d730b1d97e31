-- Refunds unit by unit, and vouchers in campaigns whose codes nobody can read.
--
-- Codes that were not redeemed are kept as hashes alone from here on. Code that looks for them in clear cannot find them
-- (docs/decisions/037).
--
-- contract: needs 021-refunds-and-vouchers

-- Who made an entry, if it was staff, and which entry it takes back, in whole or in part.
alter table ledger
  add column actor bigint references accounts (user_num),
  add column reverses bigint references ledger (entry);

create index ledger_reverses_idx on ledger (reverses) where reverses is not null;

-- Entries can be taken back in parts, but never more than the whole. The entry that is taken back stays locked until the
-- end of the transaction, so two parts at once are added up.
create function check_reversal() returns trigger language plpgsql as $$
declare
  reversed ledger;
  already bigint;
begin
  select * into reversed from ledger where entry = new.reverses for no key update;
  if not found then
    return new;
  end if;
  select coalesce(sum(delta), 0) into already from ledger where reverses = new.reverses;
  if reversed.user_num <> new.user_num or reversed.currency <> new.currency
    or sign(reversed.delta) = sign(new.delta) or abs(already + new.delta) > abs(reversed.delta) then
    raise exception 'The entry takes back more or something else than entry %.', new.reverses
      using errcode = 'check_violation', constraint = 'ledger_reversal';
  end if;
  return new;
end
$$;

create trigger ledger_reversal before insert on ledger
  for each row when (new.reverses is not null) execute function check_reversal();

-- `handed_at` is when a unit was handed to a bridge; until then it cannot be in the game. `failed_at` is when the bridge
-- reported that it could not deliver it, and `failure` why. `refund_requested_at` is set while a refund waits for the
-- bridge to say whether the unit could be taken back.
alter table deliveries
  add column handed_at timestamptz,
  add column failed_at timestamptz,
  add column failure text not null default '',
  add column refund_requested_at timestamptz;

-- A unit is refunded once: what came back, and the entry of the ledger that says so. The trigger below looks for the entry,
-- which is never deleted; with a foreign key, emptying the ledger would be refused for that reason instead of its own.
create table refunds (
  delivery bigint primary key references deliveries (delivery),
  amount bigint not null check (amount > 0),
  ledger_entry bigint not null unique
);

create function check_refund() returns trigger language plpgsql as $$
begin
  if not exists (
    select from deliveries d
    join purchases p on p.user_num = d.user_num and p.ordinal = d.ordinal
    join ledger e on e.entry = new.ledger_entry and e.user_num = d.user_num and e.delta = p.price
      and e.currency = case when p.section = 2 then 'r_coin' else 'milleage' end
    join ledger paid on paid.entry = e.reverses and paid.reason = 'purchase'
    where d.delivery = new.delivery and p.price = new.amount
  ) then
    raise exception 'A refund is the price that was paid for its unit.'
      using errcode = 'check_violation', constraint = 'refunds_price';
  end if;
  return new;
end
$$;

create trigger refunds_price before insert on refunds for each row execute function check_refund();

create function refuse_refund_change() returns trigger language plpgsql as $$
begin
  raise exception 'Refunds cannot be changed or deleted.' using errcode = 'restrict_violation';
end
$$;

create trigger refunds_append_only before update or delete or truncate on refunds
  for each statement execute function refuse_refund_change();

-- A unit whose money went back is never handed out, and none counts as refunded without the money.
create function check_delivery() returns trigger language plpgsql as $$
begin
  if old.state = 'refunded' and (new.state <> 'refunded' or new.handed_at is distinct from old.handed_at) then
    raise exception 'Unit % is refunded.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_stays';
  end if;
  if new.state = 'refunded' and old.state <> 'refunded'
    and not exists (select from refunds where delivery = new.delivery) then
    raise exception 'Unit % has no refund.', old.delivery
      using errcode = 'check_violation', constraint = 'deliveries_refunded_has_refund';
  end if;
  return new;
end
$$;

create trigger deliveries_refunded before update of state, handed_at on deliveries
  for each row execute function check_delivery();

-- The lists of the desk: newest first, of one item, of one state.
create index purchases_newest_idx on purchases (created_at, user_num, ordinal);
create index purchases_of_item_idx on purchases (product_num, created_at, user_num, ordinal);
create index deliveries_of_state_idx on deliveries (state, queued_at, delivery);
create index deliveries_failed_idx on deliveries (queued_at, delivery) where failed_at is not null;
create index deliveries_refund_requested_idx on deliveries (queued_at, delivery) where refund_requested_at is not null;

-- What all codes of a campaign have in common. `per_account` and `in_total` limit redemptions; `streamer` is the referral
-- code of the streamer whom the codes were given to. The counts are kept with each change, in its transaction.
alter table voucher_batches rename to voucher_campaigns;

alter table voucher_campaigns
  add column r_coin bigint not null default 0 check (r_coin >= 0),
  add column milleage bigint not null default 0 check (milleage >= 0),
  add column codes integer not null default 0 check (codes >= 0),
  add column redeemed integer not null default 0 check (redeemed >= 0),
  add column revoked integer not null default 0 check (revoked >= 0),
  add column expires_at timestamptz,
  add column per_account integer check (per_account > 0),
  add column in_total integer check (in_total > 0),
  add column streamer text references referral_codes (code),
  add column made_by bigint references accounts (user_num);

alter table vouchers drop constraint vouchers_value_ceiling;

-- Codes of a batch that differ in value or end become campaigns of their own.
do $$
declare
  kind record;
  target bigint;
begin
  for kind in
    select batch_id, r_coin, milleage, expires_at, one_per_account, count(*) as codes, count(redeemed_by) as redeemed,
      row_number() over (partition by batch_id order by count(*) desc, r_coin, milleage, expires_at, one_per_account) as nth
    from vouchers group by batch_id, r_coin, milleage, expires_at, one_per_account
  loop
    target := kind.batch_id;
    if kind.nth > 1 then
      insert into voucher_campaigns (name, created_at)
        select name, created_at from voucher_campaigns where id = kind.batch_id returning id into target;
      update vouchers set batch_id = target
        where batch_id = kind.batch_id and r_coin = kind.r_coin and milleage = kind.milleage
          and expires_at is not distinct from kind.expires_at and one_per_account = kind.one_per_account;
    end if;
    update voucher_campaigns
      set r_coin = kind.r_coin, milleage = kind.milleage, codes = kind.codes, redeemed = kind.redeemed,
        expires_at = kind.expires_at, per_account = case when kind.one_per_account then 1 end
      where id = target;
  end loop;
end
$$;

alter table voucher_campaigns
  drop column one_per_account,
  add constraint voucher_campaigns_has_value check (codes = 0 or r_coin + milleage > 0),
  add constraint voucher_campaigns_in_total check (redeemed <= in_total),
  add constraint voucher_campaigns_counts check (redeemed + revoked <= codes),
  add constraint voucher_campaigns_value_ceiling check (r_coin <= 999999999 and milleage <= 999999999) not valid;

create index voucher_campaigns_of_streamer_idx on voucher_campaigns (streamer, id) where streamer is not null;

create function voucher_hash(code text) returns text language sql immutable strict parallel safe as $$
  select encode(sha256(convert_to(code, 'UTF8')), 'hex')
$$;

-- A table of its own: rows that are only updated would leave the codes in the database's files.
create table hashed_vouchers (
  code_hash text constraint vouchers_hash_pkey primary key,
  campaign bigint not null constraint vouchers_campaign_fkey references voucher_campaigns (id),
  redeemed_by bigint constraint vouchers_account_fkey references accounts (user_num),
  redeemed_at timestamptz,
  referral_code text constraint vouchers_referral_fkey references referral_codes (code),
  revoked_at timestamptz,
  constraint vouchers_redeemed_whole check ((redeemed_by is null) = (redeemed_at is null)),
  constraint vouchers_revoked_unused check (revoked_at is null or redeemed_by is null)
);

insert into hashed_vouchers (code_hash, campaign, redeemed_by, redeemed_at, referral_code)
select voucher_hash(code), batch_id, redeemed_by, redeemed_at, referral_code from vouchers;

alter table topups drop constraint topups_code_fkey;
drop table vouchers;
alter table hashed_vouchers rename to vouchers;

create index vouchers_of_campaign_idx on vouchers (campaign, redeemed_by);
create index vouchers_redemptions_idx on vouchers (campaign, redeemed_at, code_hash) where redeemed_by is not null;

-- A redeemed code stands in the history as it was typed, and belongs to a voucher.
alter table topups
  add column code_hash text generated always as (voucher_hash(code)) stored constraint topups_voucher_fkey references vouchers (code_hash);

create index topups_voucher_idx on topups (code_hash);

-- What came with each streamer's code.
alter table referral_codes
  add column redeemed integer not null default 0,
  add column r_coin bigint not null default 0,
  add column milleage bigint not null default 0;

update referral_codes r set redeemed = v.redeemed, r_coin = v.r_coin, milleage = v.milleage
from (
  select v.referral_code, count(*) as redeemed, sum(c.r_coin) as r_coin, sum(c.milleage) as milleage
  from vouchers v join voucher_campaigns c on c.id = v.campaign
  where v.referral_code is not null group by v.referral_code) v
where v.referral_code = r.code;
