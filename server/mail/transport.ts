import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { MAIL_KEPT_MS } from '#contract/limits.ts'
import type { Config } from '../config.ts'
import type { DueMail } from './outbox.ts'

/** Hands a mail over; gives up and closes the connection when the signal is aborted. */
export type SendMail = (mail: DueMail, signal: AbortSignal) => Promise<void>

/**
 * How long to wait for the mail server at each step, in ms. These notice a server that sends nothing; the deadline of
 * each mail also stops one that sends a byte now and then.
 */
const PATIENCE = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000 }

/** How many mails are sent at the same time. */
export const CONNECTIONS = 5
/** Connections stay open between rounds for this long. */
const IDLE_MS = 30_000

/**
 * Sends through SMTP_URL, over a few connections that are used again, or without one writes
 * `DATA_DIR/mail/<number>.eml`. The Message-ID comes from the outbox row, so mail programs recognise a mail that was sent
 * twice. It includes the row's time, because the numbers of a new database start at 1 again.
 *
 * @returns `close` ends every connection at once
 */
export function createTransport(config: Config, publicUrl: string): { send: SendMail; close: () => void } {
  const domain = new URL(publicUrl).hostname
  const envelope = (mail: DueMail) => ({
    from: config.mailFrom,
    to: { name: '', address: mail.to_address },
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    messageId: `<tambayan-${mail.mail}-${mail.created_at.getTime()}@${domain}>`,
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
  if (config.smtpUrl !== undefined) {
    const smtp = nodemailer.createTransport({
      url: config.smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      maxRequeues: 1,
      idleTimeout: IDLE_MS,
      socketCloseTimeout: 1000,
      ...PATIENCE,
    })
    return {
      send: async (mail, signal) => void (await smtp.sendMail({ ...envelope(mail), signal })),
      close: () => smtp.close({ force: true }),
    }
  }
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const folder = folderOf(config.dataDir)
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail(envelope(mail))
      await mkdir(folder, { recursive: true })
      const path = join(folder, `${String(mail.mail).padStart(6, '0')}.eml`)
      await writeFile(`${path}.unfinished`, message as Buffer)
      await rename(`${path}.unfinished`, path)
    },
    close: () => {},
  }
}

const folderOf = (dataDir: string) => join(dataDir, 'mail')

/** Deletes mails that were written as files more than 30 days ago. */
export async function sweepMailFiles(dataDir: string, now: Date): Promise<void> {
  const folder = folderOf(dataDir)
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const file of files.filter((name) => /\.eml(\.unfinished)?$/.test(name))) {
    const path = join(folder, file)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < now.getTime() - MAIL_KEPT_MS) await rm(path, { force: true })
  }
}
