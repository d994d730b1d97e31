import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '#contract/durations.ts'
import { GAME_REPORT_LIFETIME_MS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { OFFLINE_BEFORE_RESET_MS } from '#contract/stuck-login.ts'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { ROOT } from '#scripts/root.ts'
import { createPlayer } from '#test/account-helpers.ts'
import { createBridgeConfig, linkAccount, listenForBridges, pairKeys } from '#test/bridge-helpers.ts'
import { startGame } from '#test/games.ts'
import { createTestApp } from '#test/helpers.ts'
import { waitUntil as waitUntilMet } from '#test/wait-until.ts'

/** The code of an agent in a separate process, which reports several times a second and uses the test's clock. */
const AGENT = `
import { createPrivateKey, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runAgent } from '#bridge/agent.ts'
import { createSiteCall } from '#bridge/site.ts'
const { config, bridge, sign, seal, clockFile } = JSON.parse(process.argv[1])
await runAgent({
  config,
  callSite: createSiteCall({
    site: config.site,
    bridge,
    signKey: createPrivateKey(sign),
    instance: randomUUID(),
    now: () => new Date(Number(readFileSync(clockFile, 'utf8'))),
  }),
  sealKey: createPrivateKey(seal),
  version: 'test',
  print: console.log,
  signal: new AbortController().signal,
  pace: { workMs: 200, watchMs: 40, syncMs: 100, retryMs: 20, retryMaxMs: 200 },
})`

const game = await startGame('mariadb')
await game.run('game', 'create table LogServerState (LogDate datetime not null)')
const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
clock.set('2026-11-25T02:00:10Z')
const clockFile = join(makeTemporaryFolder(), 'clock')
function writeClock(): void {
  writeFileSync(`${clockFile}-next`, String(clock.now().getTime()))
  renameSync(`${clockFile}-next`, clockFile)
}
writeClock()
const address = await listenForBridges(site)
const { bridge, sign, seal } = await pairKeys(site, address)
const toPem = (key: typeof sign) => key.export({ type: 'pkcs8', format: 'pem' })
const config = createBridgeConfig(
  { ...game, urls: { ...game.urls, log: game.urls.game } as typeof game.urls },
  'mariadb',
  address,
)
const input = JSON.stringify({ config, bridge, sign: toPem(sign), seal: toPem(seal), clockFile })

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

function startAgent() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', AGENT, input], { cwd: ROOT })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  children.push(child)
  return { child, getOutput: () => output, isWorking: () => output.includes('Connected') }
}
type Agent = ReturnType<typeof startAgent>
let workingAgent: Agent
let waitingAgent: Agent

const kill = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

const waitUntil = (condition: string, isMet: () => Promise<boolean> | boolean) =>
  waitUntilMet(condition, isMet, { explain: () => `${workingAgent?.getOutput()}\n${waitingAgent?.getOutput()}` })

const hasReported = async () => {
  const sync = await db.selectFrom('game_sync').select('reported_at').executeTakeFirst()
  return sync?.reported_at?.getTime() === clock.now().getTime()
}

/** Advances the clock minute by minute, and waits for a report in each minute. */
async function passMinutes(minutes: number) {
  for (let minute = 0; minute < minutes; minute++) {
    clock.advance(MINUTE_MS)
    writeClock()
    await waitUntil('a report came', hasReported)
  }
}

async function createPlayingPlayer(name: string) {
  const player = await createPlayer(site)
  const gameUserNum = await game.addPlayer(name, player.user.UserID)
  await linkAccount(site, player.user.UserNum, gameUserNum)
  await game.run(
    'game',
    `insert into ChaInfo (UserNum, ChaName, ChaClass, ChaSchool, ChaOnline) values (${gameUserNum}, '${name}', 1, 0, 1)`,
  )
  const setOnline = (online: 0 | 1) =>
    game.run('game', `update ChaInfo set ChaOnline = ${online} where UserNum = ${gameUserNum}`)
  const readMinutes = async () => {
    const row = await db
      .selectFrom('play_days')
      .where('user_num', '=', player.user.UserNum)
      .where('day', '=', toManilaDay(clock.now()))
      .select('minutes')
      .executeTakeFirst()
    return row?.minutes ?? 0
  }
  return { ...player, gameUserNum, setOnline, readMinutes }
}

const ana = await createPlayingPlayer('Ana')
const ben = await createPlayingPlayer('Ben')
await game.run('game', `insert into GuildInfo (GuNum, ChaNum, GuName) values (3, 1, 'Katipunan'), (4, 2, 'Lakambini')`)
await game.run('game', 'insert into GuildRegion (RegionID, GuNum, RegionTax) values (1, 3, 10)')
const logLoad = () => game.run('game', 'insert into LogServerState values (now())')

/** Kills the working agent, waits until the other one takes over, and starts another agent that waits. */
async function replaceWorkingAgent() {
  await kill(workingAgent.child)
  await passMinutes(1)
  assert.ok(waitingAgent.isWorking(), waitingAgent.getOutput())
  workingAgent = waitingAgent
  waitingAgent = startAgent()
}

test('only one of two agents reports the players, and each minute counts once', async () => {
  await logLoad()
  workingAgent = startAgent()
  await waitUntil('the agent works', () => workingAgent.isWorking())
  waitingAgent = startAgent()
  await waitUntil('a report came', hasReported)
  await waitUntil('the other agent waits', () => waitingAgent.getOutput().includes('Another agent'))
  const before = await ana.readMinutes()
  await passMinutes(3)
  assert.equal(await ana.readMinutes(), before + 3)
})

test('counts each minute once when the working agent is killed', async () => {
  const before = await ana.readMinutes()
  await replaceWorkingAgent()
  await passMinutes(2)
  await replaceWorkingAgent()
  assert.equal(await ana.readMinutes(), before + 4)
})

test('counts no minute without the game’s database, and counts again afterwards', async () => {
  await game.server.kill()
  await waitUntil('the desk shows the problem', async () => {
    const row = await db.selectFrom('bridges').where('bridge', '=', bridge).select('problem').executeTakeFirst()
    return /cannot be reached/.test(row?.problem ?? '')
  })
  const before = await ana.readMinutes()
  clock.advance(MINUTE_MS)
  writeClock()
  // Time for many reports, if the agent could send any.
  await sleep(2000)
  assert.equal(await ana.readMinutes(), before)
  await game.server.start()
  await game.reconnect()
  await waitUntil('a report came', hasReported)
  if (waitingAgent.getOutput().lastIndexOf('Connected') > waitingAgent.getOutput().lastIndexOf('Another agent'))
    [workingAgent, waitingAgent] = [waitingAgent, workingAgent]
  const countedMinutes = await ana.readMinutes()
  assert.ok(countedMinutes - before <= 1, 'the minute counts from the first report after it at the earliest')
  await passMinutes(2)
  assert.equal(await ana.readMinutes(), countedMinutes + 2)
})

test('stops counting when the game shows no sign of life, and continues with a login', async () => {
  await logLoad()
  await passMinutes(1)
  await game.run('game', 'delete from LogServerState')
  await passMinutes(1)
  const before = await ana.readMinutes()
  await passMinutes(GAME_REPORT_LIFETIME_MS / MINUTE_MS + 2)
  const minutesWithoutLife = await ana.readMinutes()
  assert.ok(
    minutesWithoutLife - before <= GAME_REPORT_LIFETIME_MS / MINUTE_MS,
    `${minutesWithoutLife - before} minutes counted`,
  )
  await passMinutes(2)
  assert.equal(await ana.readMinutes(), minutesWithoutLife)
  await replaceWorkingAgent()
  assert.equal(await ana.readMinutes(), minutesWithoutLife, 'a new agent is not a sign of life')
  await ben.setOnline(0)
  await passMinutes(2)
  assert.ok((await ana.readMinutes()) > minutesWithoutLife)
})

test('records the new holder of an area once if it changes while no agent works', async () => {
  const readHolders = () => db.selectFrom('area_holders').select('club').orderBy('change').execute()
  const before = await readHolders()
  await Promise.all([kill(workingAgent.child), game.run('game', 'update GuildRegion set GuNum = 4 where RegionID = 1')])
  await passMinutes(1)
  ;[workingAgent, waitingAgent] = [waitingAgent, startAgent()]
  await waitUntil('the site has the new holder', async () => (await readHolders()).length > before.length)
  await passMinutes(2)
  await replaceWorkingAgent()
  const newHolders = (await readHolders()).slice(before.length)
  assert.deepEqual(
    newHolders.map(({ club }) => club),
    ['Lakambini'],
  )
})

test('the agent that takes over from a killed one frees a stuck login', async () => {
  await game.run('user', `update UserInfo set UserLoginState = 1 where UserNum = ${ben.gameUserNum}`)
  await passMinutes(OFFLINE_BEFORE_RESET_MS / MINUTE_MS + 1)
  await kill(workingAgent.child)
  clock.advance(10_000)
  writeClock()
  const answer = await ben.post('/api/stuck-login', {})
  assert.equal(answer.status, 200, answer.text)
  // The other agent may start a minute after the killed one's last report, and a request ends after a minute.
  clock.advance(MINUTE_MS - 9000)
  writeClock()
  await waitUntil('the login is freed', async () => (await ben.get('/api/stuck-login')).json().state === 'reset')
  const [row] = await game.query(
    'user',
    `select UserLoginState as state from UserInfo where UserNum = ${ben.gameUserNum}`,
  )
  assert.equal(Number(row?.state), 0)
})
