import { z } from 'zod'
import { adjustForm } from './desk-money-fields.ts'
import { endpoint } from './endpoint.ts'

export const adjustMoney = endpoint({
  method: 'POST',
  path: '/admin/players/{player}/money',
  summary: 'Give or take R-Coin or Milleage, with one entry in the ledger',
  area: 'desk: money',
  access: 'money.adjust',
  sudo: true,
  idempotent: true,
  input: {
    params: z.object({
      player: z
        .string()
        .regex(/^\d{1,15}$/, 'The account must be a whole number.')
        .transform(Number),
    }),
    body: z.object(adjustForm.shape),
  },
  fields: adjustForm,
  output: z.object({ message: z.string(), before: z.int(), after: z.int() }),
})
