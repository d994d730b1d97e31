import { CURRENCY_NAMES } from './currencies.ts'
import type { Field } from './describe-fields.ts'
import { hasVisibleCharacter, isSingleLine, isSitePath } from './fields.ts'
import { SHELL_TEXTS } from './messages.ts'
import { formatCount } from './numbers.ts'
import { MORE_PAGES_DEFAULT, MORE_PAGES_RULE, parseMorePages, parseSiteLinks, SITE_LINKS_RULE } from './site-links.ts'

/**
 * A time during which players cannot log in or spend, in ISO 8601. An empty `from` means that no maintenance is planned.
 * An empty `until` means that no end is announced.
 */
export type Maintenance = {
  from: string
  until: string
  message: string
  /** The user IDs of players who can log in during maintenance. */
  allowed: readonly string[]
}

/** The value types of settings. An empty text, link or time means none. */
type SettingValues = {
  switch: boolean
  number: number
  text: string
  /** An address on the web. */
  web: string
  /** A path of this site, or an address on the web. */
  link: string
  email: string
  /** An https address that works like a password. It is sealed in the database and never shown in full again. */
  webhook: string | SealedWebhook
  /** One entry a line. */
  lines: string
  /** ISO 8601, in UTC. */
  moment: string
  maintenance: Maintenance
}

/** A sealed address with its last four characters. */
export type SealedWebhook = { sealed: string; end: string }

type SettingDeclaration<Kind extends keyof SettingValues> = {
  kind: Kind
  /** The default value; omitted if the server's environment sets it. */
  default?: SettingValues[Kind]
  permission: 'look.write' | 'settings.write' | 'site.write' | 'staff.write' | 'maintenance.write'
  group: string
  label: string
  help: string
  min?: number
  max?: number
}

const LIMIT_MAX = 999_999_999
/** The maximum length that fits the buttons and the header, in characters. */
const CURRENCY_NAME_MAX = 16

const STAFF_CHANNEL_HELP = 'Choose a channel that only your team reads.'

/** Declares the webhook of a Discord channel that the site posts to (DISCORD-1). */
const webhookSetting = (purpose: string, help: string) =>
  ({
    kind: 'webhook',
    default: '',
    permission: 'settings.write',
    group: 'Discord and alerts',
    label: `Discord webhook for ${purpose}`,
    help,
  }) as const

/** Every setting of the site, in the order of the desk. */
export const SETTINGS = {
  site_name: {
    kind: 'text',
    default: 'Tambayan Online',
    min: 1,
    max: 60,
    permission: 'look.write',
    group: 'Name',
    label: 'Site name',
    help: 'In titles, emails, Discord posts and on home screens. Players see a change at once.',
  },
  site_short_name: {
    kind: 'text',
    default: '',
    max: 20,
    permission: 'look.write',
    group: 'Name',
    label: 'Short name',
    help: 'Below the icon on home screens, where about 12 letters fit. Leave it empty for the site name.',
  },
  since_line: {
    kind: 'text',
    default: SHELL_TEXTS.since,
    max: 60,
    permission: 'look.write',
    group: 'Name',
    label: 'Line above the copyright',
    help: 'At the bottom of every page. Leave it empty for none.',
  },
  copyright_line: {
    kind: 'text',
    default: SHELL_TEXTS.copyright,
    max: 60,
    permission: 'look.write',
    group: 'Name',
    label: 'Copyright line',
    help: 'At the bottom of every page, before the site name. Leave it empty for none.',
  },
  registration_open: {
    kind: 'switch',
    default: true,
    permission: 'settings.write',
    group: 'Accounts',
    label: 'Registration is open',
    help: 'When this is off, no one can create an account. Everyone who has one can still log in.',
  },
  show_who_plays: {
    kind: 'switch',
    default: false,
    permission: 'settings.write',
    group: 'Accounts',
    label: 'Show who is online',
    help: 'When this is on, characters’ pages show whether they are online, and Activity shows the times of new entries and the records of kills. If the bridge reads the game log, Server Information shows the last kills. Ask your players first.',
  },
  require_verified_email: {
    kind: 'switch',
    default: false,
    permission: 'settings.write',
    group: 'Accounts',
    label: 'Players must confirm their email',
    help: 'Players can log in only after they open the link we mail them. Check that mail works before you turn this on.',
  },
  letter_mail_minutes: {
    kind: 'number',
    default: 60,
    min: 5,
    max: 10_080,
    permission: 'settings.write',
    group: 'Accounts',
    label: 'Minutes before an unread letter is emailed',
    help: 'Minutes after which a copy of an unread letter is mailed to players who chose copies of its kind.',
  },
  require_staff_factor: {
    kind: 'switch',
    permission: 'staff.write',
    group: 'Staff',
    label: 'Staff need a second factor',
    help: 'The desk opens only for staff who have set up a passkey or an authenticator app.',
  },
  approvals_on: {
    kind: 'switch',
    default: true,
    permission: 'staff.write',
    group: 'Staff',
    label: 'Large amounts need a second operator',
    help: 'Money above the limit waits until another operator approves it. If you are the only one, it does not wait.',
  },
  approval_limit: {
    kind: 'number',
    default: 100_000,
    min: 0,
    max: LIMIT_MAX,
    permission: 'staff.write',
    group: 'Staff',
    label: 'Limit without approval',
    help: 'R-Coin plus Milleage that one operator can issue in 24 hours before another has to approve.',
  },
  price_floor: {
    kind: 'number',
    default: 100,
    min: 0,
    max: LIMIT_MAX,
    permission: 'staff.write',
    group: 'Staff',
    label: 'Lowest price without approval',
    help: 'Another operator has to approve a price below this, in R-Coin or Milleage. If an item usually costs less than this, only a price below half of its usual price needs approval.',
  },
  purchases_open: {
    kind: 'switch',
    default: false,
    permission: 'settings.write',
    group: 'Shop',
    label: 'Purchases are open',
    help: 'When this is off, players can look at the shop and redeem codes, but not buy, draw or send gifts.',
  },
  purchases_from: {
    kind: 'moment',
    default: '',
    permission: 'settings.write',
    group: 'Shop',
    label: 'Open from',
    help: 'If purchases are on, they open at this time, and the shop announces the time. Leave it empty to open at once.',
  },
  purchases_message: {
    kind: 'text',
    default: '',
    max: 200,
    permission: 'settings.write',
    group: 'Shop',
    label: 'Text of the shop while it is closed',
    help: 'One sentence, such as “We are still testing. The shop opens with the first season.” Leave it empty for the default text.',
  },
  r_coin_name: {
    kind: 'text',
    default: CURRENCY_NAMES.rCoin,
    min: 1,
    max: CURRENCY_NAME_MAX,
    permission: 'settings.write',
    group: 'Names of currencies',
    label: 'Name of R-Coin',
    help: 'What players call the currency of vouchers: on every page, at the desk, in letters and in emails.',
  },
  milleage_name: {
    kind: 'text',
    default: CURRENCY_NAMES.milleage,
    min: 1,
    max: CURRENCY_NAME_MAX,
    permission: 'settings.write',
    group: 'Names of currencies',
    label: 'Name of Milleage',
    help: 'What players call the currency that they earn by playing. It must differ from the other name.',
  },
  service_wait_hours: {
    kind: 'number',
    default: 24,
    min: 1,
    max: 720,
    permission: 'settings.write',
    group: 'Shop',
    label: 'Hours that a service waits',
    help: 'A service is refunded after this time if its character stays online or the bridge cannot reach the game.',
  },
  free_unstuck_rests_in_wars: {
    kind: 'switch',
    default: false,
    permission: 'settings.write',
    group: 'Shop',
    label: 'No free unstuck around club wars',
    help: 'When this is on, a free unstuck cannot be ordered from 10 minutes before an event that is a club war until its end.',
  },
  reward_level: {
    kind: 'number',
    default: 30,
    min: 0,
    max: 100_000,
    permission: 'settings.write',
    group: 'Rewards',
    label: 'Level that a character must exceed',
    help: 'Only accounts that are 7 days old and have a character above this level can get rewards. Starter items need neither.',
  },
  reward_accounts_device: {
    kind: 'number',
    default: 3,
    min: 1,
    max: 1000,
    permission: 'settings.write',
    group: 'Rewards',
    label: 'Accounts on one device',
    help: 'How many accounts that logged in on the same device get a reward of one kind on a day.',
  },
  reward_accounts_address: {
    kind: 'number',
    default: 3,
    min: 1,
    max: 100_000,
    permission: 'settings.write',
    group: 'Rewards',
    label: 'Accounts behind one address',
    help: 'How many accounts that logged in from the same internet address get a reward of one kind on a day. Raise it where whole towns or internet cafés share one.',
  },
  friend_level: {
    kind: 'number',
    default: 50,
    min: 1,
    max: 100_000,
    permission: 'settings.write',
    group: 'Rewards',
    label: 'Level of an invited friend',
    help: 'When a character of an invited account has reached this level, both players get the reward for friends.',
  },
  playtime_minutes: {
    kind: 'number',
    default: 60,
    min: 10,
    max: 1440,
    permission: 'settings.write',
    group: 'Rewards',
    label: 'Minutes of play for a reward',
    help: 'A player gets the reward for time played after this many minutes. A minute counts once for each account, however many of its characters are in the game.',
  },
  playtime_times: {
    kind: 'number',
    default: 4,
    min: 1,
    max: 24,
    permission: 'settings.write',
    group: 'Rewards',
    label: 'Rewards for time played on a day',
    help: 'The maximum for each account. The default is 4 rewards of 60 minutes each.',
  },
  announcement_text: {
    kind: 'text',
    default: '',
    max: 140,
    permission: 'site.write',
    group: 'Announcement',
    label: 'Text',
    help: 'One line at the top of every page. Leave it empty for no announcement.',
  },
  announcement_link: {
    kind: 'link',
    default: '',
    permission: 'site.write',
    group: 'Announcement',
    label: 'Link',
    help: 'Where the announcement leads: a page of this site such as /news?topic=12, or an https address.',
  },
  announcement_until: {
    kind: 'moment',
    default: '',
    permission: 'site.write',
    group: 'Announcement',
    label: 'Show until',
    help: 'The announcement disappears at this time. Leave it empty to show it until you remove it.',
  },
  agent_url: {
    kind: 'web',
    permission: 'site.write',
    group: 'Names and links',
    label: 'Messenger link',
    help: 'Where players message your team, such as https://m.me/your-page. The site adds the page that the player comes from to an m.me address, as the parameter ref. Leave it empty to hide the links.',
  },
  social_url: {
    kind: 'web',
    permission: 'site.write',
    group: 'Names and links',
    label: 'Social media link',
    help: 'Your page, such as https://www.facebook.com/your-page. Leave it empty to hide the links.',
  },
  more_links: {
    kind: 'lines',
    default: '',
    permission: 'site.write',
    group: 'Names and links',
    label: 'More links',
    help: 'Further messengers and pages, one a line: a name and its address, such as “Discord https://discord.gg/your-server”. They are shown next to the two links above.',
  },
  more_pages: {
    kind: 'lines',
    default: MORE_PAGES_DEFAULT,
    permission: 'site.write',
    group: 'Main menu',
    label: 'Pages under “Also open”',
    help: 'The pages in the last row of the open main menu, in this order. Enter one page per line. If you enter none, the row is hidden. Pages of your own begin with /page/.',
  },
  operator_name: {
    kind: 'text',
    min: 1,
    max: 80,
    permission: 'site.write',
    group: 'Names and links',
    label: 'Operator in the policies',
    help: 'Who runs this server, as the terms and the privacy policy name them.',
  },
  operator_email: {
    kind: 'email',
    permission: 'site.write',
    group: 'Names and links',
    label: 'Contact in the policies',
    help: 'Without an address, the policies point to support tickets.',
  },
  news_webhook: {
    kind: 'webhook',
    default: '',
    permission: 'settings.write',
    group: 'Discord and alerts',
    label: 'Discord webhook for news',
    help: 'News you publish is posted to this channel too. You find the address in Discord under Channel settings, Integrations, Webhooks.',
  },
  events_webhook: webhookSetting(
    'events',
    'Each event when you plan it, an hour before it begins, and when you cancel it.',
  ),
  wars_webhook: webhookSetting(
    'club wars',
    'Club wars, their results, areas that change hands, and final leagues. Without it, they go to the webhook for events.',
  ),
  months_webhook: webhookSetting('monthly rankings', 'The end of each month’s rankings.'),
  tournaments_webhook: webhookSetting('tournaments', 'Each tournament when you announce it and when it is final.'),
  forum_webhook: webhookSetting('a forum board', 'New topics of one board.'),
  forum_webhook_board: {
    kind: 'number',
    default: 0,
    min: 0,
    max: 9999,
    permission: 'settings.write',
    group: 'Discord and alerts',
    label: 'Forum board for Discord',
    help: 'The number of the board in its address, such as 600 for /forum/600. 0 is none.',
  },
  tickets_webhook: webhookSetting('tickets', `The number of each new ticket. ${STAFF_CHANNEL_HELP}`),
  appeals_webhook: webhookSetting('appeals', `The number of each new appeal. ${STAFF_CHANNEL_HELP}`),
  deliveries_webhook: webhookSetting(
    'failed deliveries',
    `The numbers of deliveries that failed. ${STAFF_CHANNEL_HELP}`,
  ),
  alert_email: {
    kind: 'email',
    default: '',
    permission: 'settings.write',
    group: 'Discord and alerts',
    label: 'Email for alerts',
    help: 'The site writes to this address when a problem has lasted for ten minutes, and again when it is over.',
  },
  alert_webhook: {
    kind: 'webhook',
    default: '',
    permission: 'settings.write',
    group: 'Discord and alerts',
    label: 'Discord webhook for alerts',
    help: `Alerts are posted there too. ${STAFF_CHANNEL_HELP}`,
  },
  forum_new_days: {
    kind: 'number',
    default: 3,
    min: 0,
    max: 365,
    permission: 'settings.write',
    group: 'Forum',
    label: 'New players: days',
    help: 'An account counts as new in the forum for this many days.',
  },
  forum_new_posts: {
    kind: 'number',
    default: 3,
    min: 0,
    max: 100,
    permission: 'settings.write',
    group: 'Forum',
    label: 'New players: posts',
    help: 'A player also counts as new until this many of their posts have appeared.',
  },
  forum_new_hourly: {
    kind: 'number',
    default: 6,
    min: 1,
    max: 1000,
    permission: 'settings.write',
    group: 'Forum',
    label: 'Posts an hour for new players',
    help: 'Counted over the last 60 minutes. Further posts are refused.',
  },
  forum_hourly: {
    kind: 'number',
    default: 40,
    min: 1,
    max: 1000,
    permission: 'settings.write',
    group: 'Forum',
    label: 'Posts an hour for everyone else',
    help: 'Counted over the last 60 minutes. Further posts are refused. Staff have no limit.',
  },
  forum_new_links: {
    kind: 'number',
    default: 2,
    min: 0,
    max: 50,
    permission: 'settings.write',
    group: 'Forum',
    label: 'Links in a new player’s post',
    help: 'A post with more links to other sites is refused. With up to this many links, the board’s rules decide whether the post waits for a moderator.',
  },
  forum_typing_seconds: {
    kind: 'number',
    default: 3,
    min: 0,
    max: 60,
    permission: 'settings.write',
    group: 'Forum',
    label: 'Typing time for new players, in seconds',
    help: 'A new player’s post that was typed faster than this waits for a moderator. 0 turns this off.',
  },
  first_steps: {
    kind: 'switch',
    permission: 'settings.write',
    group: 'Today',
    label: 'First steps on Today',
    help: 'Shows the steps that set up a new site until all of them are done.',
  },
  maintenance: {
    kind: 'maintenance',
    default: { from: '', until: '', message: '', allowed: [] },
    permission: 'maintenance.write',
    group: 'Maintenance',
    label: 'Maintenance',
    help: 'The time during which players cannot log in or spend.',
  },
} as const satisfies Record<string, { [Kind in keyof SettingValues]: SettingDeclaration<Kind> }[keyof SettingValues]>

export type SettingName = keyof typeof SETTINGS

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** The value of every setting. */
export type Settings = { [Name in SettingName]: SettingValues[(typeof SETTINGS)[Name]['kind']] }

/** Settings whose defaults come from the server's environment or the demo world. */
export type ServerSettings = Pick<
  Settings,
  { [Name in SettingName]: (typeof SETTINGS)[Name] extends { default: unknown } ? never : Name }[SettingName]
>

const MAINTENANCE_MESSAGE_MAX = 300

/** Maintenance as form fields. */
export const maintenanceFields = {
  from: { kind: 'moment', label: 'Starts', hint: 'empty: now · Manila time' },
  until: { kind: 'moment', label: 'Ends automatically', hint: 'empty: when you end it' },
  message: {
    kind: 'long',
    label: 'Message to players',
    hint: 'required',
    max: MAINTENANCE_MESSAGE_MAX,
    rows: 3,
    placeholder: 'We are updating the server. Your characters and items are safe.',
  },
  allowed: { kind: 'id', label: 'Can log in anyway', hint: 'user IDs, separated by commas' },
} as const satisfies Record<keyof Maintenance, Field>

const isWebAddress = (value: string, protocols: readonly string[]) =>
  value.length <= 300 && URL.canParse(value) && protocols.includes(new URL(value).protocol) && !/\s/.test(value)

/** Whether a value is a path of this site or an https address; the same rule as `is_link` in the database. */
export const isSiteLink = (value: string) =>
  value.length <= 300 && (isSitePath(value) || /^https:\/\/[^/\s\p{Cc}][^\s\p{Cc}]*$/u.test(value))

const isMoment = (value: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))

function checkMaintenance({
  from,
  until,
  message,
  allowed,
}: Partial<Record<keyof Maintenance, unknown>>): string | null {
  if (from !== '' && !(typeof from === 'string' && isMoment(from))) return 'Enter when the maintenance starts.'
  if (until !== '' && !(typeof until === 'string' && isMoment(until))) return 'Enter when the maintenance ends.'
  if (from !== '' && until !== '' && Date.parse(until) <= Date.parse(from)) return 'The end must be after the start.'
  if (typeof message !== 'string' || message.length > MAINTENANCE_MESSAGE_MAX)
    return `The message can have at most ${MAINTENANCE_MESSAGE_MAX} characters.`
  if (from !== '' && !hasVisibleCharacter(message)) return 'Tell players what is going on.'
  const isUserId = (id: unknown) => typeof id === 'string' && /^\w{4,20}$/.test(id)
  if (!Array.isArray(allowed) || allowed.length > 50 || !allowed.every(isUserId))
    return 'Enter at most 50 user IDs. Each has 4 to 20 letters, digits or underscores.'
  return null
}

/**
 * Returns the error of a setting's value as a sentence for the operator; null for a valid value. The server checks
 * before it writes, the desk before it sends.
 */
export function checkSetting(name: SettingName, value: unknown): string | null {
  const { kind, min, max = 300 }: SettingDeclaration<keyof SettingValues> = SETTINGS[name]
  if (kind === 'switch') return typeof value === 'boolean' ? null : 'Choose on or off.'
  if (kind === 'number')
    return Number.isSafeInteger(value) && Number(value) >= (min ?? 0) && Number(value) <= max
      ? null
      : `Enter a whole number from ${formatCount(min ?? 0)} to ${formatCount(max)}.`
  if (kind === 'maintenance')
    return typeof value === 'object' && value !== null
      ? checkMaintenance(value)
      : 'Fill in every field of the maintenance.'
  if (kind === 'webhook' && isSealedWebhook(value)) return null
  if (typeof value !== 'string') return 'Enter text.'
  if (value === '') return min === undefined ? null : 'Enter text.'
  switch (kind) {
    case 'lines':
      return checkLines(name, value)
    case 'text':
      if (!isSingleLine(value) || !hasVisibleCharacter(value)) return 'Enter one line of text.'
      return value.length <= max ? null : `Use at most ${max} characters.`
    case 'web':
      return isWebAddress(value, ['https:', 'http:']) ? null : 'Enter a whole address such as https://m.me/your-page.'
    case 'link':
      return isSiteLink(value)
        ? null
        : 'Enter a page of this site such as /news, or an address that starts with https://.'
    case 'webhook':
      return isDiscordWebhook(value)
        ? null
        : 'Enter the whole address that Discord shows; it starts with https://discord.com/api/webhooks/.'
    case 'email':
      return value.length <= 60 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value)
        ? null
        : 'Enter an email address such as desk@example.ph.'
    case 'moment':
      return isMoment(value) ? null : 'Enter a date and a time.'
  }
}

function checkLines(name: SettingName, value: string): string | null {
  if (name === 'more_links') return parseSiteLinks(value) === undefined ? SITE_LINKS_RULE : null
  return parseMorePages(value) === undefined ? MORE_PAGES_RULE : null
}

const DISCORD_WEBHOOK_PATTERN =
  /^https:\/\/((ptb|canary)\.)?(discord|discordapp)\.com\/api\/(v\d+\/)?webhooks\/[\w/-]+(\?thread_id=\d+)?$/

/** Whether a value is a sealed webhook. */
export const isSealedWebhook = (value: unknown): value is SealedWebhook =>
  typeof value === 'object' && value !== null && 'sealed' in value && 'end' in value

/** Whether an address is a Discord webhook. The site posts to no other address (DESK-13). */
const isDiscordWebhook = (value: string) => value.length <= 500 && DISCORD_WEBHOOK_PATTERN.test(value)

/**
 * Whether maintenance is on at a time (PAUSE-1): players cannot log in or spend. The database view `maintenance` has
 * the same rule.
 */
export function isMaintenanceOn({ from, until }: Pick<Maintenance, 'from' | 'until'>, at: Date): boolean {
  const now = at.getTime()
  return from !== '' && Date.parse(from) <= now && (until === '' || now < Date.parse(until))
}

/**
 * Whether purchases are open at a time, apart from maintenance. The database view `purchases_open` has the same rule.
 */
export const arePurchasesOpen = (
  { purchases_open, purchases_from }: Pick<Settings, 'purchases_open' | 'purchases_from'>,
  at: Date,
): boolean => purchases_open && (purchases_from === '' || Date.parse(purchases_from) <= at.getTime())
