/**
 * The bridge while everything around it is killed: units are delivered into a real game database, and some are refunded,
 * while the agent, the site and the game database are killed with SIGKILL at random moments. Prints units that are lost,
 * doubled, or refunded and delivered (all must be 0). Before that, with no fault: units a second as a ratio to the same two
 * rows inserted and committed one unit at a time with the same driver, and how long a purchase takes to its row.
 *
 * `node bench/bridge.ts [--game mariadb|postgres] [--units 20000] [--kills 50]`; site and database are killed a fifth as often.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { connectGame } from '#bridge/game/connect.ts'
import { ROOT, startSite } from '#scripts/start-site.ts'
import { freePort, startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { runStaffCommand } from '#server/commands-staff.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { startGame } from '#test/games.ts'

const { values: options } = parseArgs({
  options: {
    game: { type: 'string', default: 'mariadb' },
    units: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '50' },
  },
})
const UNITS = Number(options.units)
const KILLS = Number(options.kills)
const PLAIN_UNITS = Math.min(2000, UNITS)
const ORDER = 50
const PRICE = 10
const PRODUCT = 1

const folder = await mkdtemp(join(tmpdir(), 'tambayan-bench-'))
const postgres = await startThrowawayPostgres()
const game = await startGame(options.game === 'postgres' ? 'postgres' : 'mariadb')
const PORT = String(await freePort())
const env = { DATABASE_URL: postgres.url, PORT, DEMO: '0' }
let site = await startSite({ env })
const database = await openPostgres(postgres.url)
const { db } = database
await game.addProduct(PRODUCT)
await sql`insert into shop_categories (category_name, position) values ('Bench', 1)`.execute(db)
await sql`insert into shop_items (product_num, category_id, item_name, price, section, position, visible)
  select ${PRODUCT}, id, 'Bench', ${PRICE}, 2, 1, true from shop_categories`.execute(db)

/** Accounts that have bought: one order of fifty units each, paid and booked as the site does it. */
async function buy(tx: Db, units: number): Promise<void> {
  await sql`
    with buyers as (
      insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
      select 'b_' || substr(md5(random()::text || n), 1, 16), md5(random()::text || n) || '@example.ph', 'B', 'B', '!', 1, '!'
      from generate_series(1, ${Math.ceil(units / ORDER)}::int) n returning user_num)
    insert into game_links (user_num, game_user_num, proof, linked_at)
    select user_num, 1000000 + user_num, 'created', now() from buyers`.execute(tx)
  const { rows } = await sql<{ user_num: number; game: number }>`
    select g.user_num, g.game_user_num as game from game_links g
    where not exists (select from purchases p where p.user_num = g.user_num) order by 1`.execute(tx)
  for (const { user_num, game: number } of rows) {
    await game.run(
      'user',
      `insert into UserInfo (UserNum, UserID, UserName, UserPass) values (${number}, 'u${number}', 'n${number}', 'x')`,
    )
    const paid = ORDER * PRICE
    await sql`update accounts set purchase_count = 1 where user_num = ${user_num}`.execute(tx)
    await sql`insert into ledger (user_num, currency, delta, balance_after, reason, reference) values
      (${user_num}, 'r_coin', ${paid}, ${paid}, 'opening balance', ''),
      (${user_num}, 'r_coin', ${-paid}, 0, 'purchase', 'purchases 1-1')`.execute(tx)
    await sql`insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
      values (${user_num}, 1, ${PRODUCT}, 'Bench', 2, ${PRICE}, ${ORDER}, now())`.execute(tx)
    await sql`insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
      select ${user_num}, 1, ${PRODUCT}, n, now() from generate_series(1, ${ORDER}::int) n`.execute(tx)
  }
}

const config = join(folder, 'bridge.json')
await writeFile(
  config,
  JSON.stringify({
    site: site.origin,
    key: 'bridge.key',
    game: { preset: game.preset, ...game.urls },
    passwordForm: 'plain',
  }),
)
const bridge = (...args: string[]) =>
  spawn(process.execPath, [join(ROOT, 'bridge/main.ts'), ...args, '--config', config], { stdio: 'ignore' })
const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))
const { lines } = await runStaffCommand({ db, now: new Date(), site: { appName: '', publicUrl: '' } }, ['bridge-code'])
await ended(bridge('pair', site.origin, lines.at(-1) ?? ''))

const openUnits = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from deliveries
    where (state = 'queued' or refund_requested_at is not null) and state <> 'refunded'`.execute(db)
  return rows[0]?.count ?? 0
}
async function untilDone(): Promise<void> {
  for (let left = await openUnits(); left > 0; left = await openUnits()) await sleep(100)
}

// With no fault: the rate, and how long a purchase takes.
const plain = await connectGame(game.kind, game.urls.shop)
await plain.run('create table bench_unit (unit bigint primary key, purkey bigint)')
const plainBegan = performance.now()
for (let unit = 1; unit <= PLAIN_UNITS; unit++)
  await plain.transaction(async () => {
    await plain.run('insert into bench_unit (unit) values (:unit)', { unit })
    await plain.run(
      `insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag) values ('plain', :product, :price, 0)`,
      { product: PRODUCT, price: PRICE },
    )
  })
const plainRate = PLAIN_UNITS / (performance.now() - plainBegan)
await plain.run(`delete from ShopPurchase where UserUID = 'plain'`)

let agent = bridge()
// The first order waits for the agent to start.
await db.transaction().execute((tx) => buy(tx, 1))
await untilDone()
await db.transaction().execute((tx) => buy(tx, PLAIN_UNITS))
const began = performance.now()
await untilDone()
const rate = PLAIN_UNITS / (performance.now() - began)
console.log(`delivery rate: ${(rate / plainRate).toFixed(2)} of plain inserts (at least 0.50)`)
const waits: number[] = []
for (let nth = 0; nth < 100; nth++) {
  await db.transaction().execute((tx) => buy(tx, 1))
  const bought = performance.now()
  await untilDone()
  waits.push(performance.now() - bought)
}
waits.sort((a, b) => a - b)
console.log(
  `an order of ${ORDER} units to its last row: p50 ${Math.round(waits[50] ?? 0)} ms, p99 ${Math.round(waits[98] ?? 0)} ms (at most 2000)`,
)

// Everything is killed.
await sql`update deliveries set refund_requested_at = now() where state = 'delivered' and delivery % 7 = 0`.execute(db)
await db.transaction().execute((tx) => buy(tx, UNITS))
for (let kill = 1; kill <= KILLS; kill++) {
  await sleep(randomInt(200, 1500))
  await sql`update deliveries set refund_requested_at = now()
    where handed_at is not null and state in ('queued', 'delivered') and delivery % ${sql.lit(KILLS)} = ${kill - 1}
      and delivery % 3 = 0 and refund_requested_at is null`.execute(db)
  const gone = ended(agent)
  agent.kill('SIGKILL')
  await gone
  agent = bridge()
  if (kill % 5 === 0) {
    const siteGone = ended(site.process)
    site.process.kill('SIGKILL')
    await siteGone
    site = await startSite({ env })
  }
  if (kill % 5 === 2) {
    await sleep(randomInt(100, 800))
    if ('kill' in game.server) await game.server.kill()
    else game.server.signal('SIGQUIT')
    await game.server.start()
  }
}
await untilDone()
agent.kill('SIGTERM')
await ended(agent)

const shop = await connectGame(game.kind, game.urls.shop)
const inGame = await shop.query(`select d.unit, d.state, count(p.PurKey) as found from tambayan_delivery d
  left join ShopPurchase p on p.PurKey = d.purkey group by d.unit, d.state`)
const [all] = await shop.query('select count(*) as found from ShopPurchase')
const { rows } = await sql<{ unit: number; state: string }>`
  select delivery as unit, state from deliveries where handed_by is not null and state in ('delivered', 'refunded')`.execute(
  db,
)
const states = new Map(rows.map(({ unit, state }) => [unit, state]))
const rowOf = new Map(inGame.map((row) => [Number(row.unit), Number(row.found)]))
const count = (test: (unit: number, state: string) => boolean) =>
  [...states].filter(([unit, state]) => test(unit, state)).length
const delivered = count((_, state) => state === 'delivered')
console.log(
  `${states.size} units, ${count((_, state) => state === 'refunded')} of them refunded, ${KILLS} kills of the agent`,
)
console.log(`lost: ${count((unit, state) => state === 'delivered' && rowOf.get(unit) !== 1)} (must be 0)`)
console.log(`doubled: ${Number(all?.found) - delivered} (must be 0)`)
console.log(
  `refunded and delivered: ${count((unit, state) => state === 'refunded' && (rowOf.get(unit) ?? 0) > 0)} (must be 0)`,
)
const fault = await findLedgerFault(db)
console.log(`ledger: ${fault === null ? 'agrees' : JSON.stringify(fault)}`)

await Promise.allSettled([shop.close(), plain.close()])
await database.close()
await site.stop()
await game.server.stop()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
process.exit(0)
