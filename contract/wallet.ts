import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, dayFilter, declareDeskCalls, textFilter } from './desk.ts'
import { reasonField, wholeField } from './fields.ts'
import { PRICE_MAX } from './limits.ts'
import { moment } from './scalars.ts'

const desk = declareDeskCalls('money', { read: 'money.adjust' })

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

/** The reasons of ledger entries, with their labels at the desk. */
export const LEDGER_REASONS = {
  purchase: 'Purchase',
  refund: 'Refund',
  voucher: 'Voucher',
  gift: 'Gift in a letter',
  reward: 'Reward',
  adjustment: 'Changed by hand',
  'moved-in': 'Taken over from the game',
} as const

const ledgerRow = z.object({
  entry: z.int(),
  at: moment,
  user_num: z.int(),
  user_id: z.string(),
  currency: z.enum(['r_coin', 'milleage']),
  delta: z.int().meta({ description: 'The change in whole units; negative if the balance went down' }),
  balance_after: z.int(),
  reason: z.string(),
  reference: z.string(),
  actor: z.string().nullable().meta({ description: 'The operator who made the entry; null otherwise' }),
  reverses: z.int().nullable().meta({ description: 'The earlier entry that this entry reverses' }),
})

export const getLedger = desk.list('/admin/ledger', {
  summary: 'Every change of a balance, newest first',
  access: 'orders.read',
  sorts: ['-entry', 'entry'],
  filters: {
    player: textFilter.meta({ description: 'A user ID or an account’s number' }),
    currency: choiceFilter(['r_coin', 'milleage']),
    reason: choiceFilter(Object.keys(LEDGER_REASONS)),
    from: dayFilter,
    until: dayFilter,
  },
  row: ledgerRow,
})
