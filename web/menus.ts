import type { Section } from './api/page.ts'

/** A link of a menu. `for` limits it to guests or players. */
type MenuLink = { label: string; to: string; for?: 'guest' | 'player' }

export type LeftMenu = { title: string; links: readonly MenuLink[] }

type Item = readonly [path: string, label: string, onlyFor?: 'guest' | 'player']

const toMenuLink = ([to, label, onlyFor]: Item): MenuLink => (onlyFor ? { label, to, for: onlyFor } : { label, to })

/** The side menus of the sections (SHELL-7, MENU-5). */
const LEFT_MENUS: Partial<Record<Section, { title: string; items: readonly Item[] }>> = {
  account: {
    title: 'My Account',
    items: [
      ['/login', 'Login', 'guest'],
      ['/register', 'Sign up', 'guest'],
      ['/findaccount', 'Find ID/PW', 'guest'],
      ['/user', 'Account Setting', 'player'],
      ['/mailbox', 'Mail box', 'player'],
      ['/changepassword', 'Change Password', 'player'],
      ['/shoppurchases', 'Purchase History', 'player'],
      ['/topuphistory', 'Redeem History', 'player'],
    ],
  },
  recharge: {
    title: 'Recharge',
    items: [
      ['/topup', 'Top Up R-Coin'],
      ['/topuphistory', 'Redeem History', 'player'],
      ['/itemshop', 'Item Shop'],
    ],
  },
  news: {
    title: 'News',
    items: [
      ['/news', 'Focus'],
      ['/events', 'Events'],
      ['/daily', 'Daily reward'],
      ['/vote', 'Vote'],
      ['/invite', 'Invite friends'],
      ['/rankings', 'Overall rankings'],
      ['/rankings/tournament', 'Tournaments'],
      ['/forum', 'Forum'],
      ['/socials', 'Socials'],
    ],
  },
  rankings: {
    title: 'Rankings',
    items: [
      ['/rankings', 'Overall rankings'],
      ['/rankings/season', 'Season'],
      ['/rankings/total', 'Total'],
      ['/rankings/club', 'Clubs'],
      ['/wars', 'Wars'],
      ['/rankings/tournament', 'Tournaments'],
      ['/titles', 'Titles'],
      ['/activity', 'Activity'],
    ],
  },
  guide: {
    title: 'Game Guide',
    items: [
      ['/instructions', 'Instructions'],
      ['/story', 'Story'],
      ['/characters', 'Character'],
      ['/gamesystem', 'Game System'],
    ],
  },
  shop: {
    title: 'Item Shop',
    items: [
      ['/itemshop', 'Item Shop'],
      ['/capsuleshop', 'Capsule Shop'],
      ['/shoppingcart', 'Shopping Cart', 'player'],
      ['/wishlist', 'Wish List', 'player'],
      ['/shoppurchases', 'Purchase History', 'player'],
      ['/topup', 'Top Up R-Coin'],
      ['/topuphistory', 'Top Up History', 'player'],
    ],
  },
  forum: {
    title: 'Forum',
    items: [
      ['/forum', 'All boards'],
      ['/forum/100', 'General'],
      ['/forum/200', 'Strategy'],
      ['/forum/300', 'Gallery'],
      ['/forum/400', 'Friends'],
      ['/forum/500', 'Non-English'],
      ['/forum/600', 'Club'],
      ['/forum/700', 'Suggestions'],
      ['/forum/bookmarks', 'Bookmarks', 'player'],
    ],
  },
  download: {
    title: 'Download',
    items: [
      ['/downloads', 'Game Download'],
      ['/wallpaper', 'Wallpaper'],
      ['/movies', 'Movie'],
    ],
  },
  support: {
    title: 'Support',
    items: [
      ['/ticket', 'Submit Ticket'],
      ['/checkticket', 'Check My Ticket'],
      ['/serverinfo', 'Server Information'],
      ['/socials', 'Socials'],
    ],
  },
}

/** The site's values for menus: the pages without a published text, and the operators' free pages (PAGE-3, PAGE-6). */
type MenuValues = {
  preparing?: readonly string[] | undefined
  pages?: readonly { path: string; title: string; menu: string }[] | undefined
}

/**
 * Returns the left menu of a section with the operators' free pages and without unpublished pages; undefined if the
 * section has no menu (SHELL-7).
 */
export function findLeftMenu(section: Section, { preparing = [], pages = [] }: MenuValues = {}): LeftMenu | undefined {
  const menu = LEFT_MENUS[section]
  if (menu === undefined) return undefined
  const freePageLinks = pages
    .filter((page) => page.menu === section)
    .map(({ path, title }) => ({ label: title, to: path }))
  const links = [...menu.items.filter(([path]) => !preparing.includes(path)).map(toMenuLink), ...freePageLinks]
  return links.length === 0 ? undefined : { title: menu.title, links }
}

export type MenuEntry = { label: string; to: string; sections: readonly Section[]; links: readonly MenuLink[] }

const TOP_UP: Item = ['/topup', 'Top Up R-Coin']
const CART: Item = ['/shoppingcart', 'Shopping Cart']
const PURCHASES: Item = ['/shoppurchases', 'Purchase History']
const TOP_UP_HISTORY: Item = ['/topuphistory', 'Top Up History']
const toPublicLink = ([to, label]: Item): MenuLink => ({ label, to })
const toPlayerLink = ([to, label]: Item): MenuLink => ({ label, to, for: 'player' })

type MenuContext = { onLoginPage: boolean; agentUrl: string | null; preparing?: readonly string[] | undefined }

/**
 * Returns the main menu (MENU-2, MENU-3), with a variant for the login page. The link to live support appears only
 * if `agentUrl` is set, and unpublished pages are omitted.
 */
export function buildMainMenu({ preparing = [], ...context }: MenuContext): MenuEntry[] {
  const isPublished = ({ to }: { to: string }) => !preparing.includes(to)
  return buildWholeMenu(context).flatMap((entry) => {
    const links = entry.links.filter(isPublished)
    // An entry whose page is not published links to the first page below it.
    const to = isPublished(entry) ? entry.to : links[0]?.to
    return to === undefined ? [] : [{ ...entry, to, links }]
  })
}

function buildWholeMenu({ onLoginPage, agentUrl }: Omit<MenuContext, 'preparing'>): MenuEntry[] {
  const accountLinks = onLoginPage
    ? [TOP_UP, PURCHASES, CART].map(toPublicLink)
    : [TOP_UP, CART, PURCHASES, TOP_UP_HISTORY].map(toPlayerLink)
  return [
    { label: 'News', to: '/news', sections: ['news'], links: [{ label: 'Focus', to: '/news' }] },
    {
      label: 'Guide',
      to: '/instructions',
      sections: ['guide'],
      links: [
        { label: 'Story', to: '/story' },
        { label: 'Character', to: '/characters' },
        { label: 'Game System', to: '/gamesystem' },
      ],
    },
    {
      label: 'Shop',
      to: '/itemshop',
      sections: ['shop', 'recharge'],
      links: [{ label: 'Item Shop', to: '/itemshop' }, ...accountLinks],
    },
    { label: 'Gallery', to: '/gallery', sections: ['gallery'], links: [] },
    { label: 'Overall rankings', to: '/rankings', sections: ['rankings'], links: [] },
    {
      label: 'Download',
      to: '/downloads',
      sections: ['download'],
      links: [
        { label: 'Game Download', to: '/downloads' },
        { label: 'Wallpaper', to: '/wallpaper' },
        { label: 'Movie', to: '/movies' },
      ],
    },
    {
      label: 'Support',
      to: '/ticket',
      sections: ['support'],
      links: [
        ...(agentUrl === null ? [] : [{ label: 'Talk to an Agent', to: agentUrl }]),
        { label: 'Submit Ticket', to: '/ticket' },
        { label: 'Check My Ticket', to: '/checkticket' },
      ],
    },
  ]
}
