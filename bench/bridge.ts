/**
 * The bridge between a site on PostgreSQL and a real game database with its usual durability, each part alone or all of them:
 *
 * - `rate`: units delivered a second, as a ratio to the same two rows inserted and committed one unit at a time with the bare driver
 * - `latency`: how long a purchase takes to its row in the game
 * - `sync`: the first telling of all characters and clubs, and one without changes as a ratio to a plain read with the same driver;
 *   how long a write of the game takes meanwhile, as a ratio to the same beside plain reads
 * - `import`: moving accounts in, with the memory of agent and site
 * - `faults`: units are delivered, refunded and taken by players while the agent, the site and the game database are killed with
 *   SIGKILL; prints units that are lost, doubled, or refunded and delivered (all must be 0). The agent dies `--kills` times, site
 *   and database a fifth as often each. Then each database and each table is restored alone, at random moments of such work,
 *   `--restores` times each, in turn with the game's characters and without them; prints what was lost or doubled and is not named on
 *   the desk (all must be 0). If there are kills, the agent is killed after each restore too
 * - `services`: the same with services for characters, which are done and refunded while players come and go
 *
 * `node bench/bridge.ts [part …] [--game mariadb|postgres] [--units 20000] [--kills 50] [--restores 2] [--characters 100000]
 * [--accounts 50000]`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { measureColumns, type Reported, readGame, reportCharacters } from '#bridge/characters.ts'
import { reportClubs } from '#bridge/clubs.ts'
import { type BridgeConfig, readConfig } from '#bridge/config.ts'
import { connectGame } from '#bridge/game/connect.ts'
import { type GameConnection, numberOf } from '#bridge/game/driver.ts'
import { readCatalogue, resolveTable } from '#bridge/game/names.ts'
import { readKeys } from '#bridge/keys.ts'
import { createSiteCall } from '#bridge/site.ts'
import { startBridge } from '#contract/bridge.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { ROOT } from '#scripts/root.ts'
import { startSite } from '#scripts/start-site.ts'
import { freePort, startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { runStaffCommand } from '#server/commands-staff.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import { lockRestored, settleRestores } from '#server/features/bridge/restore.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { startGame } from '#test/games.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    game: { type: 'string' },
    units: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '50' },
    restores: { type: 'string', default: '2' },
    characters: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '50000' },
  },
})
const [UNITS, KILLS, RESTORES] = [Number(options.units), Number(options.kills), Number(options.restores)]
const [CHARACTERS, ACCOUNTS] = [Number(options.characters), Number(options.accounts)]
const CLUBS = 2000
/** Services in the part `services`. */
const SERVICES = 500
/** Units of an order in the parts `rate` and `faults`. */
const ORDER = 50
const PRICE = 10
const PRODUCT = 1
/** What servers have by default; the throwaway ones of tests do not wait for the disk. */
const DURABLE = { mariadb: ['--innodb-flush-log-at-trx-commit=1'], postgres: ['fsync=on'] }

const percentile = (sorted: readonly number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

/** Most memory that a process has had, in MB. */
const peakOf = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** A service that shows how often it was done. */
const RISE = {
  read: 'select ChaReborn as reborn from ChaInfo where ChaNum = :chanum',
  write: 'update ChaInfo set ChaReborn = ChaReborn + 1 where ChaNum = :chanum',
}

/** A site and a game, paired; the agent is not running yet. */
async function startWorld(kind: GameKind) {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-bench-'))
  const postgres = await startThrowawayPostgres()
  const game = await startGame(kind, DURABLE[kind])
  const env = { DATABASE_URL: postgres.url, PORT: String(await freePort()), DEMO: '0' }
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
  const place = { db, now: new Date(), site: { appName: '', publicUrl: '' } }
  const { lines } = await runStaffCommand(place, ['bridge-code'])
  await ended(bridge('pair', site.origin, lines.at(-1) ?? ''))
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
      const gone = ended(site.process)
      site.process.kill('SIGKILL')
      await gone
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
type World = Awaited<ReturnType<typeof startWorld>>

/** The agent as a process: stopped as an operator does it, or killed and started again. */
function startAgent({ bridge }: World) {
  let agent = bridge()
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const gone = ended(agent)
    agent.kill(signal)
    await gone
  }
  return {
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
      agent = bridge()
    },
  }
}
type Agent = ReturnType<typeof startAgent>

/**
 * Kills the agent `--kills` times, and a fifth as often each the site and the game's database: spread over the whole of the work,
 * each at a random moment of its part.
 *
 * @param countLeft how much of the work is left
 * @param refund asks for refunds before each kill
 */
async function killInTurn(
  world: World,
  agent: Agent,
  countLeft: () => Promise<number>,
  refund: (kill: number) => Promise<unknown>,
): Promise<void> {
  const all = await countLeft()
  for (let kill = 1; kill <= KILLS; kill++) {
    const most = all * (1 - (kill - Math.random()) / (KILLS + 1))
    while ((await countLeft()) > most) await sleep(50)
    await sleep(randomInt(0, 200))
    await refund(kill)
    await agent.kill()
    if (kill % 5 === 0) await world.killSite()
    if (kill % 5 === 2) await world.killGame()
  }
}
const KILLED = `${KILLS} kills of the agent, ${Math.floor(KILLS / 5)} of the site, ${Math.floor((KILLS + 3) / 5)} of the game database`

async function printLedger(db: Db): Promise<void> {
  const fault = await findLedgerFault(db)
  console.log(`  ledger: ${fault === null ? 'agrees' : JSON.stringify(fault)}`)
}

/** Players of both sides who have bought: one order each, paid and booked as the site does it. */
async function buy({ db, game }: World, units: number, order = ORDER): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows: buyers } = await sql<{ user_num: number }>`
      insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, purchase_count)
      select 'b_' || substr(md5(random()::text || n), 1, 16), md5(random()::text || n) || '@example.ph', 'B', 'B', '!', 1, '!', 1
      from generate_series(1, ${Math.ceil(units / order)}::int) n returning user_num`.execute(tx)
    const users = buyers.map(({ user_num }) => user_num)
    const values = users.map((num) => `(${1_000_000 + num}, 'u${num}', 'n${num}', 'x')`)
    await game.run('user', `insert into UserInfo (UserNum, UserID, UserName, UserPass) values ${values.join(', ')}`)
    await sql`insert into game_links (user_num, game_user_num, proof, linked_at)
      select n, 1000000 + n, 'created', now() from unnest(${users}::bigint[]) n`.execute(tx)
    await sql`insert into ledger (user_num, currency, delta, balance_after, reason, reference)
      select n, 'r_coin', sign * ${order * PRICE}::int, case when sign = 1 then ${order * PRICE}::int else 0 end,
        case when sign = 1 then 'opening balance' else 'purchase' end, case when sign = 1 then '' else 'purchases 1-1' end
      from unnest(${users}::bigint[]) n cross join (values (1, 1), (2, -1)) as s (nth, sign) order by n, nth`.execute(
      tx,
    )
    await sql`insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
      select n, 1, ${PRODUCT}, 'Bench', 2, ${PRICE}, ${order}, now() from unnest(${users}::bigint[]) n`.execute(tx)
    await sql`insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
      select n, 1, ${PRODUCT}, u, now() from unnest(${users}::bigint[]) n cross join generate_series(1, ${order}::int) u`.execute(
      tx,
    )
  })
}

/** Units that wait for the bridge. @throws when it stopped and waits for a person */
async function countOpen(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number; restored: boolean }>`
    select count(*)::int as count, exists (select from game_copy where restored_at is not null) as restored from deliveries
    where (state = 'queued' or refund_requested_at is not null) and state <> 'refunded'`.execute(db)
  if (rows[0]?.restored === true) throw new Error('The bridge took a killed database for a restored one.')
  return rows[0]?.count ?? 0
}

async function untilOpen({ db }: World, most: number): Promise<void> {
  while ((await countOpen(db)) > most) await sleep(50)
}

/** The same two rows, inserted and committed one unit at a time with the bare driver. */
async function openPlain({ kind, game }: World) {
  const url = game.urls.shop
  const client = new pg.Client(url)
  const mysql = kind === 'mariadb' ? await createConnection({ uri: url.replace('mariadb:', 'mysql:') }) : undefined
  if (mysql === undefined) await client.connect()
  const ask = (text: string, values: (string | number)[] = []): Promise<unknown> => {
    if (mysql !== undefined) return mysql.query(text, values)
    let nth = 0
    return client.query(
      text.replace(/\?/g, () => `$${++nth}`),
      values,
    )
  }
  await ask('create table bench_unit (unit bigint primary key, purkey bigint)')
  let unit = 0
  return {
    write: async (units: number) => {
      for (let nth = 0; nth < units; nth++) {
        await ask('begin')
        await ask('insert into bench_unit (unit) values (?)', [++unit])
        const row = ['plain', PRODUCT, PRICE]
        await ask('insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag) values (?, ?, ?, 0)', row)
        await ask('commit')
      }
    },
    close: async () => {
      await ask(`delete from ShopPurchase where UserUID = 'plain'`)
      await (mysql ?? client).end()
    },
  }
}

async function rate(world: World): Promise<void> {
  const [rounds, units] = [5, 2000]
  const plain = await openPlain(world)
  const agent = startAgent(world)
  // The first order waits for the agent to start.
  await buy(world, 1)
  await untilOpen(world, 0)
  await plain.write(500)
  const timed = async (work: () => Promise<void>) => {
    const began = performance.now()
    await work()
    return units / ((performance.now() - began) / 1000)
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await timed(() => plain.write(units))
    await buy(world, units)
    const delivered = await timed(() => untilOpen(world, 0))
    const after = await timed(() => plain.write(units))
    ratios.push((2 * delivered) / (before + after))
  }
  ratios.sort((a, b) => a - b)
  const all = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
  console.log(`delivery rate: ${percentile(ratios, 0.5).toFixed(2)} of plain inserts (at least 0.50; rounds: ${all})`)
  await agent.stop()
  await plain.close()
}

async function latency(world: World): Promise<void> {
  const agent = startAgent(world)
  const shop = world.game.connection('shop')
  await buy(world, 1)
  await untilOpen(world, 0)
  const waits: number[] = []
  for (let nth = 0; nth < 300; nth++) {
    await sleep(randomInt(0, 400))
    const [row] = await shop.query('select count(*) as found from ShopPurchase')
    const before = Number(row?.found)
    await buy(world, 1, 1)
    const bought = performance.now()
    for (;;) {
      const [now] = await shop.query('select count(*) as found from ShopPurchase')
      if (Number(now?.found) > before) break
      await sleep(4)
    }
    waits.push(performance.now() - bought)
  }
  waits.sort((a, b) => a - b)
  const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)].map(Math.round)
  console.log(`purchase to row: p50 ${p50} ms, p99 ${p99} ms (at most 2000)`)
  await agent.stop()
}

/** The same columns of the same rows, with one statement. */
async function readPlain(config: BridgeConfig): Promise<number> {
  const game = await connectGame(config.dialect, config.urls.game)
  const of = { dialect: config.dialect, catalogue: await readCatalogue(game), names: config.names }
  const found = resolveTable('ChaInfo', of)
  const { ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline } = found.columns
  const own = [ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline]
  const columns = [...own, ...Object.values(measureColumns(found))].filter((column) => column !== null)
  const began = performance.now()
  const rows = await game.rows(`select ${columns.join(', ')} from ${found.table}`)
  const took = performance.now() - began
  if (rows.length !== CHARACTERS) throw new Error(`There are ${rows.length} characters.`)
  await game.close()
  return took
}

async function sync({ game, config, kind }: World): Promise<void> {
  const at = 5000
  const inven = kind === 'mariadb' ? `repeat('x', 500)` : `decode(repeat('78', 500), 'hex')`
  for (let from = 1; from <= CHARACTERS; from += at) {
    const row = (_: unknown, nth: number) => {
      const n = from + nth
      return `(${n}, ${Math.ceil(n / 3)}, 'Kawal${n}', ${2 ** (n % 8)}, ${n % 3}, ${1 + (n % 250)}, ${n * 7}, ${n % 400},
        ${n % 90}, ${n % 3000}, ${n % 70}, '2026-11-01 12:30:00', ${inven})`
    }
    const values = Array.from({ length: Math.min(at, CHARACTERS - from + 1) }, row)
    await game.run(
      'game',
      `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaMoney, ChaPKScore, ChaPKDeath, ChaMMR,
        ChaResuScore, ChaLevelUpDate, ChaInven) values ${values.join(', ')}`,
    )
  }
  const clubs = Array.from({ length: CLUBS }, (_, n) => `(${n + 1}, ${n + 1}, 'Samahan${n}', ${n % 50}, ${n % 30})`)
  await game.run(
    'game',
    `insert into GuildInfo (GuNum, ChaNum, GuName, GuBattleWin, GuBattleLose) values ${clubs.join(', ')}`,
  )
  const keys = await readKeys(config.keyFile)
  let wire = 0
  const callSite = createSiteCall({
    site: config.site,
    bridge: keys.bridge,
    signKey: keys.sign,
    instance: randomUUID(),
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      const { headers = {}, body = '' } = init ?? {}
      wire += JSON.stringify(headers).length + String(body).length + Number(answer.headers.get('content-length') ?? 0)
      return answer
    },
  })
  await callSite(startBridge, {
    epoch: randomUUID(),
    counter: 0,
    version: 'bench',
    system: 'bench',
    preset: game.preset,
    password_form: config.passwordForm,
  })
  const never = new AbortController().signal
  const reported: Reported = new Map()
  const tell = async () => {
    const began = performance.now()
    wire = 0
    const reading = await readGame(config, never)
    const { changed } = await reportCharacters(callSite, reading, reported, never)
    await reportClubs(callSite, reading.clubs, { problem: '', online: 0, areas: null }, never)
    return { changed, took: performance.now() - began, bytes: wire }
  }
  const first = await tell()
  if (first.changed !== CHARACTERS) throw new Error(`${first.changed} characters were told.`)
  console.log(
    `first sync of ${CHARACTERS} characters and ${CLUBS} clubs: ${(first.took / 1000).toFixed(1)} s (at most 10)`,
  )
  const ratios: number[] = []
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < 9; round++) {
    const before = await readPlain(config)
    const again = await tell()
    ratios.push((2 * again.took) / (before + (await readPlain(config))))
    times.push(again.took)
    bytes = Math.max(bytes, again.bytes)
  }
  ratios.sort((a, b) => a - b)
  times.sort((a, b) => a - b)
  const beside = async (read: () => Promise<unknown>) => Math.max(0.01, await writeBeside(config, read))
  const plain = await beside(() => readPlain(config))
  const ours = await beside(() => readGame(config, new AbortController().signal))
  const idle = await beside(() => sleep(1000))
  console.log(
    `a write of the game, p99: ${ours.toFixed(1)} ms beside the bridge’s reading, ${(ours / plain).toFixed(2)} × that beside plain reads (at most 1.5), ${idle.toFixed(1)} ms alone`,
  )
  console.log(
    `unchanged sync: ${percentile(ratios, 0.5).toFixed(2)} × a plain read (at most 2), ${Math.round(percentile(times, 0.5))} ms of each minute, ${Math.ceil(bytes / 1000)} kB (at most 200)`,
  )
}

/** How long a write of the game takes at most in 99 of 100 cases, in ms, while `read` is done again and again. */
async function writeBeside(config: BridgeConfig, read: () => Promise<unknown>): Promise<number> {
  const game = await connectGame(config.dialect, config.urls.game)
  const waits: number[] = []
  let isReading = true
  const reading = (async () => {
    for (let round = 0; round < 5; round++) await read()
    isReading = false
  })()
  while (isReading) {
    const began = performance.now()
    await game.run('update ChaInfo set ChaMoney = ChaMoney + 1 where ChaNum = :num', { num: randomInt(1, CHARACTERS) })
    waits.push(performance.now() - began)
    await sleep(2)
  }
  await reading
  await game.close()
  return percentile(
    waits.toSorted((a, b) => a - b),
    0.99,
  )
}

async function importRows({ game, db, bridge, sitePid }: World): Promise<void> {
  const at = 5000
  for (let from = 1; from <= ACCOUNTS; from += at) {
    const row = (_: unknown, nth: number) => `('luma${from + nth}', 'luma${from + nth}', upper(md5('${from + nth}')))`
    const values = Array.from({ length: Math.min(at, ACCOUNTS - from + 1) }, row).join(', ')
    await game.run('user', `insert into UserInfo (UserID, UserName, UserPass) values ${values}`)
  }
  const { rows } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
    values ('bench_owner', 'owner@example.ph', 'O', 'O', '!', 1, '!') returning user_num`.execute(db)
  await sql`insert into game_import (opened_at, opened_by, closes_at)
    values (now(), ${rows[0]?.user_num}, now() + interval '24 hours')`.execute(db)
  const began = performance.now()
  const agent = bridge('import-accounts', '--apply')
  const done = ended(agent)
  let [agentPeak, sitePeak] = [0, 0]
  const measure = () => {
    try {
      ;[agentPeak, sitePeak] = [peakOf(agent.pid), peakOf(sitePid())]
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(measure, 250)
  await done
  clearInterval(timer)
  const { rows: moved } = await sql<{ count: number }>`select count(*)::int as count from game_imports`.execute(db)
  console.log(
    `import of ${moved[0]?.count} accounts: ${Math.round((performance.now() - began) / 1000)} s; most memory: agent ${Math.round(agentPeak)} MB, site ${Math.round(sitePeak)} MB`,
  )
}

/** Some players take items while everything is killed. */
async function takeItems(world: World, stop: AbortSignal): Promise<void> {
  let shop: GameConnection | undefined
  while (!stop.aborted) {
    try {
      shop ??= await connectGame(world.kind, world.game.urls.shop)
      await shop.run('update ShopPurchase set PurFlag = 1 where PurFlag = 0 and PurKey % 5 = :part', {
        part: randomInt(0, 3),
      })
    } catch {
      await shop?.close().catch(() => {})
      shop = undefined
    }
    await sleep(300, undefined, { signal: stop }).catch(() => {})
  }
  await shop?.close()
}

/** Items that players took in the game and that the site does not show as claimed. */
async function countClaims({ db, game, kind }: World): Promise<number> {
  const shop = await connectGame(kind, game.urls.shop)
  const [row] = await shop.query('select count(*) as taken from ShopPurchase where PurFlag = 1')
  await shop.close()
  const { rows } = await sql<{ claimed: number }>`
    select count(*)::int as claimed from deliveries where state = 'claimed'`.execute(db)
  return Number(row?.taken) - (rows[0]?.claimed ?? 0)
}

async function kills(world: World): Promise<void> {
  const { db, kind, game } = world
  await buy(world, UNITS)
  const stopping = new AbortController()
  const players = takeItems(world, stopping.signal)
  const agent = startAgent(world)
  await killInTurn(
    world,
    agent,
    () => countOpen(db),
    (kill) =>
      sql`update deliveries set refund_requested_at = now()
        where handed_at is not null and state in ('queued', 'delivered') and delivery % ${sql.lit(KILLS)} = ${kill - 1}
          and refund_requested_at is null`.execute(db),
  )
  await untilOpen(world, 0)
  stopping.abort()
  await players
  // What players took at last is told too.
  for (let tries = 0; tries < 120 && (await countClaims(world)) > 0; tries++) await sleep(500)
  await agent.stop()

  const shop = await connectGame(kind, game.urls.shop)
  const inGame = await shop.query(`select d.unit, p.PurFlag as flag from tambayan_delivery d
    left join ShopPurchase p on p.PurKey = d.purkey`)
  const [rows] = await shop.query('select count(*) as found from ShopPurchase')
  await shop.close()
  const { rows: units } = await sql<{ unit: number; state: string }>`
    select delivery as unit, state from deliveries where handed_by is not null`.execute(db)
  const flags = new Map(inGame.map((row) => [Number(row.unit), numberOf(row.flag)]))
  const count = (test: (flag: number | null | undefined, state: string) => boolean) =>
    units.filter(({ unit, state }) => test(flags.get(unit), state)).length
  const kept = count((_, state) => state !== 'refunded')
  console.log(
    `${units.length} units, ${units.length - kept} refunded, ${count((flag) => flag === 1)} taken by players; ${KILLED}`,
  )
  console.log(`  lost: ${count((flag, state) => state !== 'refunded' && (flag ?? null) === null)} (must be 0)`)
  console.log(`  doubled: ${Number(rows?.found) - kept} (must be 0)`)
  console.log(
    `  refunded and delivered: ${count((flag, state) => state === 'refunded' && (flag ?? null) !== null)} (must be 0)`,
  )
  console.log(`  claims not told: ${count((flag, state) => (flag === 1) !== (state === 'claimed'))} (must be 0)`)
  await printLedger(db)
}

/** What a restore brings back: all of a database, or one table of it. */
type Restored = [place: 'shop' | 'user' | 'game', tables?: string[]]
const RESTORED: Restored[] = [
  ['shop'],
  ['user'],
  ['shop', ['ShopPurchase']],
  ['shop', ['tambayan_delivery']],
  ['shop', ['tambayan_bridge']],
  ['user', ['UserInfo']],
  ['user', ['tambayan_account']],
  ['user', ['tambayan_balance']],
  ['user', ['tambayan_bridge']],
]
/** The same for services. */
const RESTORED_CHARACTERS: Restored[] = [
  ['game'],
  ['game', ['ChaInfo']],
  ['game', ['tambayan_service']],
  ['game', ['tambayan_bridge']],
]
const BALANCE = 1000

const clock = () => new Date().toISOString().slice(11, 23)

/** Players of a game: what each of them has really taken or spent there. */
function createPlayers({ game, kind }: World) {
  /** How often the item of each player was taken, by UserUID: everybody has bought one. */
  let taken = new Map<string, number>()
  /** When each player took an item, to explain what is not named. */
  const moments = new Map<string, string[]>()
  /** What each account has spent of its balance in the game, by UserNum. */
  const spent = new Map<number, number>()
  const changed = kind === 'mariadb' ? 'now()' : 'localtimestamp'
  let shop: GameConnection | undefined
  /** Items are taken only between restores: no player takes one while the tables are being replaced. */
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work, work)
    turn = mine.catch(() => {})
    return mine
  }
  const takeSome = async (share: number) => {
    shop ??= await connectGame(kind, game.urls.shop)
    const rows = await shop.query('select PurKey as purkey, UserUID as useruid from ShopPurchase where PurFlag = 0')
    for (const { purkey, useruid } of rows.filter(() => Math.random() < share)) {
      const done = await shop.run(
        `update ShopPurchase set PurFlag = 1, PurChgDate = ${changed} where PurKey = :purkey and PurFlag = 0`,
        { purkey: Number(purkey) },
      )
      if (done !== 1) continue
      taken.set(String(useruid), (taken.get(String(useruid)) ?? 0) + 1)
      moments.set(String(useruid), [...(moments.get(String(useruid)) ?? []), clock()])
    }
  }
  return {
    taken: () => taken,
    moments,
    spent,
    inTurn,
    take: (share: number) => inTurn(() => takeSome(share)),
    spend: async (usernum: number) => {
      const [row] = await game.ask('user', `select UserPoint as held from UserInfo where UserNum = ${usernum}`)
      const held = Number(row?.held ?? 0)
      const some = randomInt(0, held + 1)
      const done = await game.run(
        'user',
        `update UserInfo set UserPoint = UserPoint - ${some} where UserNum = ${usernum} and UserPoint >= ${some}`,
      )
      if (done === 1 && some > 0) spent.set(usernum, (spent.get(usernum) ?? 0) + some)
    },
    keep: () => new Map(taken),
    restore: (kept: Map<string, number>) => {
      taken = new Map(kept)
    },
    close: () => shop?.close(),
  }
}

/** Accounts of the game that have a balance, each with a player of the site. @returns their numbers in the game */
async function createWallets({ db, game }: World, count: number): Promise<number[]> {
  const { rows } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
    select 'w_' || substr(md5(random()::text || n), 1, 16), md5(random()::text || n) || '@example.ph', 'B', 'B', '!', 1, '!'
    from generate_series(1, ${count}::int) n returning user_num`.execute(db)
  const numbers = rows.map(({ user_num }) => 1_000_000 + Number(user_num))
  const values = numbers.map((num) => `(${num}, 'w${num}', 'w${num}', 'x', ${BALANCE})`).join(', ')
  await game.run('user', `insert into UserInfo (UserNum, UserID, UserName, UserPass, UserPoint) values ${values}`)
  await sql`insert into game_links (user_num, game_user_num, proof, linked_at)
    select n - 1000000, n, 'password', now() from unnest(${numbers}::bigint[]) n`.execute(db)
  await sql`insert into game_imports (game_user_num, bridge, user_id, form, form_hash, game_user_type, blocked, imported_at, user_num)
    select n, (select bridge from bridges limit 1), 'w' || n, 'plain', '', 1, false, now(), n - 1000000
    from unnest(${numbers}::bigint[]) n`.execute(db)
  return numbers
}

/** Two operators have approved that balances are taken over. */
const approveBalances = ({ db }: World, numbers: number[]) =>
  sql`insert into game_balances (bridge, game_user_num, amount, state, changed_at)
    select (select bridge from bridges limit 1), n, ${BALANCE}, 'approved', now() from unnest(${numbers}::bigint[]) n`.execute(
    db,
  )

/** Players whose accounts a restore has lost register again. */
async function registerAgain({ db, game }: World): Promise<void> {
  const known = new Set((await game.ask('user', 'select UserNum as num from UserInfo')).map(({ num }) => Number(num)))
  const { rows } = await sql<{ user_num: number }>`select user_num from purchases`.execute(db)
  const lost = rows.map(({ user_num }) => Number(user_num)).filter((num) => !known.has(1_000_000 + num))
  const values = lost.map((num) => `(${1_000_000 + num}, 'u${num}', 'n${num}', 'x')`)
  if (values.length > 0)
    await game.run('user', `insert into UserInfo (UserNum, UserID, UserName, UserPass) values ${values.join(', ')}`)
}

/** Waits until something is true. @throws after ten minutes */
async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 600_000
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`Waited too long until ${what}.`)
    await sleep(200)
  }
}

type Restore = {
  place: Restored[0]
  tables: string[] | undefined
  /** Whether the operator says that characters were restored to the same point. */
  hasCharacters: boolean
  /** @returns puts back what was copied */
  backUp: () => Promise<() => Promise<void>>
}

/**
 * Restores each of these in turn, `--restores` times, and confirms it at the desk; if anything is killed, the agent too, each
 * time at a random moment after the restore.
 *
 * @param play makes one restore, with what players do before and after it
 * @returns what was restored when, and how many of these restores were noticed
 */
async function restoreEach(
  { db, game }: World,
  agent: Agent,
  restored: readonly Restored[],
  play: (restore: Restore) => Promise<void>,
): Promise<{ history: string[]; seen: number }> {
  const isRestored = async () => {
    const { rows } = await sql<{ looked: boolean }>`
      select looked_at is not null as looked from game_copy where restored_at is not null
      union all select looked_at is not null from game_user_copy where restored_at is not null
      union all select looked_at is not null from game_character_copy where restored_at is not null`.execute(db)
    return { waits: rows.length > 0, looked: rows.length > 0 && rows.every(({ looked }) => looked) }
  }
  const history: string[] = []
  let seen = 0
  for (let round = 0; round < RESTORES; round++)
    for (const [nth, [place, tables]] of restored.entries()) {
      // A whole database is restored without characters first, where players can have something twice.
      const hasCharacters = (round + nth) % 2 === 1
      const backUp = async () => {
        const put = await game.backUp(place, tables)
        return async () => {
          await put()
          history.push(`${clock()} ${tables ?? place}${hasCharacters ? ' with characters' : ''}`)
        }
      }
      await play({ place, tables, hasCharacters, backUp })
      const began = performance.now()
      if (KILLS > 0) {
        await sleep(randomInt(0, 3000))
        await agent.kill()
      }
      for (;;) {
        const { waits, looked } = await isRestored()
        if (looked) {
          seen++
          await db
            .transaction()
            .execute(async (tx) =>
              settleRestores(tx, await lockRestored(tx), { offerAgain: hasCharacters, now: new Date(), by: null }),
            )
          await waitFor('the restore is settled', async () => !(await isRestored()).waits)
        }
        // Of tables whose restore changes nothing, nobody is told.
        if (!waits && performance.now() - began > 10_000) break
        await sleep(100)
      }
    }
  return { history, seen }
}

/** What became of something bought for one price: `has` says how often its player got it, `mark` what the desk says of it. */
type Outcome = { uid: string; state: string; mark: string; has: number }

/** Prints what restores have lost or doubled, and what of it the desk does not name. @param explain what a line says of it */
function printOutcomes(
  outcomes: readonly Outcome[],
  history: readonly string[],
  { isNamed, explain }: { isNamed: (outcome: Outcome) => boolean; explain: (outcome: Outcome) => string },
): void {
  const amount = (rows: unknown[]) => `${rows.length} (${rows.length * PRICE} R-Coin)`
  const print = (what: string, isSo: (outcome: Outcome) => boolean) => {
    const rows = outcomes.filter(isSo)
    const odd = rows.filter((row) => !isNamed(row))
    for (const row of odd) console.log(`    ${row.uid}: ${row.state}, has ${row.has}; ${explain(row)}`)
    if (odd.length > 0) console.log(`    restores: ${history.join(', ')}`)
    console.log(`  ${what}: ${amount(rows)}, unnamed: ${amount(odd)} (must be 0)`)
  }
  print('lost', ({ has, state }) => has === 0 && (state === 'delivered' || state === 'claimed'))
  print('paid back and delivered', ({ has, state }) => has > 0 && state === 'refunded')
  print('delivered twice', ({ has, state }) => has > 1 && state !== 'refunded')
}

async function restores(world: World): Promise<void> {
  const { db, game } = world
  const players = createPlayers(world)
  const agent = startAgent(world)
  const stopping = new AbortController()
  const playing = (async () => {
    while (!stopping.signal.aborted) {
      await players.take(0.2)
      await sleep(randomInt(20, 200))
    }
  })()
  const approved = async () =>
    (await sql`select from game_balances where state = 'approved' or back_amount is not null limit 1`.execute(db)).rows
      .length
  const wallets: number[] = []
  /** Items that were taken at the last moment before a restore: the bridge had not seen it, and nothing of it is left. */
  const unseen = new Set<string>()
  const { history, seen } = await restoreEach(
    world,
    agent,
    RESTORED,
    async ({ place, tables, hasCharacters, backUp }) => {
      await buy(world, 100, 1)
      const numbers = await createWallets(world, 20)
      wallets.push(...numbers)
      await approveBalances(world, numbers.slice(0, 10))
      await sleep(randomInt(500, 3000))
      const [put, kept] = await players.inTurn(async () => [await backUp(), players.keep()] as const)
      await buy(world, 100, 1)
      await approveBalances(world, numbers.slice(10))
      await sleep(randomInt(500, 2000))
      await sql`update deliveries set refund_requested_at = now()
        where handed_at is not null and state in ('queued', 'delivered') and refund_requested_at is null and random() < 0.2`.execute(
        db,
      )
      await sleep(randomInt(0, 3000))
      await players.inTurn(async () => {
        await put()
        if (place === 'user') await registerAgain(world)
        if (place !== 'shop' || (tables !== undefined && !tables.includes('ShopPurchase'))) return
        const { rows } = await sql<{ uid: string }>`
          select 'n' || user_num as uid from deliveries where state <> 'claimed'`.execute(db)
        const open = new Set(rows.map(({ uid }) => uid))
        if (hasCharacters) players.restore(kept)
        else
          for (const [uid, times] of players.taken()) if (times > (kept.get(uid) ?? 0) && open.has(uid)) unseen.add(uid)
      })
      // Whoever has a balance again spends some of it before anybody sees it.
      if (place === 'user') for (const wallet of wallets.slice(-3)) await players.spend(wallet)
    },
  )
  await untilOpen(world, 0)
  await waitFor('every balance is taken', async () => (await approved()) === 0)
  stopping.abort()
  await playing
  await sleep(5000)
  await untilOpen(world, 0)
  await agent.stop()
  await players.close()

  const bank = new Map<string, number>()
  for (const { useruid } of await game.ask('shop', 'select UserUID as useruid from ShopPurchase where PurFlag <> 1'))
    bank.set(String(useruid), (bank.get(String(useruid)) ?? 0) + 1)
  const { rows: units } = await sql<{ uid: string; state: string; mark: string }>`
    select 'n' || user_num as uid, state, in_game as mark from deliveries
    where handed_by is not null and user_num in (select user_num from purchases where quantity = 1)`.execute(db)
  console.log(
    `${units.length} units, ${RESTORES * RESTORED.length} restores, ${seen} of them confirmed; ${unseen.size} items taken in the moment before a restore, of which nothing is left`,
  )
  printOutcomes(
    units.map((unit) => ({ ...unit, has: (players.taken().get(unit.uid) ?? 0) + (bank.get(unit.uid) ?? 0) })),
    history,
    {
      // What was taken unseen leaves no trace that anybody could name (docs/decisions/033).
      isNamed: ({ mark, uid }) => mark !== '' || unseen.has(uid),
      explain: ({ uid }) => `taken ${players.moments.get(uid)?.join(', ')}`,
    },
  )
  const { rows: balances } = await sql<{ game_user_num: number; spent: number; booked: boolean }>`
    select game_user_num, spent, ledger_entry is not null as booked from game_balances where state = 'taken'`.execute(
    db,
  )
  const held = new Map(
    (await game.ask('user', `select UserNum as num, UserPoint as held from UserInfo where UserID like 'w%'`)).map(
      (row) => [Number(row.num), Number(row.held)],
    ),
  )
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  const doubled = balances.map(({ game_user_num, spent }) => {
    const num = Number(game_user_num)
    const really = (players.spent.get(num) ?? 0) + (held.get(num) ?? 0)
    return { really, unnamed: Math.max(0, really - Number(spent)) }
  })
  console.log(
    `  balances: ${balances.length} of ${wallets.length} booked, ${sum(doubled.map(({ really }) => really))} spent in the game as well, unnamed: ${sum(doubled.map((row) => row.unnamed))} (must be 0)`,
  )
  await printLedger(db)
}

/** Players with a character each, of whom some play. @returns their numbers, which the characters have too */
async function createHeroes({ db, game }: World, count: number): Promise<number[]> {
  const { rows } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
    select 's_' || substr(md5(random()::text || n), 1, 16), md5(random()::text || n) || '@example.ph', 'B', 'B', '!', 1, '!'
    from generate_series(1, ${count}::int) n returning user_num`.execute(db)
  const users = rows.map(({ user_num }) => Number(user_num))
  const values = users.map((num) => `(${num}, ${1_000_000 + num}, 's${num}', 1, 0, ${num % 4 === 0 ? 1 : 0})`)
  await game.run(
    'game',
    `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaOnline) values ${values.join(', ')}`,
  )
  await sql`insert into game_links (user_num, game_user_num, proof, linked_at)
    select n, 1000000 + n, 'created', now() from unnest(${users}::bigint[]) n`.execute(db)
  return users
}

/** Players buy a service for their character, paid and booked as the site does it. */
async function orderServices({ db }: World, users: number[]): Promise<void> {
  await sql`insert into shop_items (product_num, category_id, item_name, price, section, position, kind, service, service_pause_hours)
    select ${PRODUCT + 1}, id, 'Rise', ${PRICE}, 2, 2, 'service', 'rise', 0 from shop_categories limit 1
    on conflict do nothing`.execute(db)
  const list = sql`unnest(${users}::bigint[]) n`
  await db.transaction().execute(async (tx) => {
    await sql`update accounts set purchase_count = 1 where user_num = any(${users}::bigint[])`.execute(tx)
    await sql`insert into ledger (user_num, currency, delta, balance_after, reason, reference)
      select n, 'r_coin', sign * ${PRICE}::int, case when sign = 1 then ${PRICE}::int else 0 end,
        case when sign = 1 then 'opening balance' else 'purchase' end, case when sign = 1 then '' else 'purchases 1-1' end
      from ${list} cross join (values (1, 1), (2, -1)) as s (nth, sign) order by n, nth`.execute(tx)
    await sql`insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
      select n, 1, ${PRODUCT + 1}, 'Rise', 2, ${PRICE}, 1, now() from ${list}`.execute(tx)
    await sql`with units as (
        insert into deliveries (user_num, ordinal, product_num, unit, is_service, queued_at)
        select n, 1, ${PRODUCT + 1}, 1, true, now() from ${list} returning delivery, user_num)
      insert into service_orders (delivery, user_num, product_num, service, cha_num, cha_name, ordered_at)
      select delivery, user_num, ${PRODUCT + 1}, 'rise', user_num, 's' || user_num, now() from units`.execute(tx)
  })
}

const refundServices = ({ db }: World) =>
  sql`update deliveries set refund_requested_at = now() where delivery in (
    select delivery from deliveries where is_service and handed_at is not null and state = 'queued' and refund_requested_at is null
      and random() < 0.1 for update skip locked)`.execute(db)

/** Services that wait for the bridge. */
async function countServices({ db }: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from service_orders where state = 'waiting'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Characters come and go, and nobody waits for what is tried again later. @returns waits until every service is over, and ends it */
function playHeroes(world: World) {
  const { db, kind, game } = world
  const stopping = new AbortController()
  const playing = (async () => {
    let characters: GameConnection | undefined
    while (!stopping.signal.aborted) {
      try {
        characters ??= await connectGame(kind, game.urls.game)
        await characters.run('update ChaInfo set ChaOnline = 1 - ChaOnline where ChaNum % 7 = :part', {
          part: randomInt(0, 7),
        })
      } catch {
        await characters?.close().catch(() => {})
        characters = undefined
      }
      await sql`update service_orders set retry_at = null where service_order in (
        select service_order from service_orders where state = 'waiting' and retry_at is not null for update skip locked)`.execute(
        db,
      )
      await sleep(200)
    }
    await characters?.close()
  })()
  return async () => {
    await waitFor('every service is done or refunded', async () => (await countServices(world)) === 0)
    stopping.abort()
    await playing
  }
}

/** What became of every service, with how often its character has it. */
async function readServices({ db, game }: World): Promise<Outcome[]> {
  const rows = await game.ask('game', 'select ChaNum as num, ChaReborn as times from ChaInfo')
  const times = new Map(rows.map((row) => [Number(row.num), Number(row.times)]))
  const { rows: units } = await sql<{ user_num: number; state: string; mark: string }>`
    select user_num, state, in_game as mark from deliveries where is_service`.execute(db)
  return units.map(({ user_num, state, mark }) => ({
    uid: `s${user_num}`,
    state,
    mark,
    has: times.get(Number(user_num)) ?? 0,
  }))
}

/** Services are done and refunded while players log in and out, and everything is killed. */
async function killsOfServices(world: World): Promise<void> {
  await orderServices(world, await createHeroes(world, SERVICES))
  const untilOver = playHeroes(world)
  const agent = startAgent(world)
  await killInTurn(
    world,
    agent,
    () => countServices(world),
    () => refundServices(world),
  )
  await untilOver()
  await agent.stop()
  const services = await readServices(world)
  const count = (isSo: (has: number, isDone: boolean) => boolean) =>
    services.filter(({ has, state }) => isSo(has, state === 'claimed')).length
  console.log(`${services.length} services, ${count((_, isDone) => !isDone)} refunded; ${KILLED}`)
  console.log(`  lost: ${count((has, isDone) => isDone && has === 0)} (must be 0)`)
  console.log(`  doubled: ${count((has) => has > 1)} (must be 0)`)
  console.log(`  refunded and done: ${count((has, isDone) => !isDone && has > 0)} (must be 0)`)
  await printLedger(world.db)
}

/** The same while the database of characters and each of its tables is restored. */
async function restoresOfServices(world: World): Promise<void> {
  const untilOver = playHeroes(world)
  const agent = startAgent(world)
  // The agent makes its tables when it has something to do.
  await orderServices(world, await createHeroes(world, 10))
  await waitFor('a service is done', async () => (await readServices(world)).some(({ has }) => has > 0))
  const { history, seen } = await restoreEach(world, agent, RESTORED_CHARACTERS, async ({ backUp }) => {
    const heroes = await createHeroes(world, 150)
    await orderServices(world, heroes.slice(0, 100))
    await sleep(randomInt(500, 5000))
    const put = await backUp()
    await orderServices(world, [...heroes.slice(100), ...(await createHeroes(world, 50))])
    await sleep(randomInt(500, 5000))
    await refundServices(world)
    await sleep(randomInt(0, 5000))
    await put()
  })
  await untilOver()
  await agent.stop()
  const services = await readServices(world)
  console.log(
    `${services.length} services, ${RESTORES * RESTORED_CHARACTERS.length} restores, ${seen} of them confirmed`,
  )
  const { rows } = await sql<{ uid: string; text: string }>`
    select 's' || user_num as uid, row_to_json(o)::text as text from service_orders o`.execute(world.db)
  const orders = new Map(rows.map(({ uid, text }) => [uid, text]))
  printOutcomes(services, history, {
    isNamed: ({ mark }) => mark !== '',
    explain: ({ uid }) => orders.get(uid) ?? '',
  })
  await printLedger(world.db)
}

/** Kills first, where some are wanted, and then restores in the same world. */
const killsThenRestores =
  (kill: (world: World) => Promise<void>, restore: (world: World) => Promise<void>) => async (world: World) => {
    if (KILLS > 0) await kill(world)
    if (RESTORES > 0) await restore(world)
  }

const PARTS: Record<string, (world: World) => Promise<void>> = {
  rate,
  latency,
  sync,
  import: importRows,
  faults: killsThenRestores(kills, restores),
  services: killsThenRestores(killsOfServices, restoresOfServices),
}
const parts = positionals.length === 0 ? Object.keys(PARTS) : positionals
const kinds: GameKind[] = options.game === undefined ? ['mariadb', 'postgres'] : [options.game as GameKind]
for (const kind of kinds)
  for (const part of parts) {
    const run = PARTS[part]
    if (run === undefined || !(kind in DURABLE)) throw new Error(`There is no part ${part} with ${kind}.`)
    const world = await startWorld(kind)
    console.log(`${kind}, ${part} (load ${loadavg()[0]?.toFixed(1)}):`)
    await run(world).finally(world.stop)
  }
process.exit(0)
