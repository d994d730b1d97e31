-- Buys one of an item at its current price, in one statement and one round trip, whose cost does not grow with the
-- account's history. Returns one row: the refusal's code, or null and both balances after the purchase.
--
-- Everything below depends on `debit`. Its update locks the account's row, so purchases of one account run one after
-- another, and its `where` is checked again after the wait, against the balance that the purchase before it left. When
-- it updates nothing, nothing is bought.
with
  wanted as (
    select product_num, item_name, section, price,
           case when section = :r_coin_section::int then price else 0 end as r_coin,
           case when section = :r_coin_section::int then 0 else price end as milleage
    from shop_items
    where product_num = :product_num::bigint and visible),

  debit as (
    update accounts a
    set r_coin = a.r_coin - w.r_coin, milleage = a.milleage - w.milleage, purchase_count = a.purchase_count + 1
    from wanted w
    where a.user_num = :user_num::bigint and a.r_coin >= w.r_coin and a.milleage >= w.milleage
    returning a.r_coin, a.milleage, a.purchase_count as ordinal, a.wants_receipts),

  bought as (
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select :user_num::bigint, d.ordinal, w.product_num, w.item_name, w.section, w.price, 1, :now::timestamptz
    from debit d, wanted w),

  queued as (
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
    select :user_num::bigint, d.ordinal, w.product_num, 1, :now::timestamptz
    from debit d, wanted w),

  booked as (
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
    select :user_num::bigint,
           case when w.r_coin > 0 then 'r_coin' else 'milleage' end,
           -w.price,
           case when w.r_coin > 0 then d.r_coin else d.milleage end,
           'purchase', 'purchases ' || d.ordinal || '-' || d.ordinal, :now::timestamptz
    from debit d, wanted w),

  receipt as (
    insert into receipts_due (user_num, first_ordinal, last_ordinal, created_at)
    select :user_num::bigint, d.ordinal, d.ordinal, :now::timestamptz
    from debit d
    where d.wants_receipts),

  -- One row in any case. A refusal for lack of money goes by the item's currency alone: this part of the statement
  -- still sees the balance from before the wait.
  outcome as (
    select case
             when d.ordinal is not null then null
             when w.product_num is null then 'noItem'
             when w.r_coin > 0 then 'shortRCoin'
             else 'shortMilleage'
           end as refused,
           d.r_coin, d.milleage
    from (values (1)) as always
    left join wanted w on true
    left join debit d on true),

  -- Remembers the outcome for retries, unless the call has no key. It runs after the debit, so the account is locked
  -- before the key is: two calls never wait for each other in a circle. A key that exists breaks the primary key, which
  -- undoes the whole purchase.
  remembered as (
    insert into idempotency_keys (owner, key, content, refused, answer, created_at)
    select :owner::text, :key::text, :content::text, o.refused,
           case when o.refused is null then
             jsonb_build_object('message', :message::text, 'userPoints', o.r_coin, 'userPoints2', o.milleage)
           end,
           :now::timestamptz
    from outcome o
    where :key::text is not null)

select refused, r_coin, milleage from outcome
