import { z } from 'zod'
import * as f from 'zod/mini'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { messageSchema } from './errors.ts'
import { reasonField } from './fields.ts'
import { moment } from './scalars.ts'
import { gameValuesSchema, SERVICE_ORDER_STATES } from './services.ts'

const desk = declareDeskCalls('services', { read: 'orders.read', write: 'services.undo' })

const orderSchema = z
  .object({
    service_order: z.int(),
    order: z.string().nullable().meta({ description: 'The order that paid for it; null if it undoes another service' }),
    delivery: z.int().nullable().meta({ description: 'Its unit, for a refund' }),
    undo_of: z.int().nullable(),
    undone_by: z.int().nullable().meta({ description: 'The order that undoes it, unless that was refused' }),
    user_num: z.int(),
    user_id: z.string(),
    item_name: z.string(),
    service: z.string(),
    cha_num: z.int(),
    cha_name: z.string().meta({ description: 'The character’s name when it was ordered' }),
    choice: z.string(),
    was: z.string(),
    state: z.enum(SERVICE_ORDER_STATES),
    reason: z.string().meta({ description: 'Why it was refunded or refused, as a sentence; else empty' }),
    detail: z.string(),
    before: gameValuesSchema.nullable(),
    after: gameValuesSchema.nullable(),
    ordered_at: moment,
    ordered_by: z.string().nullable().meta({ description: 'The operator who requested the undo' }),
    online_at: moment.nullable().meta({ description: 'Since when it waits for the character to log out' }),
    handed_at: moment.nullable(),
    done_at: moment.nullable(),
    again_at: moment.nullable().meta({ description: 'When the bridge did it again, because the game had undone it' }),
    settled_at: moment.nullable().meta({ description: 'When the bridge stopped checking it' }),
    lost_at: moment
      .nullable()
      .meta({ description: 'When the bridge found that a restore of the game’s database had lost it' }),
    can_undo: z.boolean(),
  })
  .meta({ id: 'ServiceOrder' })

export const getServiceOrders = desk.list('/admin/services', {
  summary: 'Services for characters, newest first, with what they have changed',
  sorts: ['-ordered_at'],
  filters: {
    player: textFilter.meta({ description: 'A user ID or an account’s number' }),
    character: textFilter.meta({ description: 'A character’s number, or its name when it was ordered' }),
    state: choiceFilter([...SERVICE_ORDER_STATES]),
    order: textFilter.meta({ description: 'The order that paid for it, such as 12-3' }),
  },
  row: orderSchema,
})

export const undoForm = f.object({ service_order: f.int('Choose a service.').check(f.positive()), reason: reasonField })

export const undoService = desk.write('/admin/services/undo', {
  title: 'Undo service',
  summary: 'Undo a completed service, if it is reversible; no money is paid back',
  sudo: true,
  fields: undoForm,
  output: messageSchema.extend({ service_order: z.int() }),
  errors: {
    orderNotFound: { status: 404, message: 'There is no such service.' },
    notReversible: { status: 409, message: 'This service cannot be undone.' },
    notDone: { status: 409, message: 'You can only undo a completed service, and only once.' },
    busy: { status: 409, message: 'This character still waits for another service. Try again when it is done.' },
  },
})
