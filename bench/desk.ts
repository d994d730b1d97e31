/**
 * What the desk's screens cost with 1,000,000 players and 10,000,000 purchases, against 1,000 and 10,000. The other tables
 * have what such a server has: logins, tickets, mails, redeemed vouchers, letters, a long audit log. Making
 * the large world takes about half an hour.
 *
 * `node bench/desk.ts [PART OF AN ADDRESS]`
 */
import { sql } from 'kysely'
import { UNIT_STAGES } from '#contract/desk-orders.ts'
import { ensureBuilt } from '#scripts/build.ts'
import type { Db } from '#server/db/open.ts'
import { growWorld } from '#test/grown-world.ts'
import { type Asked, compareWorlds } from './two-worlds.ts'

const SMALL = { players: 1000, purchases: 10_000, characters: 1000 }
const LARGE = { players: 1_000_000, purchases: 10_000_000, characters: 1_000_000 }

/** The page behind a moment, an order and a number, as the lists' own cursors say it. */
const behind = (...marks: (string | number)[]) => `after=${encodeURIComponent(marks.join('|'))}`
const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)

const ASKED: Asked[] = [
  '/api/admin/today',
  '/api/admin/health',
  '/api/admin/players',
  '/api/admin/players?sort=user_num',
  '/api/admin/players?state=blocked',
  '/api/admin/players?state=staff',
  '/api/admin/players?state=logged-in',
  '/api/admin/players?state=most-r-coin',
  ...['juan', 'gm', 'example.com', 'santos', 'maria santos', '42', 'zzzz', '203.0.113.7', 'T-ABCD'].map(
    (q) => `/api/admin/players?q=${encodeURIComponent(q)}`,
  ),
  ['/api/admin/players?after=900', '/api/admin/players?after=500000'],
  '/api/admin/orders',
  ...UNIT_STAGES.map((stage) => `/api/admin/orders?stage=${stage}`),
  '/api/admin/orders?player=juan',
  '/api/admin/orders?item=3',
  '/api/admin/orders?item=3&stage=failed',
  // A day of the large world fills a page; in the small one that takes years.
  [`/api/admin/orders?from=2020-01-01&until=${monthAgo}`, `/api/admin/orders?from=${monthAgo}&until=${monthAgo}`],
  `/api/admin/orders?${behind(`${monthAgo} 00:00:00+00`, 999999999, 1)}`,
  '/api/admin/tickets',
  '/api/admin/tickets?state=open',
  '/api/admin/tickets?sort=-ticket',
  '/api/admin/tickets?q=lag',
  '/api/admin/mails',
  '/api/admin/mails?state=given-up',
  '/api/admin/mails?q=juan',
  '/api/admin/letters',
  '/api/admin/vouchers',
  '/api/admin/redemptions',
  '/api/admin/streamers',
  '/api/admin/audit',
  '/api/admin/audit?actor=gm',
  '/api/admin/approvals',
  '/api/admin/items',
  '/api/admin/items?q=potion',
  '/api/admin/news',
  '/api/admin/news?q=club',
  '/api/admin/rankings/characters',
  '/api/admin/rankings/characters?q=ma',
  '/api/admin/rankings/months',
]

/** Gives a demo world more players and what they leave behind. No trigger runs: rows are as they would have left them. */
async function growDesk(db: Db, { players, purchases, characters }: typeof LARGE): Promise<void> {
  await growWorld(db, { items: 2000, news: 2000, characters })
  await sql`set session_replication_role = replica`.execute(db)
  await sql`
    with names as (
      select array['Juan', 'Maria', 'Jose', 'Ana', 'Paolo', 'Grace'] as firsts, array['Santos', 'Reyes', 'Cruz', 'Bautista', 'Dela Peña'] as lasts)
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, created_at)
    select 'grown_' || n, 'grown' || n || '@example.com', firsts[1 + n % 6], lasts[1 + n % 5], '!', 1, '!',
      now() - n * interval '90 seconds'
    from names, generate_series(1, ${players}::int) n`.execute(db)
  await sql`
    insert into known_places (user_num, place, seen_at)
    select user_num, 'address 198.51.' || user_num / 256 % 256 || '.' || user_num % 256, now()
    from accounts where user_id like 'grown%'`.execute(db)
  await sql`
    insert into account_events (user_num, kind, address, created_at)
    select user_num, 'login', '198.51.100.7', now() - user_num * interval '5 seconds'
    from accounts where user_id like 'grown%'`.execute(db)
  await sql`
    with shoppers as (select min(user_num) as first from accounts where user_id like 'grown%'),
      goods as (select array_agg(product_num order by product_num) as nums, count(*)::int as size from shop_items)
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select first + n % ${players}::int, 1 + n / ${players}::int, nums[1 + n * 7 % size], 'Bagay', 1 + n % 2, 10, 1,
      now() - n * interval '5 seconds'
    from shoppers, goods, generate_series(1, ${purchases}::int) n`.execute(db)
  await sql`
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at, state, handed_at, delivered_at, claimed_at, failed_at)
    select user_num, ordinal, product_num, 1, created_at, case when is_late then 'queued' else 'claimed' end, created_at,
      case when not is_late then created_at end, case when not is_late then created_at end,
      case when is_late and number % 2 = 0 then created_at end
    from (
      select *, number <= 120 or number % 100000 < 2 as is_late
      from (select *, row_number() over (order by created_at desc) as number from purchases) numbered
      where user_num >= (select min(user_num) from accounts where user_id like 'grown%')) bought
    order by created_at`.execute(db)
  await sql`
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
    select user_num, case section when 2 then 'r_coin' else 'milleage' end, -10, 0, 'purchase', ordinal::text, created_at
    from purchases where user_num >= (select min(user_num) from accounts where user_id like 'grown%')
    order by created_at`.execute(db)
  await sql`
    insert into tickets (number, user_num, category, subject, state, closed_at, created_at, updated_at)
    select 'T-' || substr(letters, 1, 4) || '-' || substr(letters, 5, 4), user_num, 'bug', 'Lag in the canteen',
      case when number <= 80 then 'open' else 'closed' end, case when number > 80 then now() end,
      now() - user_num * interval '1 minute', now() - user_num * interval '1 minute'
    from (
      select user_num, row_number() over (order by user_num) as number, translate(lpad(to_hex(user_num), 8, '0'), '0123456789abcdef', 'ABCDEFGHJKLMNPQR') as letters
      from accounts where user_id like 'grown%' and user_num % 10 = 0) grown`.execute(db)
  await sql`
    insert into mail_outbox (to_address, subject, body_text, body_html, created_at, next_attempt_at, sent_at)
    select user_email, 'Receipt', '', '', created_at, created_at, created_at from accounts where user_id like 'grown%'`.execute(
    db,
  )
  await sql`
    insert into vouchers (code_hash, campaign, redeemed_by, redeemed_at)
    select encode(sha256(user_id::bytea), 'hex'), (select min(id) from voucher_campaigns), user_num, created_at
    from accounts where user_id like 'grown%'`.execute(db)
  await sql`
    insert into topups (user_num, ordinal, code, r_coin, milleage, created_at)
    select user_num, 1, 'GROWN-' || user_num, 1000, 0, created_at from accounts where user_id like 'grown%'`.execute(db)
  await sql`
    insert into letters (kind, to_num, subject, body, sent_at, expires_at)
    select 'refund', user_num, 'Refunded', 'We returned your R-Coin.', created_at, now() + interval '1 year'
    from accounts where user_id like 'grown%'`.execute(db)
  await sql`
    with sent as (
      insert into letters (kind, subject, body, sent_by, sent_at, expires_at)
      select 'staff', 'Welcome', 'Good to have you.', user_num, now(), now() + interval '1 year' from accounts where user_id = 'gm'
      returning letter)
    insert into letter_states (user_num, letter, read_at)
    select user_num, letter, now() from sent, accounts where user_id like 'grown%'`.execute(db)
  await sql`
    insert into audit_log (at, actor_kind, actor_name, action, target_kind, target_id, player, changes)
    select created_at, 'command', 'vouchers', 'createCampaign', 'campaign', '1', user_num, '[]'
    from accounts where user_id like 'grown%'`.execute(db)
  await sql`set session_replication_role = origin`.execute(db)
}

await ensureBuilt(console.log)
await compareWorlds(ASKED, {
  small: { name: 'desk_small', grow: (db) => growDesk(db, SMALL) },
  large: { name: 'desk_large', grow: (db) => growDesk(db, LARGE) },
  as: ['gm', 'gm-demo-1'],
})
process.exit(0)
