import type { Deps } from '../deps.ts'
import { claimDueMail, markFailed, markSent } from './outbox.ts'
import { CONNECTIONS_MAX, type SendMail } from './transport.ts'

/** Error codes for an unusable mail server; every other error concerns a single email. */
const SERVER_UNAVAILABLE_CODES =
  /^(ECONNECTION|ESOCKET|ETIMEDOUT|EDNS|ETLS|EAUTH|ENOAUTH|EPROTOCOL|ECONN\w+|ENOTFOUND|ENOSPC|EACCES)$/

/** How long an email may take, from its claim to the mail server's last response. The lease is longer. */
const MAIL_DEADLINE_MS = 30_000
/** A round starts no more emails after this time, to end within the deadline of its job. */
const ROUND_LENGTH_MS = 50_000

/**
 * Sends the due emails, several at once, in the order of their priority. Logs an email that is refused or takes too long
 * and retries it later. If the mail server cannot be reached, all others wait for the next round.
 *
 * @param options.signal when aborted, no more emails are started; running ones are completed
 * @returns the number of sent emails
 */
export async function sendDueMails(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  send: SendMail,
  { signal, deadlineMs = MAIL_DEADLINE_MS }: { signal?: AbortSignal; deadlineMs?: number } = {},
): Promise<number> {
  const roundEnd = performance.now() + ROUND_LENGTH_MS
  let sentCount = 0
  let isUnavailable = false
  async function sendQueued(): Promise<void> {
    while (!isUnavailable && !signal?.aborted && performance.now() < roundEnd) {
      const mail = await claimDueMail(db, now())
      if (mail === undefined) return
      let outcome: 'sent' | 'saved'
      try {
        outcome = await runWithDeadline(deadlineMs, (deadline) => send(mail, deadline))
      } catch (error) {
        const { code, message } = error as { code?: unknown; message: string }
        log.warn({ mail: mail.mail, attempts: mail.attempts, reason: message }, 'mail not sent')
        const isServerUnavailable = SERVER_UNAVAILABLE_CODES.test(String(code))
        await markFailed(db, mail, { error: message, isUnavailable: isServerUnavailable, now: now() })
        isUnavailable ||= isServerUnavailable
        continue
      }
      await markSent(db, mail, { now: now(), isSavedAsFile: outcome === 'saved' })
      sentCount++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS_MAX }, sendQueued))
  return sentCount
}

/** Runs `work` and stops waiting for it after `ms`; the signal aborts it. @throws when it took too long */
async function runWithDeadline<Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const abortController = new AbortController()
  const expiration = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`The mail server took longer than ${ms / 1000} seconds.`)
    expiration.reject(error)
    abortController.abort(error)
  }, ms)
  return await Promise.race([work(abortController.signal), expiration.promise]).finally(() => clearTimeout(timer))
}
