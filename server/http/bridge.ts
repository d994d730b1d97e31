import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Context } from 'hono'
import { sql } from 'kysely'
import { BRIDGE_CLOCK_MS, BRIDGE_HEADERS, isLoopbackHost, signedText } from '#contract/bridge-signing.ts'
import { formatPlural } from '#contract/numbers.ts'
import { breaksConstraint } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { readText } from './read-body.ts'

/** The calling agent. Its instance is that of its process, with a number for each further start. */
export type BridgeCaller = { bridge: number; instance: string }

/** Returns the part of an instance that identifies the process, independent of its start: the length of a UUID. */
export const getProcessId = (instance: string): string => instance.slice(0, 36)

const refused = (reason: string, message: string, extra: Record<string, unknown> = {}) =>
  new Refusal(401, reason, message, { extra: { reason, ...extra } })

/** The DER head of an Ed25519 public key (RFC 8410), before its 32 bytes. */
const ED25519_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** An Ed25519 public key from its 32 bytes in base64url. */
const readSignKey = (key: string) =>
  createPublicKey({ key: Buffer.concat([ED25519_HEAD, Buffer.from(key, 'base64url')]), format: 'der', type: 'spki' })

/**
 * Returns the paired bridge that signed a request (BRIDGE-7). The body is read only for an existing bridge, the clock
 * is compared only after a good signature, and the nonce is used up last, so no one else can use it up or make the desk
 * show a wrong clock.
 *
 * @throws Refusal 401: not signed, by an unknown or revoked key, for another site, with a clock that differs by more
 *   than a minute, or sent before
 */
export async function requireBridge(deps: Deps, c: Context): Promise<BridgeCaller> {
  const header = (name: keyof typeof BRIDGE_HEADERS) => c.req.header(BRIDGE_HEADERS[name]) ?? ''
  const [number, instance, time, nonce, signature] = [
    header('bridge'),
    header('instance'),
    header('time'),
    header('nonce'),
    header('signature'),
  ]
  if (!/^\d{1,15}$/.test(number) || !/^[\w-]{16,64}$/.test(instance) || !/^[\w-]{16,64}$/.test(nonce))
    throw refused('not-signed', 'This call is for a paired bridge, which signs its requests.')
  const now = deps.now()
  const off = Date.parse(time) - now.getTime()
  if (Number.isNaN(off)) throw refused('clock', 'The request does not say when it was signed.')
  const bridge = Number(number)
  const found = await deps.db
    .selectFrom('bridges')
    .where('bridge', '=', bridge)
    .select(['sign_key', 'revoked_at'])
    .executeTakeFirst()
  if (found === undefined)
    throw refused('unknown', 'This bridge is not paired with this site. Pair it with a new code.')
  if (found.revoked_at !== null)
    throw refused('revoked', 'This bridge was revoked at the desk. Pair it again with a new code.')
  const { origins, path } = readSiteAddress(deps, c)
  const bodyHash = createHash('sha256')
    .update(c.req.method === 'GET' ? '' : await readText(c))
    .digest('hex')
  const isSignedFor = (origin: string) =>
    verify(
      null,
      Buffer.from(signedText({ method: c.req.method, origin, path, bodyHash, time, nonce, instance })),
      readSignKey(found.sign_key),
      Buffer.from(signature, 'base64url'),
    )
  if (!origins.some(isSignedFor))
    throw refused(
      'signature',
      `The signature is not valid. This site is ${origins[0]}: the bridge’s configuration must have exactly that as "site".`,
    )
  if (Math.abs(off) > BRIDGE_CLOCK_MS) {
    await noteRefusal(deps.db, bridge, `Its clock is ${formatOff(off)} the site’s.`, now)
    throw refused(
      'clock',
      `The bridge’s clock is too far from the site’s: the site has ${now.toISOString()}, the request has ${time.slice(0, 40)}. Set both clocks with a time server (NTP).`,
      { now: now.toISOString() },
    )
  }
  await spendNonce(deps.db, { bridge, nonce, now })
  await noteSeen(deps.db, { bridge, off, now })
  return { bridge, instance }
}

/**
 * Returns the origins that a request may be signed for: the site's public one and, on this machine, the one it was sent
 * to.
 */
function readSiteAddress(deps: Deps, c: Context): { origins: string[]; path: string } {
  const url = new URL(c.req.url)
  const origins = [new URL(deps.publicUrl).origin]
  const sentTo = URL.parse(`http://${c.req.header('Host') ?? url.host}`)
  if (sentTo !== null && isLoopbackHost(sentTo.hostname)) origins.push(sentTo.origin)
  return { origins, path: url.pathname + url.search }
}

async function spendNonce(db: Db, { bridge, nonce, now }: { bridge: number; nonce: string; now: Date }): Promise<void> {
  try {
    await db.insertInto('bridge_nonces').values({ bridge, nonce, used_at: now }).execute()
  } catch (error) {
    if (!breaksConstraint(error, 'bridge_nonces_pkey')) throw error
    throw refused('replayed', 'This request was sent before.')
  }
}

/** Describes the difference of a clock, such as “2 hours behind”. */
function formatOff(off: number): string {
  const minutes = Math.round(Math.abs(off) / 60_000)
  const hours = Math.round(minutes / 60)
  const much = minutes >= 90 ? formatPlural(hours, 'hour') : formatPlural(minutes, 'minute')
  return `${much} ${off < 0 ? 'behind' : 'ahead of'}`
}

/** Records that a correctly signed agent was refused, which the page Game shows (BRIDGE-23). */
export async function noteRefusal(db: Db, bridge: number, refusal: string, now: Date): Promise<void> {
  await db
    .updateTable('bridges')
    .set({ refusal, refused_at: now, refusals: sql`case when refusal = ${refusal} then refusals + 1 else 1 end` })
    .where('bridge', '=', bridge)
    .execute()
}

/** `seen_at` is written at most this often. */
const SEEN_EVERY_MS = 5000

async function noteSeen(db: Db, { bridge, off, now }: { bridge: number; off: number; now: Date }): Promise<void> {
  await db
    .updateTable('bridges')
    .set({ seen_at: now, clock_off_ms: Math.round(off) })
    .where('bridge', '=', bridge)
    .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<', new Date(now.getTime() - SEEN_EVERY_MS))]))
    .execute()
}
