import type { Section } from './sections.ts'

/** Who sees a link: everyone, only a logged-in player, or (on the login page) everyone. SPEC §2.2. */
export type MenuLink = { label: string; to: string; for?: 'guest' | 'player' }
export type MenuEntry = { label: string; to: string; sections: readonly Section[]; links: readonly MenuLink[] }

const TOP_UP = { label: 'Top Up R-Coin', to: '/topup' }
const CART = { label: 'Shopping Cart', to: '/shoppingcart' }
const PURCHASES = { label: 'Purchase History', to: '/shoppurchases' }
const TOP_UP_HISTORY = { label: 'Top Up History', to: '/topuphistory' }
const forPlayer = (link: MenuLink): MenuLink => ({ ...link, for: 'player' })

type Situation = { onLoginPage: boolean; agentUrl: string | null }

/** The main menu of SPEC §2.2, with its variant for the login page. The agent's entry needs an address. */
export function menuEntries({ onLoginPage, agentUrl }: Situation): MenuEntry[] {
  const accountLinks = onLoginPage
    ? [TOP_UP, PURCHASES, CART]
    : [TOP_UP, CART, PURCHASES, TOP_UP_HISTORY].map(forPlayer)
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
