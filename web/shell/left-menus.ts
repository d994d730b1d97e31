import type { MenuLink } from './menu-entries.ts'
import type { Section } from './sections.ts'

export type LeftMenu = { title: string; links: readonly MenuLink[] }

const RECHARGE: LeftMenu = {
  title: 'Recharge',
  links: [
    { label: 'Top Up R-Coin', to: '/topup' },
    { label: 'Redeem History', to: '/topuphistory', for: 'player' },
    { label: 'Item Shop', to: '/itemshop' },
  ],
}

const MENUS: Partial<Record<Section, LeftMenu>> = {
  account: {
    title: 'My Account',
    links: [
      { label: 'Login', to: '/login', for: 'guest' },
      { label: 'Sign up', to: '/register', for: 'guest' },
      { label: 'Find ID/PW', to: '/findaccount', for: 'guest' },
      { label: 'Account Setting', to: '/user', for: 'player' },
      { label: 'Change Password', to: '/changepassword', for: 'player' },
      { label: 'Purchase History', to: '/shoppurchases', for: 'player' },
      { label: 'Redeem History', to: '/topuphistory', for: 'player' },
    ],
  },
  recharge: RECHARGE,
  news: {
    title: 'News',
    links: [
      { label: 'Focus', to: '/news' },
      { label: 'Overall rankings', to: '/rankings' },
    ],
  },
  guide: {
    title: 'Game Guide',
    links: [
      { label: 'Instructions', to: '/instructions' },
      { label: 'Story', to: '/story' },
      { label: 'Character', to: '/characters' },
      { label: 'Game System', to: '/gamesystem' },
    ],
  },
  shop: {
    title: 'Item Shop',
    links: [
      { label: 'Item Shop', to: '/itemshop' },
      { label: 'Shopping Cart', to: '/shoppingcart', for: 'player' },
      { label: 'Purchase History', to: '/shoppurchases', for: 'player' },
      { label: 'Top Up R-Coin', to: '/topup' },
    ],
  },
  download: {
    title: 'Download',
    links: [
      { label: 'Game Download', to: '/downloads' },
      { label: 'Wallpaper', to: '/wallpaper' },
      { label: 'Movie', to: '/movies' },
    ],
  },
  support: {
    title: 'Support',
    links: [
      { label: 'Submit Ticket', to: '/ticket' },
      { label: 'Check My Ticket', to: '/checkticket' },
      { label: 'Server Information', to: '/serverinfo' },
      { label: 'Socials', to: '/socials' },
    ],
  },
}

/** The left menu of a section, or undefined where there is none (SPEC §2.3). */
export function leftMenuOf(section: Section): LeftMenu | undefined {
  return MENUS[section]
}
