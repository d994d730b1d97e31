import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Context } from 'hono'
import { sql } from 'kysely'
import {
  BRIDGE_CLOCK_DIFFERENCE_MAX_MS,
  BRIDGE_HEADERS,
  isLoopbackHost,
  toSignedText,
} from '#contract/bridge-signing.ts'
import { formatPlural } from '#contract/numbers.ts'
import { breaksConstraint } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { readText } from './read-body.ts'

/** The calling agent. `instance` identifies its process, with a number for each further start. */
export type BridgeCaller = { bridge: number; instance: string }

/** Returns the part of an instance that identifies the process: the UUID at its start. */
export const getProcessId = (instance: string): string => instance.slice(0, 36)

const createRefusal = (reason: string, message: string, extra: Record<string, unknown> = {}) =>
  new Refusal(401, reason, message, { extra: { reason, ...extra } })

/** The DER head of an Ed25519 public key (RFC 8410), before its 32 bytes. */
const ED25519_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Creates an Ed25519 public key from its 32 bytes in base64url. */
const createSignKey = (key: string) =>
  createPublicKey({
    key: Buffer.concat([ED25519_KEY_PREFIX, Buffer.from(key, 'base64url')]),
    format: 'der',
    type: 'spki',
  })

/**
 * Returns the paired bridge that signed a request (BRIDGE-7). Reads the body only for an existing bridge, compares the
 * clock only after it has verified the signature, and uses the nonce up last. So no one else can use a nonce up, or make
 * the desk show a wrong clock.
 *
 * @throws Refusal 401 for a request that is not signed, was signed with an unknown or revoked key or for another site, has a
 *   time that differs by more than a minute, or was sent before
 */
export async function requireBridge(deps: Deps, c: Context): Promise<BridgeCaller> {
  const readHeader = (name: keyof typeof BRIDGE_HEADERS) => c.req.header(BRIDGE_HEADERS[name]) ?? ''
  const [number, instance, time, nonce, signature] = [
    readHeader('bridge'),
    readHeader('instance'),
    readHeader('time'),
    readHeader('nonce'),
    readHeader('signature'),
  ]
  if (!/^\d{1,15}$/.test(number) || !/^[\w-]{16,64}$/.test(instance) || !/^[\w-]{16,64}$/.test(nonce))
    throw createRefusal('not-signed', 'This call is for a paired bridge, which signs its requests.')
  const now = deps.now()
  const clockOffsetMs = Date.parse(time) - now.getTime()
  if (Number.isNaN(clockOffsetMs)) throw createRefusal('clock', 'The request has no time of its signature.')
  const bridge = Number(number)
  const pairedBridge = await deps.db
    .selectFrom('bridges')
    .where('bridge', '=', bridge)
    .select(['sign_key', 'revoked_at'])
    .executeTakeFirst()
  if (pairedBridge === undefined)
    throw createRefusal('unknown', 'This bridge is not paired with this site. Pair it with a new code.')
  if (pairedBridge.revoked_at !== null)
    throw createRefusal('revoked', 'This bridge was revoked at the desk. Pair it again with a new code.')
  const { origins, path } = readSignedAddress(deps, c)
  const bodyHash = createHash('sha256')
    .update(c.req.method === 'GET' ? '' : await readText(c))
    .digest('hex')
  const isSignedFor = (origin: string) =>
    verify(
      null,
      Buffer.from(toSignedText({ method: c.req.method, origin, path, bodyHash, time, nonce, instance })),
      createSignKey(pairedBridge.sign_key),
      Buffer.from(signature, 'base64url'),
    )
  if (!origins.some(isSignedFor))
    throw createRefusal(
      'signature',
      `The signature is not valid. This site is ${origins[0]}: the bridge’s configuration must have exactly that as "site".`,
    )
  if (Math.abs(clockOffsetMs) > BRIDGE_CLOCK_DIFFERENCE_MAX_MS) {
    await recordRefusal(deps.db, bridge, `Its clock is ${formatClockOffset(clockOffsetMs)} the site’s.`, now)
    throw createRefusal(
      'clock',
      `The bridge’s clock is too far from the site’s: the site has ${now.toISOString()}, the request has ${time.slice(0, 40)}. Set both clocks with a time server (NTP).`,
      { now: now.toISOString() },
    )
  }
  await consumeNonce(deps.db, { bridge, nonce, now })
  await recordContact(deps.db, { bridge, clockOffsetMs, now })
  return { bridge, instance }
}

/**
 * Returns the origins for which a request may be signed: the site's public origin and, on this machine, the origin to which
 * it was sent.
 */
function readSignedAddress(deps: Deps, c: Context): { origins: string[]; path: string } {
  const url = new URL(c.req.url)
  const origins = [new URL(deps.publicUrl).origin]
  const sentOrigin = URL.parse(`http://${c.req.header('Host') ?? url.host}`)
  if (sentOrigin !== null && isLoopbackHost(sentOrigin.hostname)) origins.push(sentOrigin.origin)
  return { origins, path: url.pathname + url.search }
}

async function consumeNonce(
  db: Db,
  { bridge, nonce, now }: { bridge: number; nonce: string; now: Date },
): Promise<void> {
  try {
    await db.insertInto('bridge_nonces').values({ bridge, nonce, used_at: now }).execute()
  } catch (error) {
    if (!breaksConstraint(error, 'bridge_nonces_pkey')) throw error
    throw createRefusal('replayed', 'This request was sent before.')
  }
}

/** Formats the difference of a clock, such as “2 hours behind”. */
function formatClockOffset(clockOffsetMs: number): string {
  const minutes = Math.round(Math.abs(clockOffsetMs) / 60_000)
  const hours = Math.round(minutes / 60)
  const amount = minutes >= 90 ? formatPlural(hours, 'hour') : formatPlural(minutes, 'minute')
  return `${amount} ${clockOffsetMs < 0 ? 'behind' : 'ahead of'}`
}

/** Records that a correctly signed agent was refused, which the page Game shows (BRIDGE-23). */
export async function recordRefusal(db: Db, bridge: number, refusal: string, now: Date): Promise<void> {
  await db
    .updateTable('bridges')
    .set({ refusal, refused_at: now, refusals: sql`case when refusal = ${refusal} then refusals + 1 else 1 end` })
    .where('bridge', '=', bridge)
    .execute()
}

/** The shortest interval between two writes of `seen_at`. */
const CONTACT_WRITE_INTERVAL_MS = 5000

async function recordContact(
  db: Db,
  { bridge, clockOffsetMs, now }: { bridge: number; clockOffsetMs: number; now: Date },
): Promise<void> {
  await db
    .updateTable('bridges')
    .set({ seen_at: now, clock_off_ms: Math.round(clockOffsetMs) })
    .where('bridge', '=', bridge)
    .where((eb) =>
      eb.or([eb('seen_at', 'is', null), eb('seen_at', '<', new Date(now.getTime() - CONTACT_WRITE_INTERVAL_MS))]),
    )
    .execute()
}
