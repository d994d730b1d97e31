import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  BRIDGE_UNITS_AT_ONCE,
  type Finding,
  type GameCopy,
  listDelivered,
  reportFindings,
  reportWork,
  startBridge,
  stopBridge,
  takeWork,
  type UnitWork,
} from '#contract/bridge.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { runAccounts } from './accounts.ts'
import { createSyncMemory, syncGame } from './characters.ts'
import { compareUnits } from './compare.ts'
import { type BridgeConfig, ConfigError } from './config.ts'
import {
  cancelUnit,
  deliverUnit,
  isDatabaseError,
  noteFlags,
  type OnStep,
  type Outcome,
  readBatchRows,
  readChangedFlags,
  resetNotedFlags,
} from './deliver.ts'
import { GameUnavailable, IncompatibleGame } from './game/driver.ts'
import { CopyChanged, renewEpoch, requireUnchanged, writeCounted } from './game/marker.ts'
import { MissingNames } from './game/names.ts'
import { openGame, prepareOwnTables, type ReadyGame } from './game/open-game.ts'
import { IncompatibleOwnTables } from './game/own-tables.ts'
import { createLogMemory, reportGameLog } from './logs.ts'
import type { LoopDeps } from './rounds.ts'
import { runServices } from './service-rounds.ts'
import { type CallSite, SiteRefusal, SiteUnavailable } from './site.ts'
import { sendUnknownUnits } from './unknown-units.ts'

/** The waits of the agent, in ms; tests wait less. */
export type Pace = {
  /** How long the site waits for work before it answers that there is none. */
  workMs: number
  /** Between two checks of the rows in the game. */
  watchMs: number
  /** Between the starts of two readings of the characters. */
  syncMs: number
  /** Between two checks of the game's databases. */
  checkMs: number
  /** Before the first retry; the wait doubles with each further one, up to `retryMaxMs`. */
  retryMs: number
  retryMaxMs: number
}

const PACE: Pace = { workMs: 5000, watchMs: 1500, syncMs: 60_000, checkMs: 3_600_000, retryMs: 500, retryMaxMs: 10_000 }

export type AgentDeps = {
  config: BridgeConfig
  /** Sends signed calls to the site. */
  callSite: CallSite
  version: string
  print: (line: string) => void
  /** Stops the agent after the current transaction. */
  signal: AbortSignal
  /** Checks the game's databases; the desk shows the findings. */
  check?: () => Promise<Finding[]>
  pace?: Partial<Pace>
  onStep?: OnStep
  /** The key that decrypts the passwords that the site seals; without it, accounts are not created in the game. */
  sealKey?: KeyObject
  /** The kinds of connection problems that were printed since the site last answered; set by the agent. */
  printedProblems?: Set<string>
}

/** Returns the kind of a temporary connection problem; null for other errors. */
const classifyError = (error: unknown): 'unavailable' | 'clock' | null =>
  error instanceof SiteUnavailable
    ? 'unavailable'
    : error instanceof SiteRefusal && error.reason === 'clock'
      ? 'clock'
      : null

/** Prints a problem with the site, unless one of its kind was printed since the site last answered. */
function printProblemOnce({ print, printedProblems }: AgentDeps, kind: string, line: string): void {
  if (printedProblems?.has(kind) !== true) print(line)
  printedProblems?.add(kind)
}

function printRecovery({ print, printedProblems }: AgentDeps): void {
  if (printedProblems === undefined || printedProblems.size === 0) return
  printedProblems.clear()
  print('The site answers again.')
}

/** An error that retrying cannot fix; the message is for the operator. */
export class FatalError extends Error {
  override name = 'FatalError'
}

/** How long a stopping agent waits for the site. */
const STOP_TIMEOUT_MS = 2000

/** Refusals of the site after which this agent cannot continue. */
const FATAL_REASONS = ['revoked', 'unknown', 'signature', 'not-signed']

type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>

/** The connection that holds the lock, and the state of its database. */
type Session = {
  game: ReadyGame
  /** Whether the site's last answer said that a restore waits for an owner, or was confirmed but not yet applied here. */
  hasOpenRestore: boolean
  /** Runs one statement or transaction at a time on the connection. */
  runQueued: Queue
  /**
   * Sends one request with the database's counter at a time. If two arrived in the wrong order, the lower counter would look
   * like a restored database.
   */
  reportQueue: Queue
  /** Checks the game's databases and reports the findings. */
  check: () => Promise<void>
}

/**
 * Runs the agent until the signal ends it. It waits for the lock of the shop's database, delivers and takes back the units that
 * the site issues, and reports picked-up units. It retries while the site or the database is unavailable.
 *
 * @throws FatalError for a problem that only a person can solve; ConfigError if the bridge was paired for passwords in another
 *   form
 */
export async function runAgent(agentDeps: AgentDeps): Promise<void> {
  const deps = { ...agentDeps, printedProblems: new Set<string>() }
  try {
    await workUntilStopped(deps)
  } finally {
    // Sign off, so another process with this key can start at once. An older site does not have this call, so it may fail.
    await deps.callSite(stopBridge, {}, AbortSignal.timeout(STOP_TIMEOUT_MS)).catch(() => {})
  }
}

async function workUntilStopped(deps: AgentDeps): Promise<void> {
  const { signal, print } = deps
  const pace = { ...PACE, ...deps.pace }
  let failures = 0
  let lastLine = ''
  const printOnce = (line: string) => {
    if (line !== lastLine) print(line)
    lastLine = line
  }
  while (!signal.aborted) {
    try {
      await runSession(deps, pace, printOnce, () => {
        failures = 0
        lastLine = ''
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SiteRefusal && FATAL_REASONS.includes(error.reason)) throw new FatalError(error.message)
      if (error instanceof SiteRefusal && error.reason === 'password-form') {
        await reportProblem(deps, error.message)
        throw new ConfigError(error.message)
      }
      if (
        error instanceof IncompatibleGame ||
        error instanceof MissingNames ||
        error instanceof IncompatibleOwnTables
      ) {
        await reportProblem(deps, error.message)
        throw new FatalError(error.message)
      }
      if (error instanceof GameUnavailable)
        await reportProblem(deps, `The game’s database cannot be reached: ${error.message}`)
      // For example, the disk is full. Nothing was written, and work continues when there is space again.
      else if (isDatabaseError(error))
        await reportProblem(deps, `The game’s database refused a change: ${error.message}`)
      else if (!(error instanceof SiteUnavailable || error instanceof SiteRefusal || error instanceof CopyChanged))
        throw error
      const kind = classifyError(error)
      if (kind === null) printOnce((error as Error).message)
      else printProblemOnce(deps, kind, (error as Error).message)
    }
    const waitMs = Math.min(pace.retryMaxMs, pace.retryMs * 2 ** Math.min(failures++, 10))
    await pause(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** Shows a problem on the desk, if the site is available. */
async function reportProblem({ callSite }: AgentDeps, problem: string): Promise<void> {
  await callSite(reportFindings, { problem: problem.slice(0, 300), findings: null }).catch(() => {})
}

/** Works with one connection until it breaks or the signal stops it. */
async function runSession(
  deps: AgentDeps,
  pace: Pace,
  printOnce: (line: string) => void,
  onStarted: () => void,
): Promise<void> {
  const { config, sealKey, callSite, version, print, signal } = deps
  const game = await openGame(config)
  try {
    while (!(await game.shop.takeLock())) {
      printOnce('Another agent is working with this database. This one is waiting for it to stop.')
      await pause(pace.retryMs, undefined, { signal })
    }
    const ready = await prepareOwnTables(game)
    const { title, handed_through } = await callSite(
      startBridge,
      {
        ...ready.marker.copy,
        version,
        system: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
        preset: config.preset,
        password_form: config.passwordForm,
      },
      signal,
    )
    print(`Connected ${title} to the game.`)
    if (handed_through !== null) await sendUnknownUnits(ready, handed_through, callSite)
    onStarted()
    const checkQueue = createQueue()
    const check = () => checkQueue(() => sendFindings(deps))
    const session: Session = {
      game: ready,
      hasOpenRestore: false,
      runQueued: createQueue(),
      reportQueue: createQueue(),
      check,
    }
    const sessionEnd = new AbortController()
    const loopSignal = AbortSignal.any([signal, sessionEnd.signal])
    const loopDeps = createLoopDeps(deps, pace, loopSignal)
    const loops = [
      runDeliverLoop(deps, pace, session, loopSignal),
      runWatchLoop(deps, pace, session, loopSignal),
      sealKey && runAccounts(config, { ...loopDeps, sealKey, blocksMs: pace.syncMs }),
      runServices(config, loopDeps),
      runSyncLoop(deps, pace, loopSignal),
      runCheckLoop(pace, session, loopSignal),
    ]
    try {
      await Promise.race([Promise.all(loops), waitForAbort(signal)])
    } finally {
      sessionEnd.abort()
      await Promise.allSettled(loops)
    }
  } finally {
    await game.close()
  }
}

const waitForAbort = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Creates a queue that runs one task at a time, in the order of their calls. */
function createQueue() {
  let lastTask: Promise<unknown> = Promise.resolve()
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = lastTask.then(task, task)
    lastTask = result.catch(() => {})
    return result
  }
}

/** Returns the dependencies of the loops over accounts and services. Each loop opens separate connections. */
const createLoopDeps = (deps: AgentDeps, pace: Pace, signal: AbortSignal): LoopDeps => ({
  callSite: deps.callSite,
  print: deps.print,
  reportProblem: (problem) => reportProblem(deps, problem),
  signal,
  ...(deps.onStep && { onStep: deps.onStep }),
  waitMs: pace.workMs,
  retryUntilAnswered: (call) => retryUntilAnswered(deps, pace, signal, call),
  pause: (ms) => pause(Math.min(ms, pace.retryMaxMs), undefined, { signal }),
})

/** Repeats the check at intervals. A stopping agent does not wait for it. */
async function runCheckLoop(pace: Pace, session: Session, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.race([session.check(), waitForAbort(signal)])
    await pause(pace.checkMs, undefined, { signal })
  }
}

/** Runs `check` over separate connections, and sends its findings to the desk. */
async function sendFindings(deps: AgentDeps): Promise<void> {
  const { check, callSite, print } = deps
  if (check === undefined) return
  try {
    await callSite(reportFindings, { problem: null, findings: (await check()).slice(0, 200) })
  } catch (error) {
    const line = `The check did not finish: ${(error as Error).message}`
    const kind = classifyError(error)
    if (kind === null) print(line)
    else printProblemOnce(deps, kind, line)
  }
}

/** Repeats a call until the site answers. @throws errors that retrying cannot fix */
async function retryUntilAnswered<Result>(
  deps: AgentDeps,
  pace: Pace,
  signal: AbortSignal,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      const answer = await call()
      printRecovery(deps)
      return answer
    } catch (error) {
      signal.throwIfAborted()
      const kind = classifyError(error)
      if (kind === null) throw error
      printProblemOnce(deps, kind, (error as Error).message)
      await pause(Math.min(pace.retryMaxMs, pace.retryMs * 2 ** Math.min(failures, 10)), undefined, { signal })
    }
  }
}

/** Units that are being delivered. `writing` ends after the last unit, `reporting` with the site's answer. */
type Batch = { units: number[]; writing: Promise<unknown>; reporting: Promise<void> }

/**
 * Fetches batches of units, writes and reports them. While a full batch is written, the previous one is reported and the next
 * one fetched, so the game's database does not wait for the site.
 */
async function runDeliverLoop(deps: AgentDeps, pace: Pace, session: Session, signal: AbortSignal): Promise<void> {
  const { callSite, print } = deps
  const { game, runQueued, reportQueue } = session
  /** Batches that were not reported yet. The last one may still be in progress. */
  const openBatches: Batch[] = []
  const takeBatch = (wait_ms: number) =>
    retryUntilAnswered(deps, pace, signal, () => {
      const openUnits = openBatches.flatMap(({ units }) => units)
      return callSite(takeWork, { ...game.marker.copy, wait_ms, doing: openUnits }, signal)
    })
  try {
    while (!signal.aborted) {
      // Only an idle agent waits for work, because reports queue behind this request.
      const answer = openBatches.length === 0 ? await takeBatch(pace.workMs) : await reportQueue(() => takeBatch(0))
      if (answer.check === true) void session.check()
      session.hasOpenRestore = answer.restore !== 'none'
      await openBatches.at(-1)?.writing
      if (answer.work.length > 0) openBatches.push(doWork(deps, pace, session, answer.work, signal))
      // After a full batch there is probably another one.
      const maxOpenBatches = answer.work.length >= BRIDGE_UNITS_AT_ONCE ? 1 : 0
      while (openBatches.length > maxOpenBatches) {
        await openBatches[0]?.reporting
        openBatches.shift()
      }
      if (answer.restore === 'confirmed' && answer.next_epoch !== null) {
        const epoch = answer.next_epoch
        await reportQueue(() => runQueued(() => renewEpoch(game.marker, epoch)))
        print('An owner has confirmed the restore. Deliveries go on.')
      } else if (answer.look.length > 0) {
        const comparison = await runQueued(() => compareUnits(game, answer.look))
        await report(deps, pace, session, { looked: comparison }, signal)
      } else if (answer.restore === 'waits') await pause(pace.retryMs, undefined, { signal })
    }
  } finally {
    await Promise.allSettled(openBatches.map(({ writing }) => writing))
  }
}

/** Writes the issued units one after the other, and reports them. */
function doWork(deps: AgentDeps, pace: Pace, session: Session, work: readonly UnitWork[], signal: AbortSignal): Batch {
  const onStep = deps.onStep ?? (() => {})
  const writing = writeWork(session, work, onStep, signal)
  const reporting = writing.then(async ({ outcomes, refusal }) => {
    await report(deps, pace, session, sortOutcomes(outcomes), signal)
    await onStep('reported')
    if (refusal === '') return
    deps.print(refusal)
    await reportProblem(deps, refusal)
    await pause(pace.retryMaxMs, undefined, { signal })
  })
  // The caller awaits this promise later, and handles the error then.
  reporting.catch(() => {})
  return { units: work.map(({ unit }) => unit), writing, reporting }
}

/** Writes the issued units. @returns their outcomes, and the last refusal of the database to take one back; '' if none */
async function writeWork(session: Session, work: readonly UnitWork[], onStep: OnStep, signal: AbortSignal) {
  const { game, runQueued } = session
  const batch = await runQueued(() => readBatchRows(game, work))
  const outcomes: Outcome[] = []
  let refusal = ''
  for (const task of work) {
    signal.throwIfAborted()
    try {
      const outcome = await runQueued(() =>
        task.kind === 'deliver' ? deliverUnit(game, task, batch, onStep) : cancelUnit(game, task, onStep),
      )
      outcomes.push(outcome)
    } catch (error) {
      if (error instanceof GameUnavailable || !isDatabaseError(error)) throw error
      refusal = `The game’s database refused to take back unit ${task.unit}: ${error.message}`
    }
  }
  await onStep('written')
  return { outcomes, refusal }
}

type Report = Partial<Omit<CallInput<typeof reportWork>, keyof GameCopy>>

function sortOutcomes(outcomes: readonly Outcome[]): Report {
  const selectOutcomes = <Became extends Outcome['became']>(became: Became) =>
    outcomes.filter((outcome): outcome is Extract<Outcome, { became: Became }> => outcome.became === became)
  return {
    delivered: selectOutcomes('delivered').map(({ unit, purKey }) => ({ unit, pur_key: purKey })),
    failed: selectOutcomes('failed').map(({ became, gameUserId: game_user_id, ...rest }) =>
      game_user_id === undefined ? rest : { ...rest, game_user_id },
    ),
    cancelled: selectOutcomes('cancelled').map(({ unit }) => unit),
    kept: selectOutcomes('kept').map(({ unit, why }) => ({ unit, why })),
  }
}

const EMPTY_REPORT = { delivered: [], failed: [], cancelled: [], kept: [], flags: [], looked: null }

const report = (deps: AgentDeps, pace: Pace, session: Session, results: Report, signal: AbortSignal) =>
  session.reportQueue(() =>
    retryUntilAnswered(deps, pace, signal, () =>
      deps.callSite(reportWork, { ...EMPTY_REPORT, ...session.game.marker.copy, ...results }, signal),
    ),
  )

/** Reports flags and cancellations again, because a site that was restored from a backup may have lost them. */
async function reportAgain(deps: AgentDeps, pace: Pace, session: Session, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    const list = () => deps.callSite(listDelivered, { after }, signal)
    const { units } = await retryUntilAnswered(deps, pace, signal, list)
    const lastUnit = units.at(-1)
    if (lastUnit === undefined) return
    const flags = await session.runQueued(() => resetNotedFlags(session.game, units))
    for (let from = 0; from < flags.length; from += 500) {
      await report(deps, pace, session, { flags: flags.slice(from, from + 500) }, signal)
    }
    after = lastUnit
  }
}

/** Reports changes of the units' flags in the game, such as pick-ups; also detects a restored database. */
async function runWatchLoop(deps: AgentDeps, pace: Pace, session: Session, signal: AbortSignal): Promise<void> {
  const { game, runQueued } = session
  const { marker } = game
  await reportAgain(deps, pace, session, signal)
  while (!signal.aborted) {
    const startedAt = performance.now()
    const flags = await runQueued(async () => {
      await requireUnchanged(marker)
      return session.hasOpenRestore ? [] : readChangedFlags(game)
    })
    if (flags.length > 0) {
      // Raise the counter before the report, so every copy of the database from before the report has another counter.
      await runQueued(() => writeCounted(marker, async () => {}))
      const { restore } = await report(deps, pace, session, { flags }, signal)
      session.hasOpenRestore = restore !== 'none'
      // Note the flags after the report, so flags whose report was lost are reported again.
      if (restore === 'none') await runQueued(() => noteFlags(game, flags))
    }
    // With many open rows a check takes long, so checks become less frequent.
    const waitMs = Math.max(pace.watchMs, 10 * (performance.now() - startedAt))
    await pause(Math.min(waitMs, 60_000), undefined, { signal })
  }
}

/**
 * Reports the game's characters and clubs, the players online, and the last kills and wars. It uses separate connections, so an
 * unavailable site or an unreadable table delays no delivery.
 */
async function runSyncLoop(deps: AgentDeps, pace: Pace, signal: AbortSignal): Promise<void> {
  const { config, callSite, print } = deps
  const memory = createSyncMemory()
  const logMemory = createLogMemory()
  let lastProblem = ''
  while (!signal.aborted) {
    const startedAt = performance.now()
    let problem = ''
    try {
      problem = await syncGame(config, callSite, memory, signal)
      await reportGameLog(config, callSite, logMemory, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SiteRefusal && [...FATAL_REASONS, 'taken-over'].includes(error.reason)) throw error
      problem = (error as Error).message
      const kind = classifyError(error)
      if (kind !== null) {
        printProblemOnce(deps, kind, problem)
        lastProblem = problem
      }
    }
    if (problem !== '' && problem !== lastProblem) print(`Characters could not be sent: ${problem}`)
    lastProblem = problem
    const waitMs = problem === '' ? pace.syncMs : Math.min(pace.syncMs, pace.retryMaxMs)
    await pause(Math.max(0, waitMs - (performance.now() - startedAt)), undefined, { signal })
  }
}
