import { sql } from 'kysely'
import * as calls from '#contract/discord.ts'
import { DISCORD_CHANNELS, getChannelSetting } from '#contract/discord.ts'
import { DISCORD_FACTS } from '#contract/discord-link.ts'
import { formatPlural } from '#contract/numbers.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { hideSecret } from '#server/features/settings/describe.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readSettingsNow } from '#server/settings.ts'
import { sealSecret } from '#server/site-key.ts'
import { APP_SECRET_CONTEXT, createAuthorization, getRedirectAddress, requestApi } from './linked-roles.ts'
import { postTest } from './test-post.ts'

/** The calls of the desk about Discord: the state of each channel, a test, and the application (DISCORD-5). */
export const discordDeskCalls: MountedCall[] = [
  mount(calls.getDiscordChannels, async (_, { deps }) => {
    const settings = await readSettingsNow(deps)
    const states = await selectChannelStates(deps.db)
    return {
      rows: DISCORD_CHANNELS.map((channel) => {
        const name = getChannelSetting(channel)
        const { posted_at = null, waiting = 0, failure = '' } = states.find((state) => state.channel === channel) ?? {}
        return { channel, webhook: String(hideSecret(name, settings[name])), posted_at, waiting, failure }
      }),
      app: await describeApp(deps),
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

  mount(calls.saveDiscordApp, {
    prepare: async ({ client_id: id, client_secret: secret, bot_token }, { deps }) => {
      try {
        const metadataResponse = await requestApi(deps, {
          method: 'PUT',
          path: `/applications/${id}/role-connections/metadata`,
          authorization: `Bot ${bot_token}`,
          body: [...DISCORD_FACTS],
        })
        const tokenResponse = await requestApi(deps, {
          method: 'POST',
          path: '/oauth2/token',
          authorization: createAuthorization({ id, secret }),
          body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
        })
        return { metadataStatus: metadataResponse.status, tokenStatus: tokenResponse.status }
      } catch {
        throw refuse(calls.saveDiscordApp, 'unreachable')
      }
    },
    write: async ({ client_id, client_secret }, { deps: { db: tx, now, siteKey }, prepared, record }) => {
      if (prepared.metadataStatus !== 200) throw refuse(calls.saveDiscordApp, 'notAccepted')
      if (prepared.tokenStatus !== 200) throw refuse(calls.saveDiscordApp, 'wrongSecret')
      const formerApp = await tx.selectFrom('discord_app').select('client_id').forUpdate().executeTakeFirst()
      // Tokens are valid only for the application that they were issued for.
      if (formerApp !== undefined && formerApp.client_id !== client_id) await tx.deleteFrom('discord_links').execute()
      const app = { client_id, sealed: sealSecret(siteKey, client_secret, APP_SECRET_CONTEXT), changed_at: now() }
      await tx
        .insertInto('discord_app')
        .values(app)
        .onConflict((conflict) => conflict.column('only_row').doUpdateSet(app))
        .execute()
      record({
        target: ['discord', 'application'],
        before: { client_id: formerApp?.client_id ?? '' },
        after: { client_id },
      })
      return { message: 'Players can connect with Discord now.' }
    },
  }),

  mount(calls.removeDiscordApp, async ({ client_id }, { deps: { db: tx }, record, requireApproval }) => {
    const app = await tx.selectFrom('discord_app').select('client_id').forUpdate().executeTakeFirst()
    if (app?.client_id !== client_id) throw refuse(calls.removeDiscordApp, 'appChanged')
    if ((await countLinks(tx)) > 0)
      await requireApproval({
        approverKind: 'operator',
        accounts: [],
        summary: `Remove the Discord application ${client_id} and disconnect all players`,
        effect: { application: client_id },
      })
    const { numDeletedRows: linkCount } = await tx.deleteFrom('discord_links').executeTakeFirst()
    await tx.deleteFrom('discord_states').execute()
    await tx.deleteFrom('discord_app').execute()
    record({
      target: ['discord', 'application'],
      before: { client_id, links: Number(linkCount) },
      after: { client_id: '' },
    })
    return { message: `The application is removed; ${formatPlural(Number(linkCount), 'player')} disconnected.` }
  }),
]

async function countLinks(db: Db): Promise<number> {
  const { links } = await db
    .selectFrom('discord_links')
    .select((eb) => eb.fn.countAll<number>().as('links'))
    .executeTakeFirstOrThrow()
  return Number(links)
}

async function describeApp({ db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>) {
  const app = await db.selectFrom('discord_app').select('client_id').executeTakeFirst()
  return { client_id: app?.client_id ?? '', links: await countLinks(db), redirect_url: getRedirectAddress(publicUrl) }
}

/** Selects the state of each channel's messages, with the failure of the message that was requested last. */
async function selectChannelStates(db: Db) {
  const { rows } = await sql<{ channel: string; posted_at: Date | null; waiting: number; failure: string }>`
    select channel, max(posted_at) as posted_at, (count(*) filter (where due_at is not null))::int as waiting,
      (array_agg(failure order by requested_at desc))[1] as failure
    from discord_posts group by channel`.execute(db)
  return rows
}
