import { z } from 'zod'
import { capsuleForm } from './desk-capsules-fields.ts'
import { endpoint } from './endpoint.ts'

const row = z.object({
  capsule: z.int(),
  name: z.string(),
  description: z.string(),
  currency: z.enum(['r_coin', 'milleage']),
  price: z.int(),
  visible: z.boolean(),
  version: z.int(),
  draws: z.int(),
  chances: z.array(z.object({ product_num: z.int(), item_name: z.string(), chance: z.int() })),
})

export const getDeskCapsules = endpoint({
  method: 'GET',
  path: '/admin/capsules',
  summary: 'Every capsule with its chances, also those that are not sold',
  area: 'desk: items',
  access: 'items.read',
  output: z.object({ rows: z.array(row) }),
})

export const saveCapsule = endpoint({
  method: 'POST',
  path: '/admin/capsules/save',
  summary: 'Create a capsule or change one; its chances get a new version',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: {
    body: z.object({
      ...capsuleForm.shape,
      capsule: z.int().nullable().meta({ description: 'Null makes a new one' }),
      version: z.int().nullable().meta({ description: 'The version that was changed' }),
    }),
  },
  fields: capsuleForm,
  output: z.object({ message: z.string(), capsule: z.int(), version: z.int() }),
  errors: {
    noCapsule: { status: 404, message: 'There is no such capsule.' },
    changedMeanwhile: {
      status: 409,
      message: 'Someone else has changed this capsule in the meantime. Please look at it again.',
    },
    noItem: { status: 422, message: 'One of the items does not exist.', field: 'chances' },
  },
})
