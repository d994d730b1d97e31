import { type Selectable, sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { isLoopback } from '../config.ts'
import type { Db } from '../db/open.ts'
import type { MailServers } from '../db/schema/messages.ts'
import type { Deps } from '../deps.ts'
import { openSecret, type SiteKey, sealSecret } from '../site-key.ts'

/** The values for connecting to a mail server. */
export type MailAccount = Pick<Selectable<MailServers>, 'host' | 'port' | 'login' | 'sealed'>

/** How long a tested server can still be chosen, also by a request that waits for approval. */
const TEST_RESULT_RETENTION_MS = 8 * DAY_MS

/** A subquery for the number of the current mail server; null without one. */
export const CURRENT_SERVER_NUM = sql<
  number | null
>`(select server from mail_servers where used_at is not null and ended_at is null)`

/** Finds the current mail server, if one was entered at the desk (DESK-15). SMTP_URL takes precedence over it. */
export const findMailServer = (db: Db) =>
  db.selectFrom('mail_servers').where('server', '=', CURRENT_SERVER_NUM).selectAll().executeTakeFirst()

/** Returns whether the site sends email instead of writing files. */
export async function hasMailServer({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<boolean> {
  return config.smtpUrl !== undefined || (await findMailServer(db)) !== undefined
}

/** Describes a server: `smtp.example.ph:465 as site@example.ph`. */
export const formatServer = ({ host, port, login }: Omit<MailAccount, 'sealed'>) =>
  `${host}:${port}${login === '' ? '' : ` as ${login}`}`

/**
 * Returns the context of a sealed password: it can be opened only for the account and server it was entered for
 * (DESK-16).
 */
const getSealingContext = ({ host, port, login }: Omit<MailAccount, 'sealed'>) =>
  `mail password of ${login} at ${host}:${port}`

export const sealMailPassword = (key: SiteKey, account: Omit<MailAccount, 'sealed'>, password: string) =>
  sealSecret(key, password, getSealingContext(account))

/**
 * Returns nodemailer's options for a server: TLS from the start on port 465, otherwise STARTTLS, which a login requires.
 * Connections within this machine are not encrypted unless the port is 465.
 */
export function getConnectionOptions(account: MailAccount, key: SiteKey) {
  const { host, port, login, sealed } = account
  const isSecure = port === 465
  const isLocal = isLoopback(host)
  return {
    host,
    port,
    secure: isSecure,
    ignoreTLS: isLocal && !isSecure,
    requireTLS: login !== '' && !isLocal && !isSecure,
    ...(login !== '' && {
      auth: { user: login, pass: sealed === null ? '' : openSecret(key, sealed, getSealingContext(account)) },
    }),
  }
}

/** Deletes servers that were tested but not used within eight days, and former ones for which no email waits. */
export async function sweepMailServers(db: Db, now: Date): Promise<void> {
  await sql`
    delete from mail_servers s
    where (used_at is null and tried_at < ${new Date(now.getTime() - TEST_RESULT_RETENTION_MS)})
      or (ended_at is not null and not exists (
        select from mail_outbox m where m.server = s.server and m.sent_at is null and m.given_up_at is null))`.execute(
    db,
  )
}
