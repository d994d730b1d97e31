import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '#bridge/config.ts'
import { connectGame } from '#bridge/game/connect.ts'
import type { GameConnection } from '#bridge/game/driver.ts'
import type { GameDatabase } from '#bridge/game/names.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { ROOT } from '#scripts/root.ts'
import { startSite } from '#scripts/start-site.ts'
import { findFreePort, startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { runStaffCommand } from '#server/commands-staff.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import { startGame } from '#test/games.ts'

/** The amounts from the command line. */
export type Amounts = { units: number; kills: number; restores: number; characters: number; accounts: number }

export const PRICE = 10
export const PRODUCT = 1
const UNITS_PER_ORDER = 50
/** The default durability of database servers. Throwaway servers of tests do not wait for the disk. */
export const DURABLE_SETTINGS = { mariadb: ['--innodb-flush-log-at-trx-commit=1'], postgres: ['fsync=on'] }

/** A service that counts in the game how many times it was done. */
const RISE = {
  read: 'select ChaReborn as reborn from ChaInfo where ChaNum = :chanum',
  write: 'update ChaInfo set ChaReborn = ChaReborn + 1 where ChaNum = :chanum',
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

/** Waits until a process has ended. */
export const waitForExit = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

/** Starts a site and a game and pairs them. The agent does not run yet. */
export async function startWorld(kind: GameKind) {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-bench-'))
  const postgres = await startThrowawayPostgres()
  const game = await startGame(kind, DURABLE_SETTINGS[kind])
  const env = { DATABASE_URL: postgres.url, PORT: String(await findFreePort()), DEMO: '0' }
  let site = await startSite({ env })
  const database = await openPostgres(postgres.url)
  const { jobsDb: db } = database
  const path = join(folder, 'bridge.json')
  const { user, game: gameUrl, shop } = game.urls
  const config = { site: site.origin, key: 'bridge.key', passwordForm: 'md5-upper', services: { own: { rise: RISE } } }
  await writeFile(path, JSON.stringify({ ...config, game: { preset: game.preset, user, game: gameUrl, shop } }))
  const bridge = (...args: string[]) =>
    spawn(process.execPath, [join(ROOT, 'bridge/main.ts'), ...args, '--config', path], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const context = { db, now: new Date(), site: { appName: '', publicUrl: '' } }
  const { lines } = await runStaffCommand(context, ['bridge-code'])
  await waitForExit(bridge('pair', site.origin, lines.at(-1) ?? ''))
  await game.addProduct(PRODUCT)
  await sql`insert into shop_categories (category_name, position) values ('Bench', 1)`.execute(db)
  await sql`insert into shop_items (product_num, category_id, item_name, price, section, position, visible)
    select ${PRODUCT}, id, 'Bench', ${PRICE}, 2, 1, true from shop_categories`.execute(db)

  return {
    kind,
    game,
    db,
    bridge,
    config: await readConfig(path, {}),
    sitePid: () => site.process.pid,
    killSite: async () => {
      const processExit = waitForExit(site.process)
      site.process.kill('SIGKILL')
      await processExit
      site = await startSite({ env })
    },
    killGame: async () => {
      await game.server.kill()
      await sleep(randomInt(100, 800))
      await game.server.start()
      await game.reconnect()
    },
    stop: async () => {
      await database.close()
      await site.stop()
      await game.server.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>

/** Starts the agent as a process. `stop` ends it normally; `kill` kills it and starts it again. */
export function startAgent({ bridge }: World) {
  let agent = bridge()
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const processExit = waitForExit(agent)
    agent.kill(signal)
    await processExit
  }
  return {
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
      agent = bridge()
    },
  }
}
export type Agent = ReturnType<typeof startAgent>

/** Waits until a condition holds. @throws after ten minutes */
export async function waitFor(condition: string, isMet: () => Promise<boolean>): Promise<void> {
  const waitEnd = performance.now() + 600_000
  while (!(await isMet())) {
    if (performance.now() > waitEnd) throw new Error(`Waited too long until ${condition}.`)
    await sleep(50)
  }
}

/** Repeats players' work on a database of the game whenever it is available. @returns a function that stops the work */
export function repeatWork(
  { kind, game }: World,
  database: GameDatabase,
  work: (connection: GameConnection) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController()
  const loop = (async () => {
    let connection: GameConnection | undefined
    while (!stopping.signal.aborted) {
      try {
        connection ??= await connectGame(kind, game.urls[database])
        await work(connection)
      } catch {
        await connection?.close().catch(() => {})
        connection = undefined
      }
      await sleep(randomInt(20, 300))
    }
    await connection?.close()
  })()
  return () => {
    stopping.abort()
    return loop
  }
}

/** Returns the number of a player's account in the game. */
export const toGameNumber = (user: number) => 1_000_000 + user

/** Creates accounts in the game for players of the site. */
export async function createGameAccounts({ game }: World, users: readonly number[], balance = 0): Promise<void> {
  const values = users.map((num) => `(${toGameNumber(num)}, 'u${num}', 'n${num}', 'x', ${balance})`)
  if (values.length > 0)
    await game.run(
      'user',
      `insert into UserInfo (UserNum, UserID, UserName, UserPass, UserPoint) values ${values.join(', ')}`,
    )
}

/** Creates players with linked accounts on the site and in the game. @returns their numbers on the site */
export async function createPlayers(world: World, count: number, balance = 0): Promise<number[]> {
  const { db } = world
  const { rows } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
    select 'b_' || substr(md5(random()::text || n), 1, 16), md5(random()::text || n) || '@example.ph', 'B', 'B', '!', 1, '!'
    from generate_series(1, ${count}::int) n returning user_num`.execute(db)
  const users = rows.map(({ user_num }) => Number(user_num))
  await createGameAccounts(world, users, balance)
  await sql`insert into game_links (user_num, game_user_num, proof, linked_at)
    select n, n + ${toGameNumber(0)}::int, 'created', now() from unnest(${users}::bigint[]) n`.execute(db)
  return users
}

/** Stores a first purchase for each player, with ledger entries as the site writes them. */
export async function storePurchases(
  tx: Db,
  users: readonly number[],
  { product, name, quantity }: { product: number; name: string; quantity: number },
): Promise<void> {
  const total = quantity * PRICE
  await sql`update accounts set purchase_count = 1 where user_num = any(${users}::bigint[])`.execute(tx)
  await sql`insert into ledger (user_num, currency, delta, balance_after, reason, reference)
    select n, 'r_coin', sign * ${total}::int, case when sign = 1 then ${total}::int else 0 end,
      case when sign = 1 then 'opening balance' else 'purchase' end, case when sign = 1 then '' else 'purchases 1-1' end
    from unnest(${users}::bigint[]) n cross join (values (1, 1), (2, -1)) as s (nth, sign) order by n, nth`.execute(tx)
  await sql`insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select n, 1, ${product}, ${name}, 2, ${PRICE}, ${quantity}, now() from unnest(${users}::bigint[]) n`.execute(tx)
}

/** Creates players who buy units of an item, with one order each. */
export async function buy(world: World, units: number, unitsPerOrder = UNITS_PER_ORDER): Promise<void> {
  const users = await createPlayers(world, Math.ceil(units / unitsPerOrder))
  await world.db.transaction().execute(async (tx) => {
    await storePurchases(tx, users, { product: PRODUCT, name: 'Bench', quantity: unitsPerOrder })
    await sql`insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
      select n, 1, ${PRODUCT}, u, now() from unnest(${users}::bigint[]) n cross join generate_series(1, ${unitsPerOrder}::int) u`.execute(
      tx,
    )
  })
}

/** Counts the units that wait for the bridge. @throws if the site considers the game restored */
export async function countOpenUnits({ db }: World): Promise<number> {
  const { rows } = await sql<{ count: number; restored: boolean }>`
    select count(*)::int as count, exists (select from game_copy where restored_at is not null) as restored from deliveries
    where (state = 'queued' or refund_requested_at is not null) and state <> 'refunded'`.execute(db)
  if (rows[0]?.restored === true) throw new Error('The bridge took a killed database for a restored one.')
  return rows[0]?.count ?? 0
}

export const waitForDelivery = (world: World) =>
  waitFor('every unit is delivered', async () => (await countOpenUnits(world)) === 0)
