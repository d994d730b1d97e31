import { NEW_PASSWORD_MIN, PASSWORD_MAX } from '#contract/limits.ts'

export type Strength = { level: 0 | 1 | 2 | 3; text: string }

const CHARACTER_KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/]
const COMMON_PASSWORD = /^(?:password|qwerty|abc|iloveyou|admin|letmein|pilipinas|mahalkita|\d+)[\d!._-]*$/i
const CHARACTER_RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Returns the length of a password. Repeated characters and sequences (abc, 321) hardly count. */
function measureEffectiveLength(password: string): number {
  const lowerCase = password.toLowerCase()
  let length = 0
  for (let index = 0; index < lowerCase.length; index++) {
    const pair = lowerCase.slice(index - 1, index + 1)
    const reversedPair = [...pair].reverse().join('')
    const isPredictable =
      index > 0 &&
      (pair[0] === pair[1] ||
        CHARACTER_RUNS.some((characterRun) => characterRun.includes(pair) || characterRun.includes(reversedPair)))
    length += isPredictable ? 0.3 : 1
  }
  return length
}

/**
 * Estimates how hard a new password is to guess, within the game's 20 characters. It is only a hint; the server
 * enforces the rules.
 *
 * @param userId the user ID, which the password should not contain; empty if unknown
 */
export function estimatePasswordStrength(password: string, userId = ''): Strength {
  if (password === '') return { level: 0, text: `${NEW_PASSWORD_MIN} to ${PASSWORD_MAX} characters.` }
  if (password.length < NEW_PASSWORD_MIN)
    return { level: 0, text: `Too short: at least ${NEW_PASSWORD_MIN} characters.` }
  if (password.length > PASSWORD_MAX) return { level: 0, text: `Too long: the game allows ${PASSWORD_MAX} characters.` }
  if (userId !== '' && password.toLowerCase().includes(userId.toLowerCase())) {
    return { level: 1, text: 'Weak: it contains your user ID.' }
  }
  const kinds = CHARACTER_KINDS.filter((kind) => kind.test(password)).length
  const score = measureEffectiveLength(password) + (kinds - 1) * 2
  if (COMMON_PASSWORD.test(password) || score < 8)
    return { level: 1, text: 'Weak: make it longer, or mix words and digits.' }
  return score < 14 ? { level: 2, text: 'Fair: a few more characters make it strong.' } : { level: 3, text: 'Strong.' }
}
