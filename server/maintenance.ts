import { sql } from 'kysely'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { arePurchasesOpen, isMaintenanceOn, type Maintenance, SETTINGS, type Settings } from '#contract/settings.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import type { Db } from './db/open.ts'
import { type Pause, Refusal } from './errors.ts'

/** The value of Retry-After while no end is announced. */
const RETRY_AFTER_SECONDS = 300

/** A database or transaction, and the clock. */
type MaintenanceDeps = { db: Db; now: () => Date }

async function selectMaintenance(db: Db): Promise<Maintenance> {
  const row = await db.selectFrom('settings').where('name', '=', 'maintenance').select('value').executeTakeFirst()
  return (row?.value ?? SETTINGS.maintenance.default) as Maintenance
}

async function selectPurchaseSettings(db: Db): Promise<Pick<Settings, `purchases_${'open' | 'from' | 'message'}`>> {
  const names = ['purchases_open', 'purchases_from', 'purchases_message'] as const
  const rows = await db.selectFrom('settings').where('name', 'in', names).select(['name', 'value']).execute()
  const readValue = (name: (typeof names)[number]) =>
    rows.find((row) => row.name === name)?.value ?? SETTINGS[name].default
  return {
    purchases_open: readValue('purchases_open') === true,
    purchases_from: String(readValue('purchases_from')),
    purchases_message: String(readValue('purchases_message')),
  }
}

/** Creates the refusal of a call during a pause (PAUSE-1, BUY-7): the operators' text, and when to retry. */
export async function createPauseRefusal({ db, now }: MaintenanceDeps, pause: Pause): Promise<Refusal> {
  const [message, end] = await (pause === 'maintenance' ? readMaintenancePause(db) : readPurchasePause(db))
  const secondsLeft = Math.ceil((Date.parse(end) - now().getTime()) / 1000)
  return new Refusal(503, pause, message, { retryAfterSeconds: secondsLeft > 0 ? secondsLeft : RETRY_AFTER_SECONDS })
}

async function readMaintenancePause(db: Db): Promise<[message: string, end: string]> {
  const { message, until } = await selectMaintenance(db)
  return [message || LOGIN_ANSWERS.maintenance, until]
}

async function readPurchasePause(db: Db): Promise<[message: string, end: string]> {
  const { purchases_open, purchases_from, purchases_message } = await selectPurchaseSettings(db)
  return [purchases_message || SHOP_TEXTS.closed, purchases_open ? purchases_from : '']
}

/**
 * Refuses during maintenance, in the transaction of a call that adds a row to `table`. The lock ensures that the call either
 * is complete before maintenance starts, or sees that maintenance has started.
 *
 * @throws Refusal 503
 */
export async function refuseInMaintenance(deps: MaintenanceDeps, table: 'topups' | 'purchases'): Promise<void> {
  await sql`lock table ${sql.table(table)} in row exclusive mode`.execute(deps.db)
  if (isMaintenanceOn(await selectMaintenance(deps.db), deps.now())) throw await createPauseRefusal(deps, 'maintenance')
}

/**
 * Refuses a call that spends money, in its transaction, during maintenance and while purchases are closed. It uses the lock
 * of `refuseInMaintenance`.
 *
 * @throws Refusal 503
 */
export async function assertPurchasesOpen(deps: MaintenanceDeps): Promise<void> {
  await refuseInMaintenance(deps, 'purchases')
  if (!arePurchasesOpen(await selectPurchaseSettings(deps.db), deps.now()))
    throw await createPauseRefusal(deps, 'purchasesClosed')
}

/**
 * Waits for running purchases and redemptions, and blocks new ones until the transaction ends. Calls that start
 * maintenance or close purchases run this first, so no money moves after they answer.
 */
export async function awaitMoneyCalls(tx: Db): Promise<void> {
  await sql`lock table topups, purchases in share mode`.execute(tx)
}
