import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Selectable } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { getClientAddress, getNetwork } from '#server/http/client-address.ts'
import { limitBody, readForm, readText } from '#server/http/read-body.ts'
import { hashToken } from '#server/http/tokens.ts'
import { openSecret } from '#server/site-key.ts'
import { selectAccountByToken } from './account-tokens.ts'
import { countVote } from './votes.ts'

type VoteSite = Selectable<Schema['vote_sites']>
type Fields = ReadonlyMap<string, string>

/** The context for which a site's secret is sealed. */
export const getSecretContext = (site: number) => `secret of vote site ${site}`

const BODY_MAX_BYTES = 16_384
/** The resolved addresses of a host are fresh for ten minutes. While the resolver fails, they are used for up to a day. */
const ADDRESSES_FRESH_MS = 10 * MINUTE_MS
const ADDRESSES_STALE_MS = DAY_MS

/**
 * Returns the ids of the vote lists that can report votes, by the hash of the token in their address. Every process caches
 * them.
 */
async function readAddresses({ browseDb, cache }: Deps): Promise<Readonly<Record<string, number>>> {
  const value = await cache.getValue('vote addresses', async () => {
    const rows = await browseDb
      .selectFrom('vote_sites')
      .where('visible', '=', true)
      .where('address_hash', 'is not', null)
      .select(['site', 'address_hash'])
      .execute()
    return Object.fromEntries(rows.map(({ site, address_hash }) => [address_hash, site]))
  })
  return value as Record<string, number>
}

/**
 * Serves the address that server lists call after a vote, `/votes/{word}`, by GET or POST (REWARD-6). A call is accepted by
 * its token and its secret or the sender's address, never by its content alone (EVENT-2). A repeated vote gets the same
 * response as a new one, because the list would otherwise report it again.
 *
 * An invalid token needs no query and counts toward the caller's limit of pages. Calls with a list's token count toward the
 * limit of that list.
 */
export function createVoteCallbacks(deps: Deps) {
  const isSender = createSenderCheck(deps)
  return new Hono().on(
    ['GET', 'POST'],
    '/votes/:word{[\\w-]{32}}',
    async (c, next) => {
      const listId = (await readAddresses(deps))[hashToken(c.req.param('word'))]
      if (listId === undefined) {
        deps.limits.consumeInMemory('pages', getNetwork(getClientAddress(c, deps.config.trustedProxies)))
        return createNotFound(c)
      }
      deps.limits.consumeInMemory('voteCalls', listId)
      return next()
    },
    limitBody(BODY_MAX_BYTES),
    async (c) => {
      c.header('Cache-Control', 'no-store')
      // HEAD must not count a vote, because programs that check links send it.
      if (c.req.method === 'HEAD') return c.text('OK')
      const site = await deps.db
        .selectFrom('vote_sites')
        .where('address_hash', '=', hashToken(c.req.param('word')))
        .where('visible', '=', true)
        .selectAll()
        .executeTakeFirst()
      if (site === undefined) return createNotFound(c)
      const fields = await readFields(c)
      const { check } = VOTE_LISTS[site.list]
      if (check === 'secret' && !hasSecret(deps, site, fields, c)) return c.text('The secret is wrong.', 403)
      if (check === 'sender') {
        const answer = await isSender(site.sender, getClientAddress(c, deps.config.trustedProxies))
        if (answer === 'unknown') return c.text('Please try again later.', 503)
        if (answer === 'no') return c.text('Calls come from the list only.', 403)
      }
      const { voted_field, voted_value } = site
      if (voted_field !== '' && fields.get(voted_field) !== voted_value) return c.text('Not counted.')
      const account = await selectAccountByToken(deps.db, readAccount(site, fields))
      if (account === undefined) return c.text('There is no such account.', 404)
      await countVote(deps, { ...site, userNum: account.user_num })
      return c.text('OK')
    },
  )
}

const createNotFound = (c: Context) => c.text('There is nothing here.', 404, { 'Cache-Control': 'no-store' })

/** Reads the fields of a call from the address and from a form or JSON. Ignores a field that occurs twice. */
async function readFields(c: Context): Promise<Fields> {
  const fields = new Map<string, string>()
  const repeatedNames = new Set<string>()
  const addField = (name: string, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return
    if (fields.has(name)) repeatedNames.add(name)
    fields.set(name, String(value))
  }
  for (const [name, value] of new URL(c.req.url).searchParams) addField(name, value)
  for (const [name, value] of c.req.method === 'POST' ? await readBodyFields(c) : []) addField(name, value)
  for (const name of repeatedNames) fields.delete(name)
  return fields
}

/** Reads the fields of a body: JSON, a multipart form, which PHP sends for an array of fields, or else an urlencoded form. */
async function readBodyFields(c: Context): Promise<Iterable<[string, unknown]>> {
  const contentType = c.req.header('Content-Type') ?? ''
  if (/^multipart\/form-data\b/i.test(contentType)) return (await readForm(c)).entries()
  const text = await readText(c)
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return new URLSearchParams(text)
  const body = parseJson(text)
  return typeof body === 'object' && body !== null ? Object.entries(body) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads the account's token from the first of the site's fields that was sent. */
const readAccount = ({ account_field }: VoteSite, fields: Fields): string =>
  account_field
    .split(',')
    .map((name) => fields.get(name.trim()))
    .find((value) => value !== undefined && value !== '') ?? ''

/** Returns whether the call has the correct secret in its field or, for a generic list, in a header of that name. */
function hasSecret(
  { siteKey }: Deps,
  { site, list, sealed, secret_field }: VoteSite,
  fields: Fields,
  c: Context,
): boolean {
  if (sealed === null || secret_field === '') return false
  const sentSecret = fields.get(secret_field) ?? (list === 'generic' ? c.req.header(secret_field) : undefined) ?? ''
  const hashText = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashText(sentSecret), hashText(openSecret(siteKey, sealed, getSecretContext(site))))
}

/** Creates a function that checks whether an address belongs to a host. It resolves and caches the addresses of hosts. */
function createSenderCheck({ resolveHost, now, log }: Pick<Deps, 'resolveHost' | 'now' | 'log'>) {
  const addressCache = new Map<string, { addresses: readonly string[]; at: number }>()
  return async (host: string, address: string): Promise<'yes' | 'no' | 'unknown'> => {
    const at = now().getTime()
    const cachedAddresses = addressCache.get(host)
    if (cachedAddresses === undefined || at - cachedAddresses.at >= ADDRESSES_FRESH_MS)
      try {
        addressCache.set(host, { addresses: await resolveHost(host), at })
      } catch (error) {
        log.warn({ err: error, host }, 'the host that votes come from cannot be resolved')
        if (cachedAddresses === undefined || at - cachedAddresses.at >= ADDRESSES_STALE_MS) return 'unknown'
      }
    return addressCache.get(host)?.addresses.includes(address) ? 'yes' : 'no'
  }
}
