/** How the site seals what only one bridge may read: passwords in the game's own form. Agent and site share what is here. */

/** How games keep passwords (DECISIONS §6): as they are, or the MD5 in upper-case hexadecimal, whole or its beginning. */
export const PASSWORD_FORMS = ['plain', 'md5-upper', 'md5-upper-19', 'md5-upper-20'] as const
export type PasswordForm = (typeof PASSWORD_FORMS)[number]

/** What a sealed password is for. */
export const PURPOSES = ['password', 'second-password'] as const
export type Purpose = (typeof PURPOSES)[number]

export type SealContext = {
  /** The account of the site. */
  account: number
  purpose: Purpose
  /** The public X25519 key that it is sealed for, in base64url. */
  key: string
  /** Only grows; whoever has seen a version refuses an older one. */
  version: number
}

/** A sealed text, in base64url: the ephemeral public key, the nonce, the encrypted text and its tag, in this order. */
export const SEAL = { keyBytes: 32, nonceBytes: 12, tagBytes: 16, info: 'tambayan-seal-1' } as const

/** What AES-256-GCM authenticates beside the text: a sealed password fits no other account, purpose, key or version. */
export const sealContext = ({ account, purpose, key, version }: SealContext): string =>
  [SEAL.info, account, purpose, key, version].join('\n')
