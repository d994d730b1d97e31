import { sql } from 'kysely'
import type { reportBlocks } from '#contract/bridge-accounts.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { endSessions } from '#server/features/accounts/queries.ts'
import { writeAudit } from '#server/http/audit.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { requireLeaseAndUpdateState } from './lease.ts'

/** The reason that players see when the game's staff blocked them. */
export const GAME_BLOCK_REASON = 'This account was blocked in the game.'

/** The address and the device of account events that the game caused. */
const GAME_CALLER = { address: '', device: 'Support' }

/** A block in the game that ends at `until`, and the account's open block on the site. */
type GameBlockRow = {
  user_num: number
  open_block: number | null
  /** Whether the open block is from the game. */
  is_from_game: boolean
  until: Date | null
}

/**
 * Stores the blocks that the game's staff set, with their ends (BRIDGE-17). A block of the site stays until it ends or
 * is lifted on the site, and operators are never blocked this way. Skips accounts for which a block, or the end of one,
 * is still to be sent to the game. Does nothing while a restore of the game waits.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function bookBlocks(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  caller: BridgeCaller,
  { copy, blocks, complete }: ValidInput<typeof reportBlocks>,
): Promise<void> {
  const at = now()
  const blocksJson = JSON.stringify(blocks.map(([num, id, until]) => ({ num, id, until })))
  await db.transaction().execute(async (tx) => {
    if ((await requireLeaseAndUpdateState(tx, caller, { database: 'user', copy }, at)) !== 'none') return
    // Locks accounts before blocks, as the desk does; the reverse sequence could deadlock.
    const { rows } = await sql<GameBlockRow>`
      select a.user_num, b.block as open_block, coalesce(b.in_game, false) as is_from_game, f.until
      from jsonb_to_recordset(${blocksJson}::jsonb) as f (num bigint, id text, until timestamptz)
      join game_links l on l.game_user_num = f.num
      join game_accounts g on g.user_num = l.user_num and g.problem <> 'renamed' and lower(g.game_user_id) = lower(f.id)
        and g.block_due_at is null
      join accounts a on a.user_num = l.user_num and a.user_type < ${ADMIN_USER_TYPE} and a.erased_at is null
      left join account_blocks b on b.user_num = a.user_num and b.lifted_at is null
      where (f.until is null or f.until > ${at}) and case
        when b.block is null then true
        when b.in_game then b.ends_at is distinct from f.until
        else b.ends_at <= ${at} end
      order by a.user_num for no key update of a`.execute(tx)
    for (const gameBlock of rows)
      await (gameBlock.is_from_game ? setBlockEnd(tx, gameBlock) : blockAccount(tx, gameBlock, at))
    if (complete)
      await liftEndedBlocks(
        tx,
        blocks.map(([num]) => num),
        at,
      )
  })
}

/** Blocks an account on the site, because the game's staff blocked it. */
async function blockAccount(tx: Db, { user_num, until }: GameBlockRow, at: Date): Promise<void> {
  // Ends a block of the site whose time is over.
  await sql`update account_blocks set lifted_at = ends_at where user_num = ${user_num} and lifted_at is null`.execute(
    tx,
  )
  await tx
    .insertInto('account_blocks')
    .values({
      user_num,
      reason: GAME_BLOCK_REASON,
      starts_at: at,
      ends_at: until,
      blocked_by: null,
      lifted_at: null,
      lifted_by: null,
      in_game: true,
    })
    .execute()
  // The game has this block already.
  await tx.updateTable('game_accounts').set({ block_due_at: null }).where('user_num', '=', user_num).execute()
  await endSessions(tx, user_num)
  await recordBlockEvent(tx, user_num, { kind: 'blocked', at, until })
}

async function setBlockEnd(tx: Db, { open_block, until }: GameBlockRow): Promise<void> {
  await tx.updateTable('account_blocks').set({ ends_at: until }).where('block', '=', open_block).execute()
}

/** Lifts the blocks from the game that the game no longer has. */
async function liftEndedBlocks(tx: Db, blockedGameUsers: readonly number[], at: Date): Promise<void> {
  const { rows } = await sql<{ user_num: number }>`
    update account_blocks b set lifted_at = ${at}
    from game_links l join game_accounts g on g.user_num = l.user_num and g.problem <> 'renamed'
    where b.user_num = l.user_num and b.lifted_at is null and b.in_game and l.game_user_num <> all(${blockedGameUsers}::bigint[])
    returning b.user_num`.execute(tx)
  for (const { user_num } of rows) await recordBlockEvent(tx, user_num, { kind: 'unblocked', at, until: null })
}

type BlockEvent = { kind: 'blocked' | 'unblocked'; at: Date; until: Date | null }

/** Records a block from the game, or its end, in the account's history and the audit log. */
async function recordBlockEvent(tx: Db, userNum: number, { kind, at, until }: BlockEvent): Promise<void> {
  const isBlocked = kind === 'blocked'
  await recordEvent(tx, {
    userNum,
    kind,
    caller: GAME_CALLER,
    note: isBlocked ? GAME_BLOCK_REASON : '',
    now: at,
  })
  await writeAudit(tx, {
    at,
    actor: { kind: 'job', name: 'bridge' },
    action: isBlocked ? 'blocked in the game' : 'unblocked in the game',
    target: ['player', userNum],
    player: userNum,
    before: { blocked: !isBlocked },
    after: { blocked: isBlocked, ...(until !== null && { until: until.toISOString() }) },
  })
}
