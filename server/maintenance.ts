import { sql } from 'kysely'
import { LOGIN_ANSWERS } from '#contract/account-messages.ts'
import { isMaintenance, type Maintenance, SETTINGS } from '#contract/settings.ts'
import type { Db } from './db/open.ts'
import { Refusal } from './errors.ts'

/** What Retry-After says while no end is announced. */
const RETRY_AFTER_SECONDS = 300

/** A database or transaction, and the clock. */
type MaintenanceDeps = { db: Db; now: () => Date }

async function selectMaintenance(db: Db): Promise<Maintenance> {
  const row = await db.selectFrom('settings').where('name', '=', 'maintenance').select('value').executeTakeFirst()
  return (row?.value ?? SETTINGS.maintenance.default) as Maintenance
}

/** The refusal of a call that moves money (DECISIONS §5 Maintenance): the operators' message, and when to try again. */
export async function createMaintenanceRefusal({ db, now }: MaintenanceDeps): Promise<Refusal> {
  const { message, until } = await selectMaintenance(db)
  const secondsLeft = Math.ceil((Date.parse(until) - now().getTime()) / 1000)
  return new Refusal(503, 'maintenance', message || LOGIN_ANSWERS.maintenance, {
    retryAfterSeconds: secondsLeft > 0 ? secondsLeft : RETRY_AFTER_SECONDS,
  })
}

/**
 * Refuses during maintenance, in the transaction of a call that adds a row to `table`. The lock makes it one or the other:
 * either the call is complete before maintenance starts, or it sees that it has started.
 *
 * @throws Refusal 503
 */
export async function refuseInMaintenance(deps: MaintenanceDeps, table: 'topups' | 'purchases'): Promise<void> {
  await sql`lock table ${sql.table(table)} in row exclusive mode`.execute(deps.db)
  if (isMaintenance(await selectMaintenance(deps.db), deps.now())) throw await createMaintenanceRefusal(deps)
}

/**
 * Waits for the purchases and redemptions that are under way, and holds up new ones until the transaction ends. Whoever
 * starts maintenance calls it first, so that after the answer no player's money moves any more.
 */
export async function awaitMoneyCalls(tx: Db): Promise<void> {
  await sql`lock table topups, purchases in share mode`.execute(tx)
}
