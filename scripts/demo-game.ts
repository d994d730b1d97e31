import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { readKeys } from '#bridge/keys.ts'
import { createSiteCall } from '#bridge/site.ts'
import { getBridgeProducts } from '#contract/bridge.ts'
import { DEMO_ACCOUNTS } from '#demo/seed.ts'
import { getPublicUrl } from '#server/config.ts'
import { readCommandConfig } from '#server/running-sites.ts'
import { addProducts, countJoined, openEmbeddedGame, type PlayEvent, playGame } from './embedded-game.ts'
import { ROOT } from './root.ts'

/**
 * `npm run demo:game` connects the demo world to a game: an embedded game database in addition to the site's, the
 * bridge, and a program that plays. It uses the running site, or starts one. Its files are in `DATA_DIR/demo-game`.
 */

/** An error that the operator can fix, as its message describes. */
class StoppedError extends Error {}

/** The form in which the game stores passwords. */
const PASSWORD_FORM = 'md5-upper-19'

/** The tables of the game's alliances and of its logs of kills and wars. */
const GAME_NAMES = {
  GuildAlliance: 'GuildAlliance',
  'GuildAlliance.LeaderNum': 'GuNumP',
  'GuildAlliance.MemberNum': 'GuNumS',
  KillLog: 'LogKill',
  'KillLog.KillerNum': 'ChaNum',
  WarLog: 'LogGuildWar',
  'WarLog.WinnerNum': 'GuNum',
}

/** The number of attempts to find the players' accounts in the game. */
const JOIN_TRIES = 40
const JOIN_EVERY_MS = 250

const print = (line: string) => console.log(line)
const now = () => new Date().toLocaleTimeString('en-PH', { timeZone: 'Asia/Manila', hour12: false })

/** Returns the site's description; undefined if it does not respond. */
async function fetchSite(origin: string): Promise<{ app_name: string; demo: boolean } | undefined> {
  try {
    const answer = await fetch(`${origin}/api/site`)
    return (await answer.json()) as { app_name: string; demo: boolean }
  } catch {
    return undefined
  }
}

/** Runs one of the project's commands. @returns its exit code and its output */
async function runCommand(args: string[]): Promise<{ code: number; lines: string[] }> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, lines: output.trim().split('\n') }
}

/** The programs to stop when this process receives a signal, newest last. */
const runningPrograms: { stop: () => Promise<unknown> }[] = []

/** Stops all programs, newest first, so the databases are last. */
async function stopAll(code: number): Promise<never> {
  for (const { stop } of runningPrograms.splice(0).reverse()) await stop()
  process.exit(code)
}

function fail(error: unknown): Promise<never> {
  console.error(error instanceof StoppedError ? error.message : error)
  return stopAll(1)
}

/**
 * Starts a program of the project and waits for the line that reports that it is ready.
 *
 * @returns the match of the pattern in that line
 * @throws StoppedError when the program ends first
 */
async function startProgram(name: string, args: string[], isReady: RegExp, showLine: (line: string) => void) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const processExit = once(child, 'exit')
  let isStopping = false
  runningPrograms.push({
    stop: async () => {
      isStopping = true
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await processExit
    },
  })
  const readyMatch = await new Promise<RegExpExecArray>((resolve, reject) => {
    let lastLine = ''
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lastLine = line
        showLine(line)
        const match = isReady.exec(line)
        if (match !== null) resolve(match)
      })
    void processExit.then(() => reject(new StoppedError(`${name} has ended: ${lastLine}`)))
  })
  void processExit.then(() => {
    if (isStopping) return
    print(`${name} has ended.`)
    void stopAll(1)
  })
  return readyMatch
}

/** Starts the site if it is not running. @returns its address */
async function ensureSite(): Promise<string> {
  const config = await readCommandConfig(process.env)
  const configuredOrigin = getPublicUrl(config)
  if (config.port !== 0 && (await fetchSite(configuredOrigin)) !== undefined) {
    print(`The site runs at ${configuredOrigin}.`)
    return configuredOrigin
  }
  print('Starting the site …')
  const [, address = ''] = await startProgram('The site', ['server.ts'], / is open: (\S+)$/, () => {})
  return address
}

/** Pairs the bridge unless it is paired. */
async function pairBridge(configFile: string, site: string, keyFile: string): Promise<void> {
  const storedKeys = await readKeys(keyFile).catch(() => undefined)
  if (storedKeys?.site === site) return
  const codeOutput = await runCommand(['scripts/operate.ts', 'staff', 'bridge-code', PASSWORD_FORM])
  const code = codeOutput.lines.at(-1) ?? ''
  if (codeOutput.code !== 0) throw new StoppedError(`The site gave no pairing code: ${code}`)
  const pairingOutput = await runCommand(['bridge/main.ts', 'pair', site, code, '--config', configFile])
  if (pairingOutput.code !== 0)
    throw new StoppedError(
      `${pairingOutput.lines.join('\n')}\nDoes the site at ${site} use this DATA_DIR? If another one runs there, stop it first.`,
    )
  print('Paired the bridge with the site.')
}

/** Logs a demo player in, so the bridge creates their account in the game. @returns whether the login succeeded */
async function logIn(site: string, { user_id, password }: (typeof DEMO_ACCOUNTS)[number]): Promise<boolean> {
  const answer = await fetch(`${site}/api/processlogin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ UserID: user_id, UserPass: password }),
  })
  const { data } = (await answer.json()) as { data?: { token: string | null } }
  if (data?.token == null) return false
  await fetch(`${site}/api/logout`, { method: 'POST', headers: { Authorization: `Bearer ${data.token}` } })
  return true
}

/** Waits, up to a limit, until the given number of the site's players have an account in the game. */
async function waitForPlayers(url: string, players: number): Promise<void> {
  for (let tries = 0; tries < JOIN_TRIES && (await countJoined(url)) < players; tries++) await pause(JOIN_EVERY_MS)
}

function describe(event: PlayEvent): string {
  if (event.kind === 'joined') return `Game: ${event.player} has an account now, and enters the campus.`
  return event.kind === 'arrived'
    ? `Game: “${event.item}” is in the item bank of ${event.player}: delivered.`
    : `Game: ${event.player} takes “${event.item}”: claimed.`
}

async function main(): Promise<void> {
  const { dataDir } = await readCommandConfig(process.env)
  const site = await ensureSite()
  const siteFields = await fetchSite(site)
  if (siteFields?.demo !== true)
    throw new StoppedError(
      `${siteFields?.app_name ?? 'The site'} is not a demo world. This game is invented: its characters would replace your real ones.`,
    )
  const folder = join(dataDir, 'demo-game')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  print('Opening the game …')
  const game = await openEmbeddedGame(folder)
  runningPrograms.push({ stop: game.close })
  const [configFile, keyFile] = [join(folder, 'bridge.json'), join(folder, 'bridge.key')]
  const config = {
    site,
    key: keyFile,
    game: { preset: 'ran-postgres', ...game.urls },
    passwordForm: PASSWORD_FORM,
    names: GAME_NAMES,
    services: { places: { 0: { map: 22 }, 1: { map: 33 }, 2: { map: 44 } } },
  }
  await writeFile(configFile, `${JSON.stringify(config, null, 2)}\n`)
  await pairBridge(configFile, site, keyFile)

  const keys = await readKeys(keyFile)
  const callSite = createSiteCall({ site, bridge: keys.bridge, signKey: keys.sign, instance: 'demo-game-products' })
  const { rows } = await callSite(getBridgeProducts, {})
  await addProducts(
    game.urls.shop,
    rows.map(({ game_product_num, item_name }) => ({ number: game_product_num, name: item_name })),
  )
  const play = await playGame(game.urls.shop, (event) => print(`${now()}  ${describe(event)}`))
  runningPrograms.push(play)
  play.completion.catch(fail)
  await startProgram('The bridge', ['bridge/main.ts', '--config', configFile], /Z Connected /, (line) =>
    print(`${now()}  Bridge: ${line.replace(/^\S+Z /, '')}`),
  )
  const readyPlayers: string[] = []
  for (const account of DEMO_ACCOUNTS.filter(({ user_type }) => user_type === 1))
    if (await logIn(site, account)) readyPlayers.push(`${account.user_id} (${account.password})`)
  await waitForPlayers(game.urls.user, readyPlayers.length)
  print(`
${siteFields.app_name} is now connected to a game: ${site}
  1. Log in as ${readyPlayers[0] ?? 'a player'} and buy something: ${site}/itemshop
  2. Look at ${site}/shoppurchases: delivered within two seconds, claimed a few seconds later.
  3. The desk shows the bridge: ${site}/admin/game (gm, gm-demo-1)
Players online: ${site}/serverinfo. Each new player also gets an account in the game. Press Ctrl+C to stop.
`)
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const) process.once(signal, () => void stopAll(0))
main().catch(fail)
