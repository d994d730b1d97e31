import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { analyzeTables } from '#server/db/vacuum.ts'
import { seedDocuments } from '#server/features/documents/seed.ts'
import { countFigures } from '#server/features/figures/count.ts'
import { DEMO_ACCOUNTS, hasAccounts, hashDemoAccounts, insertDemoAccounts, insertPlayers } from './accounts.ts'
import { insertActivity } from './activity.ts'
import { insertCharacters } from './characters.ts'
import { insertEvents } from './events.ts'
import { insertForum } from './forum.ts'
import { insertLeagues } from './leagues.ts'
import { insertLetters } from './letters.ts'
import { insertMedia } from './media.ts'
import { insertMonth } from './month.ts'
import { insertNews, insertNewsDesk } from './news.ts'
import { insertOrders } from './orders.ts'
import { insertRewards } from './rewards.ts'
import { insertSeasons } from './seasons.ts'
import { insertServices } from './services.ts'
import { insertCapsules, insertShop, insertVouchers } from './shop.ts'
import { insertAreaHolders, insertSite } from './site.ts'
import { insertSupport } from './support.ts'
import { insertTickets } from './tickets.ts'
import { insertTournaments } from './tournaments.ts'
import { seededRandom, type World } from './world.ts'

export { DEMO_ACCOUNTS }

/** The seed of players and characters. */
export const DEMO_SEED = 20_260_726

/**
 * Fills an empty database with the demo world (WORLD-1, WORLD-2, WORLD-3, WORLD-4, WORLD-5, WORLD-6), dated relative to
 * `now`. Runs in one transaction under a lock, so processes that start together seed it once.
 *
 * @returns whether the database was empty
 */
export async function seedDemoWorld(db: Db, now: Date): Promise<boolean> {
  if (await hasAccounts(db)) return false
  const accounts = await hashDemoAccounts()
  const isSeeded = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('demo_world'))`.execute(tx)
    if (await hasAccounts(tx)) return false
    const random = seededRandom(DEMO_SEED)
    const demoAccounts = await insertDemoAccounts(tx, accounts, now)
    const world: World = { now, ...demoAccounts, players: await insertPlayers(tx, random, now) }
    await insertCharacters(tx, random, world)
    await insertSeasons(tx, world)
    await insertNews(tx, world)
    await insertEvents(tx, world)
    await insertSite(tx, world)
    await insertAreaHolders(tx, world)
    await seedDocuments(tx, { demo: true, now })
    await insertMedia(tx, world)
    await insertNewsDesk(tx, world)
    await insertShop(tx, world)
    await tx
      .insertInto('settings')
      .values({ name: 'purchases_open', value: 'true', changed_at: now })
      .onConflict((oc) => oc.column('name').doNothing())
      .execute()
    await insertVouchers(tx, world)
    await insertOrders(tx, world)
    await insertTickets(tx, world)
    await insertLetters(tx, world)
    await insertCapsules(tx, world)
    await insertRewards(tx, world)
    await insertSupport(tx, world)
    await insertForum(tx, world)
    await insertMonth(tx, world)
    await insertTournaments(tx, world)
    await insertLeagues(tx, world)
    await insertServices(tx, world)
    await insertActivity(tx, world)
    return true
  })
  if (!isSeeded) return false
  // The embedded database collects no statistics itself, and a board of the rankings takes ten times as long without.
  await analyzeTables(db)
  await countFigures(db, now)
  return true
}
