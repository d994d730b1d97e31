import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'

const notifications = declareCalls('notifications', 'player')

/** The kinds of notifications, with their labels. */
export const PUSH_KINDS = {
  letters: 'Letters in my mail box',
  events: 'Events I have a reminder for',
  replies: 'Replies in the forum and to my tickets',
  deliveries: 'Items delivered to my item bank',
} as const
export type PushKind = keyof typeof PUSH_KINDS

/** The maximum number of devices per account. A further device replaces the oldest. */
export const PUSH_DEVICES_MAX = 5

export const PUSH_TEXTS = {
  saved: 'Saved.',
  off: 'This device gets no more notifications.',
  pushServiceUnknown: 'This browser’s notifications come from a service that we don’t know.',
} as const

const PUSH_KIND_NAMES = Object.keys(PUSH_KINDS) as [PushKind, ...PushKind[]]
/** The address at which a browser's push service accepts messages for the device. */
const endpointAddressField = z.string().min(1, 'The browser gave no address.').max(1000, 'The address is too long.')
const base64UrlField = (length: number) => z.string().regex(new RegExp(`^[\\w-]{${length}}=*$`), 'This is not a key.')

export const getPushKey = notifications.get('/push/key', {
  summary: 'The public key with which push services verify the site’s messages to devices (VAPID, RFC 8292)',
  output: z.object({ public_key: z.string() }),
})

export const getPushKinds = notifications.post('/push/kinds', {
  summary: 'The notifications of a device of the caller',
  input: { body: z.object({ endpoint: endpointAddressField }) },
  output: z.object({ kinds: z.array(z.enum(PUSH_KIND_NAMES)) }),
})

export const savePushDevice = notifications.post('/push/device', {
  summary: `Choose the notifications of a device; an empty list removes the device. An account has at most ${PUSH_DEVICES_MAX} devices`,
  limit: 'pushDevices',
  input: {
    body: z.object({
      endpoint: endpointAddressField,
      keys: z.object({ p256dh: base64UrlField(87), auth: base64UrlField(22) }),
      kinds: z.array(z.enum(PUSH_KIND_NAMES)).max(PUSH_KIND_NAMES.length),
    }),
  },
  output: messageSchema,
  errors: { pushServiceUnknown: { status: 422, message: PUSH_TEXTS.pushServiceUnknown, field: 'endpoint' } },
})
