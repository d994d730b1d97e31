-- Buys `:quantity` of an item at its current price, or a service for the character `:cha_num`, in one statement and one round
-- trip, whose cost does not grow with the account's history. Returns one row: the refusal's code, or null and both balances after the purchase.
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

  wanted as (
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
             when w.service is null then case when :cha_num::bigint is not null then 'notService' end
             when :cha_num::bigint is null then 'needsCharacter'
             when :quantity::int <> 1 then 'oneService'
             else service_problem(:user_num::bigint, w.product_num, :cha_num::bigint, :choice::text, :now::timestamptz)
           end as reason
    from wanted w),

  -- Of an item with a limit, and of a service: how many the account has, as of before any wait, and how many purchases and
  -- gifts it had then.
  had as (
    select a.purchase_count, a.gifts_received,
           w.account_limit - units_of_account(a.user_num, w.product_num, w.account_limit) as room
    from wanted w
    join accounts a on a.user_num = :user_num::bigint
    where w.account_limit is not null or w.service is not null),

  debit as (
    update accounts a
    set r_coin = a.r_coin - w.r_coin, milleage = a.milleage - w.milleage, purchase_count = a.purchase_count + 1
    from wanted w
    left join had h on true
    where a.user_num = :user_num::bigint and a.r_coin >= w.r_coin and a.milleage >= w.milleage
      and (a.frozen_until is null or a.frozen_until <= :now::timestamptz)
      and not exists (select from pause)
      and not exists (select from obstacle where reason is not null)
      and (w.account_limit is null or h.room >= :quantity::int)
      and (h.purchase_count is null or (a.purchase_count = h.purchase_count and a.gifts_received = h.gifts_received))
    returning a.r_coin, a.milleage, a.purchase_count as ordinal, a.wants_receipts),

  bought as (
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at, free_service)
    select :user_num::bigint, d.ordinal, w.product_num, w.item_name, w.section, w.price, :quantity::int, :now::timestamptz,
           case when w.price = 0 then w.service end
    from debit d, wanted w),

  -- The game delivers one unit at a time.
  queued as (
    insert into deliveries (user_num, ordinal, product_num, unit, is_service, queued_at)
    select :user_num::bigint, d.ordinal, w.product_num, unit, w.service is not null, :now::timestamptz
    from debit d, wanted w, generate_series(1, :quantity::int) as unit
    returning delivery),

  -- Another purchase for the character, or of the name, breaks a unique index, which undoes the whole purchase.
  ordered as (
    insert into service_orders (delivery, user_num, product_num, service, cha_num, cha_name, choice, was, ordered_at)
    select q.delivery, :user_num::bigint, w.product_num, w.service, c.cha_num, c.cha_name, :choice::text,
           service_was(w.service, c), :now::timestamptz
    from queued q, wanted w, characters c
    where w.service is not null and c.cha_num = :cha_num::bigint),

  -- The reference is that of `purchaseReference` in server/features/wallet/book.ts; refunds look for it.
  booked as (
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
    select :user_num::bigint,
           case when w.r_coin > 0 then 'r_coin' else 'milleage' end,
           -w.total,
           case when w.r_coin > 0 then d.r_coin else d.milleage end,
           'purchase', 'purchases ' || d.ordinal || '-' || d.ordinal, :now::timestamptz
    from debit d, wanted w
    -- A service that costs nothing moves no money (SERVICE-9).
    where w.total > 0),

  receipt as (
    insert into receipts_due (user_num, first_ordinal, last_ordinal, created_at)
    select :user_num::bigint, d.ordinal, d.ordinal, :now::timestamptz
    from debit d, wanted w
    where d.wants_receipts and w.total > 0),

  -- Always one row. A refusal for lack of money depends on the item's currency alone. This part of the statement still
  -- sees the account from before the wait: `again` means that it had enough then, so another purchase came in between
  -- and this one has to be repeated; it is not stored.
  outcome as (
    select case
             when d.ordinal is not null then null
             when exists (select from pause) then (select reason from pause)
             when w.product_num is null then 'noItem'
             when a.frozen_until > :now::timestamptz then 'frozen'
             when obstacle.reason is not null then obstacle.reason
             when h.room < :quantity::int then 'overLimit'
             when a.r_coin >= w.r_coin and a.milleage >= w.milleage then 'again'
             when w.r_coin > 0 then 'shortRCoin'
             else 'shortMilleage'
           end as refused,
           d.r_coin, d.milleage
    from (values (1)) as always
    left join wanted w on true
    left join obstacle on true
    left join had h on true
    left join debit d on true
    left join accounts a on a.user_num = :user_num::bigint and d.ordinal is null),

  -- Remembers the outcome for retries, unless the call has no key or may be tried again when the pause is over.
  -- It runs after the debit, so the account is locked before the key, and two calls never deadlock.
  -- A key that exists breaks the primary key, which undoes the whole purchase.
  remembered as (
    insert into idempotency_keys (owner, key, content, refused, answer, created_at)
    select :owner::text, :key::text, :content::text, o.refused,
           case when o.refused is null then
             jsonb_build_object('message', :message::text, 'userPoints', o.r_coin, 'userPoints2', o.milleage)
           end,
           :now::timestamptz
    from outcome o
    where :key::text is not null and coalesce(o.refused, '') not in ('again', 'maintenance', 'purchasesClosed'))

select refused, r_coin, milleage from outcome
