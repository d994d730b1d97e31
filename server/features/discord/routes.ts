import * as calls from '#contract/discord-link.ts'
import { UNREACHABLE_MESSAGE } from '#server/discord.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { endLink, finishLink, readApp, startLink } from './linked-roles.ts'

/** The calls by which a player connects a Discord account (DISCORD-6). */
export const discordLinkCalls: MountedCall[] = [
  mount(calls.getDiscordLink, async (_, { deps: { db }, session }) => {
    const app = await db.selectFrom('discord_app').select('client_id').executeTakeFirst()
    const link = await db
      .selectFrom('discord_links')
      .where('user_num', '=', session.userNum)
      .select(['discord_name', 'sent_at'])
      .executeTakeFirst()
    return { offered: app !== undefined, name: link?.discord_name ?? null, sent_at: link?.sent_at ?? null }
  }),

  mount(calls.startDiscordLink, async (_, { deps, session }) => {
    const app = await readApp(deps)
    if (app === undefined) throw refuse(calls.startDiscordLink, 'notOffered')
    return { url: await startLink(deps, app, session) }
  }),

  mount(calls.linkDiscord, async ({ code, state }, { deps, session: { userNum, sessionId } }) => {
    const app = await readApp(deps)
    if (app === undefined) throw refuse(calls.linkDiscord, 'notOffered')
    const outcome = await finishLink(deps, app, { userNum, sessionId, code, state }).catch((error: Error) => {
      if (error.message !== UNREACHABLE_MESSAGE) throw error
      return 'refused' as const
    })
    if (outcome !== 'linked') throw refuse(calls.linkDiscord, outcome)
    return { message: 'Your account is connected with Discord.' }
  }),

  mount(calls.unlinkDiscord, async (_, { deps, session }) => {
    await endLink(deps, session.userNum)
    return { message: 'Your account is no longer connected with Discord.' }
  }),
]
