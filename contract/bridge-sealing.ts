/**
 * Seals data that only one bridge may read: passwords in the form that the game stores. Agent and site share this code.
 */

/**
 * The forms in which games store passwords (BRIDGE-3, GAME-5): as typed, or as a hash in hexadecimal, whole or
 * shortened.
 */
export const PASSWORD_FORMS = ['plain', 'md5-upper', 'md5-lower', 'sha1', 'md5-upper-19', 'md5-upper-20'] as const
export type PasswordForm = (typeof PASSWORD_FORMS)[number]

/** The hash of each form, as hexadecimal: its algorithm, its letter case, and its number of characters. */
export const FORM_HASHES = {
  'md5-upper': { hash: 'md5', letters: 'upper', length: 32 },
  'md5-lower': { hash: 'md5', letters: 'lower', length: 32 },
  sha1: { hash: 'sha1', letters: 'lower', length: 40 },
  'md5-upper-19': { hash: 'md5', letters: 'upper', length: 19 },
  'md5-upper-20': { hash: 'md5', letters: 'upper', length: 20 },
} as const satisfies Record<Exclude<PasswordForm, 'plain'>, object>

/** The descriptions of the forms, for the operator who chooses the game's. */
export const PASSWORD_FORM_NAMES: Record<PasswordForm, { name: string; explanation: string }> = {
  'md5-upper-19': {
    name: 'MD5, the first 19 characters',
    explanation: 'What most servers have: the column UserPass holds 19 capital letters and digits.',
  },
  'md5-upper-20': {
    name: 'MD5, the first 20 characters',
    explanation: 'The column UserPass holds 20 capital letters and digits.',
  },
  'md5-upper': {
    name: 'MD5, all 32 characters',
    explanation: 'The column UserPass holds 32 capital letters and digits.',
  },
  'md5-lower': {
    name: 'MD5, all 32 characters in lowercase',
    explanation: 'The column UserPass holds 32 lowercase letters and digits.',
  },
  sha1: {
    name: 'SHA-1, 40 characters in lowercase',
    explanation: 'The column UserPass holds 40 lowercase letters and digits.',
  },
  plain: {
    name: 'As typed',
    explanation:
      'The column UserPass has the passwords themselves. Anyone who can read the game’s database can read every player’s password.',
  },
}

/** The purposes of a sealed password. */
export const SEAL_PURPOSES = ['password', 'second-password'] as const
export type SealPurpose = (typeof SEAL_PURPOSES)[number]

export type SealContext = {
  /** The account of the site. */
  account: number
  purpose: SealPurpose
  /** The bridge's public X25519 key, in base64url. */
  key: string
  /** Increases with each change. A side that has seen a version refuses older ones. */
  version: number
}

/** A sealed text, in base64url: the ephemeral public key, the nonce, the encrypted text and its tag, in this order. */
export const SEAL_FORMAT = { keyBytes: 32, nonceBytes: 12, tagBytes: 16, info: 'tambayan-seal-1' } as const

/**
 * Returns the context that AES-256-GCM authenticates with the text. It makes a sealed password useless for any other
 * account, purpose, key or version.
 */
export const formatSealContext = ({ account, purpose, key, version }: SealContext): string =>
  [SEAL_FORMAT.info, account, purpose, key, version].join('\n')
