/**
 * The patterns of browsers; the first match counts, because User-Agents often include the names of later entries, such
 * as Chrome and Safari.
 */
const BROWSERS: [RegExp, string][] = [
  [/SamsungBrowser/, 'Samsung Internet'],
  [/OPR\/|Opera/, 'Opera'],
  [/EdgA?\/|EdgiOS/, 'Edge'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]

const findName = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1]

/** Describes a browser's User-Agent for players, such as 'Chrome on Android'. */
export function describeDevice(userAgent: string): string {
  const browser = findName(BROWSERS, userAgent)
  const system = findName(SYSTEMS, userAgent)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

const EVENT_LABELS: Record<string, string> = {
  registered: 'Account opened',
  login: 'Logged in',
  'login-failed': 'Login with a wrong password',
  'email-verified': 'Email address verified',
  'reset-requested': 'Password reset link requested',
  'password-reset': 'Password reset with a mailed link',
  'password-changed': 'Password changed',
  'details-changed': 'Details changed',
  'email-restored': 'Email address change undone',
  'data-copied': 'Data of the account downloaded',
  'erasure-requested': 'Erasure of the account requested',
  'erasure-taken-back': 'Erasure of the account taken back',
  'help-stopped': 'Help by support stopped with a mailed link',
  'address-whitelisted': 'Address whitelisted',
  'others-logged-out': 'Other devices logged out',
  'logged-out-everywhere': 'Logged out everywhere by support',
  blocked: 'Blocked by support',
  unblocked: 'Block lifted by support',
  appealed: 'Appeal against a block',
  'factor-added': 'Second factor added',
  'factor-replaced': 'Second factor replaced',
  'factor-removed': 'Second factor removed',
  'factor-failed': 'Right password, but the second factor failed',
  'recovery-codes-renewed': 'New recovery codes made',
  'recovery-code-used': 'Recovery code used',
  'moved-in': 'Account moved from the game with its old password',
  claimed: 'Account completed',
  'game-linked': 'Game account linked',
  'login-reset-requested': 'Help with a stuck game login requested',
  'login-reset': 'Stuck game login freed',
  'game-password-set': 'Password for the game set',
}

/** Events that may come from another person. */
const ALARMING_KINDS = new Set(['login-failed', 'reset-requested', 'factor-failed'])

/** Describes an event of an account's history. An unlisted kind such as 'name-tag-bought' becomes 'Name tag bought'. */
export function describeEvent(kind: string): string {
  const label = kind.replaceAll('-', ' ')
  return EVENT_LABELS[kind] ?? label.charAt(0).toUpperCase() + label.slice(1)
}

const FACTORS = { totp: 'with a code', passkey: 'with a passkey', recovery: 'with a recovery code' } as const

/** Describes the second factor of a login. */
export function describeFactor(factor: keyof typeof FACTORS): string {
  return FACTORS[factor]
}

/** Returns whether an event may come from another person. */
export function isAlarming(kind: string): boolean {
  return ALARMING_KINDS.has(kind)
}

/** Masks an email address for screens that others may see: its first character and stars (ACCOUNT-3). */
export function maskEmail(email: string): string {
  const [first, ...rest] = email
  return first === undefined ? '' : first + '*'.repeat(rest.length)
}
