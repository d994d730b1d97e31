import { sql } from 'kysely'
import * as calls from '#contract/discord.ts'
import { CHANNELS, channelSetting } from '#contract/discord.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { hideSecret } from '#server/features/settings/describe.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readSettingsNow } from '#server/settings.ts'
import { postTest } from './test-post.ts'

/** The calls of the desk about Discord. */
export const discordDeskCalls: Mounted[] = [
  mount(calls.getDiscordChannels, async (_, { deps }) => {
    const settings = await readSettingsNow(deps)
    const states = await selectStates(deps.db)
    return {
      rows: CHANNELS.map((channel) => {
        const name = channelSetting(channel)
        const { posted_at = null, waiting = 0, failure = '' } = states.find((one) => one.channel === channel) ?? {}
        return { channel, webhook: String(hideSecret(name, settings[name])), posted_at, waiting, failure }
      }),
    }
  }),

  mount(calls.sendDiscordTest, {
    prepare: async ({ channel }, { deps }) => {
      const outcome = await postTest(deps, channel)
      if (outcome === 'no webhook') throw refuse(calls.sendDiscordTest, 'webhookMissing')
      if (outcome === 'wait') throw refuse(calls.sendDiscordTest, 'wait')
      if (outcome === 'refused') throw refuse(calls.sendDiscordTest, 'notPosted')
    },
    write: async ({ channel }, { record }) => {
      record({ target: ['discord', 'test'], after: { channel } })
      return { message: 'The test is in the channel.' }
    },
  }),
]

/** How the messages of each channel went. The failure is that of the message that was requested last. */
async function selectStates(db: Db) {
  const { rows } = await sql<{ channel: string; posted_at: Date | null; waiting: number; failure: string }>`
    select channel, max(posted_at) as posted_at, (count(*) filter (where due_at is not null))::int as waiting,
      (array_agg(failure order by requested_at desc))[1] as failure
    from discord_posts group by channel`.execute(db)
  return rows
}
