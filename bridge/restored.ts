import type { LookedFor, reportWork } from '#contract/bridge.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { cancelUnit, readUserUid, type WriteMarked } from './deliver.ts'
import { numberOf, type Row, textOf } from './game/driver.ts'
import { agoMs } from './game/marker.ts'
import type { ReadyGame, Undone } from './game/open-game.ts'

/** How many of the units that changed last are compared with their rows each time. */
const COMPARED = 200
/** So many older rows that were taken and are still there, nine of ten of them all, show that the game keeps them. */
const KEPT_ROWS = 10
/** Rows that were written this recently may be newer than a restore that is found only now. */
const RECENT_S = 60

type Looked = NonNullable<CallInput<typeof reportWork>['looked']>
/** Tables that were restored alone, and for how long what is missing had been there. */
export type FoundRestored = { tables: string[]; ago_ms: number | null }

/**
 * Whether the table of purchases was restored without the agent's own table beside it: what was taken waits again, what was
 * taken out is back (as `isTakenOutBack` says of all such rows), or the newest rows are gone. A single row that is gone says
 * nothing; the game or a person may have removed it.
 */
export async function findRestored(
  { shop, statements, purchase }: ReadyGame,
  isTakenOutBack: boolean,
): Promise<FoundRestored | null> {
  if (statements.standing === null) return null
  const { undone, missing } = await readUndone({ shop, statements }, COMPARED)
  if (undone.length === 0 && missing.length < 2 && !isTakenOutBack) return null
  const ages = [...undone, ...missing].map((row) => numberOf(row.ago) ?? 0)
  return { tables: [purchase.found.name], ago_ms: ages.length === 0 ? null : agoMs(Math.max(...ages)) }
}

/** Among the units that changed last: those whose change is undone, and the newest ones whose rows are gone. */
async function readUndone(
  { shop, statements: { standing } }: Pick<ReadyGame, 'shop' | 'statements'>,
  compared: number,
): Promise<{ undone: Row[]; missing: Row[] }> {
  if (standing === null) return { undone: [], missing: [] }
  const [top, limit] = shop.dialect === 'mssql' ? [`top (${compared}) `, ''] : ['', ` limit ${compared}`]
  const rows = await shop.query(`${standing.select(top)} order by d.changed desc, d.unit desc${limit}`)
  const undone = rows.filter((row) => compare(row) === 'undone')
  const isOld = (row: Row) => (numberOf(row.ago) ?? 0) >= RECENT_S
  /** The newest rows that are gone, and those after them. */
  const split = (gone: Compared, there: Compared) => {
    const seen = rows.filter((row) => compare(row) === gone || (compare(row) === there && isOld(row)))
    const kept = seen.findIndex((row) => compare(row) === there)
    return kept === -1 ? { missing: seen, others: [] } : { missing: seen.slice(0, kept), others: seen.slice(kept) }
  }
  const waiting = split('missing', 'same')
  // The game may remove what was taken, but not the newest rows alone.
  const taken = split('removed', 'taken')
  const there = taken.others.filter((row) => compare(row) === 'taken').length
  const areKept = there >= KEPT_ROWS && there >= 0.9 * taken.others.length
  return { undone, missing: [...waiting.missing, ...(areKept ? taken.missing : [])] }
}

/** Read once for each restore, because looking for units changes what it is read from. Undefined where there was none. */
async function readUndoneSince(game: ReadyGame): Promise<Undone | undefined> {
  if (!game.marker.copy.restored.includes(game.purchase.found.name)) return undefined
  if (game.undone !== undefined) return game.undone
  const { undone, missing } = await readUndone(game, 1_000_000)
  const dates = undone.map(({ takendate }) => textOf(takendate)).filter((date) => date !== '')
  game.undone = {
    changed: Math.min(...[...undone, ...missing].map(({ changed }) => Number(changed))),
    // Nothing sorts after this.
    taken: dates.sort()[0] ?? '\uffff',
  }
  return game.undone
}

type Compared = 'same' | 'missing' | 'taken' | 'removed' | 'undone' | 'nothing'

/** What a unit's row says about the table that it is in. */
function compare(row: Row): Compared {
  const flag = numberOf(row.flag)
  const [state, told] = [textOf(row.state), textOf(row.told)]
  if (state === 'cancelled') return flag !== null && told !== 'claimed' ? 'undone' : 'nothing'
  if (state !== 'delivered') return 'nothing'
  if (told === 'claimed' && flag === null) return 'removed'
  if (told === 'claimed') return flag === 0 || isTakenAnew(row) ? 'undone' : 'taken'
  if (told === 'waiting') return flag === null ? 'missing' : 'same'
  return 'nothing'
}

/** Whether the game has changed a row since it was seen as taken. */
const isTakenAnew = (row: Row) =>
  numberOf(row.flag) === 1 && textOf(row.takendate) !== '' && textOf(row.chgdate) !== textOf(row.takendate)

/** Writes in a database whose restore nobody has confirmed: its counter must not catch up with what the site knows. */
const writeUncounted: WriteMarked = ({ connection }, work) => connection.transaction(() => work(null))

/** Takes a unit out of a database whose restore nobody has confirmed. */
export const cancelRestored = (game: ReadyGame, work: Parameters<typeof cancelUnit>[1]) =>
  cancelUnit(game, work, () => {}, writeUncounted)

/** Units that were taken out of the game and whose rows are there again, with whether somebody has taken them since. */
export async function findTakenOut({ shop, statements }: ReadyGame): Promise<{ unit: number; isTaken: boolean }[]> {
  const { standing } = statements
  if (standing === null) return []
  const [top, limit] = shop.dialect === 'mssql' ? ['top (500) ', ''] : ['', ' limit 500']
  const rows = await shop.query(
    `${standing.select(top)} where d.state = 'cancelled' and d.flag <> 'claimed' and ${standing.isThere} order by d.unit${limit}`,
  )
  return rows.map((row) => ({ unit: Number(row.unit), isTaken: numberOf(row.flag) === 1 }))
}

/** Removes such rows unless somebody has taken them meanwhile. @returns how many it has removed */
export async function removeTakenOut(game: ReadyGame, units: readonly number[]): Promise<number> {
  let removed = 0
  for (const unit of units) {
    const [row] = await game.shop.query('select mark from tambayan_delivery where unit = :unit', { unit })
    const { became } = await cancelRestored(game, { kind: 'cancel', unit, mark: textOf(row?.mark), paid: true })
    if (became === 'cancelled') removed++
  }
  return removed
}

/** Remembers that the site was told of units that were taken although they had been taken out. */
export async function noteRetaken({ shop }: ReadyGame, units: readonly number[]): Promise<void> {
  if (units.length === 0) return
  await shop.run(
    `update tambayan_delivery set flag = 'claimed' where state = 'cancelled' and unit in (${units.join(', ')})`,
  )
}

/**
 * After a restore, of units that were in the game: which are no longer there, which refunded ones are back, which claimed ones
 * wait again, and which may have been taken a second time. What the agent's own table lacks is found by the game's row.
 *
 * @returns what to tell the site, and what to note when it knows
 */
export async function lookForUnits(
  game: ReadyGame,
  look: readonly LookedFor[],
): Promise<{ looked: Looked; note: () => Promise<void> }> {
  const { shop, statements, marker } = game
  const units = look.map(({ unit }) => unit).filter(Number.isSafeInteger)
  const known = async () => {
    const rows = await shop.query(
      statements.standing === null
        ? `select d.unit as unit, d.state as state, d.flag as told, 0 as flag, null as takendate, null as chgdate
          from tambayan_delivery d where d.unit in (${units.join(', ')})`
        : `${statements.standing.select()} where d.unit in (${units.join(', ')})`,
    )
    return new Map(rows.map((row) => [Number(row.unit), row]))
  }
  const before = await known()
  const isOwnTableBehind = marker.copy.restored.includes('tambayan_delivery')
  const unknown = isOwnTableBehind ? look.filter(({ unit, refunded }) => !refunded && !before.has(unit)) : []
  for (const one of unknown) await noteAgain(game, one)
  const rows = unknown.length > 0 ? await known() : before
  const since = await readUndoneSince(game)
  const looked: Required<Looked> = { through: Math.max(...units), missing: [], back: [], again: [], twice: [] }
  const [lost, waiting]: [number[], number[]] = [[], []]
  const dates: { unit: number; date: string }[] = []
  for (const { unit, refunded, claimed } of look) {
    const row = rows.get(unit)
    const [state, flag] = [textOf(row?.state), numberOf(row?.flag)]
    if (refunded) {
      if (flag !== null && (state === 'delivered' || state === 'cancelled')) looked.back.push(unit)
    } else if (claimed) {
      // A claimed row that is gone may have been removed by the game long ago.
      const isUndone =
        state === 'delivered' && flag === null && since !== undefined && Number(row?.changed) >= since.changed
      if ((row === undefined && !isOwnTableBehind) || isUndone) {
        looked.missing.push(unit)
        if (isUndone) lost.push(unit)
      } else if (statements.standing !== null && state === 'delivered' && flag !== null && flag !== 1) {
        looked.again.push(unit)
        waiting.push(unit)
      } else if (
        row !== undefined &&
        flag === 1 &&
        ((textOf(row.told) === 'waiting' && !isOwnTableBehind) ||
          isTakenAnew(row) ||
          // A date may be to the second.
          (since !== undefined && textOf(row.takendate) >= since.taken))
      ) {
        looked.twice.push(unit)
        dates.push({ unit, date: textOf(row.chgdate) })
      }
    } else if (state !== 'delivered' || (flag === null && textOf(row?.told) !== 'gone')) {
      looked.missing.push(unit)
      if (state === 'delivered') lost.push(unit)
    }
  }
  if (lost.length > 0) await shop.run(`update tambayan_delivery set state = 'lost' where unit in (${lost.join(', ')})`)
  if (waiting.length > 0)
    await shop.run(
      `update tambayan_delivery set flag = 'waiting', takendate = null where unit in (${waiting.join(', ')})`,
    )
  const note = async () => {
    for (const { unit, date } of dates)
      await shop.run(`update tambayan_delivery set flag = 'claimed', takendate = :date where unit = :unit`, {
        unit,
        date: date === '' ? null : date,
      })
  }
  return { looked, note }
}

/**
 * Notes a unit again whose note is lost, as the site knows it. Without the number of its row it is noted as lost, until
 * `findUnnumbered` looks for it among the rows that no unit has.
 */
async function noteAgain({ shop, statements }: ReadyGame, { unit, claimed, row }: LookedFor): Promise<void> {
  if (row === null || statements.standing === null) return
  const { pur_key, mark, game_user_num: usernum, product_num: product, price } = row
  if (pur_key !== null && !/^\d{1,15}$/.test(pur_key)) return
  const params = { purkey: pur_key === null ? null : Number(pur_key), product, price }
  const [found] = pur_key === null ? [] : await shop.query(statements.standing.find, params)
  if (pur_key !== null && found === undefined) return
  await shop.run(
    `insert into tambayan_delivery (unit, mark, state, usernum, useruid, productnum, price, purkey, purdate, flag)
    values (:unit, :mark, :state, :usernum, :useruid, :product, :price, :purkey, :purdate, :flag)`,
    {
      unit,
      mark,
      usernum,
      state: pur_key === null ? 'lost' : 'delivered',
      flag: claimed ? 'claimed' : 'waiting',
      useruid: found === undefined ? null : textOf(found.useruid),
      purdate: found === undefined ? null : textOf(found.purdate),
      ...params,
    },
  )
}

/**
 * Before the restore of the agent's own table is over: finds units that may have been written without the site hearing of it.
 * The oldest row of the same player, product and price that no unit has, and that is newer than what the restored table
 * knows, is the unit's. All units whose numbers the site knows have their rows by then.
 */
export async function findUnnumbered(game: ReadyGame): Promise<void> {
  const { shop, statements, marker } = game
  if (statements.standing === null || !marker.copy.restored.includes('tambayan_delivery')) return
  // What was noted again counts for nothing here.
  const [newest] = await shop.query('select max(purkey) as purkey from tambayan_delivery where changed > 0')
  const units = await shop.query(
    `select unit, usernum, productnum as product, price from tambayan_delivery where state = 'lost' and purkey is null order by unit`,
  )
  const players = new Map<number, string | null>()
  for (const row of units) {
    const [unit, usernum] = [Number(row.unit), Number(row.usernum)]
    const useruid = players.get(usernum) ?? (await readUserUid(game, usernum))
    players.set(usernum, useruid)
    if (useruid === null) continue
    const [found] = await shop.query(statements.standing.findUnnumbered, {
      useruid,
      product: Number(row.product),
      price: Number(row.price),
      newest: numberOf(newest?.purkey) ?? 0,
    })
    if (found !== undefined)
      await shop.run(
        `update tambayan_delivery set state = 'delivered', flag = 'waiting', useruid = :useruid, purkey = :purkey,
          purdate = :purdate where unit = :unit`,
        { unit, useruid, purkey: Number(found.purkey), purdate: textOf(found.purdate) },
      )
  }
}
