import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { GameDatabase } from '#bridge/game/names.ts'
import { lockOpenRestores, settleRestores } from '#server/features/bridge/restore.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { type Agent, type Amounts, PRICE, type World, waitFor } from './world.ts'

/** Returns a function that kills programs `kills` times and then restores databases `restores` times. */
export function createFaultRun(
  kill: (world: World, amounts: Amounts) => Promise<void>,
  restore: (world: World, amounts: Amounts) => Promise<void>,
) {
  return async (world: World, amounts: Amounts): Promise<void> => {
    if (amounts.kills > 0) await kill(world, amounts)
    if (amounts.restores > 0) await restore(world, amounts)
  }
}

export async function printLedgerCheck({ db }: World): Promise<void> {
  const fault = await findLedgerFault(db)
  console.log(`  ledger: ${fault === null ? 'agrees' : JSON.stringify(fault)}`)
}

/**
 * Kills the agent `kills` times, and the site and the game's database a fifth as often each. Divides the work into
 * `kills` + 1 equal parts. Each part except the last has one kill, at a random moment.
 *
 * @param countRemaining counts the remaining work
 * @param refund requests refunds before each kill
 * @returns a description of the kills
 */
export async function killRepeatedly(
  world: World,
  agent: Agent,
  {
    kills,
    countRemaining,
    refund,
  }: Pick<Amounts, 'kills'> & {
    countRemaining: () => Promise<number>
    refund: (kill: number) => Promise<unknown>
  },
): Promise<string> {
  const totalCount = await countRemaining()
  const killCounts = { site: 0, game: 0 }
  for (let kill = 1; kill <= kills; kill++) {
    const maxRemaining = totalCount * (1 - (kill - Math.random()) / (kills + 1))
    while ((await countRemaining()) > maxRemaining) await sleep(50)
    await sleep(randomInt(0, 200))
    await refund(kill)
    await agent.kill()
    if (kill % 5 === 0) {
      killCounts.site++
      await world.killSite()
    }
    if (kill % 5 === 2) {
      killCounts.game++
      await world.killGame()
    }
  }
  return `${kills} kills of the agent, ${killCounts.site} of the site, ${killCounts.game} of the game database`
}

/** Databases that are restored together. */
export type RestorePlan = GameDatabase[]

type RestoreRun = {
  databases: RestorePlan
  /** Whether the operator confirms that characters were restored to the same time. */
  hasCharacters: boolean
  /** Copies the databases. @returns a function that restores the copies */
  backUpDatabases: () => Promise<() => Promise<void>>
}

/**
 * The maximum time until the site notices a restore. A new agent waits up to a minute for the lease of the killed one.
 */
const NOTICE_MAX_MS = 75_000

export const formatClock = () => new Date().toISOString().slice(11, 23)

/**
 * Restores each set of databases `restores` times and confirms each restore at the desk. If `kills` is not 0, also kills
 * the agent after each restore, at a random moment.
 *
 * @param play makes one restore, with the players' actions before and after it
 * @returns a description of the restores, and how many the site noticed
 */
export async function restoreSets(
  { db, game }: World,
  agent: Agent,
  { kills, restores }: Amounts,
  sets: readonly RestorePlan[],
  play: (restore: RestoreRun) => Promise<void>,
): Promise<{ history: string[]; summary: string }> {
  const readRestoreState = async () => {
    const { rows } = await sql<{ checked: boolean }>`
      select looked_at is not null as checked from game_copy where restored_at is not null
      union all select looked_at is not null from game_user_copy where restored_at is not null
      union all select looked_at is not null from game_character_copy where restored_at is not null`.execute(db)
    return { isWaiting: rows.length > 0, isChecked: rows.length > 0 && rows.every(({ checked }) => checked) }
  }
  const history: string[] = []
  let confirmations = 0
  for (let round = 0; round < restores; round++)
    for (const [nth, databases] of sets.entries()) {
      // Without their characters, players keep items that the restored database delivers again.
      const hasCharacters = (round + nth) % 2 === 1
      const backUpDatabases = async () => {
        const restoreAll: (() => Promise<void>)[] = []
        for (const database of databases) restoreAll.push(await game.backUp(database))
        return async () => {
          for (const restoreOne of restoreAll) await restoreOne()
          history.push(`${formatClock()} ${databases.join(', ')}${hasCharacters ? ' with characters' : ''}`)
        }
      }
      await play({ databases, hasCharacters, backUpDatabases })
      const startedAt = performance.now()
      if (kills > 0) {
        await sleep(randomInt(0, 3000))
        await agent.kill()
      }
      const confirmedDatabases = new Set<GameDatabase>()
      // The site notices a restore only if it has a record of something that the restore lost.
      while (
        databases.some((database) => !confirmedDatabases.has(database)) &&
        performance.now() - startedAt < NOTICE_MAX_MS
      ) {
        await sleep(100)
        if (!(await readRestoreState()).isChecked) continue
        await db.transaction().execute(async (tx) => {
          const restores = await lockOpenRestores(tx)
          for (const { database } of restores) confirmedDatabases.add(database)
          await settleRestores(tx, restores, { offerAgain: hasCharacters, now: new Date(), confirmedBy: null })
        })
        await waitFor('the restore is settled', async () => !(await readRestoreState()).isWaiting)
      }
      confirmations += confirmedDatabases.size
    }
  return {
    history,
    summary: `${restores * sets.flat().length} restores of a database, ${confirmations} of them confirmed`,
  }
}

/**
 * The outcome of a purchased unit or service. `received` is how many times the player received it, and `in_game` is its
 * state at the desk. Each costs `PRICE`.
 */
export type Outcome = { uid: string; state: string; in_game: string; received: number }

type OutcomeOptions = {
  /** The restores of the run, printed with outcomes that the desk does not list. */
  history?: readonly string[]
  /** Whether the desk lists the outcome as lost or doubled. */
  isListed?: (outcome: Outcome) => boolean
  /** Describes an outcome that the desk does not list. */
  explainOutcome?: (outcome: Outcome) => string
}

/** Prints the number of lost and doubled outcomes, and describes those that the desk does not list. */
export function printOutcomes(
  outcomes: readonly Outcome[],
  { history = [], isListed = () => false, explainOutcome = () => '' }: OutcomeOptions = {},
): void {
  const formatAmount = (rows: unknown[]) => `${rows.length} (${rows.length * PRICE} R-Coin)`
  const print = (title: string, isMatch: (outcome: Outcome) => boolean) => {
    const rows = outcomes.filter(isMatch)
    const unlistedRows = rows.filter((row) => !isListed(row))
    for (const row of unlistedRows)
      console.log(`    ${row.uid}: ${row.state}, received ${row.received}; ${explainOutcome(row)}`)
    if (unlistedRows.length > 0) console.log(`    restores: ${history.join(', ')}`)
    console.log(`  ${title}: ${formatAmount(rows)}, not listed at the desk: ${formatAmount(unlistedRows)} (must be 0)`)
  }
  console.log(`  ${outcomes.filter(({ state }) => state === 'refunded').length} of ${outcomes.length} paid back`)
  print('lost', ({ received, state }) => received === 0 && (state === 'delivered' || state === 'claimed'))
  print('paid back and delivered', ({ received, state }) => received > 0 && state === 'refunded')
  print('delivered twice', ({ received, state }) => received > 1 && state !== 'refunded')
}
