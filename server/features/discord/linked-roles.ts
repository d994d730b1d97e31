import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { DISCORD_LINK_TIME_LIMIT_MS } from '#contract/discord-link.ts'
import { DAY_MS } from '#contract/durations.ts'
import { breaksConstraint } from '#server/db/errors.ts'
import type { Deps } from '#server/deps.ts'
import { type DiscordAnswer, requestDiscord } from '#server/discord.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { openSecret, type SiteKey, sealSecret } from '#server/site-key.ts'

const DISCORD_API = 'https://discord.com/api/v10'
const AUTHORIZE_URL = 'https://discord.com/oauth2/authorize'
const SCOPES = ['identify', 'role_connections.write']
export const APP_SECRET_CONTEXT = 'the secret of the application at Discord'

export type App = { id: string; secret: string }
export type Tokens = { access: string; refresh: string }
type LinkSession = { userNum: number; sessionId: number }

export const openApp = (key: SiteKey, { client_id, sealed }: { client_id: string; sealed: string }): App => ({
  id: client_id,
  secret: openSecret(key, sealed, APP_SECRET_CONTEXT),
})

/** Returns the operators' application; undefined if there is none. */
export async function readApp({ db, siteKey }: Pick<Deps, 'db' | 'siteKey'>): Promise<App | undefined> {
  const row = await db.selectFrom('discord_app').select(['client_id', 'sealed']).executeTakeFirst()
  return row && openApp(siteKey, row)
}

/** Seals a link's tokens. @param seal the random ID of the link, without which the tokens cannot be opened */
export const sealTokens = (key: SiteKey, tokens: Tokens, seal: string) =>
  sealSecret(key, JSON.stringify(tokens), `tokens of Discord ${seal}`)

export const openTokens = (key: SiteKey, { sealed, seal }: { sealed: string; seal: string }): Tokens =>
  JSON.parse(openSecret(key, sealed, `tokens of Discord ${seal}`))

const getVerifierContext = (stateHash: string) => `code verifier ${stateHash}`
export const getRedirectAddress = (publicUrl: string) => `${publicUrl}/discord`

/** Starts a link, and returns the address at Discord where the player authorizes it. */
export async function startLink(
  { db, now, siteKey, publicUrl }: Deps,
  app: App,
  session: LinkSession,
): Promise<string> {
  const state = createToken()
  const stateHash = hashToken(state)
  const verifier = randomBytes(48).toString('base64url')
  await db
    .insertInto('discord_states')
    .values({
      state_hash: stateHash,
      user_num: session.userNum,
      session_id: session.sessionId,
      sealed: sealSecret(siteKey, verifier, getVerifierContext(stateHash)),
      ends_at: new Date(now().getTime() + DISCORD_LINK_TIME_LIMIT_MS),
    })
    .execute()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    scope: SCOPES.join(' '),
    state,
    redirect_uri: getRedirectAddress(publicUrl),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'consent',
  })
  return `${AUTHORIZE_URL}?${query}`
}

type LinkAuthorization = LinkSession & { code: string; state: string }

/**
 * Links the Discord account that the player authorized, one for each account of the site (DISCORD-7). Each state can be used
 * once, even if linking fails.
 */
export async function finishLink(
  deps: Deps,
  app: App,
  { userNum, sessionId, code, state }: LinkAuthorization,
): Promise<'linked' | 'expired' | 'refused' | 'taken' | 'alreadyLinked'> {
  const { db, now, siteKey, publicUrl } = deps
  const stateHash = hashToken(state)
  const stateRow = await db
    .deleteFrom('discord_states')
    .where('state_hash', '=', stateHash)
    .where('user_num', '=', userNum)
    .where('session_id', '=', sessionId)
    .where('ends_at', '>', now())
    .returning('sealed')
    .executeTakeFirst()
  if (stateRow === undefined) return 'expired'
  const tokens = await requestTokens(deps, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: getRedirectAddress(publicUrl),
    code_verifier: openSecret(siteKey, stateRow.sealed, getVerifierContext(stateHash)),
  })
  if ('status' in tokens) return 'refused'
  const discordUser = await requestApi(deps, {
    method: 'GET',
    path: '/users/@me',
    authorization: `Bearer ${tokens.access}`,
  })
  const { id, global_name, username } = discordUser.body
  if (discordUser.status !== 200 || typeof id !== 'string' || !/^\d{1,20}$/.test(id)) return 'refused'
  const seal = randomUUID()
  try {
    return await db.transaction().execute(async (tx) => {
      // An operator may have removed or replaced the application in the meantime.
      const currentApp = await tx
        .selectFrom('discord_app')
        .where('client_id', '=', app.id)
        .select('client_id')
        .forShare()
        .executeTakeFirst()
      if (currentApp === undefined) return 'refused'
      await tx
        .insertInto('discord_links')
        .values({
          user_num: userNum,
          discord_id: id,
          discord_name: String(global_name ?? username ?? id).slice(0, 40),
          seal,
          sealed: sealTokens(siteKey, tokens, seal),
          tokens_until: new Date(now().getTime() + tokens.lifetimeMs),
          linked_at: now(),
        })
        .execute()
      // Cancel the queued unlink of this Discord account: the new link overwrites its data at Discord, and revoking the old
      // tokens would revoke the new tokens too.
      await tx
        .deleteFrom('discord_unlinks')
        .where('discord_id', '=', id)
        .where((eb) => eb.or([eb('client_id', 'is', null), eb('client_id', '=', app.id)]))
        .execute()
      return 'linked'
    })
  } catch (error) {
    const isTaken = breaksConstraint(error, 'discord_links_discord_key')
    if (!isTaken && !breaksConstraint(error, 'discord_links_pkey')) throw error
    return isTaken ? 'taken' : 'alreadyLinked'
  }
}

type ApiRequest = { path: string; authorization: string } & Pick<
  Parameters<typeof requestDiscord>[1],
  'method' | 'body' | 'signal'
>

/** Sends a request to Discord's API. @throws when there is no answer */
export const requestApi = (
  { discordApi = DISCORD_API }: Pick<Deps, 'discordApi'>,
  { path, ...request }: ApiRequest,
): Promise<DiscordAnswer> => requestDiscord(discordApi + path, request)

export const createAuthorization = ({ id, secret }: App) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Requests tokens. @returns Discord's answer if it issues none, or tokens that lack a scope */
export async function requestTokens(
  deps: Pick<Deps, 'discordApi'>,
  app: App,
  form: Record<string, string>,
): Promise<(Tokens & { lifetimeMs: number }) | DiscordAnswer> {
  const answer = await requestApi(deps, {
    method: 'POST',
    path: '/oauth2/token',
    authorization: createAuthorization(app),
    body: new URLSearchParams(form),
  })
  const { access_token: access, refresh_token: refresh, expires_in, scope } = answer.body
  const grantedScopes = String(scope).split(' ')
  if (answer.status !== 200 || typeof access !== 'string' || typeof refresh !== 'string') return answer
  if (!SCOPES.every((requiredScope) => grantedScopes.includes(requiredScope))) return answer
  return { access, refresh, lifetimeMs: Math.min(Number(expires_in) * 1000 || 0, 30 * DAY_MS) }
}

/** Deletes the link of an account. A database trigger queues the request that removes it at Discord. */
export const endLink = ({ db }: Pick<Deps, 'db'>, userNum: number) =>
  sql`delete from discord_links where user_num = ${userNum}`.execute(db)
