import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { GameDatabase } from '#bridge/game/names.ts'
import { lockRestoredCopies, settleRestores } from '#server/features/bridge/restore.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { type Agent, type Amounts, PRICE, type World, waitFor } from './world.ts'

/** Returns a function that first kills programs, if `kills` is not 0, and then restores databases, if `restores` is not 0. */
export function createFaultRun(
  kill: (world: World, amounts: Amounts) => Promise<void>,
  restore: (world: World, amounts: Amounts) => Promise<void>,
) {
  return async (world: World, amounts: Amounts): Promise<void> => {
    if (amounts.kills > 0) await kill(world, amounts)
    if (amounts.restores > 0) await restore(world, amounts)
  }
}

export async function printLedger({ db }: World): Promise<void> {
  const fault = await findLedgerFault(db)
  console.log(`  ledger: ${fault === null ? 'agrees' : JSON.stringify(fault)}`)
}

/**
 * Kills the agent `kills` times, and the site and the game's database a fifth as often each. The work is divided into as
 * many equal parts as there are kills. Each part has one kill, at a random moment.
 *
 * @param countLeft counts the remaining work
 * @param refund requests refunds before each kill
 * @returns a description of the kills
 */
export async function killEach(
  world: World,
  agent: Agent,
  {
    kills,
    countLeft,
    refund,
  }: Pick<Amounts, 'kills'> & {
    countLeft: () => Promise<number>
    refund: (kill: number) => Promise<unknown>
  },
): Promise<string> {
  const all = await countLeft()
  const killed = { site: 0, game: 0 }
  for (let kill = 1; kill <= kills; kill++) {
    const maxLeft = all * (1 - (kill - Math.random()) / (kills + 1))
    while ((await countLeft()) > maxLeft) await sleep(50)
    await sleep(randomInt(0, 200))
    await refund(kill)
    await agent.kill()
    if (kill % 5 === 0) {
      killed.site++
      await world.killSite()
    }
    if (kill % 5 === 2) {
      killed.game++
      await world.killGame()
    }
  }
  return `${kills} kills of the agent, ${killed.site} of the site, ${killed.game} of the game database`
}

/** Databases that are restored together. */
export type RestoreSet = GameDatabase[]

type Restore = {
  databases: RestoreSet
  /** Whether the operator confirms that characters were restored to the same point. */
  hasCharacters: boolean
  /** @returns a function that restores the copy */
  backUp: () => Promise<() => Promise<void>>
}

/** The time in which the site notices a restore. A new agent waits up to a minute for the lease of the killed one. */
const NOTICE_MAX_MS = 75_000

export const clock = () => new Date().toISOString().slice(11, 23)

/**
 * Restores each set of databases `restores` times and confirms each restore at the desk. If `kills` is not 0, also kills
 * the agent after each restore, at a random moment.
 *
 * @param play makes one restore, with the players' actions before and after it
 * @returns a description of the restores, and how many the site noticed
 */
export async function restoreEach(
  { db, game }: World,
  agent: Agent,
  { kills, restores }: Amounts,
  sets: readonly RestoreSet[],
  play: (restore: Restore) => Promise<void>,
): Promise<{ history: string[]; summary: string }> {
  const readRestoreState = async () => {
    const { rows } = await sql<{ checked: boolean }>`
      select looked_at is not null as checked from game_copy where restored_at is not null
      union all select looked_at is not null from game_user_copy where restored_at is not null
      union all select looked_at is not null from game_character_copy where restored_at is not null`.execute(db)
    return { isWaiting: rows.length > 0, isChecked: rows.length > 0 && rows.every(({ checked }) => checked) }
  }
  const history: string[] = []
  let confirmedCount = 0
  for (let round = 0; round < restores; round++)
    for (const [nth, databases] of sets.entries()) {
      // The first restore of a database excludes the characters, so players can have an item twice.
      const hasCharacters = (round + nth) % 2 === 1
      const backUp = async () => {
        const restoreAll: (() => Promise<void>)[] = []
        for (const database of databases) restoreAll.push(await game.backUp(database))
        return async () => {
          for (const restoreOne of restoreAll) await restoreOne()
          history.push(`${clock()} ${databases.join(', ')}${hasCharacters ? ' with characters' : ''}`)
        }
      }
      await play({ databases, hasCharacters, backUp })
      const began = performance.now()
      if (kills > 0) {
        await sleep(randomInt(0, 3000))
        await agent.kill()
      }
      const confirmed = new Set<GameDatabase>()
      // The site notices a restore only if it has a record of something that the restore lost.
      while (databases.some((one) => !confirmed.has(one)) && performance.now() - began < NOTICE_MAX_MS) {
        await sleep(100)
        if (!(await readRestoreState()).isChecked) continue
        await db.transaction().execute(async (tx) => {
          const open = await lockRestoredCopies(tx)
          for (const { database } of open) confirmed.add(database)
          await settleRestores(tx, open, { offerAgain: hasCharacters, now: new Date(), confirmedBy: null })
        })
        await waitFor('the restore is settled', async () => !(await readRestoreState()).isWaiting)
      }
      confirmedCount += confirmed.size
    }
  return {
    history,
    summary: `${restores * sets.flat().length} restores of a database, ${confirmedCount} of them confirmed`,
  }
}

/**
 * The outcome of a purchased unit or service. `has` is how many times the player received it, and `mark` is its state at
 * the desk. Each costs `PRICE`.
 */
export type Outcome = { uid: string; state: string; mark: string; has: number }

type OutcomeOptions = {
  /** The restores of the run, printed with outcomes that the desk does not list. */
  history?: readonly string[]
  /** Whether the desk lists it as lost or doubled. */
  isListed?: (outcome: Outcome) => boolean
  /** Describes an outcome that the desk does not list. */
  explain?: (outcome: Outcome) => string
}

/** Prints the number of lost and doubled outcomes, and describes those that the desk does not list. */
export function printOutcomes(
  outcomes: readonly Outcome[],
  { history = [], isListed = () => false, explain = () => '' }: OutcomeOptions = {},
): void {
  const amount = (rows: unknown[]) => `${rows.length} (${rows.length * PRICE} R-Coin)`
  const print = (title: string, matches: (outcome: Outcome) => boolean) => {
    const rows = outcomes.filter(matches)
    const unlisted = rows.filter((row) => !isListed(row))
    for (const row of unlisted) console.log(`    ${row.uid}: ${row.state}, has ${row.has}; ${explain(row)}`)
    if (unlisted.length > 0) console.log(`    restores: ${history.join(', ')}`)
    console.log(`  ${title}: ${amount(rows)}, not at the desk: ${amount(unlisted)} (must be 0)`)
  }
  console.log(`  ${outcomes.filter(({ state }) => state === 'refunded').length} of ${outcomes.length} paid back`)
  print('lost', ({ has, state }) => has === 0 && (state === 'delivered' || state === 'claimed'))
  print('paid back and delivered', ({ has, state }) => has > 0 && state === 'refunded')
  print('delivered twice', ({ has, state }) => has > 1 && state !== 'refunded')
}
