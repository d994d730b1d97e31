import { sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import type { Db } from '#server/db/open.ts'
import type { MoneyAnswer, MoneyRequest } from '../wallet/service.ts'

type Sql = ReturnType<typeof sql>

const refused = (message: string) => JSON.stringify({ error: message, message })

const REFUSALS = {
  noItem: refused(SHOP.noItem),
  nothingChecked: refused(SHOP.nothingChecked),
  notChecked: refused(SHOP.notChecked),
  itemGone: refused(SHOP.itemGone),
  shortRCoin: refused(SHOP.shortRCoin),
  shortMilleage: refused(SHOP.shortMilleage),
  shortBoth: refused(SHOP.shortBoth),
}

/**
 * What follows a list of `wanted` lines (ordinal within the purchase, item, price, quantity), the
 * same for one item and for a cart: debit what is enough or nothing, number the purchases, book the
 * ledger, queue one delivery a unit, keep the answer under its key. Everything hangs on `debit`.
 */
function settle(request: MoneyRequest, now: Date, { allowed, refusal }: { allowed: Sql; refusal: Sql }) {
  const kept =
    request.key === null
      ? sql``
      : sql`,
    kept as (
      insert into kept_answers (user_num, key, content, status, body, created_at)
      select ${request.userNum}, ${request.key}::text, ${request.content}, status, body, ${now}::timestamptz from answer)`
  return sql`
    sums as (
      select coalesce(sum(price * quantity) filter (where section = ${R_COIN_SECTION}::int), 0)::bigint as r_coin,
             coalesce(sum(price * quantity) filter (where section <> ${R_COIN_SECTION}::int), 0)::bigint as milleage,
             count(*)::int as lines
      from wanted),
    debit as (
      update accounts a
      set r_coin = a.r_coin - s.r_coin, milleage = a.milleage - s.milleage, purchase_count = a.purchase_count + s.lines
      from sums s
      where a.user_num = ${request.userNum} and s.lines > 0 and ${allowed}
        and a.r_coin >= s.r_coin and a.milleage >= s.milleage
      returning a.r_coin, a.milleage, a.purchase_count - s.lines as before, s.r_coin as paid_r_coin,
                s.milleage as paid_milleage, s.lines, a.wants_receipts),
    bought as (
      insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
      select ${request.userNum}, d.before + w.place, w.product_num, w.item_name, w.section, w.price, w.quantity, ${now}::timestamptz
      from wanted w, debit d
      returning ordinal, product_num, quantity),
    queued as (
      insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
      select ${request.userNum}, b.ordinal, b.product_num, unit, ${now}::timestamptz
      from bought b, generate_series(1, b.quantity) as unit),
    booked as (
      insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
      select ${request.userNum}, m.currency, -m.paid, m.balance, 'purchase',
             'purchases ' || (d.before + 1) || '-' || (d.before + d.lines), ${now}::timestamptz
      from debit d
      cross join lateral (values ('r_coin', d.paid_r_coin, d.r_coin), ('milleage', d.paid_milleage, d.milleage))
        as m (currency, paid, balance)
      where m.paid > 0),
    receipt as (
      insert into receipts_due (user_num, first_ordinal, last_ordinal, created_at)
      select ${request.userNum}, d.before + 1, d.before + d.lines, ${now}::timestamptz from debit d where d.wants_receipts),
    answer as (
      select 200 as status, jsonb_build_object(
               'message', ${SHOP.bought}::text, 'userPoints', d.r_coin, 'userPoints2', d.milleage) as body
      from debit d
      union all
      select r.status, r.body from (${refusal}) r where not exists (select from debit))${kept}`
}

async function run(db: Db, statement: ReturnType<typeof sql<MoneyAnswer>>): Promise<MoneyAnswer> {
  const { rows } = await statement.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('a purchase gave no answer')
  return row
}

/**
 * Buys one of an item at its present price: one statement, one round trip, whose cost does not
 * grow with the history. The account's row is the lock: of a hundred at once with money for
 * seven, seven buy. A refusal names the item's currency and does not look at the balance: the
 * statement would see the one from before it waited.
 */
export function buyOneItem(db: Db, request: MoneyRequest, productNum: number, now: Date): Promise<MoneyAnswer> {
  const refusal = sql`
    select 404 as status, ${REFUSALS.noItem}::jsonb as body where not exists (select from wanted)
    union all
    select 422, (case when section = ${R_COIN_SECTION}::int then ${REFUSALS.shortRCoin} else ${REFUSALS.shortMilleage} end)::jsonb
    from wanted`
  return run(
    db,
    sql<MoneyAnswer>`with
    wanted as (
      select 1 as place, product_num, item_name, section, price, 1 as quantity
      from shop_items where product_num = ${productNum} and visible),
    ${settle(request, now, { allowed: sql`true`, refusal })}
    select status, body from answer`,
  )
}

/**
 * Buys the checked lines of a cart, or those of them that `seqs` names, all or none. Locks the
 * account first and then the lines in their order, so that two purchases never wait for each
 * other in a circle; the weaker lock, which a foreign key's check does not wait for. What the
 * account holds is read with the lock, so it is the balance after the wait.
 */
export function buyCheckedLines(db: Db, request: MoneyRequest, seqs: number[] | null, now: Date): Promise<MoneyAnswer> {
  const refusal = sql`
    select 422 as status, (case
      when c.problem = 'not-checked' then ${REFUSALS.notChecked}
      when c.problem = 'gone' then ${REFUSALS.itemGone}
      when c.problem = 'nothing' then ${REFUSALS.nothingChecked}
      when m.r_coin < s.r_coin and m.milleage < s.milleage then ${REFUSALS.shortBoth}
      when m.r_coin < s.r_coin then ${REFUSALS.shortRCoin}
      else ${REFUSALS.shortMilleage} end)::jsonb as body
    from me m, sums s, checked c`
  const named = seqs === null ? sql`true` : sql`l.seq = any(${seqs}::bigint[])`
  // Unnamed, it is the cart as it is shown: without the lines of hidden items.
  const problem =
    seqs === null
      ? sql`case when not exists (select from wanted) then 'nothing' end`
      : sql`case when (select count(*) from lines) <> ${seqs.length}::int then 'not-checked'
        when (select count(*) from wanted) <> ${seqs.length}::int then 'gone' end`
  return run(
    db,
    sql<MoneyAnswer>`with
    me as materialized (
      select user_num, r_coin, milleage from accounts where user_num = ${request.userNum} for no key update),
    lines as materialized (
      select l.seq, l.product_num, l.quantity from cart_lines l, me
      where l.user_num = me.user_num and l.is_checked and ${named}
      order by l.seq for update of l),
    wanted as materialized (
      select row_number() over (order by l.seq) as place, l.seq, l.quantity,
             i.product_num, i.item_name, i.section, i.price
      from lines l join shop_items i on i.product_num = l.product_num and i.visible),
    checked as (select ${problem} as problem),
    ${settle(request, now, { allowed: sql`(select problem from checked) is null`, refusal })},
    emptied as (delete from cart_lines where seq in (select seq from wanted) and exists (select from debit))
    select status, body from answer`,
  )
}
