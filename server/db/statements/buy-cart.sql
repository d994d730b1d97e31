-- Buys the checked lines of a cart, or only those of them with the numbers `:seqs`: all or none. Returns one row: the
-- refusal's code, or null and both balances after the purchase.
--
-- Locks the account, then the lines by their number, then the idempotency key, so two purchases never deadlock. Uses the
-- weaker lock `for no key update`, which does not block the foreign key checks of other tables. Every write depends on
-- `debit`: when it updates nothing, nothing is bought.
with
  -- The reason why purchases are paused now, if they are.
  pause as materialized (
    select 'maintenance' as reason from maintenance
    where starts_at <= :now::timestamptz and (ends_at is null or ends_at > :now::timestamptz)
    union all
    select 'purchasesClosed' where not exists (select from purchases_open where opens_at <= :now::timestamptz)
    order by reason limit 1),

  -- Read with the lock, so these are the balances after the wait.
  buyer as materialized (
    select user_num, r_coin, milleage, purchase_count, gifts_received, frozen_until
    from accounts where user_num = :user_num::bigint for no key update),

  -- Locked too: lines that another purchase took during the wait are missing from the result.
  lines as materialized (
    select l.seq, l.product_num, l.quantity
    from cart_lines l, buyer
    where l.user_num = buyer.user_num and l.is_checked and (:seqs::bigint[] is null or l.seq = any(:seqs::bigint[]))
    order by l.seq
    for update of l),

  -- The lines whose items are still sold, at their current prices. `position` is the line's position in this purchase.
  offers as materialized (
    select row_number() over (order by l.seq) as position, l.seq, l.quantity,
           i.product_num, i.item_name, i.section, i.account_limit,
           price_at(i.price, i.sale_price, i.sale_starts_at, i.sale_ends_at, :now::timestamptz) as price
    from lines l
    join shop_items i on i.product_num = l.product_num and i.visible
      and is_within(i.sold_from, i.sold_until, :now::timestamptz)),

  -- Of items with a limit: how many more the account may have, and how many purchases and gifts it had when that was
  -- counted, which is before the wait.
  room as materialized (
    select o.quantity, a.purchase_count, a.gifts_received,
           o.account_limit - units_of_account(a.user_num, o.product_num, o.account_limit) as units
    from offers o
    join accounts a on a.user_num = :user_num::bigint
    where o.account_limit is not null),

  -- With `:seqs`, each of these lines must be checked, and its item on sale. Without `:seqs`, lines of items that are not
  -- on sale are left out, and the two comparisons with its cardinality are null, so they have no effect. `again` means that
  -- another purchase or gift came in between, so the account's units have to be counted again; it is not stored.
  problem as materialized (
    select case
             when exists (select from pause) then (select reason from pause)
             when exists (select from buyer where frozen_until > :now::timestamptz) then 'frozen'
             when (select count(*) from lines) <> cardinality(:seqs::bigint[]) then 'notChecked'
             when (select count(*) from offers) <> cardinality(:seqs::bigint[]) then 'itemGone'
             when not exists (select from offers) then 'nothingChecked'
             when exists (select from room, buyer
                          where room.purchase_count <> buyer.purchase_count or room.gifts_received <> buyer.gifts_received) then 'again'
             when exists (select from room where quantity > units) then 'overLimit'
           end as code),

  sums as (
    select coalesce(sum(price * quantity) filter (where section = :r_coin_section::int), 0)::bigint as r_coin,
           coalesce(sum(price * quantity) filter (where section <> :r_coin_section::int), 0)::bigint as milleage,
           count(*)::int as lines
    from offers),

  debit as (
    update accounts a
    set r_coin = a.r_coin - s.r_coin, milleage = a.milleage - s.milleage, purchase_count = a.purchase_count + s.lines
    from sums s, problem p
    where a.user_num = :user_num::bigint and p.code is null and a.r_coin >= s.r_coin and a.milleage >= s.milleage
    returning a.r_coin, a.milleage, a.purchase_count - s.lines as before, s.r_coin as paid_r_coin,
              s.milleage as paid_milleage, s.lines, a.wants_receipts),

  bought as (
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select :user_num::bigint, d.before + o.position, o.product_num, o.item_name, o.section, o.price, o.quantity,
           :now::timestamptz
    from debit d, offers o
    returning ordinal, product_num, quantity),

  -- The game delivers one unit at a time.
  queued as (
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
    select :user_num::bigint, b.ordinal, b.product_num, unit, :now::timestamptz
    from bought b, generate_series(1, b.quantity) as unit),

  -- The reference is that of `formatPurchaseReference` in server/features/wallet/book.ts; refunds look for it.
  booked as (
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
    select :user_num::bigint, e.currency, -e.paid, e.balance, 'purchase',
           'purchases ' || (d.before + 1) || '-' || (d.before + d.lines), :now::timestamptz
    from debit d
    cross join lateral (values ('r_coin', d.paid_r_coin, d.r_coin), ('milleage', d.paid_milleage, d.milleage))
      as e (currency, paid, balance)
    where e.paid > 0),

  receipt as (
    insert into receipts_due (user_num, first_ordinal, last_ordinal, created_at)
    select :user_num::bigint, d.before + 1, d.before + d.lines, :now::timestamptz
    from debit d
    where d.wants_receipts),

  emptied as (
    delete from cart_lines where seq in (select seq from offers) and exists (select from debit)),

  outcome as (
    select case
             when d.before is not null then null
             when p.code is not null then p.code
             when buyer.r_coin < s.r_coin and buyer.milleage < s.milleage then 'shortBoth'
             when buyer.r_coin < s.r_coin then 'shortRCoin'
             else 'shortMilleage'
           end as refused,
           d.r_coin, d.milleage
    from buyer
    cross join sums s
    cross join problem p
    left join debit d on true),

  -- Stores the outcome for retries, unless the call has no key or may be tried again when the pause is over.
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
