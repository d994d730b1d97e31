-- Buys `:quantity` of an item at its current price, or a service for the character `:cha_num`, in one statement and one
-- round trip, whose cost does not grow with the account's history. Returns one row: the refusal's code, or null and both
-- balances after the purchase.
--
-- Everything below depends on `debit`. Its update locks the account's row, so purchases of one account run one after
-- another, and its `where` is checked again after the wait, against the balance that the purchase before it left. When
-- it updates nothing, nothing is bought.
with
  -- The reason why purchases are paused now, if they are.
  pause as materialized (
    select 'maintenance' as reason from maintenance
    where starts_at <= :now::timestamptz and (ends_at is null or ends_at > :now::timestamptz)
    union all
    select 'purchasesClosed' where not exists (select from purchases_open where opens_at <= :now::timestamptz)
    order by reason limit 1),

  offer as (
    select product_num, item_name, section, account_limit, paid.price, service,
           paid.price * :quantity::int as total,
           case when section = :r_coin_section::int then paid.price * :quantity::int else 0 end as r_coin,
           case when section = :r_coin_section::int then 0 else paid.price * :quantity::int end as milleage
    from shop_items i
    cross join lateral (
      select price_at(i.price, i.sale_price, i.sale_starts_at, i.sale_ends_at, :now::timestamptz) as price) paid
    where product_num = :product_num::bigint and visible and is_within(sold_from, sold_until, :now::timestamptz)),

  -- The problem that blocks a service for its character, as of before any wait (SERVICE-2, SERVICE-4).
  obstacle as materialized (
    select case
             when o.service is null then case when :cha_num::bigint is not null then 'notService' end
             when :cha_num::bigint is null then 'needsCharacter'
             when :quantity::int <> 1 then 'oneService'
             else service_problem(:user_num::bigint, o.product_num, :cha_num::bigint, :choice::text, :now::timestamptz)
           end as reason
    from offer o),

  -- Of an item with a limit: how many more the account may have. Of such an item and of a service also: how many
  -- purchases and gifts the account had when that was counted, which is before any wait.
  room as (
    select a.purchase_count, a.gifts_received,
           o.account_limit - units_of_account(a.user_num, o.product_num, o.account_limit) as units
    from offer o
    join accounts a on a.user_num = :user_num::bigint
    where o.account_limit is not null or o.service is not null),

  debit as (
    update accounts a
    set r_coin = a.r_coin - o.r_coin, milleage = a.milleage - o.milleage, purchase_count = a.purchase_count + 1
    from offer o
    left join room on true
    where a.user_num = :user_num::bigint and a.r_coin >= o.r_coin and a.milleage >= o.milleage
      and (a.frozen_until is null or a.frozen_until <= :now::timestamptz)
      and not exists (select from pause)
      and not exists (select from obstacle where reason is not null)
      and (o.account_limit is null or room.units >= :quantity::int)
      and (room.purchase_count is null or (a.purchase_count = room.purchase_count and a.gifts_received = room.gifts_received))
    returning a.r_coin, a.milleage, a.purchase_count as ordinal, a.wants_receipts),

  bought as (
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at, free_service)
    select :user_num::bigint, d.ordinal, o.product_num, o.item_name, o.section, o.price, :quantity::int, :now::timestamptz,
           case when o.price = 0 then o.service end
    from debit d, offer o),

  -- The game delivers one unit at a time.
  queued as (
    insert into deliveries (user_num, ordinal, product_num, unit, is_service, queued_at)
    select :user_num::bigint, d.ordinal, o.product_num, unit, o.service is not null, :now::timestamptz
    from debit d, offer o, generate_series(1, :quantity::int) as unit
    returning delivery),

  -- Another purchase for the character, or of the name, breaks a unique index, which undoes the whole purchase.
  ordered as (
    insert into service_orders (delivery, user_num, product_num, service, cha_num, cha_name, choice, was, ordered_at)
    select q.delivery, :user_num::bigint, o.product_num, o.service, c.cha_num, c.cha_name, :choice::text,
           service_was(o.service, c), :now::timestamptz
    from queued q, offer o, characters c
    where o.service is not null and c.cha_num = :cha_num::bigint),

  -- The reference is that of `formatPurchaseReference` in server/features/wallet/book.ts; refunds look for it.
  booked as (
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
    select :user_num::bigint,
           case when o.r_coin > 0 then 'r_coin' else 'milleage' end,
           -o.total,
           case when o.r_coin > 0 then d.r_coin else d.milleage end,
           'purchase', 'purchases ' || d.ordinal || '-' || d.ordinal, :now::timestamptz
    from debit d, offer o
    -- A service that costs nothing moves no money (SERVICE-9).
    where o.total > 0),

  receipt as (
    insert into receipts_due (user_num, first_ordinal, last_ordinal, created_at)
    select :user_num::bigint, d.ordinal, d.ordinal, :now::timestamptz
    from debit d, offer o
    where d.wants_receipts and o.total > 0),

  -- Always one row. A refusal for lack of money depends on the item's currency alone. This part of the statement still
  -- sees the account from before the wait: `again` means that it had enough then, so another purchase came in between
  -- and this one has to be repeated; it is not stored.
  outcome as (
    select case
             when d.ordinal is not null then null
             when exists (select from pause) then (select reason from pause)
             when o.product_num is null then 'noItem'
             when a.frozen_until > :now::timestamptz then 'frozen'
             when obstacle.reason is not null then obstacle.reason
             when room.units < :quantity::int then 'overLimit'
             when a.r_coin >= o.r_coin and a.milleage >= o.milleage then 'again'
             when o.r_coin > 0 then 'shortRCoin'
             else 'shortMilleage'
           end as refused,
           d.r_coin, d.milleage
    from (values (1)) as always
    left join offer o on true
    left join obstacle on true
    left join room on true
    left join debit d on true
    left join accounts a on a.user_num = :user_num::bigint and d.ordinal is null),

  -- Stores the outcome for retries, unless the call has no key or may be tried again when the pause is over.
  -- It runs after the debit, so the account is locked before the key, and two calls never deadlock.
  -- A key that exists breaks the primary key, which undoes the whole purchase.
  stored_outcome as (
    insert into idempotency_keys (owner, key, content, refused, answer, created_at)
    select :owner::text, :key::text, :content::text, o.refused,
           case when o.refused is null then
             jsonb_build_object('message', :message::text, 'userPoints', o.r_coin, 'userPoints2', o.milleage)
           end,
           :now::timestamptz
    from outcome o
    where :key::text is not null and coalesce(o.refused, '') not in ('again', 'maintenance', 'purchasesClosed'))

select refused, r_coin, milleage from outcome
