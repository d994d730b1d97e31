import { z } from 'zod'
import { dayFilter, declareDeskCalls } from './desk.ts'
import { FIGURES_RANGE_DAYS_MAX } from './limits.ts'
import { count, moment } from './scalars.ts'
import { POSTED_KINDS } from './sharing.ts'

const desk = declareDeskCalls('figures', { read: 'figures.read' })

/** The figures of each day in Manila. */
const dayFigures = {
  registrations: count,
  returning_players: count.meta({ description: 'Players who came back after 30 days or more without a login' }),
  lost_players: count.meta({ description: 'Players whose last login was 30 days before this day' }),
  active_players: count.meta({ description: 'Players who logged in, bought something or redeemed a code' }),
  logins: count,
  r_coin_redeemed: z.int(),
  r_coin_issued: z.int().meta({ description: 'Includes redeemed R-Coin, but not refunds' }),
  r_coin_spent: z.int(),
  r_coin_refunded: z.int(),
  milleage_redeemed: z.int(),
  milleage_issued: z.int(),
  milleage_spent: z.int(),
  milleage_refunded: z.int(),
  tickets: count.meta({ description: 'Tickets that were opened' }),
  answered_1h: count.meta({ description: 'First answers within an hour of the ticket' }),
  answered_4h: count.meta({ description: 'First answers after one hour and within four hours' }),
  answered_1d: count.meta({ description: 'First answers after four hours and within a day' }),
  answered_3d: count.meta({ description: 'First answers after one day and within three days' }),
  answered_later: count,
  forum_topics: count,
  forum_posts: count.meta({ description: 'Includes the first posts of topics' }),
  forum_writers: count.meta({ description: 'Players who wrote something in the forum' }),
} as const

export type Figure = keyof typeof dayFigures
export const FIGURES = Object.keys(dayFigures) as Figure[]

/** Days in Manila. The default of the last day is yesterday; the default of the first is 29 days before the last. */
const rangeFilters = { from: dayFilter, until: dayFilter }

const outstandingFields = {
  r_coin_outstanding: z.int().meta({ description: 'The sum of all players’ balances at the end of the day' }),
  milleage_outstanding: z.int(),
}

const dayRow = z.object({ day: z.iso.date(), ...dayFigures, ...outstandingFields }).meta({ id: 'DayFigures' })

const rangeErrors = {
  dayNotFound: { status: 422, message: 'There is no such day.', field: 'from' },
  tooEarly: { status: 422, message: 'The last day must not be before the first one.', field: 'until' },
  tooLong: { status: 422, message: `Choose at most ${FIGURES_RANGE_DAYS_MAX} days.`, field: 'from' },
} as const

const sums = z.object(dayFigures)

export const getFigures = desk.read('/admin/figures', {
  summary: 'The figures of a range of days and their sums, with the sums of the same number of days before',
  input: { query: z.object(rangeFilters) },
  output: z.object({
    from: z.iso.date(),
    until: z.iso.date(),
    before: z.object({ from: z.iso.date(), until: z.iso.date() }),
    counted_at: moment.nullable().meta({ description: 'When the last day of the range was counted' }),
    days: z.array(dayRow).meta({ description: 'The counted days, in order' }),
    sums,
    sums_before: sums,
    hours: z.array(count).length(24).meta({ description: 'Logins by the hour in Manila' }),
  }),
  errors: rangeErrors,
})

export const getFigureDays = desk.list('/admin/figures/days', {
  summary: 'The figures of each day, newest first',
  sorts: ['-day'],
  filters: rangeFilters,
  row: dayRow,
  errors: rangeErrors,
})

export const getFigureHours = desk.list('/admin/figures/hours', {
  summary: 'Logins by hour in Manila, in the range and in the previous one',
  sorts: ['hour'],
  filters: rangeFilters,
  row: z.object({ hour: z.int(), logins: count, before: count }),
  errors: rangeErrors,
})

const spendingFields = { r_coin: z.int().meta({ description: 'R-Coin spent' }), milleage: z.int() }

export const getFigureCategories = desk.list('/admin/figures/categories', {
  summary: 'Spending on each category of the shop, in the range and in the previous one',
  sorts: ['category'],
  filters: rangeFilters,
  row: z.object({
    category: z.int(),
    category_name: z.string(),
    units: count,
    ...spendingFields,
    r_coin_before: z.int(),
    milleage_before: z.int(),
  }),
  errors: rangeErrors,
})

export const getFigureItems = desk.list('/admin/figures/items', {
  summary: 'For each item that was viewed or bought: views of its page, bought units, and the money spent on them',
  sorts: ['-units'],
  filters: rangeFilters,
  row: z.object({ product_num: z.int(), item_name: z.string(), opened: count, units: count, ...spendingFields }),
  errors: rangeErrors,
})

const redemptionFields = {
  redeemed: count,
  r_coin_redeemed: z.int(),
  milleage_redeemed: z.int(),
  r_coin_spent: z.int().meta({ description: 'R-Coin that players spent within 30 days of redeeming one of the codes' }),
  milleage_spent: z.int(),
}

export const getFigureCampaigns = desk.list('/admin/figures/campaigns', {
  summary:
    'For each campaign with redemptions or spending in the range: its codes, the redeemed ones, and the spending of their players',
  sorts: ['-redeemed'],
  filters: rangeFilters,
  row: z.object({ campaign: z.int(), name: z.string(), codes: count, ...redemptionFields }),
  errors: rangeErrors,
})

export const getFigureShares = desk.list('/admin/figures/shares', {
  summary: 'Visits through the short link of each post, in the range and in the previous one',
  sorts: ['-visits'],
  filters: rangeFilters,
  row: z.object({
    mark: z.string(),
    kind: z.enum(POSTED_KINDS),
    page: z.string(),
    title: z.string(),
    visits: count,
    before: count,
  }),
  errors: rangeErrors,
})

export const getFigureStreamers = desk.list('/admin/figures/streamers', {
  summary:
    'For each streamer: codes of their campaigns, codes redeemed with their referral code, and those players’ spending',
  sorts: ['-redeemed'],
  filters: rangeFilters,
  row: z.object({ referral_code: z.string(), streamer: z.string(), codes: count, ...redemptionFields }),
  errors: rangeErrors,
})
