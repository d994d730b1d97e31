import { type Selectable, sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { isLoopback } from '../config.ts'
import type { Db } from '../db/open.ts'
import type { MailServers } from '../db/schema/messages.ts'
import type { Deps } from '../deps.ts'
import { openSecret, type SiteKey, sealSecret } from '../site-key.ts'

/** The values for connecting to a mail server. */
export type MailAccount = Pick<Selectable<MailServers>, 'host' | 'port' | 'login' | 'sealed'>

/** How long a server that was tried can still be used, also by a request that waits for approval. */
const TEST_RESULT_RETENTION_MS = 8 * DAY_MS

/** The number of the mail server that is used, as a subquery; null without one. */
export const CURRENT_SERVER = sql<
  number | null
>`(select server from mail_servers where used_at is not null and ended_at is null)`

/** The mail server that is used, if one was entered at the desk. SMTP_URL goes before it. */
export const findMailServer = (db: Db) =>
  db.selectFrom('mail_servers').where('server', '=', CURRENT_SERVER).selectAll().executeTakeFirst()

/** Whether email is sent, not only written as files: the one answer for Health, Today, the desk and alerts. */
export async function hasMailServer({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<boolean> {
  return config.smtpUrl !== undefined || (await findMailServer(db)) !== undefined
}

/** Describes a server: `smtp.example.ph:465 as site@example.ph`. */
export const nameServer = ({ host, port, login }: Omit<MailAccount, 'sealed'>) =>
  `${host}:${port}${login === '' ? '' : ` as ${login}`}`

/** A password opens for the account and the server that it was entered for, and for nothing else. */
const getSealingContext = ({ host, port, login }: Omit<MailAccount, 'sealed'>) =>
  `mail password of ${login} at ${host}:${port}`

export const sealMailPassword = (key: SiteKey, account: Omit<MailAccount, 'sealed'>, password: string) =>
  sealSecret(key, password, getSealingContext(account))

/**
 * How nodemailer connects: with TLS from the start on port 465, else with STARTTLS, without which no password is sent. On
 * this machine nothing is encrypted.
 */
export function connectionTo(account: MailAccount, key: SiteKey) {
  const { host, port, login, sealed } = account
  const isSecure = port === 465
  const isHere = isLoopback(host)
  return {
    host,
    port,
    secure: isSecure,
    ignoreTLS: isHere && !isSecure,
    requireTLS: login !== '' && !isHere && !isSecure,
    ...(login !== '' && {
      auth: { user: login, pass: sealed === null ? '' : openSecret(key, sealed, getSealingContext(account)) },
    }),
  }
}

/** Forgets servers that were tried and not used for a week, and former ones over which nothing waits to be sent. */
export async function sweepMailServers(db: Db, now: Date): Promise<void> {
  await sql`
    delete from mail_servers s
    where (used_at is null and tried_at < ${new Date(now.getTime() - TEST_RESULT_RETENTION_MS)})
      or (ended_at is not null and not exists (
        select from mail_outbox m where m.server = s.server and m.sent_at is null and m.given_up_at is null))`.execute(
    db,
  )
}
