import { randomUUID } from 'node:crypto'
import { GAME_DATABASE_NAMES, GAME_DATABASES, type GameDatabase } from '#contract/bridge.ts'
import { formatPlural } from '#contract/numbers.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import { resendAccounts } from './accounts.ts'
import { countReturnedBalances } from './balances.ts'
import { STATE_TABLES } from './database-state.ts'
import { requeueLostServices } from './services.ts'

/** Locks the states of the game's databases whose restore waits for an owner. */
export async function lockOpenRestores(tx: Db) {
  const openRestores = []
  for (const database of GAME_DATABASES) {
    const state = await tx.selectFrom(STATE_TABLES[database]).selectAll().forUpdate().executeTakeFirst()
    if (state !== undefined && state.restored_at !== null && state.next_epoch === null)
      openRestores.push({ database, ...state })
  }
  return openRestores
}

type LockedRestore = Awaited<ReturnType<typeof lockOpenRestores>>[number]

type OpenRestore = { database: GameDatabase; restored_at: Date | null }

/** Returns when the site noticed the restore of a database; null if it was not restored. */
const findRestoreTime = (restores: readonly OpenRestore[], requestedDatabase: GameDatabase) =>
  restores.find(({ database }) => database === requestedDatabase)?.restored_at ?? null

/** Formats the names of databases for the audit log and for an approval. */
export const listDatabases = (restores: readonly Pick<OpenRestore, 'database'>[]): string =>
  restores.map(({ database }) => GAME_DATABASE_NAMES[database]).join('; ')

/** Selects the units, or the services if `isService` is set, that a comparison has marked with a state since a time. */
const selectMarkedUnits = (tx: Db, in_game: 'lost' | 'again', since: Date, isService = false) =>
  tx
    .selectFrom('deliveries')
    .where('in_game', '=', in_game)
    .where('is_service', '=', isService)
    .where('marked_at', '>=', since)
    .select('delivery')

/** Describes the effects of confirming the restores, for the owner who approves it. */
export async function describeRestore(
  tx: Db,
  restores: readonly LockedRestore[],
  offerAgain: boolean,
): Promise<ApprovalSubject> {
  const selectUnits = async (database: GameDatabase, in_game: 'lost' | 'again') => {
    const since = findRestoreTime(restores, database)
    const markedUnits =
      since === null
        ? []
        : await selectMarkedUnits(tx, in_game, since, database === 'game')
            .orderBy('delivery')
            .execute()
    return markedUnits.map(({ delivery }) => delivery)
  }
  const lostUnits = await selectUnits('shop', 'lost')
  const lostServices = await selectUnits('game', 'lost')
  const reappearedUnits = await selectUnits('shop', 'again')
  const balances = await tx
    .selectFrom('game_balances')
    .where('state', '=', 'taken')
    .where('back_amount', 'is not', null)
    .select(['game_user_num', 'amount'])
    .orderBy('game_user_num')
    .execute()
  const negation = offerAgain ? '' : 'not '
  const lostTexts = [
    ...(findRestoreTime(restores, 'shop') === null
      ? []
      : [`${formatPlural(lostUnits.length, 'lost unit')} ${negation}delivered again`]),
    ...(findRestoreTime(restores, 'game') === null
      ? []
      : [`${formatPlural(lostServices.length, 'lost service')} ${negation}done again`]),
  ]
  return {
    approverKind: 'owner',
    accounts: [],
    summary: [`Confirm that the game’s database was restored (${listDatabases(restores)})`, ...lostTexts].join('; '),
    effect: {
      restored: restores.map(({ database, found_epoch }) => ({
        database,
        'epoch found': found_epoch,
      })),
      'deliver lost units and services again': offerAgain,
      'lost units': lostUnits,
      'lost services': lostServices,
      'picked-up units that are in item banks again': reappearedUnits,
      'balances to remove from the game again': balances.map(({ game_user_num, amount }) => [
        Number(game_user_num),
        Number(amount),
      ]),
    },
  }
}

/**
 * Confirms the waiting restores (BRIDGE-27). Each database gets a new epoch, and its work continues.
 *
 * @param options.offerAgain whether the site delivers lost units and services again, because characters were restored too
 *   and no longer have what they picked up after the backup
 */
export async function settleRestores(
  tx: Db,
  restores: readonly OpenRestore[],
  { offerAgain, now, confirmedBy }: { offerAgain: boolean; now: Date; confirmedBy: number | null },
): Promise<{
  lostUnits: number[]
  lostServices: number[]
  reappearedUnits: number[]
  balances: { count: number; sum: number }
}> {
  const isRestored = (requestedDatabase: GameDatabase) =>
    restores.some(({ database }) => database === requestedDatabase)
  for (const { database } of restores)
    await tx
      .updateTable(STATE_TABLES[database])
      .set({ next_epoch: randomUUID(), confirmed_at: now, confirmed_by: confirmedBy })
      .execute()
  const shopRestoreTime = findRestoreTime(restores, 'shop')
  const [lostUnits, reappearedUnits] =
    shopRestoreTime === null
      ? [[], []]
      : [
          await settleLostUnits(tx, offerAgain, shopRestoreTime),
          await settleReappearedUnits(tx, offerAgain, shopRestoreTime),
        ]
  if (isRestored('user')) await resendAccounts(tx)
  const gameRestoreTime = findRestoreTime(restores, 'game')
  const lostServices =
    gameRestoreTime === null ? [] : await requeueLostServices(tx, { offerAgain, since: gameRestoreTime })
  return {
    lostUnits,
    lostServices,
    reappearedUnits,
    balances: isRestored('user') ? await countReturnedBalances(tx) : { count: 0, sum: 0 },
  }
}

/** Queues lost units again if `offerAgain` is set; otherwise they stay lost. @returns their numbers */
async function settleLostUnits(tx: Db, offerAgain: boolean, since: Date): Promise<number[]> {
  const rows = offerAgain
    ? await tx
        .updateTable('deliveries')
        .set({ state: 'queued', in_game: '', delivered_at: null, claimed_at: null, pur_key: null })
        .where('in_game', '=', 'lost')
        .where('is_service', '=', false)
        .where('marked_at', '>=', since)
        .where('state', 'in', ['delivered', 'claimed'])
        .returning('delivery')
        .execute()
    : await selectMarkedUnits(tx, 'lost', since).execute()
  return rows.map(({ delivery }) => delivery)
}

/**
 * Settles units that were picked up and are in the item bank again. If `offerAgain` is set, players can pick them up again,
 * because their characters no longer have them; otherwise the bridge removes them.
 *
 * @returns their numbers
 */
async function settleReappearedUnits(tx: Db, offerAgain: boolean, since: Date): Promise<number[]> {
  const rows = offerAgain
    ? await tx
        .updateTable('deliveries')
        .set({ state: 'delivered', in_game: '', claimed_at: null })
        .where('in_game', '=', 'again')
        .where('marked_at', '>=', since)
        .where('state', '=', 'claimed')
        .returning('delivery')
        .execute()
    : await selectMarkedUnits(tx, 'again', since).execute()
  return rows.map(({ delivery }) => delivery)
}
