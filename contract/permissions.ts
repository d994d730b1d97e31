/** What staff may do at the desk. A call that only staff may make names one of these. */
export const PERMISSIONS = {
  'players.read': 'Find players and open their pages',
  'players.block': 'Block and unblock players, log them out',
  'players.recover': 'Help players back in: reset links, e-mail addresses, second factors',
  'players.note': 'Write internal notes about players',
  'players.personal': 'Export and erase personal data',
  'money.adjust': 'Change a balance by hand',
  'orders.read': 'See orders',
  'orders.refund': 'Refund orders',
  'orders.retry': 'Deliver again',
  'items.read': 'See items that are not in the shop',
  'items.write': 'Change items, prices and categories',
  'vouchers.read': 'See voucher campaigns',
  'vouchers.mint': 'Make vouchers',
  'vouchers.revoke': 'Revoke unused vouchers',
  'news.read': 'See drafts',
  'news.write': 'Write news, events and guides',
  'news.publish': 'Publish and unpublish',
  'tickets.answer': 'Answer tickets',
  'forum.moderate': 'Moderate the forum: reports, held posts, topics, silences',
  'forum.boards': 'Change the boards of the forum and its watched words',
  'rankings.write': 'Hide characters, correct closed months and run seasons',
  'tournaments.write': 'Run tournaments: announce, draw, enter results, finalise',
  'site.write': 'Change banners, downloads, pictures and club areas',
  'settings.write': 'Change the settings',
  'maintenance.write': 'Start and end maintenance',
  'game.read': 'See how the bridge to the game is doing',
  'game.write': 'Pair and revoke bridges, confirm that the game was restored',
  'letters.send': 'Write letters to players’ mail boxes',
  'mails.read': 'See the outgoing mail',
  'mails.write': 'Resend email and send test emails',
  'health.read': 'See how the site is doing',
  'staff.read': 'See who works here',
  'staff.write': 'Invite staff, give and take roles',
  'audit.read': 'Read the audit log',
  'approvals.decide': 'Approve what other operators ask for',
} as const

/** A permission at the desk. */
export type Permission = keyof typeof PERMISSIONS

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[]

/** The role that may do everything, also what later versions add. */
export const OWNER = 'owner'

const EVERYBODY: Permission[] = ['players.read', 'orders.read', 'items.read', 'news.read', 'vouchers.read', 'game.read']

/** The roles that every site has. Roles of the operators' own making stand beside them in the database. */
export const BUILT_IN_ROLES: Record<string, { name: string; permissions: readonly Permission[] }> = {
  [OWNER]: { name: 'Owner', permissions: ALL_PERMISSIONS },
  shop: {
    name: 'Shop',
    permissions: [
      ...EVERYBODY,
      'money.adjust',
      'orders.refund',
      'orders.retry',
      'items.write',
      'vouchers.mint',
      'vouchers.revoke',
      'approvals.decide',
    ],
  },
  news: {
    name: 'News',
    permissions: [...EVERYBODY, 'news.write', 'news.publish', 'site.write', 'letters.send', 'tournaments.write'],
  },
  support: {
    name: 'Support',
    permissions: [
      ...EVERYBODY,
      'tickets.answer',
      'players.recover',
      'players.note',
      'orders.retry',
      'letters.send',
      'mails.read',
      'mails.write',
    ],
  },
  moderator: {
    name: 'Moderator',
    permissions: [
      ...EVERYBODY,
      'players.block',
      'players.note',
      'tickets.answer',
      'forum.moderate',
      'forum.boards',
      'rankings.write',
      'tournaments.write',
    ],
  },
}

/** Roles that only another owner can agree to give. */
export const GUARDED_ROLES: readonly string[] = [OWNER, 'shop']
