/** The part of the site an address belongs to: it lights a menu entry and chooses the left menu (SPEC §2.3). */
export type Section =
  | 'home'
  | 'news'
  | 'guide'
  | 'shop'
  | 'gallery'
  | 'rankings'
  | 'download'
  | 'support'
  | 'account'
  | 'recharge'
  | 'other'

const SECTION_OF: Record<string, Section> = {
  '': 'home',
  news: 'news',
  topic: 'news',
  gamesystem: 'guide',
  story: 'guide',
  characters: 'guide',
  instructions: 'guide',
  itemshop: 'shop',
  shoppingcart: 'shop',
  shoppurchases: 'shop',
  topup: 'recharge',
  topuphistory: 'recharge',
  gallery: 'gallery',
  rankings: 'rankings',
  downloads: 'download',
  download: 'download',
  wallpaper: 'download',
  movies: 'download',
  ticket: 'support',
  checkticket: 'support',
  serverinfo: 'support',
  socials: 'support',
  operationpolicy: 'support',
  privacypolicy: 'support',
  gamecashagreement: 'support',
  login: 'account',
  register: 'account',
  user: 'account',
  changepassword: 'account',
  findaccount: 'account',
  resetpassword: 'account',
}

/** The first segment of a path, in small letters: any letter case is welcome (DECISIONS §4). */
export function firstSegment(pathname: string): string {
  return pathname.split('/')[1]?.toLowerCase() ?? ''
}

/** The section of a path. */
export function sectionOf(pathname: string): Section {
  return SECTION_OF[firstSegment(pathname)] ?? 'other'
}
