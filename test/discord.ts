import { after } from 'node:test'
import { sql } from 'kysely'
import { type DiscordChannel, getChannelSetting } from '#contract/discord.ts'
import type { Db } from '#server/db/open.ts'
import type { PostingDeps } from '#server/deps.ts'
import { sendDuePosts } from '#server/features/discord/posts.ts'
import { TEST_NOW } from './databases.ts'
import { openDiscord } from './discord-server.ts'

/**
 * Starts a server in place of Discord and closes it when the file's tests end. `connect` sets it as the webhook of a channel, without the
 * check that the address is Discord's.
 */
export async function startDiscord() {
  const discord = await openDiscord()
  after(discord.close)

  async function connect(db: Db, channel: DiscordChannel, hook = 'hook'): Promise<void> {
    const value = JSON.stringify(`${discord.address}/${hook}`)
    await db
      .insertInto('settings')
      .values({ name: getChannelSetting(channel), value, changed_at: TEST_NOW })
      .onConflict((oc) => oc.column('name').doUpdateSet({ value }))
      .execute()
  }

  /** Sends waiting messages, including those due for a later retry. */
  async function deliver(site: Omit<PostingDeps, 'signal'>): Promise<void> {
    await sql`update discord_posts set due_at = clock_timestamp() where due_at is not null`.execute(site.db)
    await sendDuePosts({ ...site, signal: new AbortController().signal })
  }

  return Object.assign(discord, { connect, deliver })
}
