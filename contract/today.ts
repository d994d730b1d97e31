import { z } from 'zod'
import { deskCalls } from './desk.ts'
import { count, moment } from './scalars.ts'

const desk = deskCalls('today', { read: 'staff' })

/** The kinds of work that wait for an operator. */
export const NEEDS = [
  'tickets',
  'appeals',
  'reports',
  'held',
  'approvals',
  'erasures',
  'deliveries',
  'refunds',
  'mails',
  'cheap',
  'unpriced',
  'rewards',
  'renamed',
  'closed',
  'backup',
  'problem',
] as const

/** The steps before a new site opens, in a recommended order (DESK-17). */
export const FIRST_STEPS = [
  'look',
  'mail',
  'server-info',
  'item',
  'news',
  'policies',
  'backup',
  'bridge',
  'download',
  'owner',
  'purchases',
] as const

const series = z.array(z.int())

const need = z
  .object({
    kind: z.enum(NEEDS),
    problem: z.string().meta({ description: 'The name of a problem, such as "no bridge"; empty for other work' }),
    count,
    more: z.boolean().meta({ description: 'Whether there are more than were counted' }),
    since: moment.nullable().meta({ description: 'How long the oldest of them has waited' }),
    detail: z.string().meta({
      description:
        'What is wrong, for a problem; what was sold too cheaply or has no usual price, and who set the price; what a source of rewards can pay, and who raised it',
    }),
  })
  .meta({ id: 'DeskNeed' })

/** Returns the data of the desk's first screen. Values without permission are null or omitted. */
export const getToday = desk.read('/admin/today', {
  summary: 'What needs a person now, and the last 30 days in short',
  output: z.object({
    first_steps: z
      .array(z.object({ step: z.enum(FIRST_STEPS), done: z.boolean() }))
      .nullable()
      .meta({
        description: 'What the caller may do for a new site; null once all is done, or when the list is hidden',
      }),
    needs: z.array(need),
    figures: z
      .object({
        days: z
          .array(z.iso.date())
          .meta({ description: 'Days in Manila, the last one is today; every series has a value for each' }),
        counted_at: moment.nullable().meta({ description: 'When today was counted last' }),
        registrations: series,
        active_players: series,
        r_coin_spent: series,
        milleage_spent: series,
      })
      .nullable(),
  }),
})
