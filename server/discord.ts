import { createHash } from 'node:crypto'
import type { SealedWebhook } from '#contract/settings.ts'
import packageJson from '../package.json' with { type: 'json' }
import { openSecret, type SiteKey, sealSecret } from './site-key.ts'

/** The message of the error when Discord does not answer. */
export const UNREACHABLE_MESSAGE = 'Discord could not be reached.'

const ANSWER_TIMEOUT_MS = 10_000
/** Discord rejects requests whose user agent has another form. */
const USER_AGENT = `DiscordBot (https://discord.com/developers/docs, ${packageJson.version})`

type DiscordRequest = {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'GET'
  authorization?: string
  /** JSON, or a form as OAuth 2 requires it. */
  body?: object | URLSearchParams
  signal?: AbortSignal
}

export type DiscordAnswer = {
  status: number
  body: Record<string, unknown>
  /** How long to wait before the next request; 0 if none is needed. */
  waitMs: number
  /** Whether the wait applies to requests to every address. */
  isGlobal: boolean
}

/**
 * Sends a request to Discord.
 *
 * @param address is never part of an error, because a webhook's address is a secret
 * @throws when there is no answer within ten seconds
 */
export async function requestDiscord(
  address: string | URL,
  { method, authorization, body, signal }: DiscordRequest,
): Promise<DiscordAnswer> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  const isForm = body instanceof URLSearchParams
  const response = await fetch(address, {
    method,
    headers: {
      'User-Agent': USER_AGENT,
      ...(body !== undefined && { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    ...(body !== undefined && { body: isForm ? body.toString() : JSON.stringify(body) }),
    redirect: 'error',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch(() => {
    throw new Error(UNREACHABLE_MESSAGE)
  })
  const text = await response.text().catch(() => '')
  const answer = parseObject(text)
  return {
    status: response.status,
    body: answer,
    waitMs: getWaitMs(response, answer),
    isGlobal: answer.global === true || response.headers.has('X-RateLimit-Global'),
  }
}

/** Returns the wait that Discord demands, after a 429 or when the limit is used up. */
function getWaitMs({ status, headers }: Response, body: Record<string, unknown>): number {
  const seconds =
    status === 429
      ? Number(body.retry_after ?? headers.get('Retry-After') ?? 1)
      : headers.get('X-RateLimit-Remaining') === '0'
        ? Number(headers.get('X-RateLimit-Reset-After') ?? 0)
        : 0
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds * 1000)) : 1000
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Escapes the Markdown, mentions and links in a text for Discord. */
export const escapeForDiscord = (text: string) => text.replace(/[\\*_~`|<>[\]()#@]/g, '\\$&')

const WEBHOOK_CONTEXT = 'a webhook of Discord'

/** Seals a webhook's address, because it is enough to post. */
export const sealWebhook = (key: SiteKey, address: string): SealedWebhook => ({
  sealed: sealSecret(key, address, WEBHOOK_CONTEXT),
  end: address.slice(-4),
})

/** Returns a webhook's address; '' if there is none, or if another key has sealed it. */
export function openWebhook(key: SiteKey, value: string | SealedWebhook): string {
  if (typeof value === 'string') return value
  try {
    return openSecret(key, value.sealed, WEBHOOK_CONTEXT)
  } catch {
    return ''
  }
}

/** Identifies a webhook without revealing it. */
export const hashWebhook = (address: string) => createHash('sha256').update(address).digest('hex')
