import type { Deps } from '../deps.ts'
import { claimDueMail, markFailed, markSent } from './outbox.ts'
import type { SendMail } from './transport.ts'

/** Error codes for a mail server that cannot be used at all; every other error concerns a single mail. */
const SERVER_AWAY =
  /^(ECONNECTION|ESOCKET|ETIMEDOUT|EDNS|ETLS|EAUTH|ENOAUTH|EPROTOCOL|ECONN\w+|ENOTFOUND|ENOSPC|EACCES)$/

/**
 * Sends the due mails one after another. A mail that is refused is logged and retried later; if
 * the mail server cannot be reached, all of them wait for the next run.
 *
 * @returns how many were sent
 */
export async function sendDueMails({ db, now, log }: Deps, send: SendMail): Promise<number> {
  for (let sent = 0; ; ) {
    const mail = await claimDueMail(db, now())
    if (mail === undefined) return sent
    try {
      await send(mail)
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string }
      log.warn({ mail: mail.mail, attempts: mail.attempts, reason: message }, 'mail not sent')
      await markFailed(db, mail, message, now())
      if (SERVER_AWAY.test(String(code))) return sent
      continue
    }
    await markSent(db, mail.mail, now())
    sent++
  }
}
