import type { PushKind } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { countUnread } from '#server/features/mailbox/letters.ts'
import { readSettingsNow } from '#server/settings.ts'
import { readPushKeys } from './keys.ts'
import { claimPush, type DuePush, delayPush, deleteDevice, deleteOldPushes, deletePush } from './outbox.ts'
import { PUSH_SERVICES } from './services.ts'

/** The text of each kind of message, and its link. */
const MESSAGE_TEXTS: Record<PushKind, { title: string; url: string }> = {
  letters: { title: 'New letter', url: '/mailbox' },
  events: { title: 'Reminder', url: '/mailbox' },
  replies: { title: 'New reply', url: '/mailbox' },
  deliveries: { title: 'Delivery', url: '/shoppurchases' },
}

const SEND_TIMEOUT_MS = 10_000
/** A round starts no more messages after this time. */
const ROUND_LENGTH_MS = 40_000
const CONCURRENT_SENDS = 8
/** How long a push service stores a message for an offline device, in seconds. */
const OFFLINE_STORAGE_S = 6 * 3600

type SendingDeps = Pick<Deps, 'db' | 'now' | 'log' | 'config' | 'siteKey' | 'publicUrl' | 'pushServices'>

/**
 * Sends the queued messages to devices, encrypted for each (RFC 8291). Removes devices that their push service no
 * longer accepts; retries failed messages for some hours. Deletes messages about letters if the account has no unread
 * letter any more.
 */
export async function sendDuePushes(deps: SendingDeps, signal: AbortSignal): Promise<void> {
  const { db, now } = deps
  await deleteOldPushes(db, now())
  const roundEnd = performance.now() + ROUND_LENGTH_MS
  const { site_name: site, operator_email } = await readSettingsNow(deps)
  const send = await createSender(deps, { site, contact: operator_email })
  async function sendQueued(): Promise<void> {
    while (!signal.aborted && performance.now() < roundEnd) {
      const push = await claimPush(db)
      if (push === undefined) return
      await send(push)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_SENDS }, sendQueued))
}

async function createSender(deps: SendingDeps, { site, contact }: { site: string; contact: string }) {
  const { db, now, log, publicUrl, pushServices: services = PUSH_SERVICES } = deps
  const keys = await readPushKeys(deps)
  const { default: webPush } = await import('web-push')
  // The contact for push services, such as when the site sends too much. They accept only https and mail addresses.
  const subject =
    contact !== '' ? `mailto:${contact}` : publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@example.com'
  return async (push: DuePush): Promise<void> => {
    const { kind, sender, endpoint, p256dh, auth, user_num } = push
    const isUnwanted = kind !== 'deliveries' && (await countUnread(db, user_num, now())) === 0
    if (isUnwanted || !services.isKnown(endpoint)) return void (await deletePush(db, push))
    const { title, url } = MESSAGE_TEXTS[kind]
    try {
      await webPush.sendNotification(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify({ title, body: `${sender} · ${site}`, url, kind }),
        {
          vapidDetails: { subject, ...keys },
          TTL: OFFLINE_STORAGE_S,
          timeout: SEND_TIMEOUT_MS,
          topic: kind,
          ...(services.agent && { agent: services.agent }),
        },
      )
      await deletePush(db, push)
    } catch (error) {
      const status = error instanceof webPush.WebPushError ? error.statusCode : 0
      if (status === 404 || status === 410) return void (await deleteDevice(db, push))
      // Log no error: it contains the address of the device, which is a secret.
      log.warn({ push: push.push, attempts: push.attempts, status }, 'push message not sent')
      await delayPush(db, push)
    }
  }
}
