type Declared = { text: string; isSensitive: boolean }

const plain = (text: string): Declared => ({ text, isSensitive: false })
/**
 * Declares a permission to move value, to change accounts, to approve requests, or to connect and configure the site.
 */
const sensitive = (text: string): Declared => ({ text, isSensitive: true })

/**
 * The permissions of staff at the desk (DESK-6), which calls require. Granting a sensitive one needs the approval of
 * another owner, if there is one.
 */
export const PERMISSIONS = {
  'players.read': plain('Find players and open their pages'),
  'players.block': sensitive('Block and unblock players, log them out'),
  'players.recover': sensitive('Help players back in: reset links, email addresses, second factors'),
  'players.note': plain('Write internal notes about players'),
  'players.personal': sensitive('Export and erase personal data'),
  'money.adjust': sensitive('Change a balance by hand'),
  'orders.read': plain('See orders'),
  'orders.refund': sensitive('Refund orders'),
  'services.undo': sensitive('Undo services on characters'),
  'orders.retry': plain('Retry failed deliveries'),
  'items.read': plain('See items that are not in the shop'),
  'items.write': sensitive('Change items, prices, capsules and categories'),
  'vouchers.read': plain('See voucher campaigns'),
  'vouchers.mint': sensitive('Make vouchers'),
  'vouchers.revoke': plain('Revoke unused vouchers'),
  'news.read': plain('See drafts of news'),
  'news.write': plain('Write news, events and guides'),
  'news.publish': plain('Publish and unpublish news'),
  'events.write': plain('Plan events, cancel them and enter their results'),
  'tickets.answer': plain('Answer tickets'),
  'forum.moderate': plain('Moderate the forum: reports, held posts, topics, silences'),
  'forum.boards': plain('Change the boards of the forum and its watched words'),
  'rankings.write': plain('Hide characters, correct closed months and run seasons'),
  'tournaments.write': plain('Run tournaments and leagues: announce, draw, enter results, correct places'),
  'prizes.pay': sensitive('Make tournaments and leagues final and send prizes'),
  'site.write': plain('Change banners, pictures, club areas and the texts of downloads'),
  'documents.write': plain('Write and publish the site’s own pages'),
  'look.write': sensitive('Change the name and the look of the site'),
  'downloads.write': sensitive('Change the address and hash of downloads'),
  'settings.write': sensitive('Change the settings'),
  'maintenance.write': sensitive('Start and end maintenance'),
  'game.read': plain('See how the bridge to the game is doing'),
  'game.write': sensitive('Pair and revoke bridges, confirm that the game was restored'),
  'letters.send': plain('Write letters to players’ mail boxes'),
  'letters.gift': sensitive('Put gifts into letters'),
  'rewards.write': sensitive('Set rewards, their budgets, and the sites to vote on'),
  'votes.connect': sensitive('Connect sites to vote on: the addresses that they call, and their secrets'),
  'mails.read': plain('See the outgoing mail'),
  'mails.write': plain('Resend email and send test emails'),
  'mail.configure': sensitive('Change the mail server'),
  'figures.read': plain('See the figures: counts of players, money, tickets and the forum'),
  'backups.manage': sensitive('Make, check and download backups, choose where they are copied'),
  'health.read': plain('See how the site is doing'),
  'staff.read': plain('See who works here'),
  'staff.write': sensitive('Invite staff, give and take roles'),
  'audit.read': plain('Read the audit log'),
  'approvals.decide': sensitive('Approve the requests of other operators'),
} satisfies Record<string, Declared>

/** A permission at the desk. */
export type Permission = keyof typeof PERMISSIONS

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[]

/** Returns the sensitive permissions of a list. */
export const filterSensitive = (permissions: readonly Permission[]) =>
  permissions.filter((permission) => PERMISSIONS[permission].isSensitive)

/** The role with all permissions, including those of later versions. */
export const OWNER = 'owner'

const EVERYBODY: Permission[] = [
  'players.read',
  'orders.read',
  'items.read',
  'news.read',
  'vouchers.read',
  'game.read',
  'figures.read',
]

/** The built-in roles of every site. Custom roles are in the database. */
export const BUILT_IN_ROLES: Record<string, { name: string; permissions: readonly Permission[] }> = {
  [OWNER]: { name: 'Owner', permissions: ALL_PERMISSIONS },
  shop: {
    name: 'Shop',
    permissions: [
      ...EVERYBODY,
      'money.adjust',
      'orders.refund',
      'services.undo',
      'orders.retry',
      'items.write',
      'vouchers.mint',
      'vouchers.revoke',
      'approvals.decide',
    ],
  },
  news: {
    name: 'News',
    permissions: [
      ...EVERYBODY,
      'news.write',
      'news.publish',
      'site.write',
      'documents.write',
      'events.write',
      'letters.send',
      'tournaments.write',
    ],
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
