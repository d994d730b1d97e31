import { sql } from 'kysely'
import { DISCORD_CHANNELS, type DiscordChannel, getChannelSetting } from '#contract/discord.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import type { PostingDeps } from '#server/deps.ts'
import { type DiscordAnswer, hashWebhook, openWebhook, requestDiscord } from '#server/discord.ts'
import { readSettingsNow } from '#server/settings.ts'
import { findEmbed, toMessage } from './embeds.ts'

/** The time after its request for which a message is retried. */
const RETRY_PERIOD = sql`${DAY_MS} * interval '1 millisecond'`
/** The time for which a leased message belongs to one process. It is longer than a request can take. */
const LEASE_INTERVAL = sql`interval '1 minute'`
/** A round begins no more messages after this time. */
const ROUND_MS = 40_000
/** Discord's codes of a message and of a webhook that were deleted there. */
const [UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK] = [10_008, 10_015]

type Post = {
  post: number
  channel: DiscordChannel
  subject: string
  version: number
  attempts: number
  message: string | null
  posted_to: string | null
}

/** Returns whether a message waits. */
export async function hasDuePost(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from discord_posts where due_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/**
 * Sends the messages that wait (DISCORD-2): new messages, changes of earlier ones, and deletions of messages whose object is
 * hidden. If the process ends between Discord's response and its record, the message is sent again.
 */
export async function sendDuePosts(deps: PostingDeps): Promise<void> {
  const { db, log, signal } = deps
  await giveUpOldPosts(db)
  const deadline = performance.now() + ROUND_MS
  const settings = await readSettingsNow(deps)
  const webhooks = new Map(
    DISCORD_CHANNELS.map((channel) => [channel, openWebhook(deps.siteKey, settings[getChannelSetting(channel)])]),
  )
  const site = { name: settings.site_name, publicUrl: deps.publicUrl }
  while (!signal.aborted && performance.now() < deadline) {
    const post = await leasePost(db)
    if (post === undefined) return
    const webhook = webhooks.get(post.channel) ?? ''
    try {
      const answer = webhook === '' ? null : await sendPost(deps, { post, webhook, site })
      if (answer === null) await finishPost(db, post, {})
      else await recordAnswer(deps, { post, webhook, answer, webhooks })
    } catch (error) {
      log.warn({ post: post.post, channel: post.channel, reason: (error as Error).message }, 'not posted to Discord')
      await retryPost(db, post, (error as Error).message)
    }
  }
}

/** Leases the message that has waited longest, and counts the attempt. */
async function leasePost(db: Db): Promise<Post | undefined> {
  const { rows } = await sql<Post>`
    update discord_posts set attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE_INTERVAL}
    where post = (
      select post from discord_posts where due_at <= clock_timestamp()
      order by due_at, post limit 1 for update skip locked)
    returning post, channel, subject, version, attempts, message, posted_to`.execute(db)
  return rows[0]
}

type PostContext = { post: Post; webhook: string; site: { name: string; publicUrl: string } }

/** Sends one request about a message. @returns null when no request is needed @throws when Discord cannot be reached */
async function sendPost(
  { db, now, signal }: PostingDeps,
  { post, webhook, site }: PostContext,
): Promise<DiscordAnswer | null> {
  const embed = await findEmbed(db, post, now())
  const isPosted = post.message !== null && post.posted_to === hashWebhook(webhook)
  const address = new URL(webhook)
  if (isPosted) address.pathname += `/messages/${post.message}`
  else address.searchParams.set('wait', 'true')
  if (embed === null) return isPosted ? requestDiscord(address, { method: 'DELETE', signal }) : null
  return requestDiscord(address, {
    method: isPosted ? 'PATCH' : 'POST',
    body: toMessage(embed, { ...site, version: post.version }),
    signal,
  })
}

type AnsweredPost = {
  post: Post
  webhook: string
  answer: DiscordAnswer
  webhooks: ReadonlyMap<DiscordChannel, string>
}

async function recordAnswer(
  { db, log }: PostingDeps,
  { post, webhook, answer, webhooks }: AnsweredPost,
): Promise<void> {
  const { status, body, waitMs, isGlobal } = answer
  if (status === 429) await retryPost(db, post, 'Discord limits requests. The next attempt waits.', waitMs)
  else if (status >= 500) await retryPost(db, post, `Discord answered with status ${status}.`)
  else if (status >= 200 && status < 300) await finishPost(db, post, readMessage(body, webhook))
  else if (body.code === UNKNOWN_MESSAGE) await finishPost(db, post, { message: null, posted_to: null })
  else {
    log.warn({ post: post.post, channel: post.channel, status }, 'refused by Discord')
    const failure =
      body.code === UNKNOWN_WEBHOOK || status === 401 || status === 403 || status === 404
        ? 'This webhook no longer exists at Discord. Enter a new one.'
        : `Discord did not accept the message (status ${status}).`
    await finishPost(db, post, { failure })
  }
  if (waitMs === 0) return
  const limitedChannels = [...webhooks]
    .filter(([, address]) => isGlobal || address === webhook)
    .map(([channel]) => channel)
  await sql`
    update discord_posts set due_at = greatest(due_at, clock_timestamp() + ${waitMs} * interval '1 millisecond')
    where due_at is not null and channel = any(${limitedChannels}::text[])`.execute(db)
}

/** Returns the ID of a posted message for the record. The response to a deletion has no body. */
function readMessage({ id }: Record<string, unknown>, webhook: string) {
  return typeof id === 'string' && /^\d{1,20}$/.test(id)
    ? { message: id, posted_to: hashWebhook(webhook), isPosted: true }
    : { message: null, posted_to: null }
}

type PostOutcome = { message?: string | null; posted_to?: string | null; failure?: string; isPosted?: boolean }

/** Ends the request for a message, unless the message was requested again in the meantime. */
async function finishPost(
  db: Db,
  { post, version }: Post,
  { isPosted = false, failure = '', ...outcome }: PostOutcome,
) {
  await db
    .updateTable('discord_posts')
    .set({
      ...outcome,
      failure,
      attempts: 0,
      ...(isPosted && { posted_at: sql`clock_timestamp()` }),
      due_at: sql`case when version > ${version} then clock_timestamp() end`,
    })
    .where('post', '=', post)
    .execute()
}

/** Schedules another attempt, by default after 1, 2, 4 … 64 minutes. */
async function retryPost(
  db: Db,
  { post, attempts }: Post,
  failure: string,
  waitMs = 60_000 * 2 ** Math.min(attempts - 1, 6),
) {
  await db
    .updateTable('discord_posts')
    .set({ failure, due_at: sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'` })
    .where('post', '=', post)
    .where('attempts', '=', attempts)
    .execute()
}

/** Gives up messages that were requested over a day ago. */
const giveUpOldPosts = (db: Db) =>
  sql`update discord_posts set due_at = null
    where due_at is not null and requested_at < clock_timestamp() - ${RETRY_PERIOD}`.execute(db)
