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
type Ended = Pick<Link, 'seal' | 'sealed'> & { unlink: number; client_id: string | null; app_sealed: string | null }

const LEASE = sql`interval '2 minutes'`
const ROUND_MS = 40_000
/** Facts that cannot be deleted at Discord are given up after this time. */
const UNLINKED_FOR = sql`interval '7 days'`

/** Whether facts have to be sent, or links ended at Discord. */
export async function hasDueFacts(db: Deps['db']): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from discord_links where due_at <= clock_timestamp())
      or exists (select from discord_unlinks where due_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/** Ends links at Discord and sends the facts that are due: daily, at a month's end, and when a player is hidden. */
export async function sendFacts(deps: SendingDeps): Promise<void> {
  const app = await readApp(deps)
  await sql`delete from discord_unlinks where ended_at < clock_timestamp() - ${UNLINKED_FOR}`.execute(deps.db)
  const until = performance.now() + ROUND_MS
  const isOpen = () => !deps.signal.aborted && performance.now() < until
  while (isOpen()) {
    const { rows } = await sql<Ended>`
      update discord_unlinks set due_at = clock_timestamp() + interval '10 minutes' where unlink = (
        select unlink from discord_unlinks where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked)
      returning unlink, seal, sealed, client_id, app_sealed`.execute(deps.db)
    const [ended] = rows
    if (ended === undefined) break
    if (await endAtDiscord(deps, app, ended))
      await deps.db.deleteFrom('discord_unlinks').where('unlink', '=', ended.unlink).execute()
  }
  if (app === undefined) return
  while (isOpen()) {
    const { rows } = await sql<Link>`
      update discord_links set due_at = clock_timestamp() + ${LEASE} where user_num = (
        select user_num from discord_links where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked)
      returning user_num, seal, sealed, tokens_until`.execute(deps.db)
    const [link] = rows
    if (link === undefined) return
    const waitMs = await sendOne(deps, app, link)
    if (waitMs > 0)
      return void (await sql`
        update discord_links set due_at = greatest(due_at, clock_timestamp() + ${waitMs} * interval '1 millisecond')
        where due_at < clock_timestamp() + interval '2 hours'`.execute(deps.db))
  }
}

/** Sends the facts of one account. @returns the milliseconds that Discord requires to wait */
async function sendOne(deps: SendingDeps, app: App, link: Link): Promise<number> {
  const { db, log, now } = deps
  try {
    const facts = await readFacts(deps, link.user_num)
    const access = await findAccess(deps, app, link)
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
async function findAccess(deps: SendingDeps, app: App, link: Link): Promise<string | null> {
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
      tokens_until: new Date(now().getTime() + tokens.goodMs),
    })
    .where('user_num', '=', link.user_num)
    .where('seal', '=', link.seal)
    .execute()
  return tokens.access
}

type Facts = Record<string, number | string>

/** Replaces the facts at Discord; null deletes them. The player's name is not sent. */
async function putFacts(deps: SendingDeps, app: App, access: string, facts: Facts | null): Promise<DiscordAnswer> {
  const { site_name } = await readSettings(deps)
  const request = { path: `/users/@me/applications/${app.id}/role-connection`, authorization: `Bearer ${access}` }
  return facts === null
    ? requestApi(deps, { ...request, method: 'DELETE' })
    : requestApi(deps, { ...request, method: 'PUT', body: { platform_name: site_name.slice(0, 50), metadata: facts } })
}

/** Deletes the facts of a link that ended, and revokes its tokens. @returns whether all of that is done */
async function endAtDiscord(deps: SendingDeps, present: App | undefined, ended: Ended): Promise<boolean> {
  const { client_id, app_sealed } = ended
  try {
    const app =
      client_id === null || app_sealed === null || client_id === present?.id
        ? present
        : openApp(deps.siteKey, { client_id, sealed: app_sealed })
    if (app === undefined) return false
    const { access, refresh } = openTokens(deps.siteKey, ended)
    const cleared = await putFacts(deps, app, access, null)
    const form = new URLSearchParams({ token: refresh, token_type_hint: 'refresh_token' })
    const isOver = cleared.status < 500 && cleared.status !== 429
    if (!isOver) return false
    const revoked = await requestApi(deps, {
      method: 'POST',
      path: '/oauth2/token/revoke',
      authorization: createAuthorization(app),
      body: form,
    })
    return revoked.status < 500 && revoked.status !== 429
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'link not ended at Discord')
    return false
  }
}

/** Returns the facts of an account; null if the account is blocked, locked, hidden or left out. */
export async function readFacts(deps: Deps, userNum: number): Promise<Facts | null> {
  const { db, now } = deps
  const { rows } = await sql<{ level: number | null; leader: boolean | null; since: Date }>`
    select max(c.cha_level) as level, bool_or(g.club is not null) as leader, a.created_at as since
    from accounts a
    join characters c on c.user_num = a.user_num and ${isPresented(now())}
    left join clubs g on g.leader = c.cha_num
    where a.user_num = ${userNum} group by a.created_at`.execute(db)
  const [own] = rows
  if (own === undefined || own.level === null) return null
  const divisions = findPresentSeason(await selectSeasons(db))?.divisions ?? []
  const places: number[] = []
  const reached: number[] = []
  for (const board of BOARDS) {
    const month = await readOwnRanks(deps, { userNum, of: 'month', board })
    places.push(...month.data.flatMap(({ rank }) => rank ?? []))
    const season = await readOwnRanks(deps, { userNum, of: 'season', board })
    reached.push(...season.data.map(({ division }) => divisions.findIndex(({ name }) => name === division) + 1))
  }
  const division = Math.min(...reached.filter((index) => index > 0))
  return {
    level: own.level,
    leader: own.leader ? 1 : 0,
    ...(places.length > 0 && { place: Math.min(...places) }),
    ...(Number.isFinite(division) && { division }),
    since: own.since.toISOString(),
  }
}
