import type { Deps } from '#server/deps.ts'
import { openSecret, sealSecret } from '#server/site-key.ts'

const SEALING_CONTEXT = 'the key of push messages'

type KeyDeps = Pick<Deps, 'db' | 'siteKey'>

/** Creates the keys that sign messages to devices (VAPID), unless they exist; the private one is sealed (PUSH-3). */
export async function preparePushKeys({ db, siteKey }: KeyDeps, now: Date): Promise<void> {
  if ((await db.selectFrom('push_keys').select('made_at').executeTakeFirst()) !== undefined) return
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await db
    .insertInto('push_keys')
    .values({ public_key: publicKey, sealed: sealSecret(siteKey, privateKey, SEALING_CONTEXT), made_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Reads the keys that sign messages to devices. */
export async function readPushKeys({ db, siteKey }: KeyDeps) {
  const { public_key, sealed } = await db
    .selectFrom('push_keys')
    .select(['public_key', 'sealed'])
    .executeTakeFirstOrThrow()
  return { publicKey: public_key, privateKey: openSecret(siteKey, sealed, SEALING_CONTEXT) }
}
