import { sql } from 'kysely'
import webPush from 'web-push'
import type { Deps } from '#server/deps.ts'
import { openSecret, sealSecret } from '#server/site-key.ts'

const CONTEXT = 'the key of push messages'

/** The keys that messages to devices are signed with (VAPID). They are made once; the private one is sealed (PUSH-3). */
export function readPushKeys({ db, now, siteKey }: Pick<Deps, 'db' | 'now' | 'siteKey'>) {
  return db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('push_keys').select(['public_key', 'sealed']).executeTakeFirst()
    if (found !== undefined)
      return { publicKey: found.public_key, privateKey: openSecret(siteKey, found.sealed, CONTEXT) }
    await sql`lock table push_keys in share row exclusive mode`.execute(tx)
    const made = webPush.generateVAPIDKeys()
    const row = { public_key: made.publicKey, sealed: sealSecret(siteKey, made.privateKey, CONTEXT), made_at: now() }
    await tx
      .insertInto('push_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const kept = await tx.selectFrom('push_keys').select(['public_key', 'sealed']).executeTakeFirstOrThrow()
    return { publicKey: kept.public_key, privateKey: openSecret(siteKey, kept.sealed, CONTEXT) }
  })
}
