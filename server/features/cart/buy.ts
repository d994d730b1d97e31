import { sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import type { Db } from '#server/db/open.ts'
import { prepare } from '#server/db/prepared.ts'
import type { MoneyAnswer, MoneyRequest } from '../wallet/kept-answers.ts'

type Sql = ReturnType<typeof sql>

/** What each run of a purchase's statement fills in. */
const SLOTS = {
  user: Symbol('user'),
  key: Symbol('key'),
  content: Symbol('content'),
  now: Symbol('now'),
  product: Symbol('product'),
  seqs: Symbol('seqs'),
}
const USER = sql`${SLOTS.user}::bigint`
const NOW = sql`${SLOTS.now}::timestamptz`

const refused = (message: string) => sql`${sql.lit(JSON.stringify({ error: message, message }))}::jsonb`

const REFUSALS = {
  noItem: refused(SHOP.noItem),
  nothingChecked: refused(SHOP.nothingChecked),
  notChecked: refused(SHOP.notChecked),
  itemGone: refused(SHOP.itemGone),
  shortRCoin: refused(SHOP.shortRCoin),
  shortMilleage: refused(SHOP.shortMilleage),
  shortBoth: refused(SHOP.shortBoth),
}

/** What differs between one item, written so that little is to be planned, and a cart. */
type Settlement = { keyed: boolean; sums: Sql; entries: Sql; allowed: Sql; refusal: Sql }

const R_COIN = sql.lit(R_COIN_SECTION)
const ITEM_SUMS = sql`
  select case when section = ${R_COIN} then price else 0 end as r_coin,
         case when section = ${R_COIN} then 0 else price end as milleage, 1 as lines
  from wanted`
const ITEM_ENTRY = sql`
  select case when d.paid_r_coin > 0 then 'r_coin' else 'milleage' end, d.paid_r_coin + d.paid_milleage,
         case when d.paid_r_coin > 0 then d.r_coin else d.milleage end`
const CART_SUMS = sql`
  select coalesce(sum(price * quantity) filter (where section = ${R_COIN}), 0)::bigint as r_coin,
         coalesce(sum(price * quantity) filter (where section <> ${R_COIN}), 0)::bigint as milleage,
         count(*)::int as lines
  from wanted`
const CART_ENTRIES = sql`
  select * from (values ('r_coin', d.paid_r_coin, d.r_coin), ('milleage', d.paid_milleage, d.milleage))
    as e (currency, paid, balance) where paid > 0`

/**
 * What follows a list of `wanted` lines (ordinal within the purchase, item, price, quantity), the
 * same for one item and for a cart: debit what is enough or nothing, number the purchases, book the
 * ledger, queue one delivery a unit, keep the answer under its key. Everything hangs on `debit`.
 */
function settle({ keyed, sums, entries, allowed, refusal }: Settlement) {
  const kept = keyed
    ? sql`,
    kept as (
      insert into kept_answers (user_num, key, content, status, body, created_at)
      select ${USER}, ${SLOTS.key}::text, ${SLOTS.content}::text, status, body, ${NOW} from answer)`
    : sql``
  return sql`
    sums as (${sums}),
    debit as (
      update accounts a
      set r_coin = a.r_coin - s.r_coin, milleage = a.milleage - s.milleage, purchase_count = a.purchase_count + s.lines
      from sums s
      where a.user_num = ${USER} and s.lines > 0 and ${allowed}
        and a.r_coin >= s.r_coin and a.milleage >= s.milleage
      returning a.r_coin, a.milleage, a.purchase_count - s.lines as before, s.r_coin as paid_r_coin,
                s.milleage as paid_milleage, s.lines, a.wants_receipts),
    bought as (
      insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
      select ${USER}, d.before + w.place, w.product_num, w.item_name, w.section, w.price, w.quantity, ${NOW}
      from wanted w, debit d
      returning ordinal, product_num, quantity),
    queued as (
      insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
      select ${USER}, b.ordinal, b.product_num, unit, ${NOW}
      from bought b, generate_series(1, b.quantity) as unit),
    booked as (
      insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
      select ${USER}, m.currency, -m.paid, m.balance, 'purchase',
             'purchases ' || (d.before + 1) || '-' || (d.before + d.lines), ${NOW}
      from debit d cross join lateral (${entries}) as m (currency, paid, balance)),
    receipt as (
      insert into receipts_due (user_num, first_ordinal, last_ordinal, created_at)
      select ${USER}, d.before + 1, d.before + d.lines, ${NOW} from debit d where d.wants_receipts),
    answer as (
      select 200 as status, jsonb_build_object(
               'message', ${sql.lit(SHOP.bought)}::text, 'userPoints', d.r_coin, 'userPoints2', d.milleage) as body
      from debit d
      union all
      select r.status, r.body from (${refusal}) r where not exists (select from debit))${kept}`
}

type Purchase = ReturnType<typeof prepare<MoneyAnswer>>
/** A statement twice: for calls with a key and for calls without. */
type Purchases = { keyed: Purchase; keyless: Purchase }

async function run(
  db: Db,
  { keyed, keyless }: Purchases,
  request: MoneyRequest,
  values: Record<symbol, unknown>,
): Promise<MoneyAnswer> {
  const statement = request.key === null ? keyless : keyed
  const [row] = await statement(db, {
    ...values,
    [SLOTS.user]: request.userNum,
    [SLOTS.key]: request.key,
    [SLOTS.content]: request.content,
  })
  if (row === undefined) throw new Error('a purchase gave no answer')
  return row
}

const twice = (name: string, write: (keyed: boolean) => ReturnType<typeof sql<MoneyAnswer>>): Purchases => ({
  keyed: prepare(`${name}_keyed`, write(true)),
  keyless: prepare(name, write(false)),
})

const ONE_ITEM = twice(
  'buy_item',
  (keyed) => sql`with
    wanted as (
      select 1 as place, product_num, item_name, section, price, 1 as quantity
      from shop_items where product_num = ${SLOTS.product}::bigint and visible),
    ${settle({
      keyed,
      sums: ITEM_SUMS,
      entries: ITEM_ENTRY,
      allowed: sql`true`,
      refusal: sql`
        select 404 as status, ${REFUSALS.noItem} as body where not exists (select from wanted)
        union all
        select 422, case when section = ${R_COIN} then ${REFUSALS.shortRCoin} else ${REFUSALS.shortMilleage} end
        from wanted`,
    })}
    select status, body from answer`,
)

/**
 * Buys one of an item at its present price: one statement, one round trip, whose cost does not
 * grow with the history. The account's row is the lock: of a hundred at once with money for
 * seven, seven buy. A refusal names the item's currency and does not look at the balance: the
 * statement would see the one from before it waited.
 */
export function buyOneItem(db: Db, request: MoneyRequest, productNum: number, now: Date): Promise<MoneyAnswer> {
  return run(db, ONE_ITEM, request, { [SLOTS.product]: productNum, [SLOTS.now]: now })
}

const SHORT = sql`case
  when c.problem = 'not-checked' then ${REFUSALS.notChecked}
  when c.problem = 'gone' then ${REFUSALS.itemGone}
  when c.problem = 'nothing' then ${REFUSALS.nothingChecked}
  when m.r_coin < s.r_coin and m.milleage < s.milleage then ${REFUSALS.shortBoth}
  when m.r_coin < s.r_coin then ${REFUSALS.shortRCoin}
  else ${REFUSALS.shortMilleage} end`

const lines = (name: string, { named, problem }: { named: Sql; problem: Sql }) =>
  twice(
    name,
    (keyed) => sql`with
    me as materialized (
      select user_num, r_coin, milleage from accounts where user_num = ${USER} for no key update),
    lines as materialized (
      select l.seq, l.product_num, l.quantity from cart_lines l, me
      where l.user_num = me.user_num and l.is_checked and ${named}
      order by l.seq for update of l),
    wanted as materialized (
      select row_number() over (order by l.seq) as place, l.seq, l.quantity,
             i.product_num, i.item_name, i.section, i.price
      from lines l join shop_items i on i.product_num = l.product_num and i.visible),
    checked as (select ${problem} as problem),
    ${settle({
      keyed,
      sums: CART_SUMS,
      entries: CART_ENTRIES,
      allowed: sql`(select problem from checked) is null`,
      refusal: sql`select 422 as status, ${SHORT} as body from me m, sums s, checked c`,
    })},
    emptied as (delete from cart_lines where seq in (select seq from wanted) and exists (select from debit))
    select status, body from answer`,
  )

/** Unnamed, it is the cart as it is shown: without the lines of hidden items. */
const ALL_LINES = lines('buy_all_lines', {
  named: sql`true`,
  problem: sql`case when not exists (select from wanted) then 'nothing' end`,
})

const NAMED_LINES = lines('buy_named_lines', {
  named: sql`l.seq = any(${SLOTS.seqs}::bigint[])`,
  problem: sql`case
    when (select count(*) from lines) <> cardinality(${SLOTS.seqs}::bigint[]) then 'not-checked'
    when (select count(*) from wanted) <> cardinality(${SLOTS.seqs}::bigint[]) then 'gone' end`,
})

/**
 * Buys the checked lines of a cart, or those of them that `seqs` names, all or none. Locks the
 * account first and then the lines in their order, so that two purchases never wait for each
 * other in a circle; the weaker lock, which a foreign key's check does not wait for. What the
 * account holds is read with the lock, so it is the balance after the wait.
 */
export function buyCheckedLines(db: Db, request: MoneyRequest, seqs: number[] | null, now: Date): Promise<MoneyAnswer> {
  return run(db, seqs === null ? ALL_LINES : NAMED_LINES, request, { [SLOTS.seqs]: seqs, [SLOTS.now]: now })
}
