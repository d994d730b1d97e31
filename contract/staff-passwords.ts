import * as f from 'zod/mini'
import { newPasswordField } from './accounts.ts'
import { PASSWORD_MAX, STAFF_PASSWORD_MIN } from './limits.ts'

/** The texts about staff passwords. */
export const STAFF_PASSWORD_TEXTS = {
  tooShort: `Passwords of staff must have ${STAFF_PASSWORD_MIN} to ${PASSWORD_MAX} characters.`,
  common: 'This password is common, and attackers try common passwords first. Choose another one.',
  ask: `Your password is shorter than ${STAFF_PASSWORD_MIN} characters or a common one. Please change it on your account page.`,
} as const

/** Common words in passwords, in the spelling that `replaceLookalikes` produces. */
const COMMON_PHRASES =
  'abc access adidas admin administrator administrador alexander amanda anakin andrea andrew angel anthony arsenal asdf asdfgh asdfghjkl ashley austin azerty bailey banana barcelona baseball basketball batman begod beautiful bigdog bismillah blink biteme butterfly changeme change charlie cheese chelsea chocolate computer cookie correcthorsebatterystaple daniel default diamond dragon eagle elephant eminem estrella everything facebook family filipino football forever freedom friends fuckyou gaming ganda gamer gamemaster george gfhjkm ginger gmail google guest gwapo hannah hello hockey horsebattery hunter iloveyou iloveme iloveyouforever internet jasmine jennifer jessica jesus jesuschrist jesusislord jordan joshua justin killer kisses lakers letmein liverpool login london loveme lovely loveyou mahalkita mahalko mahal manager manchester manila maganda marina maria master matrix matthew michael michelle million minecraft mommy monkey mother mustang mynoob myspace mypassword nicole ninja nothing number orange operator owner pakistan pangit passphrase passport password passwd passw pepper philippines pilipinas phoenix player please pokemon power princess purple qazwsx qazwsxedc qwert qwerty qwertyuiop qwertyuiopasdfgh rainbow ran ranger ranonline robert root samantha secret server shadow shalom simple slipknot soccer sophie spiderman starwars summer sunshine superman superadmin superuser supersecret support system tagalog tambayan teamo tequiero test testing thomas thunder tigger tinkle trustno trustnoone unknown user vanessa welcome whatever william winter wordpass xbox yankees zaq zxcvbn zxcvbnm'.split(
    ' ',
  )

/** Rows of the keyboard and the alphabet. A part of a row is a common password. */
const KEY_SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '01234567890',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn',
]
/** The minimum length of a part of a row that counts as a sequence. */
const SEQUENCE_MIN = 3
const LOOKALIKES: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const replaceLookalikes = (text: string) =>
  text.replace(/[013457@$!]/g, (character) => LOOKALIKES[character] ?? character)
const reverseText = (text: string) => [...text].reverse().join('')

/** Whether a text consists of keyboard sequences, such as qwertyuiop1234. */
function isKeyboardWalk(text: string): boolean {
  const rows = [...KEY_SEQUENCES, ...KEY_SEQUENCES.map(reverseText)]
  let remainingText = text
  while (remainingText.length > 0) {
    const run = remainingText.slice(0, measureLongestRun(remainingText, rows))
    if (run.length < SEQUENCE_MIN) return false
    remainingText = remainingText.slice(run.length)
  }
  return true
}

const measureLongestRun = (text: string, rows: readonly string[]): number => {
  let length = 0
  while (length < text.length && rows.some((row) => row.includes(text.slice(0, length + 1)))) length++
  return length
}

/** Whether a text consists only of common words. */
function isCommonPhrase(text: string): boolean {
  if (text === '') return true
  return COMMON_PHRASES.some((phrase) => text.startsWith(phrase) && isCommonPhrase(text.slice(phrase.length)))
}

/**
 * Whether a password is easy to guess: it has common words (with digits or symbols around them, or with digits instead
 * of letters), a repeated part, no letters, fewer than five different characters, or only neighbouring keys.
 */
export function isCommonPassword(password: string): boolean {
  const lowerCased = password.toLowerCase()
  const letters = lowerCased.replace(/[^\p{L}\p{N}@$!]/gu, '')
  const trimNonLetters = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  return (
    /^(.{1,6})\1+.{0,3}$/u.test(lowerCased) ||
    !/\p{L}/u.test(lowerCased) ||
    new Set(lowerCased).size < 5 ||
    isKeyboardWalk(letters.replace(/[@$!]/g, '')) ||
    [
      trimNonLetters(letters),
      trimNonLetters(replaceLookalikes(letters)),
      replaceLookalikes(trimNonLetters(letters)),
    ].some((text) => isCommonPhrase(text.replace(/[^a-z]/g, '')))
  )
}

/** Whether a password is long enough and uncommon, as staff need. */
export const isStaffPassword = (password: string): boolean =>
  password.length >= STAFF_PASSWORD_MIN && password.length <= PASSWORD_MAX && !isCommonPassword(password)

/** The accounts of the demo world. Their passwords are printed at the start and do not change. */
export const DEMO_USER_IDS: readonly string[] = ['juan', 'maria', 'gm']

/** Returns the rule of a new password for staff (DESK-24). */
export const newStaffPasswordField = (label: string) =>
  f.pipe(
    newPasswordField(label),
    f.string().check(
      f.minLength(STAFF_PASSWORD_MIN, STAFF_PASSWORD_TEXTS.tooShort),
      f.refine((password) => !isCommonPassword(password), STAFF_PASSWORD_TEXTS.common),
    ),
  )
