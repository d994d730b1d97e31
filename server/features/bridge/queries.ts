import { sql } from 'kysely'
import { CHARACTER_MEASURES } from '#contract/bridge-characters.ts'
import { type getGame, syncCountsSchema } from '#contract/desk-game.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { BRIDGE_AWAY_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { isoOrNull } from '#server/http/desk-lists.ts'

type Game = CallOutput<typeof getGame>

/** Units of each state are counted up to this number. */
const COUNTED_MAX = 10_000
/** Revoked bridges that are still shown. */
const REVOKED_SHOWN = 5

/** The bridges, those at work first, and the last revoked ones. */
export async function selectBridges(db: Db, now: Date): Promise<Game['bridges']> {
  const rows = await db
    .selectFrom('bridges as b')
    .leftJoin('bridge_lease as l', 'l.bridge', 'b.bridge')
    .selectAll('b')
    .select(sql<boolean>`l.bridge is not null`.as('is_holder'))
    .orderBy(sql`b.revoked_at desc nulls first`)
    .orderBy(sql`l.bridge is null`)
    .orderBy('b.bridge', 'desc')
    .limit(50)
    .execute()
  const revoked = rows.filter(({ revoked_at }) => revoked_at !== null).slice(0, REVOKED_SHOWN)
  return [...rows.filter(({ revoked_at }) => revoked_at === null), ...revoked].map((row) => ({
    ...row,
    state:
      row.revoked_at !== null
        ? ('revoked' as const)
        : !row.is_holder
          ? ('waiting' as const)
          : now.getTime() - (row.seen_at?.getTime() ?? 0) > BRIDGE_AWAY_MS
            ? ('away' as const)
            : ('working' as const),
    paired_at: row.paired_at.toISOString(),
    seen_at: isoOrNull(row.seen_at),
    revoked_at: isoOrNull(row.revoked_at),
    checked_at: isoOrNull(row.checked_at),
  }))
}

/** How many units stand where; each number is counted up to ten thousand. */
export async function countDeliveries(db: Db): Promise<Game['deliveries']> {
  const isLinked = sql`exists (select from game_links g where g.user_num = coalesce(d.deliver_to, d.user_num))`
  const isOpen = sql`d.state = 'queued' and d.refund_requested_at is null`
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
      (select count(*)::int from (select from deliveries where state = 'delivered' limit ${COUNTED_MAX}) r) as delivered,
      (select count(*)::int from odd where in_game = 'cancelled') as cancelled,
      (select count(*)::int from odd where in_game = 'gone') as gone,
      (select count(*)::int from odd where in_game = 'taken') as taken,
      (select count(*)::int from odd where in_game = 'lost') as lost`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The deliveries were not counted.')
  const { waiting, handed, failed, delivered } = row
  return {
    ...row,
    more: waiting + handed + failed >= COUNTED_MAX || delivered >= COUNTED_MAX,
    oldest_at: isoOrNull(row.oldest_at),
  }
}

/** How the characters of the game come, while a bridge is paired. */
export async function selectSync(db: Db): Promise<Game['sync']> {
  const sync = await db
    .selectFrom('game_sync as s')
    .innerJoin('bridges as b', 'b.bridge', 's.bridge')
    .where('b.revoked_at', 'is', null)
    .selectAll('s')
    .executeTakeFirst()
  if (sync === undefined) return null
  // Players come and go without any character changing.
  const { linked } = await db
    .selectFrom('characters')
    .where('user_num', 'is not', null)
    .where('game_user_num', 'is not', null)
    .select(sql<number>`count(*)::int`.as('linked'))
    .executeTakeFirstOrThrow()
  const { values_at, running_at, took_ms, sent_bytes, changed, lacks, counts, problem } = sync
  return {
    values_at: isoOrNull(values_at),
    running: running_at !== null,
    took_ms,
    sent_bytes: Number(sent_bytes),
    changed,
    lacks: CHARACTER_MEASURES.filter((measure) => lacks.includes(measure)),
    counts: values_at === null ? null : syncCountsSchema.parse({ ...counts, linked }),
    problem,
  }
}

/** The restore of the game's database that an operator has to confirm, or has confirmed and the agent not yet noted. */
export async function selectRestore(db: Db): Promise<Game['restore']> {
  const copy = await db.selectFrom('game_copy').where('restored_at', 'is not', null).selectAll().executeTakeFirst()
  if (copy === undefined || copy.restored_at === null) return null
  const { rows } = await sql<{ lost: number; back: number }>`
    select count(*) filter (where in_game = 'lost')::int as lost, count(*) filter (where in_game = 'back')::int as back
    from deliveries where in_game in ('lost', 'back')`.execute(db)
  return {
    since: copy.restored_at.toISOString(),
    looked: copy.looked_at !== null,
    lost: rows[0]?.lost ?? 0,
    back: rows[0]?.back ?? 0,
    confirmed: copy.next_epoch !== null,
  }
}
