import type { ReactNode } from 'react'
import {
  getFigureCampaigns,
  getFigureCategories,
  getFigureDays,
  getFigureHours,
  getFigureItems,
  getFigureShares,
  getFigureStreamers,
} from '#contract/figures.ts'
import type { PostedKind } from '#contract/sharing.ts'
import { type Column, List, type RowOf } from '../../kit/list.tsx'

/** The range of days of all figures. The default is the last 30 days up to yesterday. */
export const RANGE_FILTERS = {
  from: { kind: 'day', label: 'From' },
  until: { kind: 'day', label: 'Until' },
} as const

const NO_COUNTS = { title: 'Nothing was counted', line: 'These days have no entries.' }
const listProps = { filters: RANGE_FILTERS, empty: NO_COUNTS, emptyView: NO_COUNTS } as const

/** Formats a part of a whole as a percentage, such as '12 %'. */
const formatShare = (part: number, whole: number) => (whole === 0 ? '—' : `${Math.round((part / whole) * 100)} %`)

const dayColumns: Column<RowOf<typeof getFigureDays>>[] = [
  { key: 'day', title: 'Day' },
  { key: 'registrations', title: 'New', kind: 'count' },
  { key: 'returning_players', title: 'Returning', kind: 'count' },
  { key: 'lost_players', title: 'Lost', kind: 'count' },
  { key: 'active_players', title: 'Active', kind: 'count' },
  { key: 'logins', title: 'Logins', kind: 'count' },
  { key: 'r_coin_spent', title: 'R-Coin spent', kind: 'money' },
  { key: 'r_coin_redeemed', title: 'R-Coin redeemed', kind: 'money' },
  { key: 'milleage_spent', title: 'Milleage spent', kind: 'money' },
  { key: 'milleage_redeemed', title: 'Milleage redeemed', kind: 'money' },
  { key: 'tickets', title: 'Tickets', kind: 'count' },
  {
    key: 'answered',
    title: 'First answers',
    align: 'end',
    cell: (row) => row.answered_1h + row.answered_4h + row.answered_1d + row.answered_3d + row.answered_later,
  },
  { key: 'forum_posts', title: 'Posts', kind: 'count' },
]

const hourColumns: Column<RowOf<typeof getFigureHours>>[] = [
  { key: 'hour', title: 'Hour', cell: ({ hour }) => `${String(hour).padStart(2, '0')}:00` },
  { key: 'logins', title: 'Logins', kind: 'count' },
  { key: 'before', title: 'Range before', kind: 'count' },
]

const categoryColumns: Column<RowOf<typeof getFigureCategories>>[] = [
  { key: 'category_name', title: 'Category' },
  { key: 'units', title: 'Units', kind: 'count' },
  { key: 'r_coin', title: 'R-Coin spent', kind: 'money' },
  { key: 'r_coin_before', title: 'Range before', kind: 'money' },
  { key: 'milleage', title: 'Milleage spent', kind: 'money' },
  { key: 'milleage_before', title: 'Range before', kind: 'money' },
]

const itemColumns: Column<RowOf<typeof getFigureItems>>[] = [
  { key: 'item_name', title: 'Item' },
  { key: 'opened', title: 'Page opened', kind: 'count' },
  { key: 'units', title: 'Units bought', kind: 'count' },
  { key: 'share', title: 'Units per opening', align: 'end', cell: (row) => formatShare(row.units, row.opened) },
  { key: 'r_coin', title: 'R-Coin spent', kind: 'money' },
  { key: 'milleage', title: 'Milleage spent', kind: 'money' },
]

const shareColumns: Column<RowOf<typeof getFigureShares>>[] = [
  { key: 'title', title: 'Post' },
  { key: 'mark', title: 'Short link', cell: ({ mark }) => `/s/${mark}` },
  { key: 'visits', title: 'Visits', kind: 'count' },
  { key: 'before', title: 'Range before', kind: 'count' },
]

/** Returns the desk's page about the subject of a post, by its kind. */
const SUBJECT_PATHS: Record<PostedKind, (page: string) => string> = {
  news: (page) => `/admin/news/${page}`,
  event: (page) => `/admin/events/${page}`,
  month: (page) => `/admin/rankings/${page}`,
  league: (page) => `/admin/leagues/${page}`,
}

type RedemptionRow = RowOf<typeof getFigureCampaigns> | RowOf<typeof getFigureStreamers>

const redemptionColumns: Column<RedemptionRow>[] = [
  { key: 'codes', title: 'Codes made', kind: 'count' },
  { key: 'redeemed', title: 'Redeemed', kind: 'count' },
  { key: 'r_coin_redeemed', title: 'R-Coin redeemed', kind: 'money' },
  { key: 'milleage_redeemed', title: 'Milleage redeemed', kind: 'money' },
  { key: 'r_coin_spent', title: 'R-Coin spent', kind: 'money' },
  { key: 'milleage_spent', title: 'Milleage spent', kind: 'money' },
]

type FigureList = { label: string; list: () => ReactNode }

/** The lists behind the charts. */
export const FIGURE_LISTS = {
  days: {
    label: 'Days',
    list: () => (
      <List {...listProps} endpoint={getFigureDays} label="Days" columns={dayColumns} getId={({ day }) => day} />
    ),
  },
  hours: {
    label: 'Hours',
    list: () => (
      <List
        {...listProps}
        endpoint={getFigureHours}
        label="Logins by hour"
        columns={hourColumns}
        getId={({ hour }) => hour}
      />
    ),
  },
  categories: {
    label: 'Categories',
    list: () => (
      <List
        {...listProps}
        endpoint={getFigureCategories}
        label="Spent by category"
        columns={categoryColumns}
        getId={({ category }) => category}
        getLink={({ category }) => `/admin/items?category=${category}`}
      />
    ),
  },
  items: {
    label: 'Items',
    list: () => (
      <List
        {...listProps}
        endpoint={getFigureItems}
        label="Items opened and bought"
        columns={itemColumns}
        getId={(row) => row.product_num}
        getLink={(row) => `/admin/items/${row.product_num}`}
      />
    ),
  },
  campaigns: {
    label: 'Campaigns',
    list: () => (
      <List
        {...listProps}
        endpoint={getFigureCampaigns}
        label="Campaigns redeemed"
        columns={[{ key: 'name', title: 'Campaign' }, ...redemptionColumns]}
        getId={({ campaign }) => campaign}
        getLink={({ campaign }) => `/admin/vouchers/${campaign}`}
      />
    ),
  },
  shares: {
    label: 'Posts',
    list: () => (
      <List
        {...listProps}
        endpoint={getFigureShares}
        label="Visits from posts"
        columns={shareColumns}
        getId={({ mark }) => mark}
        getLink={({ kind, page }) => SUBJECT_PATHS[kind](page)}
      />
    ),
  },
  streamers: {
    label: 'Streamers',
    list: () => (
      <List
        {...listProps}
        endpoint={getFigureStreamers}
        label="Streamers’ codes redeemed"
        columns={[{ key: 'streamer', title: 'Streamer' }, ...redemptionColumns]}
        getId={(row) => row.referral_code}
        getLink={(row) => `/admin/vouchers#streamer=${encodeURIComponent(row.referral_code)}`}
      />
    ),
  },
} satisfies Record<string, FigureList>

export const isFigureList = (name: string): name is keyof typeof FIGURE_LISTS => name in FIGURE_LISTS
