import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { BOARDS } from '#contract/game.ts'
import type { Deps } from '#server/deps.ts'
import type { DiscordAnswer } from '#server/discord.ts'
import { readOwnRanks } from '#server/features/rankings/own-ranks.ts'
import { isPresented } from '#server/features/rankings/queries.ts'
import { findPresentSeason } from '#server/features/rankings/season-boards.ts'
import { selectSeasons } from '#server/features/rankings/seasons.ts'
import { readSettings } from '#server/settings.ts'
import {
  type App,
  createAuthorization,
  endLink,
  openApp,
  openTokens,
  readApp,
  requestApi,
  requestTokens,
  sealTokens,
} from './linked-roles.ts'

type SendingDeps = Deps & { signal: AbortSignal }
type Link = { user_num: number; seal: string; sealed: string; tokens_until: Date }
type EndedLink = Pick<Link, 'seal' | 'sealed'> & { unlink: number; client_id: string | null; app_sealed: string | null }

const LEASE_INTERVAL = sql`interval '2 minutes'`
const ROUND_MS = 40_000
/** The time for which the deletion of facts at Discord is retried. */
const DELETION_RETRY_PERIOD = sql`interval '7 days'`

/** Returns whether facts about players have to be sent to Discord, or links have to be ended there. */
export async function hasDueFacts(db: Deps['db']): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from discord_links where due_at <= clock_timestamp())
      or exists (select from discord_unlinks where due_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/** Ends links at Discord and sends the facts that are due: daily, at a month's end, and when a player is hidden. */
export async function sendFacts(deps: SendingDeps): Promise<void> {
  const app = await readApp(deps)
  await sql`delete from discord_unlinks where ended_at < clock_timestamp() - ${DELETION_RETRY_PERIOD}`.execute(deps.db)
  const deadline = performance.now() + ROUND_MS
  const hasTime = () => !deps.signal.aborted && performance.now() < deadline
  while (hasTime()) {
    const { rows } = await sql<EndedLink>`
      update discord_unlinks set due_at = clock_timestamp() + interval '10 minutes' where unlink = (
        select unlink from discord_unlinks where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked)
      returning unlink, seal, sealed, client_id, app_sealed`.execute(deps.db)
    const [endedLink] = rows
    if (endedLink === undefined) break
    if (await endLinkAtDiscord(deps, app, endedLink))
      await deps.db.deleteFrom('discord_unlinks').where('unlink', '=', endedLink.unlink).execute()
  }
  if (app === undefined) return
  while (hasTime()) {
    const { rows } = await sql<Link>`
      update discord_links set due_at = clock_timestamp() + ${LEASE_INTERVAL} where user_num = (
        select user_num from discord_links where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked)
      returning user_num, seal, sealed, tokens_until`.execute(deps.db)
    const [link] = rows
    if (link === undefined) return
    const waitMs = await sendFactsOfLink(deps, app, link)
    if (waitMs > 0)
      return void (await sql`
        update discord_links set due_at = greatest(due_at, clock_timestamp() + ${waitMs} * interval '1 millisecond')
        where due_at < clock_timestamp() + interval '2 hours'`.execute(deps.db))
  }
}

/** Sends the facts of one account. @returns the milliseconds that Discord requires to wait */
async function sendFactsOfLink(deps: SendingDeps, app: App, link: Link): Promise<number> {
  const { db, log, now } = deps
  try {
    const facts = await readFacts(deps, link.user_num)
    const access = await findAccessToken(deps, app, link)
    const answer = access === null ? null : await putFacts(deps, app, access, facts)
    // The player removed the application at Discord.
    if (answer?.status === 401) await endLink(deps, link.user_num)
    const isSent =
      answer !== null && ((answer.status >= 200 && answer.status < 300) || (!facts && answer.status === 404))
    // The link stays due if the player was hidden during the request.
    await db
      .updateTable('discord_links')
      .set({
        due_at: sql`clock_timestamp() + ${isSent ? DAY_MS : HOUR_MS} * interval '1 millisecond'`,
        ...(isSent && { sent_at: now() }),
      })
      .where('user_num', '=', link.user_num)
      .where('due_at', '>', sql<Date>`clock_timestamp()`)
      .execute()
    return answer?.waitMs ?? 0
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'facts not sent to Discord')
    return 60_000
  }
}

/** Returns a valid access token, refreshed in its last day; null if Discord issues none. */
async function findAccessToken(deps: SendingDeps, app: App, link: Link): Promise<string | null> {
  const { db, siteKey, now } = deps
  const { access, refresh } = openTokens(siteKey, link)
  if (link.tokens_until.getTime() > now().getTime() + DAY_MS) return access
  const tokens = await requestTokens(deps, app, { grant_type: 'refresh_token', refresh_token: refresh })
  if ('status' in tokens) {
    if (tokens.body.error === 'invalid_grant') await endLink(deps, link.user_num)
    return null
  }
  await db
    .updateTable('discord_links')
    .set({
      sealed: sealTokens(siteKey, tokens, link.seal),
      tokens_until: new Date(now().getTime() + tokens.lifetimeMs),
    })
    .where('user_num', '=', link.user_num)
    .where('seal', '=', link.seal)
    .execute()
  return tokens.access
}

/** The data on which a role at Discord can depend: level, club leader, rank, division and age of the account. */
type Facts = Record<string, number | string>

/** Replaces the facts at Discord; null deletes them. The player's name is not sent. */
async function putFacts(deps: SendingDeps, app: App, access: string, facts: Facts | null): Promise<DiscordAnswer> {
  const { site_name } = await readSettings(deps)
  const request = { path: `/users/@me/applications/${app.id}/role-connection`, authorization: `Bearer ${access}` }
  return facts === null
    ? requestApi(deps, { ...request, method: 'DELETE' })
    : requestApi(deps, { ...request, method: 'PUT', body: { platform_name: site_name.slice(0, 50), metadata: facts } })
}

/** Deletes the facts of a link that ended, and revokes its tokens (DISCORD-9). @returns false to try both again later */
async function endLinkAtDiscord(
  deps: SendingDeps,
  currentApp: App | undefined,
  endedLink: EndedLink,
): Promise<boolean> {
  const { client_id, app_sealed } = endedLink
  try {
    const app =
      client_id === null || app_sealed === null || client_id === currentApp?.id
        ? currentApp
        : openApp(deps.siteKey, { client_id, sealed: app_sealed })
    if (app === undefined) return false
    const { access, refresh } = openTokens(deps.siteKey, endedLink)
    const clearResponse = await putFacts(deps, app, access, null)
    const form = new URLSearchParams({ token: refresh, token_type_hint: 'refresh_token' })
    const isDeleted = clearResponse.status < 500 && clearResponse.status !== 429
    if (!isDeleted) return false
    const revokeResponse = await requestApi(deps, {
      method: 'POST',
      path: '/oauth2/token/revoke',
      authorization: createAuthorization(app),
      body: form,
    })
    return revokeResponse.status < 500 && revokeResponse.status !== 429
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'link not ended at Discord')
    return false
  }
}

/**
 * Returns the facts of an account (DISCORD-8); null if no character may be shown, for example because the account is
 * blocked.
 */
export async function readFacts(deps: Deps, userNum: number): Promise<Facts | null> {
  const { db, now } = deps
  const { rows } = await sql<{ level: number | null; leader: boolean | null; since: Date }>`
    select max(c.cha_level) as level, bool_or(g.club is not null) as leader, a.created_at as since
    from accounts a
    join characters c on c.user_num = a.user_num and ${isPresented(now())}
    left join clubs g on g.leader = c.cha_num
    where a.user_num = ${userNum} group by a.created_at`.execute(db)
  const [row] = rows
  if (row === undefined || row.level === null) return null
  const divisions = findPresentSeason(await selectSeasons(db))?.divisions ?? []
  const ranks: number[] = []
  const divisionNums: number[] = []
  for (const board of BOARDS) {
    const month = await readOwnRanks(deps, { userNum, of: 'month', board })
    ranks.push(...month.data.flatMap(({ rank }) => rank ?? []))
    const season = await readOwnRanks(deps, { userNum, of: 'season', board })
    divisionNums.push(...season.data.map(({ division }) => divisions.findIndex(({ name }) => name === division) + 1))
  }
  const division = Math.min(...divisionNums.filter((index) => index > 0))
  return {
    level: row.level,
    leader: row.leader ? 1 : 0,
    ...(ranks.length > 0 && { place: Math.min(...ranks) }),
    ...(Number.isFinite(division) && { division }),
    since: row.since.toISOString(),
  }
}
