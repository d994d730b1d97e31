import type { Deps } from '../deps.ts'
import { claimDueMail, markFailed, markSent } from './outbox.ts'
import type { SendMail } from './transport.ts'

/** What a mail library says when the server itself cannot be used; everything else is about the one mail. */
const SERVER_AWAY =
  /^(ECONNECTION|ESOCKET|ETIMEDOUT|EDNS|ETLS|EAUTH|ENOAUTH|EPROTOCOL|ECONN\w+|ENOTFOUND|ENOSPC|EACCES)$/

/**
 * Sends the due mails one after another. One that is refused rests and is logged, and the
 * others go on; when the mail server is away, all wait for the next round.
 *
 * @returns how many went out
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
