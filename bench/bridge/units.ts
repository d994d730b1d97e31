import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { GameConnection } from '#bridge/game/driver.ts'
import {
  formatClock,
  killRepeatedly,
  type Outcome,
  printLedgerCheck,
  printOutcomes,
  type RestorePlan,
  restoreSets,
} from './faults.ts'
import {
  type Amounts,
  buy,
  countOpenUnits,
  createGameAccounts,
  createPlayers,
  repeatWork,
  startAgent,
  toGameNumber,
  type World,
  waitFor,
  waitForDelivery,
} from './world.ts'

/** Counts the items that players have picked up in the game and the site has not recorded as claimed. */
async function countUnreportedPickUps({ db, game }: World): Promise<number> {
  const [row] = await game.query('shop', 'select count(*) as taken from ShopPurchase where PurFlag = 1')
  const { rows } = await sql<{ claimed: number }>`
    select count(*)::int as claimed from deliveries where state = 'claimed'`.execute(db)
  return Number(row?.taken) - (rows[0]?.claimed ?? 0)
}

/** Kills the agent, the site and the game's database while units are delivered and refunded and players pick up items. */
export async function killDuringDeliveries(world: World, { units, kills }: Amounts): Promise<void> {
  const { db } = world
  await buy(world, units, 1)
  const stopPlayers = repeatWork(world, 'shop', (shop) =>
    shop.run('update ShopPurchase set PurFlag = 1 where PurFlag = 0 and PurKey % 5 = :part', { part: randomInt(0, 3) }),
  )
  const agent = startAgent(world)
  const killCounts = await killRepeatedly(world, agent, {
    kills,
    countRemaining: () => countOpenUnits(world),
    refund: (kill) =>
      sql`update deliveries set refund_requested_at = now()
        where handed_at is not null and state in ('queued', 'delivered') and delivery % ${sql.lit(kills)} = ${kill - 1}
          and refund_requested_at is null`.execute(db),
  })
  await waitForDelivery(world)
  await stopPlayers()
  await waitFor('the last pick-ups are reported', async () => (await countUnreportedPickUps(world)) === 0)
  await agent.stop()
  console.log(killCounts)
  printOutcomes(await readUnits(world))
  await printLedgerCheck(world)
}

type PickedUpUnits = Map<string, string[]>

/**
 * Reads the outcome of every unit, and how many times its player received it. Every player bought one unit.
 *
 * @param pickUps the times at which each player picked up units, which then count instead of the game's flags; without
 *   them every unit in the game counts
 */
async function readUnits({ db, game }: World, pickUps?: PickedUpUnits): Promise<Outcome[]> {
  const rows = await game.query(
    'shop',
    `select UserUID as uid, count(*) as times from ShopPurchase ${pickUps === undefined ? '' : 'where PurFlag <> 1'} group by UserUID`,
  )
  const bank = new Map(rows.map(({ uid, times }) => [String(uid), Number(times)]))
  const { rows: units } = await sql<Omit<Outcome, 'received'>>`
    select 'n' || user_num as uid, state, in_game from deliveries where handed_by is not null`.execute(db)
  return units.map((unit) => ({ ...unit, received: (pickUps?.get(unit.uid)?.length ?? 0) + (bank.get(unit.uid) ?? 0) }))
}

const RESTORE_SETS: RestorePlan[] = [['shop'], ['user'], ['user', 'shop']]
const BALANCE = 1000

/** Simulates players who pick up items and spend balances in the game. Records both, because a restore removes them. */
async function createActivePlayers({ game, kind }: World) {
  const rows = await game.query('shop', 'select UserUID as uid from ShopPurchase where PurFlag = 1')
  /** The last exclusive task. No player picks up an item while a restore replaces the tables. */
  let queue: Promise<unknown> = Promise.resolve()
  const runExclusive = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work, work)
    queue = result.catch(() => {})
    return result
  }
  const nowSql = kind === 'mariadb' ? 'now()' : 'localtimestamp'
  const pickUpUnits = async (shop: GameConnection) => {
    const waitingRows = await shop.query('select PurKey as purkey, UserUID as uid from ShopPurchase where PurFlag = 0')
    for (const { purkey, uid } of waitingRows.filter(() => Math.random() < 0.2)) {
      const changedRows = await shop.run(
        `update ShopPurchase set PurFlag = 1, PurChgDate = ${nowSql} where PurKey = :purkey and PurFlag = 0`,
        { purkey: Number(purkey) },
      )
      if (changedRows === 1)
        players.pickUps.set(String(uid), [...(players.pickUps.get(String(uid)) ?? []), formatClock()])
    }
  }
  const players = {
    /** The times at which each player picked up an item, by UserUID. */
    pickUps: new Map(rows.map(({ uid }) => [String(uid), ['before']])) as PickedUpUnits,
    /** The sum that each account spent of its balance in the game, by UserNum. */
    spent: new Map<number, number>(),
    runExclusive,
    pickUp: (shop: GameConnection) => runExclusive(() => pickUpUnits(shop)),
    spend: async (usernum: number) => {
      const [row] = await game.query('user', `select UserPoint as held from UserInfo where UserNum = ${usernum}`)
      const amount = randomInt(0, Number(row?.held ?? 0) + 1)
      const changedRows = await game.run(
        'user',
        `update UserInfo set UserPoint = UserPoint - ${amount} where UserNum = ${usernum} and UserPoint >= ${amount}`,
      )
      if (changedRows === 1) players.spent.set(usernum, (players.spent.get(usernum) ?? 0) + amount)
    },
  }
  return players
}

/** Creates players who were imported with a balance. @returns the numbers of their accounts in the game */
async function createWallets(world: World, count: number): Promise<number[]> {
  const numbers = (await createPlayers(world, count, BALANCE)).map(toGameNumber)
  await sql`insert into game_imports (game_user_num, bridge, user_id, form, form_hash, game_user_type, blocked, imported_at, user_num)
    select game_user_num, (select bridge from bridges limit 1), 'u' || user_num, 'plain', '', 1, false, now(), user_num
    from game_links where game_user_num = any(${numbers}::bigint[])`.execute(world.db)
  return numbers
}

/** Stores the balances as approved for taking over. */
const approveBalances = ({ db }: World, numbers: number[]) =>
  sql`insert into game_balances (bridge, game_user_num, amount, state, changed_at)
    select (select bridge from bridges limit 1), n, ${BALANCE}, 'approved', now() from unnest(${numbers}::bigint[]) n`.execute(
    db,
  )

/** Creates the game accounts again that a restore has lost. */
async function recreateLostAccounts(world: World): Promise<void> {
  const gameNumbers = new Set(
    (await world.game.query('user', 'select UserNum as num from UserInfo')).map(({ num }) => Number(num)),
  )
  const { rows } = await sql<{ user_num: number }>`select user_num from purchases`.execute(world.db)
  const lostNumbers = rows.map(({ user_num }) => Number(user_num)).filter((num) => !gameNumbers.has(toGameNumber(num)))
  await createGameAccounts(world, lostNumbers)
}

/** Restores the databases, alone and together, while units are delivered and refunded and balances are taken over. */
export async function restoreDuringDeliveries(world: World, amounts: Amounts): Promise<void> {
  const { db } = world
  const players = await createActivePlayers(world)
  const agent = startAgent(world)
  // A restore can be noticed only if the agent has written since the copy. So it writes once before the first copy.
  await buy(world, 1, 1)
  await waitForDelivery(world)
  const stopPlayers = repeatWork(world, 'shop', players.pickUp)
  const wallets: number[] = []
  /** Items that were picked up just before a restore, which left no trace for the bridge. */
  const unseenUnits = new Set<string>()
  const { history, summary } = await restoreSets(
    world,
    agent,
    amounts,
    RESTORE_SETS,
    async ({ databases, hasCharacters, backUpDatabases: backUp }) => {
      await buy(world, 100, 1)
      const numbers = await createWallets(world, 20)
      wallets.push(...numbers)
      await approveBalances(world, numbers.slice(0, 10))
      await sleep(randomInt(500, 3000))
      const [restoreCopy, pickedUpBefore] = await players.runExclusive(
        async () => [await backUp(), new Map(players.pickUps)] as const,
      )
      await buy(world, 100, 1)
      await approveBalances(world, numbers.slice(10))
      await sleep(randomInt(500, 2000))
      await sql`update deliveries set refund_requested_at = now()
        where handed_at is not null and state in ('queued', 'delivered') and refund_requested_at is null and random() < 0.2`.execute(
        db,
      )
      await sleep(randomInt(0, 3000))
      await players.runExclusive(async () => {
        await restoreCopy()
        if (databases.includes('user')) await recreateLostAccounts(world)
        if (!databases.includes('shop')) return
        const { rows } = await sql<{ uid: string }>`
          select 'n' || user_num as uid from deliveries where state <> 'claimed'`.execute(db)
        const openUnits = new Set(rows.map(({ uid }) => uid))
        if (hasCharacters) players.pickUps = pickedUpBefore
        else
          for (const [uid, taken] of players.pickUps)
            if (taken !== pickedUpBefore.get(uid) && openUnits.has(uid)) unseenUnits.add(uid)
      })
      // Some players spend a restored balance before the site notices the restore.
      if (databases.includes('user')) for (const walletNumber of wallets.slice(-3)) await players.spend(walletNumber)
    },
  )
  await waitForDelivery(world)
  await waitFor('every balance is taken', async () => {
    const { rows } = await sql`select from game_balances where state = 'approved' or back_amount is not null`.execute(
      db,
    )
    return rows.length === 0
  })
  await stopPlayers()
  await sleep(5000)
  await waitForDelivery(world)
  await agent.stop()

  console.log(`${summary}; ${unseenUnits.size} items picked up just before a restore, which left no trace`)
  printOutcomes(await readUnits(world, players.pickUps), {
    history,
    // A unit that was picked up unnoticed leaves no trace, so the desk cannot list it (docs/decisions/033).
    isListed: ({ in_game, uid }) => in_game !== '' || unseenUnits.has(uid),
    explainOutcome: ({ uid }) => `taken ${players.pickUps.get(uid)?.join(', ')}`,
  })
  await printBalances(world, players.spent, wallets.length)
  await printLedgerCheck(world)
}

/** Prints the balances that were taken over, and the part that was also spent in the game. */
async function printBalances(
  { db, game }: World,
  spentAmounts: Map<number, number>,
  walletCount: number,
): Promise<void> {
  const { rows: balances } = await sql<{ game_user_num: number; spent: number }>`
    select game_user_num, spent from game_balances where state = 'taken'`.execute(db)
  const accounts = await game.query('user', 'select UserNum as num, UserPoint as held from UserInfo')
  const heldBalances = new Map(accounts.map((row) => [Number(row.num), Number(row.held)]))
  let [spent, unlisted] = [0, 0]
  for (const { game_user_num, spent: reportedSpent } of balances) {
    const num = Number(game_user_num)
    const overspent = (spentAmounts.get(num) ?? 0) + (heldBalances.get(num) ?? 0)
    spent += overspent
    unlisted += Math.max(0, overspent - Number(reportedSpent))
  }
  console.log(
    `  balances: ${balances.length} of ${walletCount} taken over, ${spent} spent in the game as well, not listed at the desk: ${unlisted} (must be 0)`,
  )
}
