import type { GameDatabase } from '#contract/bridge.ts'
import { PASSWORD_FORM_NAMES, type PasswordForm } from '#contract/bridge-sealing.ts'
import * as calls from '#contract/desk-game.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { BRIDGE_CODE_FAILURES_MAX } from '#contract/limits.ts'
import { formatPlural } from '#contract/numbers.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { packDownload } from './download.ts'
import { canFreeLogins, selectLastRestart } from './logins.ts'
import { readOnline } from './online.ts'
import { makeBridgeCode } from './pairing.ts'
import { countDeliveries, countDoubled, selectBridges, selectIdentity, selectRestore, selectSync } from './queries.ts'
import { describeRestore, listDatabases, lockOpenRestores, settleRestores } from './restore.ts'
import { selectUnknownUnits } from './unknown-units.ts'

/** The desk's calls about the bridge to the game. */
export const bridgeDeskCalls: MountedCall[] = [
  mount(calls.getGame, async (_, { deps: { browseDb: db, now } }) => {
    const openCode = await db
      .selectFrom('bridge_codes')
      .where('used_at', 'is', null)
      .where('ends_at', '>', now())
      .where('failures', '<', BRIDGE_CODE_FAILURES_MAX)
      .select('ends_at')
      .executeTakeFirst()
    return {
      now: now(),
      bridges: await selectBridges(db, now()),
      open_code: openCode === undefined ? null : { ends_at: openCode.ends_at },
      deliveries: await countDeliveries(db),
      restore: await selectRestore(db),
      unknown: await selectUnknownUnits(db),
      identity: await selectIdentity(db),
      doubled: await countDoubled(db),
      sync: await selectSync(db),
      online: await readOnline(db, now()),
      logins: { can_free: await canFreeLogins(db), restart: await selectLastRestart(db) },
    }
  }),

  mount(calls.downloadBridge, (input, { deps: { publicUrl } }) => packDownload(new URL(publicUrl).origin, input)),

  mount(calls.makeBridgeCode, async ({ password_form }, { deps, staff, approvedBy, record, requireApproval }) => {
    const { db, now, publicUrl } = deps
    await requireApproval(await describePairing(db, password_form))
    const { code, number, endsAt } = await makeBridgeCode(db, {
      madeBy: staff.userNum,
      approvedBy,
      passwordForm: password_form,
      now: now(),
    })
    record({
      target: ['bridge code', number],
      after: { 'good until': endsAt.toISOString(), 'form of passwords': password_form },
    })
    return { id: number, code, ends_at: endsAt, site: new URL(publicUrl).origin }
  }),

  mount(calls.requestCheck, async ({ bridge }, { deps: { db, now }, record }) => {
    const requestedBridge = await db
      .updateTable('bridges')
      .set({ check_asked_at: now() })
      .where('bridge', 'in', (eb) => eb.selectFrom('bridge_lease').where('bridge', '=', bridge).select('bridge'))
      .returning('name')
      .executeTakeFirst()
    if (requestedBridge === undefined) throw refuse(calls.requestCheck, 'notAtWork')
    record({ target: ['bridge', bridge], after: { 'check requested': requestedBridge.name } })
    return { message: 'The bridge is checking the game again. The results appear here in a moment.' }
  }),

  mount(calls.reportRestart, async ({ minutes_ago }, { deps: { db, now }, record }) => {
    if (!(await canFreeLogins(db))) throw refuse(calls.reportRestart, 'cannotFree')
    const restarted_at = new Date(now().getTime() - minutes_ago * MINUTE_MS)
    const { restart } = await db
      .insertInto('game_restarts')
      .values({ restarted_at, reported_at: now() })
      .returning('restart')
      .executeTakeFirstOrThrow()
    record({ target: ['game', `restart ${restart}`], after: { restarted_at: restarted_at.toISOString() } })
    return { message: 'The bridge frees these accounts now. Their number appears here in a moment.' }
  }),

  mount(calls.closeUnknown, async ({ reason }, { deps: { db }, record }) => {
    const units = await db.deleteFrom('unknown_units').returning(['unit', 'game_user_num', 'price']).execute()
    if (units.length === 0) throw refuse(calls.closeUnknown, 'unknownListNotFound')
    record({ target: ['game', 'unknown units'], before: { count: units.length, units: units.slice(0, 200) }, reason })
    return { message: 'The list was removed.' }
  }),

  // Needs no approval, because it only protects the game (DESK-9).
  mount(calls.revokeBridge, async ({ bridge, reason }, { deps, staff, record }) => {
    const { db, now } = deps
    const bridgeRow = await db
      .selectFrom('bridges')
      .where('bridge', '=', bridge)
      .selectAll()
      .forUpdate()
      .executeTakeFirst()
    if (bridgeRow === undefined) throw refuse(calls.revokeBridge, 'bridgeNotFound')
    if (bridgeRow.revoked_at !== null) throw refuse(calls.revokeBridge, 'revoked')
    await db
      .updateTable('bridges')
      .set({ revoked_at: now(), revoked_by: staff.userNum })
      .where('bridge', '=', bridge)
      .execute()
    await db.deleteFrom('bridge_lease').where('bridge', '=', bridge).execute()
    await mailOwners(db, deps, {
      subject: 'A bridge to the game was revoked',
      lines: [
        `${staff.userId} has revoked ${bridgeRow.name}, bridge ${bridge}. The site refuses everything that it sends.`,
        `Reason: ${reason}`,
      ],
    })
    record({
      target: ['bridge', bridge],
      before: { name: bridgeRow.name, revoked: false },
      after: { revoked: true },
      reason,
    })
    return { message: `${bridgeRow.name} is revoked.` }
  }),

  mount(calls.confirmRestore, async ({ offer_again, reason }, { deps, staff, record, requireApproval }) => {
    const { db, now } = deps
    const openRestores = await lockOpenRestores(db)
    if (openRestores.length === 0) throw refuse(calls.confirmRestore, 'restoreNotFound')
    if (openRestores.some(({ looked_at }) => looked_at === null)) throw refuse(calls.confirmRestore, 'looking')
    await requireApproval(await describeRestore(db, openRestores, offer_again))
    const { lostUnits, lostServices, reappearedUnits, balances } = await settleRestores(db, openRestores, {
      offerAgain: offer_again,
      now: now(),
      confirmedBy: staff.userNum,
    })
    record({
      target: ['game', 'restore'],
      after: {
        restored: listDatabases(openRestores),
        'lost units': lostUnits.slice(0, 200),
        count: lostUnits.length,
        'lost services': lostServices.slice(0, 200),
        'picked-up units that are in item banks again': reappearedUnits.slice(0, 200),
        'deliver lost units and services again': offer_again,
        'balances to remove from the game again': balances.count,
        sum: balances.sum,
      },
      reason,
    })
    const isRestored = (requestedDatabase: GameDatabase) =>
      openRestores.some(({ database }) => database === requestedDatabase)
    const balanceText = balances.count === 1 ? '1 balance leaves' : `${balances.count} balances leave`
    const describeOutcome = ({ length }: readonly number[], outcome: string, screen: string) =>
      offer_again ? `will be ${outcome} again.` : `${length === 1 ? 'stays' : 'stay'} marked as lost, under ${screen}.`
    const sentences = [
      isRestored('shop') && 'Deliveries go on.',
      lostUnits.length > 0 &&
        `${formatPlural(lostUnits.length, 'lost unit')} ${describeOutcome(lostUnits, 'delivered', 'Orders')}`,
      isRestored('user') && 'Accounts go on.',
      balances.count > 0 && `${balanceText} the game again.`,
      isRestored('game') && 'Services go on.',
      lostServices.length > 0 &&
        `${formatPlural(lostServices.length, 'lost service')} ${describeOutcome(lostServices, 'done', 'Services')}`,
    ]
    return { message: sentences.filter((sentence) => sentence !== false).join(' ') }
  }),
]

/** Describes a new pairing for the owner who approves it. */
async function describePairing(db: Db, form: PasswordForm): Promise<ApprovalSubject> {
  const pairedBridges = await db
    .selectFrom('bridges')
    .where('revoked_at', 'is', null)
    .select(['bridge', 'name'])
    .orderBy('bridge')
    .execute()
  const names = pairedBridges.map(({ bridge, name }) => `${name} (bridge ${bridge})`).join(', ')
  const summary = `Pair a bridge to the game; passwords there: ${PASSWORD_FORM_NAMES[form].name}`
  return {
    approverKind: 'owner',
    accounts: [],
    summary: names === '' ? summary : `${summary}; paired already: ${names}`,
    effect: { 'form of passwords': form, 'paired already': pairedBridges.map(({ bridge }) => bridge) },
  }
}
