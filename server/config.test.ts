import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const readRefusal = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return assert.fail(`${JSON.stringify(env)} was accepted`)
}

test('uses the defaults of START-3 when no variable is set', () => {
  assert.partialDeepStrictEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    databasePool: 8,
    smtpUrl: undefined,
    mailFrom: 'Tambayan <no-reply@tambayan.example>',
    appName: undefined,
    publicUrl: undefined,
    agentUrl: 'https://example.com/agent',
    socialUrl: 'https://example.com/barkada',
    operatorName: undefined,
    operatorEmail: undefined,
    trustedProxies: 0,
    demo: true,
    rateLimit: true,
    logLevel: 'info',
  })
})

test('treats an empty variable as not set', () => {
  const names = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'SMTP_URL', 'MAIL_FROM', 'APP_NAME', 'PUBLIC_URL']
  const moreNames = ['AGENT_URL', 'SOCIAL_URL', 'OPERATOR_NAME', 'OPERATOR_EMAIL', 'TRUST_PROXY', 'DEMO', 'RATE_LIMIT']
  assert.deepEqual(
    readConfig(
      Object.fromEntries(
        [...names, ...moreNames, 'DATABASE_POOL', 'METRICS_TOKEN', 'LOG_LEVEL'].map((name) => [name, '']),
      ),
    ),
    readConfig({}),
  )
})

test('sets every setting from its variable', () => {
  const result = readConfig({
    HOST: '::',
    PORT: '8080',
    DATA_DIR: '/srv/tambayan',
    DATABASE_URL: 'postgres://site:secret@db.internal:5432/tambayan',
    DATABASE_POOL: '25',
    SMTP_URL: 'smtps://user:secret@mail.example.ph:465',
    MAIL_FROM: 'Tindahan <shop@example.ph>',
    APP_NAME: 'Kanto Online',
    PUBLIC_URL: 'https://play.example.ph',
    AGENT_URL: 'https://m.me/kanto',
    SOCIAL_URL: 'https://www.facebook.com/kanto',
    OPERATOR_NAME: ' Kanto Servers, Iloilo ',
    OPERATOR_EMAIL: 'desk@kanto.example.ph',
    TRUST_PROXY: '2',
    DEMO: '0',
    RATE_LIMIT: 'off',
    METRICS_TOKEN: 'a-token-of-our-own-7',
    LOG_LEVEL: 'warn',
  })
  assert.partialDeepStrictEqual(result, {
    host: '::',
    port: 8080,
    dataDir: '/srv/tambayan',
    databaseUrl: 'postgres://site:secret@db.internal:5432/tambayan',
    databasePool: 25,
    smtpUrl: 'smtps://user:secret@mail.example.ph:465',
    mailFrom: 'Tindahan <shop@example.ph>',
    appName: 'Kanto Online',
    publicUrl: 'https://play.example.ph',
    agentUrl: 'https://m.me/kanto',
    socialUrl: 'https://www.facebook.com/kanto',
    operatorName: 'Kanto Servers, Iloilo',
    operatorEmail: 'desk@kanto.example.ph',
    trustedProxies: 2,
    demo: false,
    rateLimit: false,
    metricsToken: 'a-token-of-our-own-7',
    logLevel: 'warn',
  })
})

const VARIABLES: [name: string, acceptedValues: string, wrongValues: string[]][] = [
  ['PORT', 'a port number from 0 to 65535', ['http', '-1', '65536', '80.5', ' ', '1e3', '0x50']],
  ['TRUST_PROXY', 'the number of proxies in front, 0 to 16', ['yes', 'true', '-1', '17', '1.5', ' ', '1e1']],
  ['DEMO', '1 or 0', ['yes', 'true', '2']],
  ['RATE_LIMIT', 'on or off', ['0', 'OFF', 'none']],
  ['DATABASE_POOL', 'a number of connections, 2 to 100', ['0', '1', '101', '-3', 'many']],
  ['LOG_LEVEL', 'fatal, error, warn, info or debug', ['verbose', 'trace']],
  ['PUBLIC_URL', 'an address such as https://play.example.ph', ['play.example.ph', 'ftp://play.example.ph']],
  ['AGENT_URL', 'an address such as https://m.me/your-page', ['m.me/kanto', 'javascript:alert(1)']],
  ['SOCIAL_URL', 'an address such as https://www.facebook.com/your-page', ['kanto', 'javascript:alert(1)']],
  ['OPERATOR_NAME', 'a name such as Barkada Servers', [' ']],
  ['OPERATOR_EMAIL', 'an email address such as desk@example.ph', ['desk', 'desk@', 'https://kanto.example.ph']],
  ['HOST', 'an address or a host name such as 127.0.0.1', [' ']],
  ['DATA_DIR', 'a folder such as ./data', [' ']],
  ['MAIL_FROM', 'a sender such as Tambayan <no-reply@example.ph>', [' ']],
  ['APP_NAME', 'a name such as Tambayan Online', [' ']],
]

for (const [name, acceptedValues, wrongValues] of VARIABLES) {
  test(`refuses a wrong ${name} in one line with its name and accepted values`, () => {
    for (const value of wrongValues)
      assert.equal(readRefusal({ [name]: value }), `${name} is '${value}', but must be ${acceptedValues}.`)
  })
}

test('refuses a wrong address without printing the password in it', () => {
  assert.equal(
    readRefusal({ DATABASE_URL: 'mysql://root:geheim@db/tambayan' }),
    'DATABASE_URL is not valid: it must be an address such as postgres://user:password@host:5432/name.',
  )
  assert.equal(
    readRefusal({ SMTP_URL: 'http://user:geheim@mail' }),
    'SMTP_URL is not valid: it must be an address such as smtp://user:password@host:587.',
  )
})

test('prints a refusal in one line even if the value has several lines', () => {
  assert.equal(readRefusal({ PORT: '80\n81' }), "PORT is '80 81', but must be a port number from 0 to 65535.")
})

test('turns the demo world on by default only for the embedded database on a loopback address', () => {
  for (const HOST of ['127.0.0.1', '127.8.0.1', 'localhost', '::1']) assert.equal(readConfig({ HOST }).demo, true, HOST)
  for (const HOST of ['0.0.0.0', '::', '192.168.1.4', 'play.example.ph', '127.0.0.1.evil.example']) {
    assert.equal(readConfig({ HOST }).demo, false, HOST)
  }
  assert.equal(readConfig({ DATABASE_URL: 'postgres://db/tambayan' }).demo, false)
})

test('DEMO overrides the default for any database and address', () => {
  assert.equal(readConfig({ HOST: '0.0.0.0', DEMO: '1' }).demo, true)
  assert.equal(readConfig({ DATABASE_URL: 'postgresql://db/tambayan', DEMO: '1' }).demo, true)
  assert.equal(readConfig({ DEMO: '0' }).demo, false)
})

test('the messenger and social links have default addresses only in the demo world', () => {
  const { agentUrl, socialUrl } = readConfig({ DEMO: '0' })
  assert.deepEqual({ agentUrl, socialUrl }, { agentUrl: undefined, socialUrl: undefined })
  assert.equal(readConfig({ DEMO: '1', AGENT_URL: 'https://m.me/kanto' }).agentUrl, 'https://m.me/kanto')
})

test('removes slashes at the end of PUBLIC_URL', () => {
  assert.equal(readConfig({ PUBLIC_URL: 'https://play.example.ph/' }).publicUrl, 'https://play.example.ph')
  assert.equal(readConfig({ PUBLIC_URL: 'https://play.example.ph/site//' }).publicUrl, 'https://play.example.ph/site')
})

test('accepts PORT 0 for any free port', () => {
  assert.equal(readConfig({ PORT: '0' }).port, 0)
})
