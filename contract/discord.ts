import { z } from 'zod'
import * as f from 'zod/mini'
import { deskCalls } from './desk.ts'
import { count, moment } from './scalars.ts'

const desk = deskCalls('discord', { read: 'settings.write' })

/** What is posted to Discord, each to a channel of its own; the last four are for staff. */
export const CHANNELS = [
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
export type Channel = (typeof CHANNELS)[number]

/** Returns the setting that has the webhook of a channel. */
export const channelSetting = <C extends Channel>(channel: C): `${C}_webhook` => `${channel}_webhook`

export const discordTestForm = f.object({ channel: f.enum(CHANNELS, 'Choose a channel.') })

export const getDiscordChannels = desk.read('/admin/discord', {
  summary: 'The channels of Discord that the site posts to, and how the last message went',
  output: z.object({
    rows: z.array(
      z.object({
        channel: z.enum(CHANNELS),
        webhook: z.string().meta({ description: 'The end of its address; empty without one' }),
        posted_at: moment.nullable(),
        waiting: count.meta({ description: 'How many messages wait' }),
        failure: z.string().meta({ description: 'Why the newest message was not accepted; empty otherwise' }),
      }),
    ),
  }),
})

export const sendDiscordTest = desk.write('/admin/discord/test', {
  title: 'Send test to Discord',
  summary: 'Post a test to a channel of Discord',
  idempotent: false,
  fields: discordTestForm,
  errors: {
    webhookMissing: { status: 409, message: 'This channel has no webhook yet. Enter its address first.' },
    notPosted: { status: 409, message: 'Discord did not accept the message. Check the webhook address.' },
    wait: { status: 409, message: 'Discord asks to wait a moment. Try again in a minute.' },
  },
})
