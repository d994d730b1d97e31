import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODES, TOTP_DIGITS, TOTP_PERIOD_S } from '#contract/limits.ts'
import { hashToken } from '#server/http/tokens.ts'
import { openSecret, type SiteKey, sealSecret } from '#server/site-key.ts'

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, half a minute. */
const createTotp = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: TOTP_DIGITS, period: TOTP_PERIOD_S, algorithm: 'SHA1' })

/** A secret for an authenticator app: 160 random bits, base32. */
export const createTotpSecret = (): string => new Secret({ size: 20 }).base32

const getSealingContext = (userNum: number) => `authenticator app of account ${userNum}`

/** Seals the secret of an account's app for the database. */
export const sealTotpSecret = (key: SiteKey, userNum: number, secret: string): string =>
  sealSecret(key, secret, getSealingContext(userNum))

/** Opens the sealed secret of an account's app. @throws when it is another account's, or damaged */
export const openTotpSecret = (key: SiteKey, userNum: number, sealed: string): string =>
  openSecret(key, sealed, getSealingContext(userNum))

/**
 * The counter of a code that is good now; the one before and the one after are too, because clocks differ.
 *
 * @param after the last counter that was accepted: no code up to it is good again
 */
export function findTotpCounter(secret: string, code: string, { now, after }: { now: Date; after: number }) {
  const totp = createTotp(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  const counter = delta === null ? null : totp.counter({ timestamp }) + delta
  return counter !== null && counter > after ? counter : null
}

/** Parses a typed or pasted code with spaces and dashes. Six digits are a code of an app, others a recovery code. */
export function readCode(typed: string): { kind: 'totp' | 'recovery'; code: string } {
  const code = typed.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
  return { kind: 'recovery', code: code.replaceAll('O', '0').replace(/[IL]/g, '1') }
}

/** 32 characters of which none looks like another; 256 is a multiple of 32, so each is as likely. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten recovery codes of 80 random bits, in groups of four characters. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const characters = [...randomBytes(16)].map((byte) => ALPHABET[byte % 32]).join('')
    return (characters.match(/.{4}/g) ?? []).join('-')
  })
}

/**
 * Returns the hash under which the database stores a recovery code. The code has too many bits to be guessed from its
 * hash.
 */
export const hashRecoveryCode = (code: string): string => hashToken(readCode(code).code)
