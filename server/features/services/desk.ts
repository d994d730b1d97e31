import { sql } from 'kysely'
import * as calls from '#contract/desk-services.ts'
import type { Db } from '#server/db/open.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { canUndo, selectServiceOrders } from './queries.ts'

/** The calls of the desk about services for characters. */
export const serviceDeskCalls: MountedCall[] = [
  mount(calls.getServiceOrders, (filters, { deps }) => selectServiceOrders(deps.browseDb, filters)),

  mount(calls.undoService, async ({ service_order, reason }, { deps: { db, now }, staff, record }) => {
    const undoneOrder = await orderUndo(db, service_order, { orderedBy: staff.userNum, now: now() })
    record({
      target: ['service', undoneOrder.service_order],
      player: undoneOrder.user_num,
      reason,
      before: { service: undoneOrder.service, character: undoneOrder.cha_num },
      after: { 'undone by': undoneOrder.undo },
    })
    return { message: `The service for ${undoneOrder.cha_name} will be undone.`, service_order: undoneOrder.undo }
  }),
]

/**
 * Orders the undo of a service, which restores the old values (SERVICE-7). No money moves.
 *
 * @throws Refusal 404, 409
 */
async function orderUndo(tx: Db, orderNumber: number, { orderedBy, now }: { orderedBy: number; now: Date }) {
  const order = await tx
    .selectFrom('service_orders')
    .where('service_order', '=', orderNumber)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  if (order === undefined) throw refuse(calls.undoService, 'orderNotFound')
  const undone_by = await tx
    .selectFrom('service_orders')
    .where('undo_of', '=', orderNumber)
    .where('state', 'in', ['waiting', 'done'])
    .select('service_order')
    .executeTakeFirst()
  if (order.state !== 'done' || order.undo_of !== null || order.lost_at !== null || undone_by !== undefined)
    throw refuse(calls.undoService, 'notDone')
  if (!canUndo({ ...order, undone_by: null })) throw refuse(calls.undoService, 'notReversible')
  const { user_num, product_num, service, cha_num, cha_name, choice, was } = order
  const { rows } = await sql<{ service_order: number }>`
    insert into service_orders (undo_of, ordered_by, user_num, product_num, service, cha_num, cha_name, choice, was, ordered_at)
    values (${orderNumber}, ${orderedBy}, ${user_num}, ${product_num}, ${service}, ${cha_num}, ${cha_name},
      ${service === 'name' ? was : ''}, ${service === 'name' ? choice : ''}, ${now})
    returning service_order`
    .execute(tx)
    .catch(refuseViolations(calls.undoService, { service_orders_waiting_key: 'busy', service_orders_name_key: 'busy' }))
  return { ...order, undo: rows[0]?.service_order ?? 0 }
}
