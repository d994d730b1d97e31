import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Selectable } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddress } from '#server/http/client-address.ts'
import { hashToken } from '#server/http/tokens.ts'
import { openSecret } from '#server/site-key.ts'
import { countVote } from './votes.ts'
import { selectByWord } from './words.ts'

type Site = Selectable<Schema['vote_sites']>
type Fields = ReadonlyMap<string, string>

/** What the secret of a site is sealed for. */
export const secretContext = (site: number) => `secret of vote site ${site}`

const BODY_MAX_BYTES = 16_384
/** How long the addresses of a host are taken as the present ones, and how long they serve while the resolver fails. */
const RESOLVED_MS = 10 * MINUTE_MS
const STALE_MS = DAY_MS

/**
 * The address that lists of servers call after a vote, `/votes/{word}`, by GET or POST. The word, and the secret or the
 * sender's address decide, never the content alone (EVENT-2). What was counted before is answered like a new vote, so that
 * a list stops telling it.
 */
export function voteCallbacks(deps: Deps) {
  const isSender = createSenderCheck(deps)
  return new Hono().on(
    ['GET', 'POST'],
    '/votes/:word{[\\w-]{32}}',
    bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (c) => c.text('Too long.', 413) }),
    async (c) => {
      c.header('Cache-Control', 'no-store')
      const site = await deps.db
        .selectFrom('vote_sites')
        .where('address_hash', '=', hashToken(c.req.param('word')))
        .where('visible', '=', true)
        .selectAll()
        .executeTakeFirst()
      if (site === undefined) return c.text('There is nothing here.', 404)
      const fields = await readFields(c)
      const { check } = VOTE_LISTS[site.list]
      if (check === 'secret' && !hasSecret(deps, site, fields, c)) return c.text('The secret is wrong.', 403)
      if (check === 'sender') {
        const answer = await isSender(site.sender, clientAddress(c, deps.config.trustedProxies))
        if (answer === 'unknown') return c.text('Please try again later.', 503)
        if (answer === 'no') return c.text('Calls come from the list only.', 403)
      }
      const { voted_field, voted_value } = site
      if (voted_field !== '' && fields.get(voted_field) !== voted_value) return c.text('Not counted.')
      const account = await selectByWord(deps.db, readAccount(site, fields))
      if (account === undefined) return c.text('There is no such account.', 404)
      await countVote(deps, { ...site, userNum: account.user_num })
      return c.text('OK')
    },
  )
}

/** The fields of a call: those of the address and of a form or JSON. A field that came twice is no field. */
async function readFields(c: Context): Promise<Fields> {
  const found = new Map<string, string>()
  const twice = new Set<string>()
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return
    if (found.has(name)) twice.add(name)
    found.set(name, String(value))
  }
  for (const [name, value] of new URL(c.req.url).searchParams) add(name, value)
  const text = c.req.method === 'POST' ? await c.req.text() : ''
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(c.req.header('Content-Type') ?? '')) {
    const body = parseJson(text)
    if (typeof body === 'object' && body !== null) for (const [name, value] of Object.entries(body)) add(name, value)
  } else for (const [name, value] of new URLSearchParams(text)) add(name, value)
  for (const name of twice) found.delete(name)
  return found
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What stands for the account: the first of the site's fields that came. */
const readAccount = ({ account_field }: Site, fields: Fields): string =>
  account_field
    .split(',')
    .map((name) => fields.get(name.trim()))
    .find((value) => value !== undefined && value !== '') ?? ''

/** Whether the right secret came: in its field, or for a generic list in a header of that name. */
function hasSecret({ siteKey }: Deps, { site, list, sealed, secret_field }: Site, fields: Fields, c: Context): boolean {
  if (sealed === null || secret_field === '') return false
  const came = fields.get(secret_field) ?? (list === 'generic' ? c.req.header(secret_field) : undefined) ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(came), digest(openSecret(siteKey, sealed, secretContext(site))))
}

/** Asks the resolver for the addresses of a host, and keeps the answer for a while. */
function createSenderCheck({ resolveHost, now, log }: Pick<Deps, 'resolveHost' | 'now' | 'log'>) {
  const known = new Map<string, { addresses: readonly string[]; at: number }>()
  return async (host: string, address: string): Promise<'yes' | 'no' | 'unknown'> => {
    const at = now().getTime()
    const before = known.get(host)
    if (before === undefined || at - before.at >= RESOLVED_MS)
      try {
        known.set(host, { addresses: await resolveHost(host), at })
      } catch (error) {
        log.warn({ err: error, host }, 'the host that votes come from cannot be resolved')
        if (before === undefined || at - before.at >= STALE_MS) return 'unknown'
      }
    return known.get(host)?.addresses.includes(address) ? 'yes' : 'no'
  }
}
