import { z } from 'zod'
import { dayFilter, deskCalls } from './desk.ts'
import { FIGURES_RANGE_DAYS_MAX } from './limits.ts'
import { count, moment } from './scalars.ts'
import { POSTED_KINDS } from './sharing.ts'

const desk = deskCalls('figures', { read: 'figures.read' })

/** The figures of each day in Manila. */
const dayFigures = {
  registrations: count,
  returning_players: count.meta({ description: 'Players who came back after 30 days or more without a login' }),
  lost_players: count.meta({ description: 'Players whose last login was 30 days before' }),
  active_players: count.meta({ description: 'Players who logged in, bought something or redeemed a code' }),
  logins: count,
  r_coin_redeemed: z.int(),
  r_coin_issued: z.int().meta({ description: 'With what was redeemed, without what was refunded' }),
  r_coin_spent: z.int(),
  r_coin_refunded: z.int(),
  milleage_redeemed: z.int(),
  milleage_issued: z.int(),
  milleage_spent: z.int(),
  milleage_refunded: z.int(),
  tickets: count.meta({ description: 'Tickets that were opened' }),
  answered_1h: count.meta({ description: 'First answers within an hour of the ticket' }),
  answered_4h: count.meta({ description: 'After an hour and within four' }),
  answered_1d: count.meta({ description: 'After four hours and within a day' }),
  answered_3d: count.meta({ description: 'After a day and within three' }),
  answered_later: count,
  forum_topics: count,
  forum_posts: count.meta({ description: 'With those that opened topics' }),
  forum_writers: count.meta({ description: 'Players who wrote something in the forum' }),
} as const

export type Figure = keyof typeof dayFigures
export const FIGURES = Object.keys(dayFigures) as Figure[]

/** Days in Manila; the first is '' for 29 days before the last, and the last '' for yesterday. */
const range = { from: dayFilter, until: dayFilter }

const outstanding = {
  r_coin_outstanding: z.int().meta({ description: 'What all players together could spend at the end of the day' }),
  milleage_outstanding: z.int(),
}

const dayRow = z.object({ day: z.iso.date(), ...dayFigures, ...outstanding }).meta({ id: 'DayFigures' })

const wrongRange = {
  dayNotFound: { status: 422, message: 'There is no such day.', field: 'from' },
  tooEarly: { status: 422, message: 'The last day must not be before the first one.', field: 'until' },
  tooLong: { status: 422, message: `Choose at most ${FIGURES_RANGE_DAYS_MAX} days.`, field: 'from' },
} as const

const sums = z.object(dayFigures)

export const getFigures = desk.read('/admin/figures', {
  summary: 'A range of days, added up, with as many days before it',
  input: { query: z.object(range) },
  output: z.object({
    from: z.iso.date(),
    until: z.iso.date(),
    before: z.object({ from: z.iso.date(), until: z.iso.date() }),
    counted_at: moment.nullable().meta({ description: 'When its last day was counted' }),
    days: z.array(dayRow).meta({ description: 'The days that were counted, in their order' }),
    sums,
    sums_before: sums,
    hours: z.array(count).length(24).meta({ description: 'Logins by the hour in Manila' }),
  }),
  errors: wrongRange,
})

export const getFigureDays = desk.list('/admin/figures/days', {
  summary: 'Day by day, the newest first',
  sorts: ['-day'],
  filters: range,
  row: dayRow,
  errors: wrongRange,
})

export const getFigureHours = desk.list('/admin/figures/hours', {
  summary: 'Logins by the hour in Manila, and those of the range before',
  sorts: ['hour'],
  filters: range,
  row: z.object({ hour: z.int(), logins: count, before: count }),
  errors: wrongRange,
})

const spent = { r_coin: z.int().meta({ description: 'R-Coin spent' }), milleage: z.int() }

export const getFigureCategories = desk.list('/admin/figures/categories', {
  summary: 'What was spent on each category of the shop, and in the range before',
  sorts: ['category'],
  filters: range,
  row: z.object({
    category: z.int(),
    category_name: z.string(),
    units: count,
    ...spent,
    r_coin_before: z.int(),
    milleage_before: z.int(),
  }),
  errors: wrongRange,
})

export const getFigureItems = desk.list('/admin/figures/items', {
  summary: 'How often each item’s page was opened, how many units were bought, and what was spent on them',
  sorts: ['-units'],
  filters: range,
  row: z.object({ product_num: z.int(), item_name: z.string(), opened: count, units: count, ...spent }),
  errors: wrongRange,
})

const redeemed = {
  redeemed: count,
  r_coin_redeemed: z.int(),
  milleage_redeemed: z.int(),
  r_coin_spent: z.int().meta({ description: 'What players spent within 30 days of redeeming one of the codes' }),
  milleage_spent: z.int(),
}

export const getFigureCampaigns = desk.list('/admin/figures/campaigns', {
  summary: 'Of each campaign of which codes were redeemed: its codes, those redeemed, and what their players spent',
  sorts: ['-redeemed'],
  filters: range,
  row: z.object({ campaign: z.int(), name: z.string(), codes: count, ...redeemed }),
  errors: wrongRange,
})

export const getFigureShares = desk.list('/admin/figures/shares', {
  summary: 'How often the short link of each post was followed, and in the range before',
  sorts: ['-visits'],
  filters: range,
  row: z.object({
    mark: z.string(),
    kind: z.enum(POSTED_KINDS),
    page: z.string(),
    title: z.string(),
    visits: count,
    before: count,
  }),
  errors: wrongRange,
})

export const getFigureStreamers = desk.list('/admin/figures/streamers', {
  summary:
    'Of each streamer: codes of their own campaigns, codes redeemed with their referral code, and what those players spent',
  sorts: ['-redeemed'],
  filters: range,
  row: z.object({ referral_code: z.string(), streamer: z.string(), codes: count, ...redeemed }),
  errors: wrongRange,
})
