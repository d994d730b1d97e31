import { checkServicesUsed, reportServices, takeServiceWork } from '#contract/bridge-services.ts'
import { compareServices } from './compare.ts'
import type { GameConfig } from './config.ts'
import { renewEpoch, requireUnchanged } from './game/marker.ts'
import { createRounds, type LoopDeps } from './rounds.ts'
import {
  createEmptyReport,
  doServices,
  prepareCharacters,
  type ReadyCharacters,
  type Report,
  recheckServices,
} from './services.ts'
import { SiteRefusal } from './site.ts'

/**
 * Does the services that the site sells. Does nothing for a site that sells none or is too old for services. If the game does
 * not allow services, reports that and retries at intervals, while deliveries continue.
 */
export async function runServices(config: GameConfig, deps: LoopDeps): Promise<void> {
  const { callSite, print, signal, pause, retryUntilAnswered, waitMs } = deps
  const openDatabase = () => prepareCharacters(config)
  // Opening the database creates the bridge's table for services. This happens at the start, as for its other tables, so the
  // operator grants the permissions only once.
  if (config.services !== undefined)
    await openDatabase().then(
      (characters) => characters.close(),
      () => {},
    )
  const doRounds = createRounds('Services', openDatabase, (characters) => () => doRound(characters, deps), deps)
  let isOlderSite = false
  while (!signal.aborted) {
    const answer = await retryUntilAnswered(() => callSite(checkServicesUsed, {}, signal)).then(
      (answer) => answer.wanted,
      (error: unknown) => {
        if (error instanceof SiteRefusal && error.status === 404) return null
        throw error
      },
    )
    if (answer === null && !isOlderSite)
      print(
        'The site is older than this bridge and does not support services for characters. Everything else continues.',
      )
    isOlderSite = answer === null
    if (answer === true) await doRounds()
    else await pause(6 * waitMs)
  }
}

/** Requests orders of services, does and reports them, and checks completed ones again. */
export async function doRound(characters: ReadyCharacters, deps: LoopDeps): Promise<void> {
  const { callSite, print, signal, onStep, waitMs, retryUntilAnswered, pause } = deps
  const { marker } = characters
  await requireUnchanged(marker)
  const answer = await retryUntilAnswered(() =>
    callSite(takeServiceWork, { wait_ms: waitMs, copy: marker.copy }, signal),
  )
  const send = (report: Report) =>
    retryUntilAnswered(() => callSite(reportServices, { ...report, copy: marker.copy }, signal))
  const { work, restore, look, next_epoch } = answer
  if (restore === 'confirmed' && next_epoch !== null) {
    await renewEpoch(marker, next_epoch)
    print('An owner has confirmed the restore of the characters. Services continue.')
    return
  }
  if (look.length > 0) {
    await send({ ...createEmptyReport(), looked: await compareServices(characters, look) })
    return
  }
  if (restore !== 'none') {
    await pause(waitMs)
    return
  }
  if (work.length > 0) {
    const results = await doServices(characters, work, onStep)
    await onStep?.('services written')
    await send(results)
  }
  const { report, storeReported } = await recheckServices(characters, onStep)
  if (report.again.length + report.settled.length + report.refused.length > 0) {
    await send(report)
    await storeReported()
  }
}
