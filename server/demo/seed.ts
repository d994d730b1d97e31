import { sql } from 'kysely'
import { monthOf } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { countFigures } from '#server/features/today/figures.ts'
import { DEMO_ACCOUNTS, hashDemoAccounts, insertDemoAccounts, insertPlayers } from './accounts.ts'
import { insertCapsules } from './capsules.ts'
import { insertCharacters } from './characters.ts'
import { insertContent, insertShop, insertVouchers } from './content.ts'
import { insertForum } from './forum.ts'
import { insertLetters } from './letters.ts'
import { insertMonth } from './month.ts'
import { insertNewsDesk } from './news-desk.ts'
import { insertOrders } from './orders.ts'
import { seededRandom } from './random.ts'
import { insertSeasons } from './seasons.ts'
import { insertSupport } from './support.ts'
import { insertTickets } from './tickets.ts'
import { insertTournaments } from './tournaments.ts'

export { DEMO_ACCOUNTS }

/** What players and characters are drawn with. */
export const DEMO_SEED = 20_260_726

/**
 * Fills an empty database with the demo world of DECISIONS §2, dated relative to `now`. Runs in
 * one transaction under a lock, so processes that start together seed it once.
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
    const demo = await insertDemoAccounts(tx, accounts, now)
    const players = await insertPlayers(tx, random, now)
    await insertCharacters(tx, { random, now, month: monthOf(now), demo, players })
    await insertSeasons(tx, now, demo.get('gm') ?? 0)
    await insertContent(tx, now)
    await insertNewsDesk(tx, now, demo.get('gm') ?? 0)
    await insertShop(tx, now)
    await insertVouchers(tx, now)
    await insertOrders(tx, now, { gm: demo.get('gm') ?? 0, players })
    const cast = { juan: demo.get('juan') ?? 0, gm: demo.get('gm') ?? 0 }
    await insertTickets(tx, now, cast)
    await insertLetters(tx, now, cast)
    await insertCapsules(tx, now, cast)
    await insertSupport(tx, now, { ...cast, players })
    await insertForum(tx, { now, ...cast, maria: demo.get('maria') ?? 0 })
    await insertMonth(tx, { now, gm: cast.gm, players })
    await insertTournaments(tx, { now, gm: cast.gm, players })
    return true
  })
  if (isSeeded) await countFigures(db, now)
  return isSeeded
}

async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('user_num').limit(1).executeTakeFirst()) !== undefined
}
