import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  killRepeatedly,
  type Outcome,
  printLedgerCheck,
  printOutcomes,
  type RestorePlan,
  restoreSets,
} from './faults.ts'
import {
  type Amounts,
  createPlayers,
  PRICE,
  PRODUCT,
  repeatWork,
  startAgent,
  storePurchases,
  toGameNumber,
  type World,
  waitFor,
} from './world.ts'

/** The number of services that players buy before the kills. */
const SERVICE_COUNT = 500
const RISE_PRODUCT = PRODUCT + 1

/**
 * Creates players with one character each; a quarter of the characters is online.
 *
 * @returns the numbers of the players, which are also the numbers of their characters
 */
async function createPlayersWithCharacters(world: World, count: number): Promise<number[]> {
  const users = await createPlayers(world, count)
  const values = users.map((num) => `(${num}, ${toGameNumber(num)}, 's${num}', 1, 0, ${num % 4 === 0 ? 1 : 0})`)
  await world.game.run(
    'game',
    `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaOnline) values ${values.join(', ')}`,
  )
  return users
}

/** Orders a service for the character of each player. */
async function orderServices({ db }: World, users: number[]): Promise<void> {
  await sql`insert into shop_items (product_num, category_id, item_name, price, section, position, kind, service, service_pause_hours)
    select ${RISE_PRODUCT}, id, 'Rise', ${PRICE}, 2, 2, 'service', 'rise', 0 from shop_categories limit 1
    on conflict do nothing`.execute(db)
  await db.transaction().execute(async (tx) => {
    await storePurchases(tx, users, { product: RISE_PRODUCT, name: 'Rise', quantity: 1 })
    await sql`with units as (
        insert into deliveries (user_num, ordinal, product_num, unit, is_service, queued_at)
        select n, 1, ${RISE_PRODUCT}, 1, true, now() from unnest(${users}::bigint[]) n returning delivery, user_num)
      insert into service_orders (delivery, user_num, product_num, service, cha_num, cha_name, ordered_at)
      select delivery, user_num, ${RISE_PRODUCT}, 'rise', user_num, 's' || user_num, now() from units`.execute(tx)
  })
}

const refundServices = ({ db }: World) =>
  sql`update deliveries set refund_requested_at = now() where delivery in (
    select delivery from deliveries where is_service and handed_at is not null and state = 'queued' and refund_requested_at is null
      and random() < 0.1 for update skip locked)`.execute(db)

/** Counts the services that wait for the bridge. */
async function countWaitingServices({ db }: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from service_orders where state = 'waiting'`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Logs characters in and out all the time, and lets the bridge retry waiting services at once.
 *
 * @returns a function that waits until no service waits, and then stops
 */
function toggleCharactersOnline(world: World) {
  const stop = repeatWork(world, 'game', async (characters) => {
    await characters.run('update ChaInfo set ChaOnline = 1 - ChaOnline where ChaNum % 7 = :part', {
      part: randomInt(0, 7),
    })
    await sql`update service_orders set retry_at = null where service_order in (
      select service_order from service_orders where state = 'waiting' and retry_at is not null for update skip locked)`.execute(
      world.db,
    )
  })
  return async () => {
    await waitFor('every service is done or refunded', async () => (await countWaitingServices(world)) === 0)
    await stop()
  }
}

/** Reads the outcome of every service, and how many times the game has applied it. */
async function readServices({ db, game }: World): Promise<Outcome[]> {
  const rows = await game.query('game', 'select ChaNum as num, ChaReborn as times from ChaInfo')
  const times = new Map(rows.map((row) => [Number(row.num), Number(row.times)]))
  const { rows: units } = await sql<{ user_num: number; state: string; in_game: string }>`
    select user_num, state, in_game from deliveries where is_service`.execute(db)
  return units.map(({ user_num, state, in_game }) => ({
    uid: `s${user_num}`,
    state,
    in_game,
    received: times.get(Number(user_num)) ?? 0,
  }))
}

/**
 * Kills the agent, the site and the game's database while services are delivered and refunded and players log in and
 * out.
 */
export async function killDuringServices(world: World, { kills }: Amounts): Promise<void> {
  await orderServices(world, await createPlayersWithCharacters(world, SERVICE_COUNT))
  const waitForEnd = toggleCharactersOnline(world)
  const agent = startAgent(world)
  const killCounts = await killRepeatedly(world, agent, {
    kills,
    countRemaining: () => countWaitingServices(world),
    refund: () => refundServices(world),
  })
  await waitForEnd()
  await agent.stop()
  console.log(killCounts)
  printOutcomes(await readServices(world))
  await printLedgerCheck(world)
}

const RESTORE_SETS: RestorePlan[] = [['game'], ['user', 'game', 'shop']]

/** Restores the database of characters, alone and with the others, during the same work. */
export async function restoreDuringServices(world: World, amounts: Amounts): Promise<void> {
  const waitForEnd = toggleCharactersOnline(world)
  const agent = startAgent(world)
  // The agent creates its tables at its first work.
  await orderServices(world, await createPlayersWithCharacters(world, 10))
  await waitFor('a service is done', async () => (await readServices(world)).some(({ received }) => received > 0))
  const { history, summary } = await restoreSets(
    world,
    agent,
    amounts,
    RESTORE_SETS,
    async ({ backUpDatabases: backUp }) => {
      const players = await createPlayersWithCharacters(world, 150)
      await orderServices(world, players.slice(0, 100))
      await sleep(randomInt(500, 5000))
      const restoreCopy = await backUp()
      await orderServices(world, [...players.slice(100), ...(await createPlayersWithCharacters(world, 50))])
      await sleep(randomInt(500, 5000))
      await refundServices(world)
      await sleep(randomInt(0, 5000))
      await restoreCopy()
    },
  )
  await waitForEnd()
  await agent.stop()
  console.log(summary)
  const { rows } = await sql<{ uid: string; text: string }>`
    select 's' || user_num as uid, row_to_json(o)::text as text from service_orders o`.execute(world.db)
  const orders = new Map(rows.map(({ uid, text }) => [uid, text]))
  printOutcomes(await readServices(world), {
    history,
    isListed: ({ in_game }) => in_game !== '',
    explainOutcome: ({ uid }) => orders.get(uid) ?? '',
  })
  await printLedgerCheck(world)
}
