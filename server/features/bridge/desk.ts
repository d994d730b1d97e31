import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as calls from '#contract/desk-game.ts'
import { BRIDGE_CODE_FAILURES_MAX } from '#contract/limits.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { tellAccountsAgain } from './accounts.ts'
import { readOnline } from './online.ts'
import { makeBridgeCode } from './pairing.ts'
import { countDeliveries, selectBridges, selectRestore, selectSync } from './queries.ts'

/** The desk's calls about the bridge to the game. */
export const bridgeDeskCalls: Mounted[] = [
  mount(calls.getGame, async (_, { deps: { browseDb: db, now } }) => {
    const open = await db
      .selectFrom('bridge_codes')
      .where('used_at', 'is', null)
      .where('ends_at', '>', now())
      .where('failures', '<', BRIDGE_CODE_FAILURES_MAX)
      .select('ends_at')
      .executeTakeFirst()
    return {
      now: now().toISOString(),
      bridges: await selectBridges(db, now()),
      open_code: open === undefined ? null : { ends_at: open.ends_at.toISOString() },
      deliveries: await countDeliveries(db),
      restore: await selectRestore(db),
      sync: await selectSync(db),
      online: await readOnline(db, now()),
    }
  }),

  mount(calls.makeBridgeCode, async (_, { deps: { db, now, publicUrl }, staff, record }) => {
    const { code, number, endsAt } = await makeBridgeCode(db, { madeBy: staff.userNum, now: now() })
    record({ target: ['bridge code', number], after: { 'good until': endsAt.toISOString() } })
    return { id: number, code, ends_at: endsAt.toISOString(), site: new URL(publicUrl).origin }
  }),

  mount(calls.askForCheck, async ({ bridge }, { deps: { db, now }, record }) => {
    const asked = await db
      .updateTable('bridges')
      .set({ check_asked_at: now() })
      .where('bridge', 'in', (eb) => eb.selectFrom('bridge_lease').where('bridge', '=', bridge).select('bridge'))
      .returning('name')
      .executeTakeFirst()
    if (asked === undefined) throw refuse(calls.askForCheck, 'notAtWork')
    record({ target: ['bridge', bridge], after: { 'asked to check': asked.name } })
    return { message: 'The bridge is checking the game again. The results appear here in a moment.' }
  }),

  mount(calls.revokeBridge, async ({ bridge, reason }, { deps: { db, now }, staff, record }) => {
    const found = await db.selectFrom('bridges').where('bridge', '=', bridge).selectAll().forUpdate().executeTakeFirst()
    if (found === undefined) throw refuse(calls.revokeBridge, 'noBridge')
    if (found.revoked_at !== null) throw refuse(calls.revokeBridge, 'revoked')
    await db
      .updateTable('bridges')
      .set({ revoked_at: now(), revoked_by: staff.userNum })
      .where('bridge', '=', bridge)
      .execute()
    await db.deleteFrom('bridge_lease').where('bridge', '=', bridge).execute()
    record({
      target: ['bridge', bridge],
      before: { name: found.name, revoked: false },
      after: { revoked: true },
      reason,
    })
    return { message: `${found.name} is revoked.` }
  }),

  mount(calls.confirmRestore, async ({ offer_again, reason }, { deps: { db, now }, staff, record }) => {
    const copy = await db.selectFrom('game_copy').selectAll().forUpdate().executeTakeFirst()
    if (copy === undefined || copy.restored_at === null || copy.next_epoch !== null)
      throw refuse(calls.confirmRestore, 'noRestore')
    if (copy.looked_at === null) throw refuse(calls.confirmRestore, 'looking')
    // The row of a lost unit is not in the game, so it can be written again.
    const lost = offer_again
      ? await db
          .updateTable('deliveries')
          .set({ state: 'queued', in_game: '', delivered_at: null, claimed_at: null, pur_key: null })
          .where('in_game', '=', 'lost')
          .where('state', 'in', ['delivered', 'claimed'])
          .returning('delivery')
          .execute()
      : await db.selectFrom('deliveries').where('in_game', '=', 'lost').select('delivery').execute()
    await db
      .updateTable('game_copy')
      .set({ next_epoch: randomUUID(), confirmed_at: now(), confirmed_by: staff.userNum })
      .where(sql<boolean>`restored_at is not null`)
      .execute()
    await tellAccountsAgain(db)
    const units = lost.map(({ delivery }) => delivery)
    record({
      target: ['game', 'restore'],
      after: { 'lost units': units.slice(0, 200), count: units.length, 'offered again': offer_again },
      reason,
    })
    const words = units.length === 1 ? '1 lost unit' : `${units.length} lost units`
    return {
      message: offer_again
        ? `Deliveries go on. ${words} will be delivered again.`
        : `Deliveries go on. ${words} will not be delivered again.`,
    }
  }),
]
