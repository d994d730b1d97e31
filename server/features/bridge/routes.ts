import * as calls from '#contract/bridge.ts'
import { importAccounts, reportAccounts, reportBlocks, takeAccountWork } from '#contract/bridge-accounts.ts'
import {
  compareCharacters,
  reportGame,
  sendCharacters,
  sendClubs,
  sendGameLog,
  sendMarks,
} from '#contract/bridge-characters.ts'
import { checkServicesUsed, reportServices, takeServiceWork } from '#contract/bridge-services.ts'
import { getGameLog, getPlayersOnline } from '#contract/players-online.ts'
import { freeStuckLogin, getStuckLogin } from '#contract/stuck-login.ts'
import { Refusal } from '#server/errors.ts'
import { recordRefusal } from '#server/http/bridge.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readSettings } from '#server/settings.ts'
import { bookAccounts, findAccountWork } from './accounts.ts'
import { bookCharacters, compareBlocks } from './characters.ts'
import { bookClubs } from './clubs.ts'
import { isOnlineSimulated, simulateOnline } from './demo-online.ts'
import { bookBlocks } from './game-blocks.ts'
import { readGameLog, storeGameLog } from './game-log.ts'
import { importRows } from './import.ts'
import { releaseLease, takeLease } from './lease.ts'
import { readStuckLogin, requestReset } from './logins.ts'
import { storeMarks } from './marks.ts'
import { bookGameReport, readOnline } from './online.ts'
import { pairByCode } from './pairing.ts'
import { bookReport } from './report.ts'
import { bookServices, findServiceWork, needsServiceTable } from './services.ts'
import { findHighestIssuedUnit, storeUnknownUnits } from './unknown-units.ts'
import { findWork, selectDeliveredUnits } from './work.ts'

/** The calls of the agent next to the game's database, and the game's public data. */
export const bridgeCalls: MountedCall[] = [
  mount(calls.pairBridge, (input, { deps }) => pairByCode(deps, input)),

  mount(calls.startBridge, async (input, { deps, bridge }) => {
    const { db, now, log } = deps
    try {
      await db.transaction().execute((tx) => takeLease(tx, bridge, input, now()))
    } catch (error) {
      if (error instanceof Refusal) await recordRefusal(db, bridge.bridge, error.message, now())
      throw error
    }
    log.info({ bridge: bridge.bridge, version: input.version }, 'bridge started')
    const [title, handed_through] = [(await readSettings(deps)).site_name, await findHighestIssuedUnit(db)]
    return { now: now(), title, handed_through }
  }),

  mount(calls.stopBridge, async (_, { deps: { db, now }, bridge }) => {
    await releaseLease(db, bridge)
    return { now: now() }
  }),

  mount(calls.reportUnknown, async ({ units }, { deps: { db, now }, bridge }) => {
    await storeUnknownUnits(db, bridge, units, now())
    return { now: now() }
  }),

  mount(calls.takeWork, (input, { deps, bridge }) => findWork(deps, bridge, input)),

  mount(calls.reportWork, async (input, { deps, bridge }) => {
    const restore = await bookReport(deps, bridge, input)
    return { now: deps.now(), restore }
  }),

  mount(calls.listDelivered, async ({ after }, { deps: { db, now }, bridge }) => ({
    now: now(),
    units: await selectDeliveredUnits(db, bridge, after),
  })),

  mount(calls.reportFindings, async ({ problem, findings }, { deps: { db, now }, bridge: { bridge } }) => {
    if (problem !== null || findings !== null)
      await db
        .updateTable('bridges')
        .set({
          ...(problem !== null && { problem }),
          ...(findings !== null && { findings: JSON.stringify(findings), checked_at: now() }),
        })
        .where('bridge', '=', bridge)
        .execute()
    return { now: now() }
  }),

  mount(reportBlocks, async (input, { deps, bridge }) => {
    await bookBlocks(deps, bridge, input)
    return { now: deps.now() }
  }),

  mount(compareCharacters, (input, { deps, bridge }) => compareBlocks(deps, bridge, input)),

  mount(sendCharacters, async (input, { deps, bridge }) => {
    await bookCharacters(deps, bridge, input)
    return { now: deps.now() }
  }),

  mount(reportGame, async (input, { deps, bridge }) => {
    const requests = await bookGameReport(deps, bridge, input)
    return { now: deps.now(), ...requests }
  }),

  mount(sendClubs, async (input, { deps, bridge }) => {
    await bookClubs(deps, bridge, input)
    return { now: deps.now() }
  }),

  mount(sendMarks, async (input, { deps, bridge }) => {
    await storeMarks(deps, bridge, input)
    return { now: deps.now() }
  }),

  mount(sendGameLog, async (input, { deps, bridge }) => {
    await storeGameLog(deps, bridge, input)
    return { now: deps.now() }
  }),
  mount(getGameLog, (_, { deps }) => readGameLog(deps)),

  mount(getPlayersOnline, async (_, { deps: { browseDb: db, config, now } }) => ({
    online: (await isOnlineSimulated({ db, config })) ? simulateOnline(now()) : await readOnline(db, now()),
  })),

  mount(calls.getBridgeProducts, async (_, { deps: { browseDb, now } }) => {
    const rows = await browseDb
      .selectFrom('shop_items')
      .where('hidden', '=', false)
      .where('kind', '=', 'item')
      .select(['product_num', 'game_product_num', 'item_name'])
      .orderBy('product_num')
      .execute()
    return {
      now: now(),
      rows: rows.map((row) => ({ ...row, game_product_num: row.game_product_num ?? row.product_num })),
    }
  }),

  mount(takeAccountWork, (input, { deps, bridge }) => findAccountWork(deps, bridge, input)),
  mount(reportAccounts, async (input, { deps, bridge }) => {
    await bookAccounts(deps, bridge, input)
    return { now: deps.now() }
  }),

  mount(getStuckLogin, (_, { deps, session }) => readStuckLogin(deps, session.userNum)),
  mount(freeStuckLogin, async (_, { deps, session, caller }) => ({
    message: await deps.db.transaction().execute((db) => requestReset({ db, now: deps.now }, session.userNum, caller)),
  })),

  mount(checkServicesUsed, async (_, { deps: { db, now } }) => ({ now: now(), wanted: await needsServiceTable(db) })),
  mount(takeServiceWork, (input, { deps, bridge }) => findServiceWork(deps, bridge, input)),
  mount(reportServices, async (input, { deps, bridge }) => {
    await bookServices(deps, bridge, input)
    return { now: deps.now() }
  }),

  mount(importAccounts, (input, { deps, bridge }) => importRows(deps, bridge, input)),
]
