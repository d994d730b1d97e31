import { createHash, randomBytes } from 'node:crypto'

/** A session token: 256 random bits, base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** A token for a mailed link: 192 random bits, short enough that mail programs do not break the line. */
export function createLinkToken(): string {
  return randomBytes(24).toString('base64url')
}

/** The hash under which the database stores a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
