import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import type { DueMail } from './outbox.ts'

export type SendMail = (mail: DueMail) => Promise<void>

/** How long to wait for the mail server at each step, in ms. */
const PATIENCE = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000 }

/**
 * Sends through SMTP_URL, or without one writes `DATA_DIR/mail/<number>.eml`. The
 * Message-ID comes from the outbox row, so mail programs recognise a mail that was sent twice. It
 * includes the row's time, because the numbers of a new database start at 1 again.
 */
export function createTransport(config: Config, publicUrl: string): SendMail {
  const domain = new URL(publicUrl).hostname
  const envelope = (mail: DueMail) => ({
    from: config.mailFrom,
    to: { name: '', address: mail.to_address },
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    messageId: `<tambayan-${mail.mail}-${mail.created_at.getTime()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (config.smtpUrl !== undefined) {
    const smtp = nodemailer.createTransport({ url: config.smtpUrl, ...PATIENCE })
    return async (mail) => void (await smtp.sendMail(envelope(mail)))
  }
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const folder = join(config.dataDir, 'mail')
  return async (mail) => {
    const { message } = await composer.sendMail(envelope(mail))
    await mkdir(folder, { recursive: true })
    const path = join(folder, `${String(mail.mail).padStart(6, '0')}.eml`)
    await writeFile(`${path}.unfinished`, message as Buffer)
    await rename(`${path}.unfinished`, path)
  }
}
