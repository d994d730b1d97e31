const WORDS: Record<string, string> = {
  registered: 'Account opened',
  login: 'Logged in',
  'login-failed': 'Login with a wrong password',
  'email-verified': 'E-mail address verified',
  'reset-requested': 'Link to a new password asked for',
  'password-reset': 'Password reset with a mailed link',
  'password-changed': 'Password changed',
  'details-changed': 'Details changed',
  'address-whitelisted': 'Address whitelisted',
  'others-logged-out': 'Other devices logged out',
}

/** Events a player should look at twice. */
const ALARMING = new Set(['login-failed', 'reset-requested'])

/** What happened to an account, in words; a kind nobody named yet is read as it is written. */
export function eventWords(kind: string): string {
  const spoken = kind.replaceAll('-', ' ')
  return WORDS[kind] ?? spoken.charAt(0).toUpperCase() + spoken.slice(1)
}

/** Whether an event may be somebody else's doing. */
export function isAlarming(kind: string): boolean {
  return ALARMING.has(kind)
}
