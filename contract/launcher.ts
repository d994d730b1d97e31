import { z } from 'zod'
import { id, nullableMoment, offsetMoment } from './scalars.ts'

/** The size of the launcher's picture in pixels, small enough for a page of 20 kB with its picture. */
export const LAUNCHER_PICTURE_PX = 96

/** The number of news items in the launcher. */
export const LAUNCHER_NEWS_COUNT = 3

/** All data for a game's launcher. Addresses are absolute. */
export const launcherSchema = z
  .object({
    name: z.string(),
    site: z.string().meta({ description: 'The address of the site' }),
    state: z
      .enum(['up', 'down', 'maintenance', 'unknown'])
      .meta({ description: 'unknown without reports of a bridge, and in the demo world' }),
    players: z
      .int()
      .nullable()
      .meta({ description: 'The number of players online; null during maintenance and while unknown' }),
    maintenance: z
      .object({
        from: offsetMoment,
        until: nullableMoment.meta({ description: 'Null without an announced end' }),
        text: z.string(),
      })
      .nullable()
      .meta({ description: 'The present or next maintenance' }),
    event: z
      .object({ id, title: z.string(), starts_at: offsetMoment, address: z.string() })
      .nullable()
      .meta({ description: 'The event that is on or comes next' }),
    news: z.array(
      z.object({
        id,
        subject: z.string(),
        published_at: nullableMoment,
        address: z.string(),
        picture: z.string().nullable(),
      }),
    ),
    downloads: z.array(z.object({ name: z.string(), address: z.string(), version: z.string(), size: z.string() })),
  })
  .meta({ id: 'Launcher' })

export type Launcher = z.infer<typeof launcherSchema>

/** The documents for launchers, which are not below /api. `/api/docs` lists them. */
export const LAUNCHER_DOCUMENTS = [
  {
    path: '/launcher',
    operationId: 'getLauncherPage',
    summary: 'A page without scripts for the browser inside a launcher, at most 20 kB with its picture',
    type: 'text/html',
    schema: z.string(),
  },
  {
    path: '/launcher.json',
    operationId: 'getLauncher',
    summary: 'State, players, next maintenance and event, three news items and the downloads, for launchers',
    type: 'application/json',
    schema: launcherSchema,
  },
] as const
