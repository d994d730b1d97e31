import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Creates a session token: 256 random bits as base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Creates a token for a link in an email: 192 random bits, so mail programs do not break the line. */
export function createLinkToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Capital letters and digits that are not easily confused. There are 32, so each has five random bits. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Creates a code that people type, in groups of four characters: `K7QX-M2PD` has two groups. */
export function createGroupedCode(groups: number, letters = CODE_LETTERS): string {
  const createGroup = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: groups }, createGroup).join('-')
}

/** Returns the hash under which the database stores a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
