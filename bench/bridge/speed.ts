import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { measureColumns, type Reported, readGame, reportCharacters } from '#bridge/characters.ts'
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
async function openPlain({ kind, game }: World) {
  const url = game.urls.shop
  const client = new pg.Client(url)
  const mysql = kind === 'mariadb' ? await createConnection({ uri: url.replace('mariadb:', 'mysql:') }) : undefined
  if (mysql === undefined) await client.connect()
  const query = (text: string, values: (string | number)[] = []): Promise<unknown> => {
    if (mysql !== undefined) return mysql.query(text, values)
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
      await (mysql ?? client).end()
    },
  }
}

/** Measures the units delivered per second. */
export async function measureRate(world: World): Promise<void> {
  const [rounds, units] = [5, 2000]
  const plain = await openPlain(world)
  const agent = startAgent(world)
  // The first order waits for the agent to start.
  await buy(world, 1)
  await waitForDelivery(world)
  await plain.write(500)
  const measureSpeed = async (work: () => Promise<void>) => {
    const began = performance.now()
    await work()
    return units / ((performance.now() - began) / 1000)
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await measureSpeed(() => plain.write(units))
    await buy(world, units)
    const delivered = await measureSpeed(() => waitForDelivery(world))
    const after = await measureSpeed(() => plain.write(units))
    ratios.push((2 * delivered) / (before + after))
  }
  const all = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2))
  console.log(
    `delivery rate: ${percentile(ratios, 0.5).toFixed(2)} of plain inserts (at least 0.50; rounds: ${all.join(', ')})`,
  )
  await agent.stop()
  await plain.close()
}

/** Measures the time from a purchase to its row in the game. */
export async function measureLatency(world: World): Promise<void> {
  const agent = startAgent(world)
  const countRows = async () => Number((await world.game.ask('shop', 'select count(*) as n from ShopPurchase'))[0]?.n)
  await buy(world, 1)
  await waitForDelivery(world)
  const waits: number[] = []
  for (let nth = 0; nth < 300; nth++) {
    await sleep(randomInt(0, 400))
    const before = await countRows()
    await buy(world, 1, 1)
    const bought = performance.now()
    while ((await countRows()) === before) await sleep(4)
    waits.push(performance.now() - bought)
  }
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(waits, share)))
  console.log(`purchase to row: p50 ${p50} ms, p99 ${p99} ms (at most 2000)`)
  await agent.stop()
}

const CLUBS = 2000
const never = new AbortController().signal

/** Measures the first sync of all characters and clubs, and one without changes. */
export async function measureSync({ game, config, kind }: World, { characters }: Amounts): Promise<void> {
  await createCharacters(game, kind, characters)
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
  const reported: Reported = new Map()
  const sync = async () => {
    const began = performance.now()
    wire = 0
    const reading = await readGame(config, never)
    const { changed } = await reportCharacters(callSite, reading, reported, never)
    await reportClubs(callSite, reading.clubs, { problem: '', online: 0, areas: null }, never)
    return { changed, took: performance.now() - began, bytes: wire }
  }
  const readPlain = () => readAll(config, characters)
  const first = await sync()
  if (first.changed !== characters) throw new Error(`${first.changed} characters were reported.`)
  console.log(
    `first sync of ${characters} characters and ${CLUBS} clubs: ${(first.took / 1000).toFixed(1)} s (at most 10)`,
  )
  const ratios: number[] = []
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < 9; round++) {
    const before = await readPlain()
    const again = await sync()
    ratios.push((2 * again.took) / (before + (await readPlain())))
    times.push(again.took)
    bytes = Math.max(bytes, again.bytes)
  }
  const measureDuring = async (read: () => Promise<unknown>) =>
    Math.max(0.01, percentile(await writeDuring(config, characters, read), 0.99))
  const plain = await measureDuring(readPlain)
  const ours = await measureDuring(() => readGame(config, never))
  const idle = await measureDuring(() => sleep(1000))
  console.log(
    `a write of the game, p99: ${ours.toFixed(1)} ms during the bridge’s reading, ${(ours / plain).toFixed(2)} × that during plain reads (at most 1.5), ${idle.toFixed(1)} ms alone`,
  )
  console.log(
    `unchanged sync: ${percentile(ratios, 0.5).toFixed(2)} × a plain read (at most 2), ${Math.round(percentile(times, 0.5))} ms of each minute, ${Math.ceil(bytes / 1000)} kB (at most 200)`,
  )
}

async function createCharacters(game: World['game'], kind: World['kind'], characters: number): Promise<void> {
  const at = 5000
  const inven = kind === 'mariadb' ? `repeat('x', 500)` : `decode(repeat('78', 500), 'hex')`
  for (let from = 1; from <= characters; from += at) {
    const row = (_: unknown, nth: number) => {
      const n = from + nth
      return `(${n}, ${Math.ceil(n / 3)}, 'Kawal${n}', ${2 ** (n % 8)}, ${n % 3}, ${1 + (n % 250)}, ${n * 7}, ${n % 400},
        ${n % 90}, ${n % 3000}, ${n % 70}, '2026-11-01 12:30:00', ${inven})`
    }
    const values = Array.from({ length: Math.min(at, characters - from + 1) }, row)
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
  const of = { dialect: config.dialect, catalogue: await readCatalogue(game), names: config.names }
  const found = resolveTable('ChaInfo', of)
  const { ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline } = found.columns
  const own = [ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline]
  const columns = [...own, ...Object.values(measureColumns(found))].filter((column) => column !== null)
  const began = performance.now()
  const rows = await game.rows(`select ${columns.join(', ')} from ${found.table}`)
  const took = performance.now() - began
  if (rows.length !== characters) throw new Error(`There are ${rows.length} characters.`)
  await game.close()
  return took
}

/** Writes to the game while `read` runs five times. @returns the duration of each write in ms */
async function writeDuring(config: BridgeConfig, characters: number, read: () => Promise<unknown>): Promise<number[]> {
  const game = await connectGame(config.dialect, config.urls.game)
  const waits: number[] = []
  let isReading = true
  const reading = (async () => {
    for (let round = 0; round < 5; round++) await read()
    isReading = false
  })()
  while (isReading) {
    const began = performance.now()
    const num = randomInt(1, characters)
    await game.run('update ChaInfo set ChaMoney = ChaMoney + 1 where ChaNum = :num', { num })
    waits.push(performance.now() - began)
    await sleep(2)
  }
  await reading
  await game.close()
  return waits
}

/** Returns the peak memory of a process, in MB. */
const readPeak = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Measures an import of accounts, and the peak memory of agent and site. */
export async function measureImport(world: World, { accounts }: Amounts): Promise<void> {
  const { game, db, bridge, sitePid } = world
  const at = 5000
  for (let from = 1; from <= accounts; from += at) {
    const row = (_: unknown, nth: number) => `('luma${from + nth}', 'luma${from + nth}', upper(md5('${from + nth}')))`
    const values = Array.from({ length: Math.min(at, accounts - from + 1) }, row).join(', ')
    await game.run('user', `insert into UserInfo (UserID, UserName, UserPass) values ${values}`)
  }
  const [owner] = await createPlayers(world, 1)
  await sql`insert into game_import (opened_at, opened_by, closes_at)
    values (now(), ${owner}, now() + interval '24 hours')`.execute(db)
  const began = performance.now()
  const agent = bridge('import-accounts', '--apply')
  const done = waitForExit(agent)
  let [agentPeak, sitePeak] = [0, 0]
  const measure = () => {
    try {
      ;[agentPeak, sitePeak] = [readPeak(agent.pid), readPeak(sitePid())]
    } catch {
      // The agent has ended.
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
