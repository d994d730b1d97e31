import type { ComponentType } from 'react'
import { getDeskTopics } from '#contract/desk-forum.ts'
import { getTicketQueue } from '#contract/desk-tickets.ts'
import type { StaffAccess } from '#contract/endpoint.ts'
import { getPlayers } from '#contract/players.ts'
import { call } from '#web/api/call.ts'
import type { DeskIconName } from './kit/icons.tsx'

/** A search result of the palette, such as a player. */
export type Hit = { title: string; line?: string; to: string }

/** A screen of the desk. */
export type Screen = {
  /** Below /admin; '' is the desk's first screen. */
  path: string
  /** The name in the menus, the palette and the window's title. */
  title: string
  /** The permission to open it. */
  permission: StaffAccess
  group: keyof typeof GROUPS
  icon: DeskIconName
  /** The letter that opens it after `g`; capitals are typed with Shift. */
  key: string
  /**
   * The pages by the part of their address after `path`, such as '' and ':id'. Each module exports a component named
   * Screen.
   */
  pages: Record<string, () => Promise<{ Screen: ComponentType }>>
  /** The actions that the palette offers in addition to opening the screen, such as 'Write a news item'. */
  actions?: readonly { title: string; to: string; permission?: StaffAccess }[]
  /** Finds entries for the palette's query. Runs when typing pauses. */
  find?: (query: string) => Promise<Hit[]>
}

/** The groups of the menu, in its order. */
export const GROUPS = {
  first: '',
  people: 'People',
  shop: 'Shop',
  content: 'Content',
  server: 'Server',
  team: 'Team',
} as const

const TODAY_SCREENS: Screen[] = [
  {
    path: '',
    title: 'Today',
    permission: 'staff',
    group: 'first',
    icon: 'today',
    key: 'd',
    pages: { '': () => import('./screens/today/today.tsx') },
  },
]

const PEOPLE_SCREENS: Screen[] = [
  {
    path: 'players',
    title: 'Players',
    permission: 'players.read',
    group: 'people',
    icon: 'players',
    key: 'p',
    pages: {
      '': () => import('./screens/players/players.tsx'),
      ':number': () => import('./screens/players/player.tsx'),
    },
    find: async (query) => {
      const { rows } = await call(getPlayers, { q: query })
      return rows.slice(0, 5).map(({ user_id, user_num, found_by, name }) => ({
        title: user_id,
        line: `${name} · ${found_by}`,
        to: `/admin/players/${user_num}`,
      }))
    },
  },
  {
    path: 'tickets',
    title: 'Tickets',
    permission: 'tickets.answer',
    group: 'people',
    icon: 'tickets',
    key: 't',
    pages: {
      '': () => import('./screens/tickets/tickets.tsx'),
      answers: () => import('./screens/tickets/ready-answers.tsx'),
      ':number': () => import('./screens/tickets/ticket.tsx'),
    },
    find: async (query) => {
      const { rows } = await call(getTicketQueue, { q: query, sort: '-ticket' })
      return rows.slice(0, 3).map(({ subject, number, requester }) => ({
        title: subject,
        line: `${number} · ${requester}`,
        to: `/admin/tickets/${number}`,
      }))
    },
    actions: [
      { title: 'Tickets waiting for us', to: '/admin/tickets' },
      { title: 'My tickets', to: '/admin/tickets?state=open&assignee=me' },
      { title: 'Ready-made answers', to: '/admin/tickets/answers' },
    ],
  },
  {
    path: 'appeals',
    title: 'Appeals',
    permission: 'players.block',
    group: 'people',
    icon: 'appeals',
    key: 'g',
    pages: { '': () => import('./screens/appeals/appeals.tsx') },
    actions: [{ title: 'Appeals that wait', to: '/admin/appeals?state=waiting' }],
  },
  {
    path: 'forum',
    title: 'Forum',
    permission: 'forum.moderate',
    group: 'people',
    icon: 'forum',
    key: 'k',
    pages: {
      '': () => import('./screens/forum/cases.tsx'),
      'posts/:post': () => import('./screens/forum/post.tsx'),
      topics: () => import('./screens/forum/topics.tsx'),
      'topics/:topic': () => import('./screens/forum/topic.tsx'),
      silences: () => import('./screens/forum/silences.tsx'),
      boards: () => import('./screens/forum/boards.tsx'),
      words: () => import('./screens/forum/blocked-terms.tsx'),
    },
    find: async (query) => {
      const { rows } = await call(getDeskTopics, { q: query })
      return rows.slice(0, 3).map(({ topic, title, board, author_name }) => ({
        title,
        line: `${board} · ${author_name}`,
        to: `/admin/forum/topics/${topic}`,
      }))
    },
    actions: [
      { title: 'Reported posts', to: '/admin/forum?state=open&kind=report' },
      { title: 'Posts waiting for review', to: '/admin/forum?state=open&kind=held' },
      { title: 'Forum topics', to: '/admin/forum/topics' },
      { title: 'Silenced players', to: '/admin/forum/silences?state=on' },
      { title: 'Forum boards', to: '/admin/forum/boards' },
      { title: 'Watched words', to: '/admin/forum/words' },
    ],
  },
  {
    path: 'mail',
    title: 'Mail',
    permission: 'mails.read',
    group: 'people',
    icon: 'mails',
    key: 'e',
    pages: {
      '': () => import('./screens/mails/mails.tsx'),
      templates: () => import('./screens/mails/templates.tsx'),
    },
    actions: [
      { title: 'Mail that could not be sent', to: '/admin/mail?state=given-up' },
      { title: 'Enter a mail server', to: '/admin/mail', permission: 'mail.configure' },
    ],
  },
  {
    path: 'letters',
    title: 'Letters',
    permission: 'letters.send',
    group: 'people',
    icon: 'letters',
    key: 'f',
    pages: { '': () => import('./screens/letters/letters.tsx') },
    actions: [{ title: 'Write a letter to players', to: '/admin/letters?write=1' }],
  },
]

const SHOP_SCREENS: Screen[] = [
  {
    path: 'orders',
    title: 'Orders',
    permission: 'orders.read',
    group: 'shop',
    icon: 'orders',
    key: 'o',
    pages: {
      '': () => import('./screens/orders/orders.tsx'),
      ledger: () => import('./screens/orders/ledger.tsx'),
      ':order': () => import('./screens/orders/order.tsx'),
    },
    actions: [
      { title: 'Failed deliveries', to: '/admin/orders?stage=failed' },
      { title: 'Ledger: every change of a balance', to: '/admin/orders/ledger' },
      { title: 'Refunds waiting for the bridge', to: '/admin/orders?stage=refund_requested' },
    ],
    find: async (query) =>
      /^\d+-\d+$/.test(query.trim()) ? [{ title: `Order ${query.trim()}`, to: `/admin/orders/${query.trim()}` }] : [],
  },
  {
    path: 'services',
    title: 'Services',
    permission: 'orders.read',
    group: 'shop',
    icon: 'players',
    key: 'S',
    pages: { '': () => import('./screens/services/services.tsx') },
    actions: [{ title: 'Services that wait', to: '/admin/services?state=waiting' }],
  },
  {
    path: 'vouchers',
    title: 'Vouchers',
    permission: 'vouchers.read',
    group: 'shop',
    icon: 'vouchers',
    key: 'v',
    pages: {
      '': () => import('./screens/vouchers/vouchers.tsx'),
      new: () => import('./screens/vouchers/new-campaign.tsx'),
      'look-up': () => import('./screens/vouchers/look-up.tsx'),
      streamers: () => import('./screens/vouchers/streamers.tsx'),
      ':campaign': () => import('./screens/vouchers/campaign.tsx'),
    },
    actions: [
      { title: 'Create a voucher campaign', to: '/admin/vouchers/new', permission: 'vouchers.mint' },
      { title: 'Look up a voucher code', to: '/admin/vouchers/look-up' },
      { title: 'Redemptions by streamer', to: '/admin/vouchers/streamers' },
    ],
  },
  {
    path: 'items',
    title: 'Items',
    permission: 'items.read',
    group: 'shop',
    icon: 'items',
    key: 'i',
    pages: {
      '': () => import('./screens/items/items.tsx'),
      prices: () => import('./screens/items/prices.tsx'),
      csv: () => import('./screens/items/csv.tsx'),
      categories: () => import('./screens/items/categories.tsx'),
      ':num': () => import('./screens/items/item.tsx'),
    },
    actions: [
      { title: 'Add an item', to: '/admin/items/new', permission: 'items.write' },
      { title: 'Change many prices', to: '/admin/items/prices', permission: 'items.write' },
      { title: 'Import items', to: '/admin/items/csv', permission: 'items.write' },
      { title: 'Shop categories', to: '/admin/items/categories' },
    ],
  },
  {
    path: 'capsules',
    title: 'Capsules',
    permission: 'items.read',
    group: 'shop',
    icon: 'items',
    key: 'x',
    pages: { '': () => import('./screens/capsules/capsules.tsx') },
  },
  {
    path: 'rewards',
    title: 'Rewards',
    permission: 'rewards.write',
    group: 'shop',
    icon: 'vouchers',
    key: 'R',
    pages: {
      '': () => import('./screens/rewards/rewards.tsx'),
      votes: () => import('./screens/rewards/votes.tsx'),
      'votes/:site': () => import('./screens/rewards/votes.tsx'),
      playtime: () => import('./screens/rewards/playtime.tsx'),
      friends: () => import('./screens/rewards/friends.tsx'),
      starter: () => import('./screens/rewards/starter.tsx'),
    },
    actions: [
      { title: 'Set the daily rewards', to: '/admin/rewards' },
      { title: 'Add a vote list', to: '/admin/rewards/votes/new' },
    ],
  },
]

/** The screens for what visitors read, such as pages and the theme (DESK-14). */
const CONTENT_SCREENS: Screen[] = [
  {
    path: 'pages',
    title: 'Pages',
    permission: 'documents.write',
    group: 'content',
    icon: 'pages',
    key: 's',
    pages: {
      '': () => import('./screens/pages/pages.tsx'),
      new: () => import('./screens/pages/new-page.tsx'),
      ':name': () => import('./screens/pages/page.tsx'),
    },
    actions: [
      { title: 'Add a page', to: '/admin/pages/new' },
      { title: 'Change the server information', to: '/admin/pages/server-info' },
    ],
  },
  {
    path: 'news',
    title: 'News',
    permission: 'news.read',
    group: 'content',
    icon: 'news',
    key: 'n',
    pages: { '': () => import('./screens/news/news.tsx'), ':id': () => import('./screens/news/item.tsx') },
    actions: [
      { title: 'Drafts', to: '/admin/news?state=draft' },
      { title: 'News in the trash', to: '/admin/news?state=trash' },
    ],
  },
  {
    path: 'events',
    title: 'Events',
    permission: 'events.write',
    group: 'content',
    icon: 'today',
    key: 'E',
    pages: {
      '': () => import('./screens/events/events.tsx'),
      ':number': () => import('./screens/events/event.tsx'),
    },
    actions: [{ title: 'Plan an event', to: '/admin/events/new' }],
  },
  {
    path: 'site',
    title: 'Site',
    permission: 'site.write',
    group: 'content',
    icon: 'site',
    key: 'b',
    pages: {
      '': () => import('./screens/site/site.tsx'),
      ':kind': () => import('./screens/site/site.tsx'),
      ':kind/:id': () => import('./screens/site/entry.tsx'),
    },
    actions: [
      { title: 'Add a banner', to: '/admin/site/banners/new' },
      { title: 'Announce something on every page', to: '/admin/site/names' },
    ],
  },
  {
    path: 'look',
    title: 'Theme',
    permission: 'look.write',
    group: 'content',
    icon: 'look',
    key: 'q',
    pages: { '': () => import('./screens/theme/theme.tsx') },
    actions: [{ title: 'Change the name of the site', to: '/admin/look' }],
  },
]

const SERVER_SCREENS: Screen[] = [
  {
    path: 'account-import',
    title: 'Account import',
    permission: 'game.read',
    group: 'server',
    icon: 'save',
    key: 'y',
    pages: { '': () => import('./screens/account-import/account-import.tsx') },
  },
  {
    path: 'maintenance',
    title: 'Maintenance',
    permission: 'maintenance.write',
    group: 'server',
    icon: 'maintenance',
    key: 'm',
    pages: { '': () => import('./screens/maintenance/maintenance.tsx') },
  },
  {
    path: 'settings',
    title: 'Settings',
    permission: 'settings.write',
    group: 'server',
    icon: 'settings',
    key: 'c',
    pages: {
      '': () => import('./screens/settings/settings.tsx'),
      history: () => import('./screens/settings/history.tsx'),
    },
    actions: [{ title: 'Undo a settings change', to: '/admin/settings/history' }],
  },
  {
    path: 'discord',
    title: 'Discord',
    permission: 'settings.write',
    group: 'server',
    icon: 'forum',
    key: 'D',
    pages: { '': () => import('./screens/discord/discord.tsx') },
    actions: [{ title: 'Send a test to Discord', to: '/admin/discord' }],
  },
  {
    path: 'rankings',
    title: 'Rankings',
    permission: 'rankings.write',
    group: 'server',
    icon: 'rankings',
    key: 'r',
    pages: {
      '': () => import('./screens/rankings/rankings.tsx'),
      months: () => import('./screens/rankings/months.tsx'),
      corrections: () => import('./screens/rankings/corrections.tsx'),
      marks: () => import('./screens/rankings/marks.tsx'),
      seasons: () => import('./screens/rankings/seasons.tsx'),
      'seasons/:season': () => import('./screens/rankings/season.tsx'),
      ':period': () => import('./screens/rankings/month.tsx'),
      ':period/:character': () => import('./screens/rankings/entry.tsx'),
    },
    actions: [
      { title: 'Hidden characters', to: '/admin/rankings?state=hidden' },
      { title: 'Hide the mark of a club', to: '/admin/rankings/marks' },
      { title: 'Correct a closed month', to: '/admin/rankings/months' },
      { title: 'Plan a season', to: '/admin/rankings/seasons/new' },
    ],
  },
  {
    path: 'tournaments',
    title: 'Tournaments',
    permission: 'tournaments.write',
    group: 'server',
    icon: 'tournaments',
    key: 'u',
    pages: {
      '': () => import('./screens/tournaments/tournaments.tsx'),
      ':number': () => import('./screens/tournaments/tournament.tsx'),
    },
    actions: [
      { title: 'Plan a tournament', to: '/admin/tournaments/new' },
      { title: 'Running tournaments', to: '/admin/tournaments?state=drawn' },
    ],
  },
  {
    path: 'leagues',
    title: 'Leagues',
    permission: 'tournaments.write',
    group: 'server',
    icon: 'leagues',
    key: 'L',
    pages: {
      '': () => import('./screens/leagues/leagues.tsx'),
      ':number': () => import('./screens/leagues/league.tsx'),
    },
    actions: [{ title: 'Plan a league', to: '/admin/leagues/new' }],
  },
  {
    path: 'game',
    title: 'Game',
    permission: 'game.read',
    group: 'server',
    icon: 'bridge',
    key: 'j',
    pages: { '': () => import('./screens/game/game.tsx') },
    actions: [{ title: 'Pair a bridge to the game', to: '/admin/game', permission: 'game.write' }],
  },
  {
    path: 'backups',
    title: 'Backups',
    permission: 'health.read',
    group: 'server',
    icon: 'save',
    key: 'B',
    pages: { '': () => import('./screens/backups/backups.tsx') },
  },
  {
    path: 'figures',
    title: 'Figures',
    permission: 'figures.read',
    group: 'server',
    icon: 'rankings',
    key: 'F',
    pages: {
      '': () => import('./screens/figures/figures.tsx'),
      ':part': () => import('./screens/figures/figures.tsx'),
    },
    actions: [
      { title: 'Items opened and bought', to: '/admin/figures/items' },
      { title: 'Results of voucher campaigns', to: '/admin/figures/campaigns' },
    ],
  },
  {
    path: 'health',
    title: 'Health',
    permission: 'health.read',
    group: 'server',
    icon: 'health',
    key: 'h',
    pages: {
      '': () => import('./screens/health/health.tsx'),
      changelog: () => import('./screens/health/changelog.tsx'),
    },
    actions: [{ title: 'Changes in this version', to: '/admin/health/changelog' }],
  },
]

const TEAM_SCREENS: Screen[] = [
  {
    path: 'you',
    title: 'You',
    permission: 'staff',
    group: 'team',
    icon: 'players',
    key: 'z',
    pages: { '': () => import('./screens/you/you.tsx') },
    actions: [{ title: 'Change the name that players see', to: '/admin/you' }],
  },
  {
    path: 'approvals',
    title: 'Approvals',
    permission: 'staff',
    group: 'team',
    icon: 'approvals',
    key: 'a',
    pages: { '': () => import('./screens/approvals/approvals.tsx') },
  },
  {
    path: 'audit',
    title: 'Audit log',
    permission: 'audit.read',
    group: 'team',
    icon: 'audit',
    key: 'l',
    pages: { '': () => import('./screens/audit/audit.tsx') },
  },
  {
    path: 'staff',
    title: 'Staff',
    permission: 'staff.read',
    group: 'team',
    icon: 'staff',
    key: 'w',
    pages: { '': () => import('./screens/staff/staff.tsx'), 'roles/:role': () => import('./screens/staff/role.tsx') },
    actions: [
      { title: 'Invite someone to the staff', to: '/admin/staff?invite=1', permission: 'staff.write' },
      { title: 'Make a role', to: '/admin/staff/roles/new', permission: 'staff.write' },
    ],
  },
]

/** Every screen of the desk, in the order of the menu. */
export const SCREENS: readonly Screen[] = [
  ...TODAY_SCREENS,
  ...PEOPLE_SCREENS,
  ...SHOP_SCREENS,
  ...CONTENT_SCREENS,
  ...SERVER_SCREENS,
  ...TEAM_SCREENS,
]

/** The whole address of a screen. */
export const getScreenPath = ({ path }: Pick<Screen, 'path'>) => (path === '' ? '/admin' : `/admin/${path}`)
