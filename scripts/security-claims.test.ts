import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SEAL_FORMAT } from '#contract/bridge-sealing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import * as limits from '#contract/limits.ts'
import { ALL_PERMISSIONS, filterSensitive, type Permission } from '#contract/permissions.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { SETTINGS } from '#contract/settings.ts'
import { CALLS } from '#server/api.ts'
import { PASSWORD_COST } from '#server/config.ts'
import { createRecoveryCodes } from '#server/features/factors/codes.ts'
import { CLIENT_TIMEOUTS } from '#server/http/http-server.ts'
import { createLinkToken, createToken } from '#server/http/tokens.ts'
import { ROOT } from './root.ts'

const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const text = readText('docs/SECURITY.md').replaceAll(/\s+/g, ' ')

const countBits = (token: string) => Buffer.from(token, 'base64url').length * 8
const { withoutApproval: playersWithoutApproval } = findIrreversible('/admin/players/erase')
const { withoutApproval: campaignsWithoutApproval } = findIrreversible('/admin/vouchers/{campaign}/revoke')

function findIrreversible(path: string) {
  const irreversibleRule = CALLS.find(({ endpoint }) => endpoint.path === path)?.endpoint.irreversible
  if (irreversibleRule === undefined) throw new Error(`${path} is not irreversible.`)
  return irreversibleRule
}

/** The sentences of docs/SECURITY.md with numbers, and the values in the code. A `#` stands for a number. */
const NUMBER_CLAIMS: [sentence: string, ...values: number[]][] = [
  [
    'argon2id, # MiB, # passes, # lane',
    PASSWORD_COST.memoryCost / 1024,
    PASSWORD_COST.timeCost,
    PASSWORD_COST.parallelism,
  ],
  ['| Session tokens | # random bits', countBits(createToken())],
  ['| Mailed links, ticket keys | # random bits', countBits(createLinkToken())],
  ['SHA-1, six digits and # seconds', limits.TOTP_PERIOD_S],
  [
    '| Recovery codes; challenges of logins | # random bits',
    5 * (createRecoveryCodes()[0] ?? '').replaceAll('-', '').length,
  ],
  ['12 hours idle, # days at most', limits.SESSION_MAX_MS / DAY_MS],
  ['# hours idle, 30 days at most', limits.SESSION_IDLE_MAX_MS / HOUR_MS],
  ['works once within # minutes and ends every session', limits.RESET_LINK_LIFETIME_MS / MINUTE_MS],
  ['Ten failures in # minutes lock an ID', LIMITS.loginFailures.windowMs / MINUTE_MS],
  ['Ten wrong codes in # minutes stop codes', LIMITS.factorFailures.windowMs / MINUTE_MS],
  ['ten wrong ones in # minutes stop an account', LIMITS.voucherFailures.windowMs / MINUTE_MS],
  ['a new password of staff has # to # (DESK-24)', limits.STAFF_PASSWORD_MIN, limits.PASSWORD_MAX],
  ['passwords of # to # characters (REG-5)', limits.NEW_PASSWORD_MIN, limits.PASSWORD_MAX],
  ['up to the limit for 24 hours (# at first)', Number(SETTINGS.approval_limit.default)],
  ['| Votes | # calls a minute for each list and process |', LIMITS.voteCalls.max],
  ['| Slow or broken bodies | # seconds for a call', CLIENT_TIMEOUTS.bodyMs / 1000],
  ['A sealed password that no bridge fetches is deleted after # days', limits.SEALED_FORMS_RETENTION_MS / DAY_MS],
  [
    '| Former addresses of an account | plain | the player, in the copy of their data | # days |',
    limits.FORMER_EMAIL_RETENTION_MS / DAY_MS,
  ],
  [
    "the player; everyone sees the best voters of a month, by a character's name | # days |",
    limits.VOTES_RETENTION_MS / DAY_MS,
  ],
  ['| a year, or # days after the reward |', limits.INVITATION_REWARDED_RETENTION_MS / DAY_MS],
  ['letters of staff also operators who write letters | # days |', limits.LETTER_RETENTION_MS / DAY_MS],
  ['For # hours the account cannot', limits.HELP_FREEZE_PERIOD_MS / HOUR_MS],
]

const sealingCode = readText('server/features/bridge/game-passwords.ts')
const SEALING_CALLS = ["generateKeyPairSync('x25519')", "hkdfSync('sha256',", "createCipheriv('aes-256-gcm',"]

/** Other sentences, such as those with numbers in words, and whether the code agrees. */
const TEXT_CLAIMS: [sentence: string, isTrue: boolean][] = [
  ['ten wrong ones in 15 minutes', LIMITS.voucherFailures.max === 10],
  ['Ten failures in 15 minutes', LIMITS.loginFailures.max === 10 && LIMITS.knownPlaceFailures.max === 10],
  ['Ten wrong codes in 15 minutes', LIMITS.factorFailures.max === 10],
  ['SHA-1, six digits', limits.TOTP_DIGITS === 6],
  [
    'for seven days you can undo an erasure or restore a revoked voucher code',
    limits.IRREVERSIBLE_AFTER_MS === 7 * DAY_MS,
  ],
  [
    'and the fourth player or the second campaign in 24 hours needs another owner',
    playersWithoutApproval === 3 && campaignsWithoutApproval === 1,
  ],
  ['within five minutes and in the same session', limits.SECRET_ANSWER_VALID_MS === 5 * MINUTE_MS],
  [
    'details and password need the current password, second factors a confirmation of the last 15 minutes',
    limits.CONFIRMATION_VALID_MS === 15 * MINUTE_MS,
  ],
  ['history for a year', limits.ACCOUNT_EVENTS_RETENTION_MS === 365 * DAY_MS],
  ['until replaced or removed; 5 minutes', limits.LOGIN_CHALLENGE_LIFETIME_MS === 5 * MINUTE_MS],
  ['X25519, HKDF-SHA-256 and AES-256-GCM', SEALING_CALLS.every((call) => sealingCode.includes(call))],
  ['with a random nonce of 96 bits', SEAL_FORMAT.nonceBytes * 8 === 96],
]

test('states the numbers and algorithms of the code in docs/SECURITY.md', () => {
  const falseSentences = NUMBER_CLAIMS.filter(([sentence, ...values]) => {
    let nth = 0
    const expected = sentence.replaceAll('#', () => (values[nth++] ?? 0).toLocaleString('en-US'))
    return !text.includes(expected)
  })
  assert.deepEqual(falseSentences, [])
  assert.deepEqual(
    TEXT_CLAIMS.filter(([sentence, isClaimTrue]) => !isClaimTrue || !text.includes(sentence)).map(
      ([sentence]) => sentence,
    ),
    [],
  )
})

/** The sensitive permissions behind each term of the list in the section “What an operator can do alone”. */
const SENSITIVE_AREAS: Record<string, readonly Permission[]> = {
  balances: ['money.adjust'],
  refunds: ['orders.refund'],
  vouchers: ['vouchers.mint'],
  gifts: ['letters.gift'],
  rewards: ['rewards.write', 'votes.connect'],
  'prices and capsules': ['items.write'],
  prizes: ['prizes.pay'],
  recovery: ['players.recover'],
  blocks: ['players.block'],
  'personal data': ['players.personal'],
  'undone services': ['services.undo'],
  approvals: ['approvals.decide'],
  'the bridge': ['game.write'],
  settings: ['settings.write'],
  theme: ['look.write'],
  'mail server': ['mail.configure'],
  backups: ['backups.manage'],
  maintenance: ['maintenance.write'],
  downloads: ['downloads.write'],
  staff: ['staff.write'],
}

test('lists every sensitive permission in docs/SECURITY.md', () => {
  const [section = ''] = /Sensitive permissions move value .*? staff\)/.exec(text) ?? []
  const areas = Array.from(section.matchAll(/\((.*?)\)/g), ([, terms = '']) => terms.split(', ')).flat()
  assert.deepEqual(areas, Object.keys(SENSITIVE_AREAS))
  assert.deepEqual(Object.values(SENSITIVE_AREAS).flat().sort(), filterSensitive(ALL_PERMISSIONS).sort())
})

/** The files that open connections or resolve host names, by their sentences in docs/SECURITY.md. */
const CONNECTIONS: Record<string, readonly string[]> = {
  'It opens connections to the database (`DATABASE_URL`)': ['server/db/connections.ts', 'server/db/open.ts'],
  'to the mail server (`SMTP_URL`': ['server/jobs.ts', 'server/mail/transport.ts'],
  'to a backup target': ['server/backup/targets.ts'],
  "on Discord's own hosts and to its API for linked roles": ['server/discord.ts'],
  'to the push services of browsers': ['server/push/sender.ts'],
  'It resolves the host names of these, and of vote lists': ['server/start.ts'],
  'through a socket in `DATA_DIR`': ['server/data-lock.ts'],
  'Commands connect to the port of a site to find out whether it runs': ['server/running-sites.ts'],
  'calls the site over HTTPS': ['bridge/site.ts'],
  "An agent next to the game's database": [
    'bridge/characters.ts',
    'bridge/game/mariadb.ts',
    'bridge/game/mssql.ts',
    'bridge/game/postgres.ts',
  ],
}

test('opens only connections that docs/SECURITY.md lists', () => {
  const connectionCode =
    /\bfetch\((?!input|request)|= fetch\b|\bconnect\(|createConnection|createTransport|https?\.request|sendNotification|\blookup\(/
  const files = globSync(['server/**/*.ts', 'bridge/**/*.ts'], { cwd: ROOT }).filter(
    (file) =>
      !file.endsWith('.test.ts') && connectionCode.test(readText(file).replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')),
  )
  assert.deepEqual(files.sort(), Object.values(CONNECTIONS).flat().sort())
  assert.deepEqual(
    Object.keys(CONNECTIONS).filter((sentence) => !text.includes(sentence)),
    [],
  )
})

test('generates no code, and takes every secret random value from crypto', () => {
  const files = globSync(['server/**/*.ts', 'contract/**/*.ts', 'bridge/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: ROOT })
  const sources = files.filter((file) => !/\.test\.tsx?$/.test(file)).map((file) => ({ file, code: readText(file) }))
  assert.ok(sources.length > 500)
  assert.deepEqual(
    sources.filter(({ code }) => /\beval\(|new Function\(/.test(code)).map(({ file }) => file),
    [],
  )
  assert.deepEqual(
    sources
      .filter(({ file, code }) => /Math\.random\(/.test(code) && /^(server|contract|bridge)/.test(file))
      .map(({ file }) => file)
      .sort(),
    // The random delay before a retry needs no secrecy.
    ['server/data-lock.ts', 'server/job-runner.ts'],
  )
})
