import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as they travel. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** 192 random bits for a mailed link: short enough that mail programs do not break the line. */
export function createLinkToken(): string {
  return randomBytes(24).toString('base64url')
}

/** What the database keeps of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
