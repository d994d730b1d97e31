-- Gifts in letters: money or items of the team, claimed once, and items that a player bought for another.

-- Since when the site knows a character: a gift is for those who had one when it was sent.
alter table characters add column known_since timestamptz not null default '2000-01-01';
alter table characters alter column known_since set default now();

-- New kinds of letters come with new features; the code knows them.
alter table letters drop constraint if exists letters_kind_check;
alter table letters add constraint letters_kind_is_word check (kind ~ '^[a-z]{1,20}$');

-- What a letter brings. `value` is what one claim of it is worth, in R-Coin or Milleage, and `budget` what all claims may
-- be worth together. The number stays when the letter has expired, so it is no foreign key.
create table letter_gifts (
  letter bigint primary key,
  -- The one player it is for; empty for many.
  recipient bigint references accounts (user_num),
  currency text check (currency in ('r_coin', 'milleage')),
  amount bigint check (amount > 0),
  product_num bigint references shop_items (product_num),
  quantity integer check (quantity between 1 and 99),
  value bigint not null check (value > 0),
  budget bigint not null,
  claimed bigint not null default 0,
  state text not null default 'open'
    check (state in ('open', 'claimed', 'refused', 'unclaimed', 'blocked', 'withdrawn')),
  -- The member of the staff who gives it.
  given_by bigint references accounts (user_num),
  -- What it is for, such as a place in a tournament: there is one gift for each.
  reference text unique,
  -- The purchase that paid for it, where a player did, and the entry of the ledger that paid it back.
  buyer bigint,
  bought_ordinal bigint,
  refund_entry bigint unique,
  sent_at timestamptz not null,
  ended_at timestamptz,
  foreign key (buyer, bought_ordinal) references purchases (user_num, ordinal),
  unique (buyer, bought_ordinal),
  constraint letter_gifts_one_thing check (
    (currency is null) = (amount is null) and (product_num is null) = (quantity is null)
    and (currency is null) <> (product_num is null)),
  constraint letter_gifts_within_budget check (claimed >= 0 and claimed <= budget and budget >= value),
  constraint letter_gifts_bought_is_one_unit check (
    (buyer is null) = (bought_ordinal is null) and (buyer is null or (recipient is not null and quantity = 1))),
  constraint letter_gifts_refund check (
    (refund_entry is not null) = (state in ('refused', 'unclaimed', 'blocked')) and (refund_entry is null or buyer is not null))
);

create index letter_gifts_waiting_idx on letter_gifts (sent_at) where state = 'open' and buyer is not null;
create index letter_gifts_to_idx on letter_gifts (recipient, product_num) where buyer is not null;
create index letter_gifts_from_idx on letter_gifts (buyer, product_num) where buyer is not null;

-- What came as a gift is a purchase at no price, so that its units reach the game like others. `gift` is the number of the
-- letter; a foreign key would make a circle with the one above.
alter table purchases add column gift bigint;
alter table purchases drop constraint purchases_price_check;
alter table purchases add constraint purchases_price_check check (price > 0 or (price = 0 and gift is not null));
create index purchases_gift_idx on purchases (gift) where gift is not null;

-- Who claimed what. A gift is claimed once by an account.
create table gift_claims (
  letter bigint not null references letter_gifts (letter),
  user_num bigint not null references accounts (user_num),
  value bigint not null,
  claimed_at timestamptz not null,
  ledger_entry bigint unique,
  ordinal bigint,
  primary key (letter, user_num),
  foreign key (user_num, ordinal) references purchases (user_num, ordinal),
  check ((ledger_entry is null) <> (ordinal is null))
);

-- A claim counts against the budget, and ends a gift to one player.
create function count_gift_claim() returns trigger language plpgsql as $$
begin
  update letter_gifts g
  set claimed = g.claimed + new.value,
      state = case when g.recipient is null then g.state else 'claimed' end,
      ended_at = case when g.recipient is null then g.ended_at else new.claimed_at end
  where g.letter = new.letter and g.state = 'open' and g.value = new.value
    and (g.recipient is null or g.recipient = new.user_num);
  if not found then
    raise exception 'The gift of letter % is not there for account %.', new.letter, new.user_num
      using errcode = 'check_violation', constraint = 'gift_claims_open';
  end if;
  return null;
end
$$;

create trigger gift_claims_counted after insert on gift_claims for each row execute function count_gift_claim();

create function refuse_gift_claim_change() returns trigger language plpgsql as $$
begin
  raise exception 'Claims of gifts cannot be changed or deleted.' using errcode = 'restrict_violation';
end
$$;

create trigger gift_claims_append_only before update or delete or truncate on gift_claims
  for each statement execute function refuse_gift_claim_change();

-- A gift that has ended stays what it is.
create function check_gift() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' and new.state <> old.state then
    raise exception 'The gift of letter % has ended.', old.letter
      using errcode = 'check_violation', constraint = 'letter_gifts_ended_stays';
  end if;
  return new;
end
$$;

create trigger letter_gifts_ended before update of state on letter_gifts for each row execute function check_gift();

-- As before, with the units of bought gifts, whose price goes back to the player who paid it. What the team gave has none.
create or replace function check_refund() returns trigger language plpgsql as $$
begin
  if not exists (
    select from deliveries d
    join purchases own on own.user_num = d.user_num and own.ordinal = d.ordinal
    left join letter_gifts g on g.letter = own.gift
    join purchases p on p.user_num = coalesce(g.buyer, own.user_num) and p.ordinal = coalesce(g.bought_ordinal, own.ordinal)
    join ledger e on e.entry = new.ledger_entry and e.user_num = p.user_num and e.delta = p.price
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

-- Gifts of other players count against the limits of items, for both: `gifts_received` tells a purchase that was waiting
-- that one came between.
alter table accounts
  add column accepts_gifts boolean not null default true,
  add column gifts_received bigint not null default 0;

-- How many units of an item count for an account, at most `most`: those it has, gifts on their way to it, and those that it
-- gave away.
create function units_of_account(account bigint, item bigint, most integer) returns bigint
language sql stable as $$
  select count(*) from (
    select from deliveries where user_num = account and product_num = item and state <> 'refunded'
    union all
    select from letter_gifts where recipient = account and product_num = item and buyer is not null and state = 'open'
    union all
    select from letter_gifts g
    where g.buyer = account and g.product_num = item and g.state in ('open', 'claimed') and not exists (
      select from purchases p join deliveries d on d.user_num = p.user_num and d.ordinal = p.ordinal
      where p.gift = g.letter and d.state = 'refunded')
    limit most) units
$$;

-- Copies of letters by email. `token` turns a kind off without a login, and nothing else.
create table mail_copies (
  user_num bigint not null references accounts (user_num) on delete cascade,
  kind text not null,
  wanted boolean not null,
  token text not null unique,
  primary key (user_num, kind)
);

create index mail_copies_wanted_idx on mail_copies (kind, user_num) where wanted;

-- Whether the copies of a letter were dealt with, and of one to many up to which account.
alter table letters add column copied_at timestamptz, add column copied_through bigint not null default 0;
update letters set copied_at = sent_at;
create index letters_uncopied_idx on letters (sent_at) where copied_at is null;

-- Where a mail can be turned off with one click (RFC 8058).
alter table mail_outbox add column unsubscribe_url text;
