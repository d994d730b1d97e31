import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAIL_RETENTION_MS } from '#contract/limits.ts'
import type { Deps } from '../deps.ts'
import type { DueMail } from './outbox.ts'
import { getConnectionOptions } from './servers.ts'
import { readMailSite } from './site.ts'

/**
 * Sends an email; aborts and closes the connection when the signal is aborted.
 *
 * @returns whether it was sent, or written as a file because there is no mail server
 */
export type SendMail = (mail: DueMail, signal: AbortSignal) => Promise<'sent' | 'saved'>

type TransportDeps = Pick<Deps, 'db' | 'config' | 'publicUrl' | 'siteKey'>
type Envelope = Pick<DueMail, 'to_address' | 'subject' | 'body_text' | 'body_html' | 'unsubscribe_url'>

/** Loads the library for the first email. */
const loadMailer = async () => (await import('nodemailer')).default

/**
 * The timeouts of each step, in ms. They catch a mail server that sends nothing; the deadline of each email also catches
 * one that sends a byte now and then.
 */
const SMTP_TIMEOUTS = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000 }

/** The number of emails sent at the same time. */
export const CONNECTIONS_MAX = 5
/** How long an idle connection stays open between rounds. */
const IDLE_TIMEOUT_MS = 30_000

/** The fields of every email, for any transport. */
const composeMail = (mail: Envelope, from: string | { name: string; address: string }) => ({
  from,
  to: { name: '', address: mail.to_address },
  subject: mail.subject,
  text: mail.body_text,
  html: mail.body_html,
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(mail.unsubscribe_url !== null && {
      'List-Unsubscribe': `<${mail.unsubscribe_url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/**
 * Creates the function that sends emails: through SMTP_URL, or through the mail server that was entered at the desk, over
 * a few reused connections. Without either it writes `DATA_DIR/mail/<number>.eml`. Each email names its server, so a
 * changed server applies from the next email on. The Message-ID comes from the outbox row, so mail programs recognize an
 * email that was sent twice. It includes the row's time, because the numbers of a new database start at 1 again.
 *
 * @returns `close` ends every connection at once
 */
export function createTransport({ db, config, publicUrl, siteKey }: TransportDeps): {
  send: SendMail
  close: () => void
} {
  const domain = new URL(publicUrl).hostname
  const pools = new Map<number | 'environment', Promise<Pool>>()

  async function openPool(server: number | 'environment'): Promise<Pool> {
    if (server === 'environment') return { smtp: await createSmtp({ url: config.smtpUrl ?? '' }), sender: null }
    const row = await db.selectFrom('mail_servers').where('server', '=', server).selectAll().executeTakeFirstOrThrow()
    return { smtp: await createSmtp(getConnectionOptions(row, siteKey)), sender: row.sender }
  }

  /** @returns undefined if there is no mail server */
  function getPool({ server }: DueMail): Promise<Pool> | undefined {
    const key = config.smtpUrl !== undefined ? 'environment' : server
    if (key === null) return undefined
    const existingPool = pools.get(key)
    if (existingPool !== undefined) return existingPool
    const pool = openPool(key)
    pools.set(key, pool)
    pool.catch(() => pools.delete(key))
    return pool
  }

  const getSender = async (address: string) => ({
    name: (await readMailSite({ db, config, publicUrl })).appName,
    address,
  })

  return {
    send: async (mail, signal) => {
      const messageId = `<tambayan-${mail.mail}-${mail.created_at.getTime()}@${domain}>`
      const pool = await getPool(mail)
      if (pool !== undefined) {
        const from = pool.sender === null ? config.mailFrom : await getSender(pool.sender)
        await pool.smtp.sendMail({ ...composeMail(mail, from), messageId, signal })
        return 'sent'
      }
      const fileTransport = (await loadMailer()).createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'unix',
      })
      const { message } = await fileTransport.sendMail({ ...composeMail(mail, config.mailFrom), messageId })
      const folder = getMailFolder(config.dataDir)
      await mkdir(folder, { recursive: true })
      const path = join(folder, `${String(mail.mail).padStart(6, '0')}.eml`)
      await writeFile(`${path}.unfinished`, message as Buffer)
      await rename(`${path}.unfinished`, path)
      return 'saved'
    },
    close: () => {
      for (const pool of pools.values())
        pool.then(
          ({ smtp }) => smtp.close({ force: true }),
          () => {},
        )
    },
  }
}

/** The connections to one server, and the sender of its emails; null if MAIL_FROM sets the sender. */
type Pool = { smtp: Awaited<ReturnType<typeof createSmtp>>; sender: string | null }

const createSmtp = async (connection: { url: string } | ReturnType<typeof getConnectionOptions>) =>
  (await loadMailer()).createTransport({
    ...connection,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxRequeues: 1,
    idleTimeout: IDLE_TIMEOUT_MS,
    socketCloseTimeout: 1000,
    ...SMTP_TIMEOUTS,
  })

const TEST_TIMEOUT_MS = 20_000

/**
 * Sends one email over a new connection.
 *
 * @returns the mail server's response
 * @throws nodemailer's error
 */
export async function sendOnce(
  connection: ReturnType<typeof getConnectionOptions>,
  mail: Envelope,
  from: { name: string; address: string },
): Promise<string> {
  const smtp = (await loadMailer()).createTransport({ ...connection, ...SMTP_TIMEOUTS })
  try {
    const { response } = await smtp.sendMail({
      ...composeMail(mail, from),
      signal: AbortSignal.timeout(TEST_TIMEOUT_MS),
    })
    return response
  } finally {
    smtp.close()
  }
}

const getMailFolder = (dataDir: string) => join(dataDir, 'mail')

/** Deletes mails that were written as files more than 30 days ago. */
export async function sweepMailFiles(dataDir: string, now: Date): Promise<void> {
  const folder = getMailFolder(dataDir)
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const file of files.filter((name) => /\.eml(\.unfinished)?$/.test(name))) {
    const path = join(folder, file)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < now.getTime() - MAIL_RETENTION_MS) await rm(path, { force: true })
  }
}
