import * as calls from '#contract/push.ts'
import { PUSH_DEVICES_MAX, PUSH_TEXTS } from '#contract/push.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readPushKeys } from '#server/push/keys.ts'
import { PUSH_SERVICES } from '#server/push/services.ts'

/** The calls that turn a device's notifications about letters, events, replies and deliveries on and off (PUSH-1). */
export const pushCalls: MountedCall[] = [
  mount(calls.getPushKey, async (_, { deps }) => ({ public_key: (await readPushKeys(deps)).publicKey })),

  mount(calls.getPushKinds, async ({ endpoint }, { deps: { db }, session: { userNum } }) => {
    const row = await db
      .selectFrom('push_subscriptions')
      .where('user_num', '=', userNum)
      .where('endpoint', '=', endpoint)
      .select('kinds')
      .executeTakeFirst()
    return { kinds: row?.kinds ?? [] }
  }),

  mount(calls.savePushDevice, async ({ endpoint, keys, kinds }, { deps, session: { userNum, sessionId } }) => {
    const { db, now, pushServices: services = PUSH_SERVICES } = deps
    if (!services.isKnown(endpoint)) throw refuse(calls.savePushDevice, 'pushServiceUnknown')
    await db.transaction().execute(async (tx) => {
      // Locks the account, because concurrent calls must not exceed the limit of five devices (PUSH-4).
      await tx.selectFrom('accounts').where('user_num', '=', userNum).select('user_num').forUpdate().execute()
      await tx.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute()
      if (kinds.length === 0) return
      const device = { user_num: userNum, session_id: sessionId, endpoint, ...keys, kinds, made_at: now() }
      await tx.insertInto('push_subscriptions').values(device).execute()
      await tx
        .deleteFrom('push_subscriptions')
        .where('subscription', 'in', (eb) =>
          eb
            .selectFrom('push_subscriptions')
            .where('user_num', '=', userNum)
            .orderBy('subscription', 'desc')
            .offset(PUSH_DEVICES_MAX)
            .select('subscription'),
        )
        .execute()
    })
    return { message: kinds.length === 0 ? PUSH_TEXTS.off : PUSH_TEXTS.saved }
  }),
]
