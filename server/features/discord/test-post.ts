import { type DiscordChannel, getChannelSetting } from '#contract/discord.ts'
import type { Deps } from '#server/deps.ts'
import { openWebhook, requestDiscord } from '#server/discord.ts'
import { readSettingsNow } from '#server/settings.ts'
import { toMessage } from './embeds.ts'

/** Posts a test message to a channel, and returns the result. */
export async function postTest(
  deps: Pick<Deps, 'db' | 'config' | 'siteKey' | 'publicUrl' | 'now'>,
  channel: DiscordChannel,
): Promise<'posted' | 'no webhook' | 'wait' | 'refused'> {
  const settings = await readSettingsNow(deps)
  const webhook = openWebhook(deps.siteKey, settings[getChannelSetting(channel)])
  if (webhook === '') return 'no webhook'
  const body = toMessage(
    { title: 'This is a test', text: 'Messages will look like this.', path: '/', at: deps.now() },
    { name: settings.site_name, publicUrl: deps.publicUrl },
  )
  const answer = await requestDiscord(webhook, { method: 'POST', body }).catch(() => null)
  if (answer?.status === 429) return 'wait'
  return answer !== null && answer.status >= 200 && answer.status < 300 ? 'posted' : 'refused'
}
