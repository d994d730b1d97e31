import { sql } from 'kysely'
import { CLUBS_IN_BLOCK, type ClubRow, type reportGame, sendClubs } from '#contract/bridge-characters.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { cleanName, toDate } from './characters.ts'
import { checkLease } from './lease.ts'

/** Counts are clamped to this limit. Real games have smaller counts. */
const COUNT_MAX = 1_000_000_000

/**
 * Compares blocks of clubs with the stored ones, and removes the clubs of blocks that the game no longer has (CLUB-1).
 *
 * @returns the blocks that differ
 */
export async function compareClubs(
  tx: Db,
  reportedBlocks: NonNullable<ValidInput<typeof reportGame>['clubs']>,
): Promise<number[]> {
  const blocks = reportedBlocks.map(({ block }) => block)
  const { rows: missingBlocks } = await sql<{ block: number }>`
    delete from club_blocks where block <> all(${blocks}::bigint[]) returning block`.execute(tx)
  if (missingBlocks.length > 0)
    await sql`
      delete from clubs
      where club / ${sql.lit(CLUBS_IN_BLOCK)} = any(${missingBlocks.map(({ block }) => Number(block))}::bigint[])`.execute(
      tx,
    )
  const { rows } = await sql<{ block: number }>`
    select n.block from unnest(${blocks}::bigint[], ${reportedBlocks.map(({ hash }) => hash)}::text[]) n (block, hash)
    left join club_blocks b on b.block = n.block
    where b.hash is distinct from n.hash order by n.block`.execute(tx)
  return rows.map(({ block }) => Number(block))
}

/** Stores the alliances of clubs, and removes alliances that the game no longer has (CLUB-6). */
export async function bookAlliances(
  tx: Db,
  alliances: NonNullable<ValidInput<typeof reportGame>['alliances']>,
): Promise<void> {
  const leaders = new Map(alliances)
  const clubs = [...leaders.keys()]
  await sql`delete from club_alliances where club <> all(${clubs}::bigint[])`.execute(tx)
  await sql`
    insert into club_alliances as a (club, leader)
    select * from unnest(${clubs}::bigint[], ${[...leaders.values()]}::bigint[])
    on conflict (club) do update set leader = excluded.leader where a.leader <> excluded.leader`.execute(tx)
}

/**
 * Stores whole blocks of clubs. Stores nothing while a restore of the game's database waits.
 *
 * @throws Refusal 409 when another agent works, 422 for a club outside of its block
 */
export async function bookClubs(
  { db }: Deps,
  caller: BridgeCaller,
  { blocks }: ValidInput<typeof sendClubs>,
): Promise<void> {
  if (blocks.some(({ block, rows }) => rows.some(([club]) => Math.floor(club / CLUBS_IN_BLOCK) !== block)))
    throw refuse(sendClubs, 'outsideClub')
  await db.transaction().execute(async (tx) => {
    const isRestoreOpen = await checkLease(tx, caller)
    if (isRestoreOpen || blocks.length === 0) return
    const hashes = new Map(blocks.map(({ block, hash }) => [block, hash]))
    const blockNums = [...hashes.keys()]
    const clubs = [...new Map(blocks.flatMap(({ rows }) => rows.map((row) => [row[0], row] as const))).values()]
    await sql`
      delete from clubs
      where club / ${sql.lit(CLUBS_IN_BLOCK)} = any(${blockNums}::bigint[])
        and club <> all(${clubs.map(([club]) => club)}::bigint[])`.execute(tx)
    if (clubs.length > 0)
      await tx
        .insertInto('clubs')
        .values(clubs.map(toClub))
        .onConflict((conflict) =>
          conflict.column('club').doUpdateSet(({ ref }) => ({
            name: ref('excluded.name'),
            leader: ref('excluded.leader'),
            wins: ref('excluded.wins'),
            losses: ref('excluded.losses'),
            draws: ref('excluded.draws'),
            founded_at: ref('excluded.founded_at'),
          })),
        )
        .execute()
    await sql`
      insert into club_blocks (block, hash)
      select * from unnest(${blockNums}::bigint[], ${[...hashes.values()]}::text[])
      on conflict (block) do update set hash = excluded.hash`.execute(tx)
  })
}

function toClub([club, name, leader, wins, losses, draws, foundedSeconds]: ClubRow) {
  const [won, lost, drawn] = [wins, losses, draws].map((count) => Math.min(COUNT_MAX, count))
  return {
    club,
    name: cleanName(name, club).name,
    leader: leader === 0 ? null : leader,
    wins: won,
    losses: lost,
    draws: drawn,
    founded_at: toDate(foundedSeconds),
  }
}
