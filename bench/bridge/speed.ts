import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { getMeasureColumns, type ReportedBlocks, readGame, reportCharacters } from '#bridge/characters.ts'
import { reportClubs } from '#bridge/clubs.ts'
import type { BridgeConfig } from '#bridge/config.ts'
import { connectGame } from '#bridge/game/connect.ts'
import { readCatalogue, resolveTable } from '#bridge/game/names.ts'
import { readKeys } from '#bridge/keys.ts'
import { createSiteCall } from '#bridge/site.ts'
import { startBridge } from '#contract/bridge.ts'
import {
  type Amounts,
  buy,
  createPlayers,
  PRICE,
  PRODUCT,
  percentile,
  startAgent,
  type World,
  waitForDelivery,
  waitForExit,
} from './world.ts'

/** Opens a connection that inserts and commits the same two rows as the agent, one unit at a time, with the bare driver. */
async function openPlainWriter({ kind, game }: World) {
  const url = game.urls.shop
  const client = new pg.Client(url)
  const mysqlConnection =
    kind === 'mariadb' ? await createConnection({ uri: url.replace('mariadb:', 'mysql:') }) : undefined
  if (mysqlConnection === undefined) await client.connect()
  const query = (text: string, values: (string | number)[] = []): Promise<unknown> => {
    if (mysqlConnection !== undefined) return mysqlConnection.query(text, values)
    let nth = 0
    return client.query(
      text.replace(/\?/g, () => `$${++nth}`),
      values,
    )
  }
  await query('create table bench_unit (unit bigint primary key, purkey bigint)')
  let unit = 0
  return {
    write: async (units: number) => {
      for (let nth = 0; nth < units; nth++) {
        await query('begin')
        await query('insert into bench_unit (unit) values (?)', [++unit])
        const row = ['plain', PRODUCT, PRICE]
        await query('insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag) values (?, ?, ?, 0)', row)
        await query('commit')
      }
    },
    close: async () => {
      await query(`delete from ShopPurchase where UserUID = 'plain'`)
      await (mysqlConnection ?? client).end()
    },
  }
}

/** Measures the units delivered per second, as a ratio to plain inserts before and after them. */
export async function measureRate(world: World): Promise<void> {
  const [rounds, units] = [5, 2000]
  const plain = await openPlainWriter(world)
  const agent = startAgent(world)
  // The first order waits for the agent to start.
  await buy(world, 1)
  await waitForDelivery(world)
  await plain.write(500)
  const measureSpeed = async (work: () => Promise<void>) => {
    const startedAt = performance.now()
    await work()
    return units / ((performance.now() - startedAt) / 1000)
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await measureSpeed(() => plain.write(units))
    await buy(world, units)
    const deliverySpeed = await measureSpeed(() => waitForDelivery(world))
    const after = await measureSpeed(() => plain.write(units))
    ratios.push((2 * deliverySpeed) / (before + after))
  }
  const sortedRatios = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2))
  console.log(
    `delivery rate: ${percentile(ratios, 0.5).toFixed(2)} × plain inserts (at least 0.50; rounds: ${sortedRatios.join(', ')})`,
  )
  await agent.stop()
  await plain.close()
}

/** Measures the time from a purchase to its row in the game. */
export async function measureLatency(world: World): Promise<void> {
  const agent = startAgent(world)
  const countRows = async () => Number((await world.game.query('shop', 'select count(*) as n from ShopPurchase'))[0]?.n)
  await buy(world, 1)
  await waitForDelivery(world)
  const waitTimes: number[] = []
  for (let nth = 0; nth < 300; nth++) {
    await sleep(randomInt(0, 400))
    const before = await countRows()
    await buy(world, 1, 1)
    const boughtAt = performance.now()
    while ((await countRows()) === before) await sleep(4)
    waitTimes.push(performance.now() - boughtAt)
  }
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(waitTimes, share)))
  console.log(`purchase to row: p50 ${p50} ms, p99 ${p99} ms (at most 2000)`)
  await agent.stop()
}

const CLUBS = 2000
const neverAborted = new AbortController().signal

/** Measures the first sync of all characters and clubs, and one without changes. */
export async function measureSync({ game, config, kind }: World, { characters }: Amounts): Promise<void> {
  await createCharacters(game, kind, characters)
  const keys = await readKeys(config.keyFile)
  let wireBytes = 0
  const callSite = createSiteCall({
    site: config.site,
    bridge: keys.bridge,
    signKey: keys.sign,
    instance: randomUUID(),
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      const { headers = {}, body = '' } = init ?? {}
      wireBytes +=
        JSON.stringify(headers).length + String(body).length + Number(answer.headers.get('content-length') ?? 0)
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
  const reportedBlocks: ReportedBlocks = new Map()
  const sync = async () => {
    const startedAt = performance.now()
    wireBytes = 0
    const reading = await readGame(config, neverAborted)
    const { changed: changedCount } = await reportCharacters(callSite, reading, reportedBlocks, neverAborted)
    await reportClubs(callSite, reading.clubs, { problem: '', online: 0, areas: null }, neverAborted)
    return { changed: changedCount, tookMs: performance.now() - startedAt, bytes: wireBytes }
  }
  const measurePlainRead = () => readAll(config, characters)
  const firstSync = await sync()
  if (firstSync.changed !== characters) throw new Error(`${firstSync.changed} characters were reported.`)
  console.log(
    `first sync of ${characters} characters and ${CLUBS} clubs: ${(firstSync.tookMs / 1000).toFixed(1)} s (at most 10)`,
  )
  const ratios: number[] = []
  const syncTimesMs: number[] = []
  let bytes = 0
  for (let round = 0; round < 9; round++) {
    const before = await measurePlainRead()
    const unchangedSync = await sync()
    ratios.push((2 * unchangedSync.tookMs) / (before + (await measurePlainRead())))
    syncTimesMs.push(unchangedSync.tookMs)
    bytes = Math.max(bytes, unchangedSync.bytes)
  }
  const measureDuring = async (readRows: () => Promise<unknown>) =>
    Math.max(0.01, percentile(await writeDuring(config, characters, readRows), 0.99))
  const plainReadP99 = await measureDuring(measurePlainRead)
  const bridgeReadP99 = await measureDuring(() => readGame(config, neverAborted))
  const idleP99 = await measureDuring(() => sleep(1000))
  console.log(
    `p99 of the game’s writes: ${bridgeReadP99.toFixed(1)} ms while the bridge reads, which is ${(bridgeReadP99 / plainReadP99).toFixed(2)} × the p99 during plain reads (at most 1.5); ${idleP99.toFixed(1)} ms without reads`,
  )
  console.log(
    `unchanged sync: ${percentile(ratios, 0.5).toFixed(2)} × a plain read (at most 2), ${Math.round(percentile(syncTimesMs, 0.5))} ms of each minute, ${Math.ceil(bytes / 1000)} kB (at most 200)`,
  )
}

async function createCharacters(game: World['game'], kind: World['kind'], characters: number): Promise<void> {
  const batchSize = 5000
  const inventoryValue = kind === 'mariadb' ? `repeat('x', 500)` : `decode(repeat('78', 500), 'hex')`
  for (let from = 1; from <= characters; from += batchSize) {
    const row = (_: unknown, nth: number) => {
      const n = from + nth
      return `(${n}, ${Math.ceil(n / 3)}, 'Kawal${n}', ${2 ** (n % 8)}, ${n % 3}, ${1 + (n % 250)}, ${n * 7}, ${n % 400},
        ${n % 90}, ${n % 3000}, ${n % 70}, '2026-11-01 12:30:00', ${inventoryValue})`
    }
    const values = Array.from({ length: Math.min(batchSize, characters - from + 1) }, row)
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
}

/** Reads the columns and rows of a sync with one statement. @returns its duration in ms */
async function readAll(config: BridgeConfig, characters: number): Promise<number> {
  const game = await connectGame(config.dialect, config.urls.game)
  const tableLookup = { dialect: config.dialect, catalogue: await readCatalogue(game), names: config.names }
  const resolvedTable = resolveTable('ChaInfo', tableLookup)
  const { ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline } = resolvedTable.columns
  const columnNames = [ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline]
  const columns = [...columnNames, ...Object.values(getMeasureColumns(resolvedTable))].filter(
    (column) => column !== null,
  )
  const startedAt = performance.now()
  const rows = await game.rows(`select ${columns.join(', ')} from ${resolvedTable.table}`)
  const tookMs = performance.now() - startedAt
  if (rows.length !== characters) throw new Error(`There are ${rows.length} characters.`)
  await game.close()
  return tookMs
}

/** Writes to the game while `readRows` runs five times. @returns the duration of each write in ms */
async function writeDuring(
  config: BridgeConfig,
  characters: number,
  readRows: () => Promise<unknown>,
): Promise<number[]> {
  const game = await connectGame(config.dialect, config.urls.game)
  const waitTimes: number[] = []
  let isReading = true
  const reading = (async () => {
    for (let round = 0; round < 5; round++) await readRows()
    isReading = false
  })()
  while (isReading) {
    const startedAt = performance.now()
    const num = randomInt(1, characters)
    await game.run('update ChaInfo set ChaMoney = ChaMoney + 1 where ChaNum = :num', { num })
    waitTimes.push(performance.now() - startedAt)
    await sleep(2)
  }
  await reading
  await game.close()
  return waitTimes
}

/** Returns the peak memory of a process, in MB. */
const readPeak = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Measures an import of accounts, and the peak memory of agent and site. */
export async function measureImport(world: World, { accounts }: Amounts): Promise<void> {
  const { game, db, bridge, sitePid } = world
  const batchSize = 5000
  for (let from = 1; from <= accounts; from += batchSize) {
    const row = (_: unknown, nth: number) => `('luma${from + nth}', 'luma${from + nth}', upper(md5('${from + nth}')))`
    const values = Array.from({ length: Math.min(batchSize, accounts - from + 1) }, row).join(', ')
    await game.run('user', `insert into UserInfo (UserID, UserName, UserPass) values ${values}`)
  }
  const [owner] = await createPlayers(world, 1)
  await sql`insert into game_import (opened_at, opened_by, closes_at)
    values (now(), ${owner}, now() + interval '24 hours')`.execute(db)
  const startedAt = performance.now()
  const agent = bridge('import-accounts', '--apply')
  const agentExit = waitForExit(agent)
  let [agentPeak, sitePeak] = [0, 0]
  const measure = () => {
    try {
      ;[agentPeak, sitePeak] = [readPeak(agent.pid), readPeak(sitePid())]
    } catch {
      // The agent has ended.
    }
  }
  const timer = setInterval(measure, 250)
  await agentExit
  clearInterval(timer)
  const { rows: importedRows } = await sql<{ count: number }>`select count(*)::int as count from game_imports`.execute(
    db,
  )
  console.log(
    `import of ${importedRows[0]?.count} accounts: ${Math.round((performance.now() - startedAt) / 1000)} s; peak memory: agent ${Math.round(agentPeak)} MB, site ${Math.round(sitePeak)} MB`,
  )
}
