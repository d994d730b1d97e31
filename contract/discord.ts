import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { lineField } from './fields.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('discord', { read: 'settings.write' })

/** The kinds of messages on Discord, each with its own channel; the last four are for staff. */
export const DISCORD_CHANNELS = [
  'news',
  'events',
  'wars',
  'months',
  'tournaments',
  'forum',
  'tickets',
  'appeals',
  'deliveries',
  'alert',
] as const
export type DiscordChannel = (typeof DISCORD_CHANNELS)[number]

/** Returns the setting that has the webhook of a channel. */
export const getChannelSetting = <C extends DiscordChannel>(channel: C): `${C}_webhook` => `${channel}_webhook`

export const discordTestForm = f.object({ channel: f.enum(DISCORD_CHANNELS, 'Choose a channel.') })

export const getDiscordChannels = desk.read('/admin/discord', {
  summary: 'The Discord channels that the site posts to, with the result of the last message',
  output: z.object({
    rows: z.array(
      z.object({
        channel: z.enum(DISCORD_CHANNELS),
        webhook: z.string().meta({ description: 'The last characters of its address; empty without a webhook' }),
        posted_at: moment.nullable(),
        waiting: count.meta({ description: 'The number of waiting messages' }),
        failure: z.string().meta({ description: 'Why the newest message was not accepted; empty otherwise' }),
      }),
    ),
    app: z.object({
      client_id: z
        .string()
        .meta({ description: 'The id of the application for linked roles; empty without an application' }),
      links: count.meta({ description: 'The number of connected players' }),
      redirect_url: z.string().meta({ description: 'The redirect that the application needs' }),
    }),
  }),
})

const CLIENT_ID_RULE = 'Enter the application’s id, a number with 15 to 20 digits.'
const secretField = lineField(200).check(f.minLength(1, 'Enter this value. Discord shows it only once.'))

export const discordAppForm = f.object({
  client_id: f.string(CLIENT_ID_RULE).check(f.trim(), f.regex(/^\d{15,20}$/, CLIENT_ID_RULE)),
  client_secret: secretField,
  bot_token: secretField,
})

export const discordAppFields = describeFields(discordAppForm, {
  client_id: { label: 'Application id', kind: 'digits' },
  client_secret: { label: 'Client secret', hint: 'under OAuth2', kind: 'password' },
  bot_token: { label: 'Bot token', hint: 'used one time, to set the roles up; not stored', kind: 'password' },
})

export const saveDiscordApp = desk.write('/admin/discord/app', {
  title: 'Change Discord application',
  summary: 'Set the application for linked roles and register its facts at Discord',
  sudo: true,
  idempotent: false,
  fields: discordAppForm,
  errors: {
    notAccepted: { status: 422, message: 'Discord does not accept this id with this token.', field: 'bot_token' },
    wrongSecret: { status: 422, message: 'Discord does not accept this secret.', field: 'client_secret' },
    unreachable: { status: 409, message: 'Discord cannot be reached right now. Try again in a minute.' },
  },
})

export const removeDiscordApp = desk.write('/admin/discord/app/remove', {
  title: 'Remove Discord application',
  summary: 'Remove the application for linked roles. While players are connected, another operator has to approve it',
  sudo: true,
  approvable: true,
  input: { body: z.object({ client_id: discordAppForm.shape.client_id }) },
  errors: { appChanged: { status: 409, message: 'The application was changed or removed. Reload the page.' } },
})

export const sendDiscordTest = desk.write('/admin/discord/test', {
  title: 'Send test to Discord',
  summary: 'Post a test to a channel of Discord',
  idempotent: false,
  fields: discordTestForm,
  errors: {
    webhookMissing: { status: 409, message: 'This channel has no webhook yet. Enter its address first.' },
    notPosted: { status: 409, message: 'Discord did not accept the message. Check the webhook address.' },
    wait: { status: 409, message: 'Discord is limiting requests. Try again in a minute.' },
  },
})
