import { createHash } from 'node:crypto'
import { FORM_HASHES, type PasswordForm } from '#contract/bridge-sealing.ts'
import { type Cell, toText } from './game/driver.ts'

/** Encodes a password as the game stores it (GAME-5). */
export function encodePassword(form: PasswordForm, password: string): string {
  if (form === 'plain') return password
  const { hash, letters, length } = FORM_HASHES[form]
  const hex = createHash(hash).update(password).digest('hex').slice(0, length)
  return letters === 'upper' ? hex.toUpperCase() : hex
}

type FormHash = (typeof FORM_HASHES)[keyof typeof FORM_HASHES]

/** Digits alone are a password. */
const HEX_WITH_LETTER = /^(?=.*[a-f])[\da-f]+$/i
/** The lengths of hashes of 16, 20 and 32 bytes in hexadecimal. */
const HEX_LENGTHS = [32, 40, 64]
/** A hash of 16, 20 or 32 bytes in base64. */
const BASE64_HASH = /^([\w+/-]{22}==|[\w+/-]{27}=|[\w+/-]{43}=)$/
/** A hash of MySQL's `PASSWORD()`, or one that begins with the name of its method, such as `$2y$…`. */
const MARKED_HASH = /^(\*[\dA-F]{40}|\$[\w-]+\$.+)$/

/**
 * Returns the form of a stored password, by its shape; `unknown` for hashes and bytes that the bridge can't make
 * (BRIDGE-19).
 */
export function recognizeForm(cell: Cell): PasswordForm | 'unknown' {
  const text = toText(cell)
  if (Buffer.isBuffer(cell) && /[^\x20-\x7e]/.test(text)) return 'unknown'
  if (/[\p{Cc}\uFFFD]/u.test(text)) return 'unknown'
  for (const [form, { letters, length }] of Object.entries(FORM_HASHES) as [PasswordForm, FormHash][])
    if (
      text.length === length &&
      HEX_WITH_LETTER.test(text) &&
      text === (letters === 'upper' ? text.toUpperCase() : text.toLowerCase())
    )
      return form
  const isHash =
    (HEX_WITH_LETTER.test(text) && HEX_LENGTHS.includes(text.length)) ||
    BASE64_HASH.test(text) ||
    MARKED_HASH.test(text)
  return isHash ? 'unknown' : 'plain'
}
