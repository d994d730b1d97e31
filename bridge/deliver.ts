import type { FailureCode, RefundRefusal, UnitWork } from '#contract/bridge.ts'
import {
  type GameConnection,
  GameUnavailable,
  isSameId,
  type Params,
  type Row,
  runAll,
  toNumber,
  toText,
} from './game/driver.ts'
import { writeCounted } from './game/marker.ts'
import type { ReadyGame } from './game/open-game.ts'
import { selectUnit } from './game/statements.ts'

/** Called between two steps; tests stop the agent there. */
export type OnStep = (step: string) => Promise<void> | void

type DeliverWork = Extract<UnitWork, { kind: 'deliver' }>
type CancelWork = Extract<UnitWork, { kind: 'cancel' }>

export type Outcome =
  | { unit: number; became: 'delivered'; purKey: string }
  | { unit: number; became: 'failed'; attempt: number; code: FailureCode; detail: string; gameUserId?: string }
  | { unit: number; became: 'cancelled' }
  | { unit: number; became: 'kept'; why: RefundRefusal }

/** A failed delivery, with the reason for the operator. Its transaction is rolled back. */
class FailedDelivery extends Error {
  readonly code: FailureCode
  /** The ID that an account has now. */
  readonly gameUserId: string | undefined

  constructor(code: FailureCode, detail = '', gameUserId?: string) {
    super(detail)
    this.code = code
    this.gameUserId = gameUserId
  }
}

/** Rows that are read once for each batch, because only this agent writes them. */
export type BatchRows = { units: Map<number, Row>; players: Map<number, string>; products: Set<number> }

/** Reads the agent's rows of units that were written before; players and products are added as they are read. */
export async function readBatchRows({ shop }: Pick<ReadyGame, 'shop'>, work: readonly UnitWork[]): Promise<BatchRows> {
  const units = work.map(({ unit }) => unit).filter(Number.isSafeInteger)
  const rows = await shop.query(
    `select unit, mark, state, usernum, purkey, flag from tambayan_delivery where unit in (${units.join(', ')})`,
  )
  return { units: new Map(rows.map((row) => [Number(row.unit), row])), players: new Map(), products: new Set() }
}

/**
 * Returns the value of `UserUID` for a player on this server.
 *
 * @throws FailedDelivery if the account is missing or renamed, or if its `UserUID` is empty, shared or too long
 */
async function findPlayer(
  { user, statements, config, purchase }: ReadyGame,
  { game_user_num: usernum, game_user_id: linkedId }: Pick<DeliverWork, 'game_user_num' | 'game_user_id'>,
  batch: BatchRows,
): Promise<string> {
  const cachedUid = batch.players.get(usernum)
  if (cachedUid !== undefined) return cachedUid
  const [row] = await runAll(user, statements.findPlayer, { usernum })
  if (row === undefined) throw new FailedDelivery('no-player')
  const userId = toText(row.userid).trim()
  // A statement of the configuration may not return the ID.
  if (linkedId !== undefined && userId !== '' && !isSameId(userId, linkedId))
    throw new FailedDelivery('renamed', `It is “${userId}” now and was “${linkedId}”.`, userId.slice(0, 64))
  const uid = toText(row[config.userUid.toLowerCase()])
  if (uid === '') throw new FailedDelivery('no-player', `The account ${usernum} has no ${config.userUid}.`)
  if ((toNumber(row.others) ?? 0) > 0) throw new FailedDelivery('uid-shared', `It is “${uid}”.`)
  const length = purchase.infos.UserUID?.length ?? null
  if (length !== null && [...uid].length > length)
    throw new FailedDelivery('uid-too-long', `“${uid}” has more than ${length} characters.`)
  batch.players.set(usernum, uid)
  return uid
}

/** Requires that the game has a product, because the game does not show purchases of unknown products (GAME-13). */
async function requireProduct({ shop, statements }: ReadyGame, product: number, batch: BatchRows): Promise<void> {
  if (batch.products.has(product)) return
  const [row] = await runAll(shop, statements.findProduct, { product })
  if (row === undefined) throw new FailedDelivery('no-product', `Product ${product}.`)
  batch.products.add(product)
}

/**
 * Writes a unit's purchase into the game, in one transaction with the agent's row for the unit. That row is inserted first, and
 * its key prevents a second purchase: if the unit already has a row, it is only reported again, unless a restore has lost its
 * purchase.
 *
 * @throws GameUnavailable when the result is unknown; the next attempt finds the row by its key
 * @throws CopyChanged when the database was restored; nothing was written
 */
export async function deliverUnit(
  game: ReadyGame,
  work: DeliverWork,
  batch: BatchRows,
  onStep: OnStep,
): Promise<Outcome> {
  const { unit, attempt } = work
  const { shop, statements, marker } = game
  try {
    const before = batch.units.get(unit)
    const isLost = toText(before?.state) === 'lost' && toText(before?.mark) === work.mark
    if (before !== undefined && !isLost) return await repeatOutcome(game, before, work)
    await onStep('rows checked')
    const useruid = await findPlayer(game, work, batch)
    await requireProduct(game, work.product_num, batch)
    const params = {
      unit,
      mark: work.mark,
      usernum: work.game_user_num,
      useruid,
      product: work.product_num,
      price: work.price,
    }
    const write = async () => {
      await onStep('transaction started')
      if (isLost) {
        const foundKey = await recoverLostPurchase(game, unit)
        if (foundKey !== null) return foundKey
      } else
        await shop.run(
          `insert into tambayan_delivery (unit, mark, state, usernum, useruid, productnum, price, flag)
          values (:unit, :mark, 'delivered', :usernum, :useruid, :product, :price, 'waiting')`,
          params,
        )
      await onStep('unit inserted')
      const [row] = await runAll(shop, statements.insertPurchase, params)
      const purkey = toNumber(row?.purkey)
      if (row === undefined || purkey === null)
        throw new FailedDelivery('database', 'The insert returned no number for the row.')
      if (toText(row.useruid) !== useruid)
        throw new FailedDelivery('uid-changed', `“${useruid}” becomes “${toText(row.useruid)}”.`)
      await onStep('purchase inserted')
      await shop.run(
        `update tambayan_delivery set purkey = :purkey, purdate = :purdate${
          isLost
            ? `, state = 'delivered', flag = 'waiting', usernum = :usernum, useruid = :useruid, productnum = :product,
              price = :price`
            : ''
        } where unit = :unit`,
        { ...params, purkey, purdate: toText(row.purdate) },
      )
      await onStep('purchase noted')
      return toText(row.purkey)
    }
    const purKey = await writeCounted(marker, write)
    await onStep('committed')
    return { unit, became: 'delivered', purKey }
  } catch (error) {
    if (error instanceof FailedDelivery) {
      const { code, message, gameUserId } = error
      const outcome = { unit, became: 'failed' as const, attempt, code, detail: message.slice(0, 300) }
      return gameUserId === undefined ? outcome : { ...outcome, gameUserId }
    }
    if (error instanceof GameUnavailable || !isDatabaseError(error)) throw error
    const detail = error.message.replace(/\s+/g, ' ').slice(0, 300)
    return { unit, became: 'failed', attempt, code: 'database', detail }
  }
}

/**
 * Finds the purchase of a lost unit, which a second restore can bring back, and marks the unit as delivered again.
 *
 * @returns the number of the purchase; null if there is none
 */
async function recoverLostPurchase({ shop, statements }: ReadyGame, unit: number): Promise<string | null> {
  const [row] = await shop.query(selectUnit(shop.dialect), { unit })
  if (row === undefined) return null
  const [currentRow] = await runAll(shop, statements.readPurchase, toPurchase(row))
  if (currentRow === undefined) return null
  await shop.run(`update tambayan_delivery set state = 'delivered', flag = 'waiting' where unit = :unit`, { unit })
  return toText(row.purkey)
}

/** Returns the values that identify a purchase, from the unit's own row. */
const toPurchase = (row: Row) => ({
  purkey: toNumber(row.purkey) ?? -1,
  useruid: toText(row.useruid),
  product: toNumber(row.product) ?? -1,
  price: toNumber(row.price) ?? -1,
  purdate: toText(row.purdate),
})

/** Returns whether an error comes from the database. Such errors have a code; others are bugs, or tests that stop the agent. */
export const isDatabaseError = (error: unknown): error is Error => error instanceof Error && 'code' in error

/** Returns the outcome of a unit that already has its row, because the site did not get the earlier report. */
async function repeatOutcome(
  { shop }: ReadyGame,
  row: Row,
  { unit, attempt, mark, game_user_num }: DeliverWork,
): Promise<Outcome> {
  if (toText(row.mark) !== mark || (row.state !== 'cancelled' && toNumber(row.usernum) !== game_user_num))
    return { unit, became: 'failed', attempt, code: 'number-used', detail: '' }
  if (toText(row.state) === 'cancelled') return { unit, became: 'cancelled' }
  if (toText(row.flag) !== 'waiting')
    await shop.run(`update tambayan_delivery set flag = 'waiting' where unit = :unit`, { unit })
  return { unit, became: 'delivered', purKey: toText(row.purkey) }
}

/**
 * Takes a unit out of the game permanently: locks or inserts the agent's row for it, deletes the purchase unless it was
 * picked up, and marks the unit as cancelled, which stops a late delivery.
 *
 * Two cases are left to an operator. A purchase that is marked as cancelled in the game can still be picked up; it is deleted
 * only if the unit was paid back. And if the agent's row of a delivered unit is lost, its purchase may still be in the
 * game (BRIDGE-28).
 *
 * @throws GameUnavailable when the result is unknown
 */
export async function cancelUnit(
  game: ReadyGame,
  { unit, mark, paid, delivered }: CancelWork,
  onStep: OnStep,
): Promise<Outcome> {
  const { shop, statements, marker } = game
  const outcome = await writeCounted(marker, async (): Promise<Outcome> => {
    await onStep('transaction started')
    const [row] = await shop.query(selectUnit(shop.dialect), { unit })
    if (row === undefined && delivered === true) return { unit, became: 'kept', why: 'gone' }
    if (row === undefined) {
      await shop.run(
        `insert into tambayan_delivery (unit, mark, state, flag) values (:unit, :mark, 'cancelled', 'waiting')`,
        { unit, mark },
      )
      await onStep('unit inserted')
      return { unit, became: 'cancelled' }
    }
    // Another purchase used this number, so this unit was never written.
    if (toText(row.mark) !== mark) return { unit, became: 'cancelled' }
    const state = toText(row.state)
    if (state === 'cancelled' && row.purkey === null) return { unit, became: 'cancelled' }
    await onStep('unit locked')
    const params = toPurchase(row)
    // The lock waits for a running change of the game, so this reads the row after the change.
    const [currentRow] = await runAll(shop, statements.readPurchase, params)
    const note = () =>
      shop.run(`update tambayan_delivery set state = 'cancelled', flag = 'waiting' where unit = :unit`, { unit })
    if (currentRow === undefined) {
      if (state === 'delivered') return { unit, became: 'kept', why: 'gone' }
      if (state === 'lost') await note()
      return { unit, became: 'cancelled' }
    }
    const flag = Number(currentRow.flag)
    if (flag === 1) return { unit, became: 'kept', why: 'claimed' }
    if (flag !== 0 && paid !== true && state !== 'cancelled') return { unit, became: 'kept', why: 'cancelled' }
    await onStep('purchase locked')
    const deletedRows = await runChange(shop, statements.deletePurchase, { ...params, flag })
    // A statement of the configuration may delete only rows with flag 0.
    if (deletedRows < 1 && flag !== 0) return { unit, became: 'kept', why: 'cancelled' }
    if (deletedRows < 1) throw new GameUnavailable('A locked row could not be deleted.')
    await onStep('purchase deleted')
    await note()
    await onStep('unit cancelled')
    return { unit, became: 'cancelled' }
  })
  await onStep('committed')
  return outcome
}

/** Runs the statements of one step. @returns how many rows the last one changed */
async function runChange(connection: GameConnection, statements: readonly string[], params: Params): Promise<number> {
  let rows = 0
  for (const statement of statements) rows = await connection.run(statement, params)
  return rows
}

export type Flag = {
  unit: number
  flag: 'waiting' | 'claimed' | 'cancelled' | 'gone'
}

/** Returns the flags of up to 500 units that changed since they were reported to the site (GAME-12, GAME-15). */
export async function readChangedFlags({ shop, statements }: ReadyGame): Promise<Flag[]> {
  const rows = await runAll(shop, statements.watch, {})
  return rows.map((row) => {
    const flag = toNumber(row.flag)
    const reportedFlag = flag === null ? 'gone' : flag === 0 ? 'waiting' : flag === 1 ? 'claimed' : 'cancelled'
    return { unit: Number(row.unit), flag: reportedFlag }
  })
}

/** Stores the flags that were reported, to report each change once. */
export async function noteFlags({ shop, marker }: ReadyGame, flags: readonly Flag[]): Promise<void> {
  await writeCounted(marker, async () => {
    for (const { unit, flag } of flags)
      await shop.run(`update tambayan_delivery set flag = :flag where unit = :unit and state = 'delivered'`, {
        unit,
        flag,
      })
  })
}

/**
 * Resets the stored flags of units that wait in the game according to the site. Their flags are then reported again, for a
 * site that was restored from an older backup.
 *
 * @returns the units that were taken out of the game permanently
 */
export async function resetNotedFlags({ shop }: ReadyGame, units: readonly number[]): Promise<Flag[]> {
  const list = units.filter(Number.isSafeInteger).join(', ')
  await shop.run(
    `update tambayan_delivery set flag = 'waiting' where unit in (${list}) and state = 'delivered' and flag <> 'waiting'`,
  )
  const rows = await shop.query(`select unit from tambayan_delivery where unit in (${list}) and state = 'cancelled'`)
  return rows.map((row) => ({ unit: Number(row.unit), flag: 'gone' }))
}
