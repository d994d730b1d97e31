import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeDevice, describeEvent, isAlarming, maskEmail } from './account-text.ts'

const DEVICES: [string, string][] = [
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; SM-A145F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari on Mac',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0 Safari/537.36',
    'Chrome on Linux',
  ],
]

describe('a device', () => {
  for (const [userAgent, text] of DEVICES) {
    it(`is described as ${text}`, () => assert.equal(describeDevice(userAgent), text))
  }

  it('has a general name for an unrecognised User-Agent', () => {
    assert.equal(describeDevice(''), 'Unknown device')
    assert.equal(describeDevice('curl/8.5.0'), 'Unknown device')
  })
})

describe('the event of an account', () => {
  it('has a description', () => {
    assert.equal(describeEvent('login'), 'Logged in')
    assert.equal(describeEvent('password-changed'), 'Password changed')
  })

  it('has a description derived from its kind if none is defined', () => {
    assert.equal(describeEvent('name-tag-bought'), 'Name tag bought')
  })

  it('is alarming if it may come from another person', () => {
    assert.equal(isAlarming('login-failed'), true)
    assert.equal(isAlarming('login'), false)
  })
})

describe('a masked email address', () => {
  it('shows its first character and stars', () => {
    assert.equal(maskEmail('juan@example.com'), 'j***************')
  })

  it('is empty for a missing address', () => {
    assert.equal(maskEmail(''), '')
  })
})
