import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODE_COUNT, TOTP_DIGITS, TOTP_PERIOD_S } from '#contract/limits.ts'
import { hashToken } from '#server/http/tokens.ts'
import { openSecret, type SiteKey, sealSecret } from '#server/site-key.ts'

/** Creates the generator of RFC 6238 with the values that all authenticator apps use: SHA-1, six digits, 30 seconds. */
const createTotp = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: TOTP_DIGITS, period: TOTP_PERIOD_S, algorithm: 'SHA1' })

/** Creates a secret for an authenticator app: 160 random bits in base32. */
export const createTotpSecret = (): string => new Secret({ size: 20 }).base32

const getSealingContext = (userNum: number) => `authenticator app of account ${userNum}`

/** Seals the secret of an account's app for the database. */
export const sealTotpSecret = (key: SiteKey, userNum: number, secret: string): string =>
  sealSecret(key, secret, getSealingContext(userNum))

/** Opens the sealed secret of an account's app. @throws for the secret of another account, and for a damaged one */
export const openTotpSecret = (key: SiteKey, userNum: number, sealed: string): string =>
  openSecret(key, sealed, getSealingContext(userNum))

/**
 * Returns the counter of a valid code; null for an invalid one. Accepts the previous and the next code too, because clocks
 * differ.
 *
 * @param lastCounter the counter of the last accepted code; codes up to it are invalid
 */
export function findTotpCounter(
  secret: string,
  code: string,
  { now, lastCounter }: { now: Date; lastCounter: number },
) {
  const totp = createTotp(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  const counter = delta === null ? null : totp.counter({ timestamp }) + delta
  return counter !== null && counter > lastCounter ? counter : null
}

/** Parses a code that may have spaces and dashes. Six digits are a code of an app; everything else is a recovery code. */
export function parseCode(input: string): { kind: 'totp' | 'recovery'; code: string } {
  const code = input.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
  return { kind: 'recovery', code: code.replaceAll('O', '0').replace(/[IL]/g, '1') }
}

/** The 32 characters of codes, without letters that look like digits. All are equally likely for a random byte, because 32 divides 256. */
const CODE_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Creates ten recovery codes of 80 random bits, in groups of four characters. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = [...randomBytes(16)].map((byte) => CODE_CHARACTERS[byte % 32]).join('')
    return (characters.match(/.{4}/g) ?? []).join('-')
  })
}

/**
 * Returns the hash under which the database stores a recovery code. The code has too many bits to be guessed from its
 * hash.
 */
export const hashRecoveryCode = (code: string): string => hashToken(parseCode(code).code)
