type PermissionDeclaration = { text: string; isSensitive: boolean }

const declareOrdinary = (text: string): PermissionDeclaration => ({ text, isSensitive: false })
/**
 * Declares a permission to move value, to change accounts, to approve requests, or to connect and configure the site.
 */
const declareSensitive = (text: string): PermissionDeclaration => ({ text, isSensitive: true })

/**
 * The permissions of staff at the desk (DESK-6), which calls require. Granting a sensitive one needs the approval of
 * another owner, if there is one (DESK-7).
 */
export const PERMISSIONS = {
  'players.read': declareOrdinary('Find players and open their pages'),
  'players.block': declareSensitive('Block and unblock players, decide appeals, log players out'),
  'players.recover': declareSensitive('Help players log in again: reset links, email addresses, second factors'),
  'players.note': declareOrdinary('Write internal notes about players'),
  'players.personal': declareSensitive('Export and erase personal data'),
  'money.adjust': declareSensitive('Change a balance by hand'),
  'orders.read': declareOrdinary('See orders, services and the ledger'),
  'orders.refund': declareSensitive('Refund orders and redirect deliveries'),
  'services.undo': declareSensitive('Undo services on characters'),
  'orders.retry': declareOrdinary('Deliver orders again'),
  'items.read': declareOrdinary('See items that are not in the shop'),
  'items.write': declareSensitive('Change items, prices, capsules and categories'),
  'vouchers.read': declareOrdinary('See voucher campaigns'),
  'vouchers.mint': declareSensitive('Make and change voucher campaigns, add streamers'),
  'vouchers.revoke': declareOrdinary('Revoke unused vouchers and restore them'),
  'news.read': declareOrdinary('See drafts of news'),
  'news.write': declareOrdinary('Write news, events and guides'),
  'news.publish': declareOrdinary('Publish and unpublish news'),
  'events.write': declareOrdinary('Plan events, cancel them and enter their results'),
  'tickets.answer': declareOrdinary('Answer tickets'),
  'forum.moderate': declareOrdinary('Moderate the forum: reports, held posts, topics, silences'),
  'forum.boards': declareOrdinary('Change the boards of the forum and its watched words'),
  'rankings.write': declareOrdinary('Hide characters and marks of clubs, correct closed months and run seasons'),
  'tournaments.write': declareOrdinary('Run tournaments and leagues: announce, draw, enter results, correct places'),
  'prizes.pay': declareSensitive('Make tournaments and leagues final and send prizes'),
  'site.write': declareOrdinary(
    'Change banners, pictures, club areas, the texts of downloads, the announcement, links and the menu',
  ),
  'documents.write': declareOrdinary('Write and publish the site’s own pages'),
  'look.write': declareSensitive('Change the name and the theme of the site'),
  'downloads.write': declareSensitive('Change the address and hash of downloads'),
  'settings.write': declareSensitive('Change the settings'),
  'maintenance.write': declareSensitive('Start and end maintenance'),
  'game.read': declareOrdinary('See how the bridge to the game is doing'),
  'game.write': declareSensitive('Pair and revoke bridges, import game accounts, confirm that the game was restored'),
  'letters.send': declareOrdinary('Write letters to players’ mail boxes'),
  'letters.gift': declareSensitive('Put gifts into letters, withdraw gifts and prizes'),
  'rewards.write': declareSensitive('Set rewards, their budgets, and the sites to vote on'),
  'votes.connect': declareSensitive('Connect sites to vote on: the addresses that they call, and their secrets'),
  'mails.read': declareOrdinary('See the outgoing mail'),
  'mails.write': declareOrdinary('Resend email and send test emails'),
  'mail.configure': declareSensitive('Change the mail server'),
  'figures.read': declareOrdinary('See the figures: counts of players, money, tickets and the forum'),
  'backups.manage': declareSensitive('Make, check and download backups, choose where they are copied'),
  'health.read': declareOrdinary('See how the site is doing'),
  'staff.read': declareOrdinary('See the staff and their roles'),
  'staff.write': declareSensitive('Give and take roles, suspend staff, assign moderators, change the rules for staff'),
  'audit.read': declareOrdinary('Read the audit log'),
  'approvals.decide': declareSensitive('Approve and reject the requests of other operators'),
} satisfies Record<string, PermissionDeclaration>

/** A permission at the desk. */
export type Permission = keyof typeof PERMISSIONS

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[]

/** Returns the sensitive permissions of a list. */
export const filterSensitive = (permissions: readonly Permission[]) =>
  permissions.filter((permission) => PERMISSIONS[permission].isSensitive)

/** The role with all permissions, including those of later versions. */
export const OWNER = 'owner'

const COMMON_PERMISSIONS: Permission[] = [
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
      ...COMMON_PERMISSIONS,
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
      ...COMMON_PERMISSIONS,
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
      ...COMMON_PERMISSIONS,
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
      ...COMMON_PERMISSIONS,
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
