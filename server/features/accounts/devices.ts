import { sql } from 'kysely'
import { KNOWN_DEVICE_RETENTION_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { type Caller, getNetwork } from '#server/http/client-address.ts'
import { hashToken } from '#server/http/tokens.ts'

/** The number of devices and networks that are stored for an account. A login deletes older ones. */
const DEVICES_MAX = 50

/** Returns the keys of a caller: the network of the address and, if the browser sent a device token, the device. */
function getDeviceKeys({ address, deviceToken }: Caller): string[] {
  const network = `address ${getNetwork(address)}`
  return deviceToken === undefined ? [network] : [network, `device ${hashToken(deviceToken)}`]
}

/**
 * Returns a subquery that selects the caller's known device, or else the known address. A known device has its own limit of
 * failed logins, so a stranger behind the same address cannot lock it.
 */
export function selectKnownDevice(userNumColumn: string, caller: Caller, now: Date) {
  return sql<string | null>`(
    select place from known_places
    where user_num = ${sql.ref(userNumColumn)} and place in (${sql.join(getDeviceKeys(caller))})
      and seen_at > ${getOldestKnownTime(now)}
    order by place desc limit 1)`
}

/** Returns the key of the caller's known device, or else of the known address; null if neither is known. */
export async function findKnownDevice(db: Db, userNum: number, caller: Caller, now: Date): Promise<string | null> {
  const { place } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(selectKnownDevice('accounts.user_num', caller, now).as('place'))
    .executeTakeFirstOrThrow()
  return place
}

/** Stores a caller's network and device as known to the account for 90 days (LOGIN-8). */
export async function rememberDevices(db: Db, userNum: number, caller: Caller, now: Date): Promise<void> {
  const keys = getDeviceKeys(caller)
  const rows = keys.map((place) => sql`(${userNum}, ${place}, ${now})`)
  await sql`
    with remembered as (
      insert into known_places (user_num, place, seen_at) values ${sql.join(rows)}
      on conflict (user_num, place) do update set seen_at = excluded.seen_at)
    delete from known_places where user_num = ${userNum} and place in (
      select place from known_places where user_num = ${userNum} and place not in (${sql.join(keys)})
      order by seen_at desc, place offset ${DEVICES_MAX - keys.length})`.execute(db)
}

const getOldestKnownTime = (now: Date) => new Date(now.getTime() - KNOWN_DEVICE_RETENTION_MS)
