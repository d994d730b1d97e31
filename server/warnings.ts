import type { Server } from 'node:http'
import { sql } from 'kysely'
import { DEMO_ACCOUNTS } from '#demo/accounts.ts'
import { type Config, DEFAULT_MAIL_FROM, isLoopback } from './config.ts'
import { isBlocked } from './db/blocked.ts'
import type { Db } from './db/open.ts'
import { verifyPassword } from './features/accounts/passwords.ts'

/** The largest accepted difference between this process's clock and the database's clock or earlier writes. */
const CLOCK_DIFFERENCE_MAX_MS = 60_000

/** Lists probable mistakes in the settings, each in one line with the solution. The site starts anyway. */
export async function listWarnings(config: Config, db: Db): Promise<string[]> {
  const warnings = [
    warnOfAddress(config),
    warnOfSender(config),
    await warnOfDemoAccounts(config, db),
    await warnOfClock(db),
  ]
  return warnings.filter((line) => line !== undefined)
}

function warnOfAddress({ host, publicUrl }: Config): string | undefined {
  if (isLoopback(host) || publicUrl !== undefined) return undefined
  return `HOST is ${host}, but PUBLIC_URL is not set: links in emails and previews will not work elsewhere. Set PUBLIC_URL to the address players use.`
}

function warnOfSender({ smtpUrl, mailFrom }: Config): string | undefined {
  if (smtpUrl === undefined || mailFrom !== DEFAULT_MAIL_FROM) return undefined
  return 'SMTP_URL is set, but MAIL_FROM is not: mail servers refuse the example sender. Set MAIL_FROM to an address of your domain.'
}

/** Warns even without DEMO=1, because a database that once had the demo world still has its accounts. */
async function warnOfDemoAccounts({ host, publicUrl }: Config, db: Db): Promise<string | undefined> {
  if (isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))) return undefined
  const ids = DEMO_ACCOUNTS.map(({ user_id }) => user_id)
  const accounts = await db
    .selectFrom('accounts')
    .where(sql`lower(user_id)`, 'in', ids)
    .where((eb) => eb.not(isBlocked('accounts', new Date())))
    .select(['user_id', 'password_hash'])
    .execute()
  for (const { user_id, password_hash } of accounts) {
    const demoAccount = DEMO_ACCOUNTS.find((account) => account.user_id === user_id.toLowerCase())
    if (demoAccount !== undefined && (await verifyPassword(password_hash, demoAccount.password)))
      return `Anyone can log in as ${user_id} with the demo password. Set DEMO=0 and start with an empty DATA_DIR or database.`
  }
  return undefined
}

/**
 * Compares this process's clock with the database's, and with the site's earlier writes, because an embedded database has
 * the clock of this process.
 */
async function warnOfClock(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ now: Date; latest: Date | null }>`
    select clock_timestamp() as now, (select max(started_at) from jobs) as latest`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const differenceMs = Date.now() - row.now.getTime()
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  if (Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS)
    return `This machine's clock is ${seconds} seconds ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's. Set both with a time server (NTP).`
  if (row.latest !== null && row.latest.getTime() - row.now.getTime() > CLOCK_DIFFERENCE_MAX_MS)
    return `The clock shows ${row.now.toISOString()}, but the site was already running on ${row.latest.toISOString()}. Set the clock with a time server (NTP).`
  return undefined
}

/** Warns once, at the first request that came through a proxy although TRUST_PROXY is 0. */
export function watchForProxy(server: Server, { trustedProxies }: Config, warn: (line: string) => void): void {
  if (trustedProxies > 0) return
  server.on('request', function check(req) {
    if ((req.headers['x-forwarded-for'] ?? req.headers.forwarded) === undefined) return
    server.off('request', check)
    warn(
      'A request came through a proxy, but TRUST_PROXY is 0: all players share the proxy’s address and its limits. Set TRUST_PROXY to the number of proxies, usually 1.',
    )
  })
}
