import { sql } from 'kysely'
import { type DatabaseIdentity, GAME_DATABASES } from '#contract/bridge.ts'
import { CHARACTER_MEASURES } from '#contract/bridge-characters.ts'
import { type getGame, syncCountsSchema } from '#contract/desk-game.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { BRIDGE_OFFLINE_AFTER_MS, R_COIN_SECTION } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { countReturnedBalances } from './balances.ts'
import { STATE_TABLES } from './database-state.ts'

type Game = CallAnswer<typeof getGame>

/** Counts of units stop at this number. */
const COUNTED_MAX = 10_000
/** The number of revoked bridges that the screen Game shows. */
const REVOKED_BRIDGES_MAX = 5

/** Selects the bridges, active ones first, and the last revoked ones. */
export async function selectBridges(db: Db, now: Date): Promise<Game['bridges']> {
  const rows = await db
    .selectFrom('bridges as b')
    .leftJoin('bridge_lease as l', 'l.bridge', 'b.bridge')
    .selectAll('b')
    .select(sql<boolean>`l.bridge is not null`.as('is_holder'))
    .select('l.seen_at as accepted_at')
    .orderBy(sql`b.revoked_at desc nulls first`)
    .orderBy(sql`l.bridge is null`)
    .orderBy('b.bridge', 'desc')
    .limit(50)
    .execute()
  const revokedBridges = rows.filter(({ revoked_at }) => revoked_at !== null).slice(0, REVOKED_BRIDGES_MAX)
  return [...rows.filter(({ revoked_at }) => revoked_at === null), ...revokedBridges].map((row) => ({
    ...row,
    state:
      row.revoked_at !== null
        ? ('revoked' as const)
        : isRefused(row, now)
          ? ('refused' as const)
          : !row.is_holder
            ? ('waiting' as const)
            : now.getTime() - (row.seen_at?.getTime() ?? 0) > BRIDGE_OFFLINE_AFTER_MS
              ? ('away' as const)
              : ('working' as const),
    password_form: row.password_form === '' ? null : row.password_form,
  }))
}

/** The longest time between two requests of the active bridge. */
const REQUEST_INTERVAL_MAX_MS = 10_000

type RequestTimes = { refused_at: Date | null; accepted_at: Date | null }

/**
 * Returns whether the site refuses a bridge now. Refusals while the active process sends requests do not count: they
 * concern a second process with the same key.
 */
function isRefused({ refused_at, accepted_at }: RequestTimes, now: Date): boolean {
  if (refused_at === null || now.getTime() - refused_at.getTime() > BRIDGE_OFFLINE_AFTER_MS) return false
  return accepted_at === null || refused_at.getTime() - accepted_at.getTime() > REQUEST_INTERVAL_MAX_MS
}

/** Counts units by state, each up to ten thousand. */
export async function countDeliveries(db: Db): Promise<Game['deliveries']> {
  const isLinked = sql`exists (select from game_links g where g.user_num = coalesce(d.deliver_to, d.user_num))`
  const isOpen = sql`d.state = 'queued' and not d.is_service and d.refund_requested_at is null`
  const { rows } = await sql<Omit<Game['deliveries'], 'more' | 'oldest_at'> & { oldest_at: Date | null }>`
    with
      queued as materialized (
        select d.queued_at, d.handed_at, d.failed_at, ${isLinked} as linked from deliveries d where ${isOpen}
        order by d.delivery limit ${COUNTED_MAX}),
      odd as materialized (select in_game from deliveries where in_game <> '' limit ${COUNTED_MAX})
    select
      (select count(*)::int from queued where handed_at is null) as waiting,
      (select count(*)::int from queued where handed_at is null and not linked) as unlinked,
      (select count(*)::int from queued where handed_at is not null and failed_at is null) as handed,
      (select count(*)::int from queued where failed_at is not null) as failed,
      (select min(queued_at) from queued where linked and failed_at is null) as oldest_at,
      (select count(*)::int from (select from deliveries
        where refund_requested_at is not null and state <> 'refunded' limit ${COUNTED_MAX}) r) as refund_requested,
      (select count(*)::int from (select from deliveries
        where state = 'delivered' and in_game <> 'lost' limit ${COUNTED_MAX}) r) as delivered,
      (select count(*)::int from odd where in_game = 'cancelled') as cancelled,
      (select count(*)::int from odd where in_game = 'gone') as gone,
      (select count(*)::int from odd where in_game = 'taken') as taken,
      (select count(*)::int from odd where in_game = 'twice') as twice,
      (select count(*)::int from odd where in_game = 'lost') as lost`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The deliveries were not counted.')
  const { waiting, handed, failed, delivered } = row
  return {
    ...row,
    more: waiting + handed + failed >= COUNTED_MAX || delivered >= COUNTED_MAX,
  }
}

/** Selects the state of the synchronization of characters; null without a paired bridge. */
export async function selectSync(db: Db): Promise<Game['sync']> {
  const sync = await db
    .selectFrom('game_sync as s')
    .innerJoin('bridges as b', 'b.bridge', 's.bridge')
    .where('b.revoked_at', 'is', null)
    .selectAll('s')
    .executeTakeFirst()
  if (sync === undefined) return null
  // Counted now, because links change without a change of characters.
  const { linked } = await db
    .selectFrom('characters')
    .where('user_num', 'is not', null)
    .where('game_user_num', 'is not', null)
    .select(sql<number>`count(*)::int`.as('linked'))
    .executeTakeFirstOrThrow()
  const { values_at, running_at, took_ms, sent_bytes, changed, lacks, counts, problem } = sync
  return {
    values_at,
    running: running_at !== null,
    took_ms,
    sent_bytes: Number(sent_bytes),
    changed,
    lacks: CHARACTER_MEASURES.filter((measure) => lacks.includes(measure)),
    counts: values_at === null ? null : syncCountsSchema.parse({ ...counts, linked }),
    problem,
  }
}

/** Returns the facts that differ between the stored identity of a database and the one that the agent found. */
const compareIdentities = (storedIdentity: DatabaseIdentity, foundIdentity: DatabaseIdentity) =>
  Object.fromEntries(
    Object.entries(foundIdentity).flatMap(([name, value]) =>
      storedIdentity[name] === undefined || storedIdentity[name] === value
        ? []
        : [[name, { known: storedIdentity[name], found: value }]],
    ),
  )

/** Selects the identity of the database of purchases. */
export const selectIdentity = async (db: Db): Promise<DatabaseIdentity> =>
  (await db.selectFrom('game_copy').select('identity').executeTakeFirst())?.identity ?? {}

/** Selects the restores of the game's databases that no owner has confirmed, or that the agent has not applied yet. */
export async function selectRestore(db: Db): Promise<Game['restore']> {
  const restores: (NonNullable<Game['restore']>['what'][number] & { since: Date })[] = []
  for (const database of GAME_DATABASES) {
    const databaseState = await db
      .selectFrom(STATE_TABLES[database])
      .where('restored_at', 'is not', null)
      .selectAll()
      .executeTakeFirst()
    if (databaseState === undefined || databaseState.restored_at === null) continue
    restores.push({
      place: database,
      as_of: databaseState.as_of,
      moved: compareIdentities(databaseState.identity, databaseState.found_identity ?? {}),
      since: databaseState.restored_at,
      looked: databaseState.looked_at !== null,
      confirmed: databaseState.next_epoch !== null,
    })
  }
  const [earliestRestore] = restores.toSorted((a, b) => a.since.getTime() - b.since.getTime())
  if (earliestRestore === undefined) return null
  // Units that an earlier restore marked don't wait for a decision.
  const findRestoreTime = (requestedDatabase: string) =>
    restores.find(({ place: database }) => database === requestedDatabase)?.since ?? null
  const isNew = sql`marked_at >= case when is_service then ${findRestoreTime('game')}::timestamptz else ${findRestoreTime('shop')}::timestamptz end`
  const { rows } = await sql<{ lost: number; lost_services: number; back: number; again: number }>`
    select count(*) filter (where in_game = 'lost' and not is_service and ${isNew})::int as lost,
      count(*) filter (where in_game = 'lost' and is_service and ${isNew})::int as lost_services,
      count(*) filter (where in_game = 'back')::int as back,
      count(*) filter (where in_game = 'again' and ${isNew})::int as again
    from deliveries where in_game in ('lost', 'back', 'again')`.execute(db)
  return {
    since: earliestRestore.since,
    looked: restores.every(({ looked }) => looked),
    lost: rows[0]?.lost ?? 0,
    lost_services: rows[0]?.lost_services ?? 0,
    back: rows[0]?.back ?? 0,
    again: rows[0]?.again ?? 0,
    balances: await countReturnedBalances(db),
    confirmed: restores.every(({ confirmed }) => confirmed),
    what: restores,
  }
}

/**
 * Counts items and balances that players may have twice after a restore: items that were refunded or picked up before it,
 * and balances that were spent again.
 *
 * @param since the time from which they are counted; null counts all
 */
export async function countDoubled(db: Db, since: Date | null = null): Promise<Game['doubled']> {
  const isSince = (column: string) => (since === null ? sql`true` : sql`${sql.ref(column)} > ${since}::timestamptz`)
  const { rows } = await sql<{ units: number; r_coin: number; milleage: number }>`
    select count(*)::int as units,
      coalesce(sum(p.price) filter (where p.section = ${R_COIN_SECTION}), 0)::bigint as r_coin,
      coalesce(sum(p.price) filter (where p.section <> ${R_COIN_SECTION}), 0)::bigint as milleage
    from deliveries d join purchases p on p.user_num = d.user_num and p.ordinal = d.ordinal
    where d.in_game in ('taken', 'twice') and ${isSince('d.marked_at')}`.execute(db)
  const { rows: spentRows } = await sql<{ balances: number; sum: number }>`
    select count(*)::int as balances, coalesce(sum(spent), 0)::bigint as sum from game_balances
    where spent > 0 and ${isSince('changed_at')}`.execute(db)
  return {
    units: rows[0]?.units ?? 0,
    r_coin: Number(rows[0]?.r_coin ?? 0),
    milleage: Number(rows[0]?.milleage ?? 0),
    balances: spentRows[0]?.balances ?? 0,
    balances_sum: Number(spentRows[0]?.sum ?? 0),
  }
}
