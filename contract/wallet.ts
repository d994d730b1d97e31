import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { deskCalls } from './desk.ts'
import { reasonField, wholeField } from './fields.ts'
import { PRICE_MAX } from './limits.ts'

const desk = deskCalls('money', { read: 'money.adjust' })

export const adjustForm = f.object({
  currency: f.enum(['rCoin', 'milleage'], 'Choose R-Coin or Milleage.'),
  direction: f.enum(['give', 'take'], 'Choose whether to give or to take.'),
  amount: wholeField(1, PRICE_MAX),
  reason: reasonField,
})

export const adjustFields = describeFields(adjustForm, {
  currency: { label: 'Currency', options: { rCoin: 'R-Coin', milleage: 'Milleage' } },
  direction: { label: 'Give or take', options: { give: 'Give', take: 'Take' } },
  amount: 'Amount',
  reason: { label: 'Reason', hint: 'for the audit log' },
})

export const adjustMoney = desk.write('/admin/players/{player}/money', {
  title: 'Adjust balance',
  summary: 'Give or take R-Coin or Milleage, with one entry in the ledger',
  sudo: true,
  approvable: true,
  input: {
    params: z.object({
      player: z
        .string()
        .regex(/^\d{1,15}$/, 'The account must be a whole number.')
        .transform(Number),
    }),
  },
  fields: adjustForm,
  output: z.object({ message: z.string(), before: z.int(), after: z.int() }),
})
