// biome-ignore-all lint/style/noRestrictedImports: tests run only in Node, not in a browser
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStaffPassword } from './staff-passwords.ts'

test('refuses common, short and too long passwords of staff', () => {
  for (const password of [
    '12345',
    'bayani-7',
    'elevenchars',
    '123456789012',
    '112233445566',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'password1234',
    'Password123!',
    'P@ssw0rd1234',
    'passwordpassword',
    'qwertyuiop12',
    'qwerty123456',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'abcdefghijkl',
    'zyxwvutsrqpo',
    'iloveyou1234',
    'iloveyouforever',
    'admin12345678',
    'administrator1',
    'letmein12345',
    'welcome12345',
    'tambayan2026!',
    'ranonline1234',
    'correcthors',
    'mahalkita1234',
    'qazwsxedc123',
    'Sunshine2026!!',
    'x'.repeat(21),
  ])
    assert.equal(isStaffPassword(password), false, password)
})

test('accepts uncommon passwords of 12 to 20 characters', () => {
  for (const password of [
    'lawa-bituin-oso',
    'Gabi ng Parol 7x',
    'k4T!vq9zPm2w',
    'maya-agila-kalaw-9',
    'tahimik na umaga',
    'ñandú-taga-ilog-3',
    'Kumusta-Barrio-77',
  ])
    assert.equal(isStaffPassword(password), true, password)
})
