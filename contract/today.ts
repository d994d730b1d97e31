import { z } from 'zod'
import { declareDeskCalls } from './desk.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('today', { read: 'staff' })

/** The kinds of work that wait for an operator. */
export const WORK_KINDS = [
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
export const FIRST_STEP_NAMES = [
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
    kind: z.enum(WORK_KINDS),
    problem: z.string().meta({ description: 'The name of a problem, such as "no bridge"; empty for other work' }),
    count,
    more: z.boolean().meta({ description: 'Whether there are more than `count`' }),
    since: moment
      .nullable()
      .meta({ description: 'The time since which the oldest has waited; for erasures, when the first is due' }),
    detail: z.string().meta({
      description:
        'For a problem, its description. For a price, the item and the operator who set the price. For rewards, the new amount and the operator who raised it',
    }),
  })
  .meta({ id: 'DeskNeed' })

/** The desk's first screen. A value that the caller has no permission for is null or omitted. */
export const getToday = desk.read('/admin/today', {
  summary: 'The work that waits for an operator, and the figures of the last 30 days',
  output: z.object({
    first_steps: z
      .array(z.object({ step: z.enum(FIRST_STEP_NAMES), done: z.boolean() }))
      .nullable()
      .meta({
        description: 'The steps for a new site that the caller may do; null if all are done or the list is hidden',
      }),
    needs: z.array(need),
    figures: z
      .object({
        days: z
          .array(z.iso.date())
          .meta({ description: 'Days in Manila, up to today; every series has one value per day' }),
        counted_at: moment.nullable().meta({ description: 'When today was counted last' }),
        registrations: series,
        active_players: series,
        r_coin_spent: series,
        milleage_spent: series,
      })
      .nullable(),
  }),
})
