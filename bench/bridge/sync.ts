import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureColumns, type Reported, readGame, reportCharacters } from '#bridge/characters.ts'
import { reportClubs } from '#bridge/clubs.ts'
import type { BridgeConfig } from '#bridge/config.ts'
import { connectGame } from '#bridge/game/connect.ts'
import { readCatalogue, resolveTable } from '#bridge/game/names.ts'
import { readKeys } from '#bridge/keys.ts'
import { createSiteCall } from '#bridge/site.ts'
import { startBridge } from '#contract/bridge.ts'
import { type Amounts, percentile, type World } from './world.ts'

const CLUBS = 2000
const never = new AbortController().signal

/** Telling all characters and clubs, and reading them when nothing has changed. */
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
  const tell = async () => {
    const began = performance.now()
    wire = 0
    const reading = await readGame(config, never)
    const { changed } = await reportCharacters(callSite, reading, reported, never)
    await reportClubs(callSite, reading.clubs, { problem: '', online: 0, areas: null }, never)
    return { changed, took: performance.now() - began, bytes: wire }
  }
  const readPlain = () => readAll(config, characters)
  const first = await tell()
  if (first.changed !== characters) throw new Error(`${first.changed} characters were reported.`)
  console.log(
    `first sync of ${characters} characters and ${CLUBS} clubs: ${(first.took / 1000).toFixed(1)} s (at most 10)`,
  )
  const ratios: number[] = []
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < 9; round++) {
    const before = await readPlain()
    const again = await tell()
    ratios.push((2 * again.took) / (before + (await readPlain())))
    times.push(again.took)
    bytes = Math.max(bytes, again.bytes)
  }
  const measureDuring = async (read: () => Promise<unknown>) =>
    Math.max(0.01, percentile(await writeBeside(config, characters, read), 0.99))
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

/** Reads the same columns of the same rows with one statement. @returns how long that took, in ms */
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

/** The game writes while `read` is done again and again. @returns how long each write took, in ms */
async function writeBeside(config: BridgeConfig, characters: number, read: () => Promise<unknown>): Promise<number[]> {
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
